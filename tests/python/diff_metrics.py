#!/usr/bin/env python3
"""Metrics of one layer of two EXR files with NumPy, as JSON.

    diff_metrics.py TEST REFERENCE PREFIX      PREFIX "" for bare R, G, B, A, else like "N."
"""

import json
import sys

import numpy as np
import OpenEXR


def layer(path, prefix):
    with OpenEXR.File(path, separate_channels=True) as file:
        channels = file.channels()
        names = [prefix + name for name in ("XYZ" if prefix else "RGBA")]
        return np.stack([channels[name].pixels.astype(np.float64) for name in names], axis=-1)


def angles(t, r):
    unit = lambda v: v / np.linalg.norm(v, axis=-1, keepdims=True)
    t, r = unit(t), unit(r)
    cross = np.linalg.norm(np.cross(t, r), axis=-1)
    return np.degrees(np.arctan2(cross, np.sum(t * r, axis=-1)))


test, reference = layer(sys.argv[1], sys.argv[3]), layer(sys.argv[2], sys.argv[3])
d = test - reference
mse = np.mean(d**2)
peak = max(1.0, np.max(np.abs(reference)))
result = {
    "mae": np.mean(np.abs(d)),
    "rmse": np.sqrt(mse),
    "relative_mse": np.mean(d**2 / (reference**2 + 0.01)),
    "psnr": 10 * np.log10(peak**2 / mse),
    "max": np.max(np.abs(d)),
    "bias": np.mean(d),
}
if sys.argv[3] == "N.":
    turned = angles(test, reference)
    result.update(angle_mean=np.mean(turned), angle_max=np.max(turned))
print(json.dumps({key: float(value) for key, value in result.items()}))
