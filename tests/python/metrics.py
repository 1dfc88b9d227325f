#!/usr/bin/env python3
"""Computes picture metrics with other people's programs: FLIP with NVIDIA's flip-evaluator, SSIM with scikit-image.

    metrics.py JOBS.json

A job names two files of raw little-endian float32 (interleaved, row by row) and what to compute; its result is written
beside them: FLIP as a raw map OUT.f32, all else into OUT.json.
"""

import json
import math
import sys

import numpy as np
from flip_evaluator import evaluate
from skimage.metrics import structural_similarity


def picture(job, key):
    values = np.fromfile(job[key], dtype="<f4")
    return np.ascontiguousarray(values.reshape(job["height"], job["width"], job["channels"]))


def flip(job):
    reference, test = picture(job, "reference"), picture(job, "test")
    # The tool works in place on some of its inputs: it gets copies.
    error, mean, used = evaluate(
        reference.copy(), test.copy(), job["metric"], applyMagma=False, parameters={"ppd": job["ppd"], **job["parameters"]}
    )
    np.ascontiguousarray(error, dtype="<f4").tofile(job["out"] + ".f32")
    return {"mean": float(mean), **{key: value for key, value in used.items() if isinstance(value, (int, float)) and math.isfinite(value)}}


def ssim(job):
    reference, test = picture(job, "reference").astype(np.float64), picture(job, "test").astype(np.float64)
    options = dict(gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=job["range"])
    per_channel = [structural_similarity(reference[..., c], test[..., c], **options) for c in range(job["channels"])]
    return {"mean": float(structural_similarity(reference, test, channel_axis=2, **options)), "channels": per_channel}


for job in json.load(open(sys.argv[1], encoding="utf-8")):
    result = ssim(job) if job["metric"] == "SSIM" else flip(job)
    with open(job["out"] + ".json", "w", encoding="utf-8") as file:
        json.dump(result, file)
