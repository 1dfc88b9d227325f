"""Compares the speed and the noise of Scrutineer with those of Mitsuba 3 and Cycles, on one thread each.

    python benches/peers/compare.py --scrutineer target/release/scrutineer --scene paddock

docs/speed.md says what to install. Every round runs every renderer once, in turns and with a seed of the round. A
renderer's time is the CPU time of its quickest round (the median's speed stands in brackets), without loading, compiling
and writing; its noise is the spread of the rounds' pictures.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import numpy as np

import scene as ours

HERE = Path(__file__).parent
PEERS = {
    "llvm_ad_rgb": ("Mitsuba 3, llvm_ad_rgb", "mitsuba_peer.py"),
    "llvm_ad_rgb+weights": ("the same, emitters weighted", "mitsuba_peer.py"),
    "llvm_ad_rgb+documented": ("Mitsuba 3, llvm_ad_rgb, our BRDF", "mitsuba_peer.py"),
    "scalar_rgb": ("Mitsuba 3, scalar_rgb", "mitsuba_peer.py"),
    "cycles": ("Cycles", "cycles_peer.py"),
}
AOVS = {"default": "Scrutineer, default AOVs", "beauty": "Scrutineer, beauty alone"}
# Scrutineer adds samples in batches of 16.
BATCH = 16
# The noise is told at this count.
NOISE_SAMPLES = 64


def write_scenes(name, folder):
    """The scene with the film and the path length that all renderers share; and a panorama of its sky alone, if any."""
    source = ours.scene_file(name)
    scene = tomllib.loads(source.read_text())
    scene["render"] |= {"filter": "box", "max_depth": ours.MAX_DEPTH, "resolution": [ours.WIDTH, ours.HEIGHT]}
    for geometry in scene["geometry"]:
        geometry["file"] = str(source.parent / geometry["file"])
    (folder / "scene.json").write_text(json.dumps(scene))
    if "sky" in scene:
        sky = {"render": {"resolution": [512, 256], "filter": "box"}, "camera": {"kind": "panorama"},
               "sun": scene["sun"] | {"irradiance": [0, 0, 0]}, "sky": scene["sky"]}
        (folder / "sky.json").write_text(json.dumps(sky))


def scrutineer(arguments, scene, aovs, samples, seed, out):
    """CPU seconds of the whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [arguments.scrutineer, "render", scene, "-o", out, "--threads", 1, "--aov", aovs, "--samples", samples,
               "--seed", seed]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def scrutineer_turn(arguments, folder, aovs, seed):
    scene, out, samples = folder / "scene.json", folder / "out.exr", arguments.samples
    many = scrutineer(arguments, scene, aovs, samples + BATCH, seed, out)
    few = scrutineer(arguments, scene, aovs, samples, seed, out)
    return {"samples": BATCH, "few": few, "many": many}, ours.read_exr(out)


def peer_turn(arguments, folder, peer, seed):
    out, sky = folder / "out.npy", folder / "sky.exr"
    command = [sys.executable, HERE / PEERS[peer][1], peer, arguments.scene, arguments.samples, seed, out]
    command += [sky] if sky.exists() else []
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{peer}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1]), np.load(out)


def speed(times, choose):
    """M samples per CPU second."""
    seconds = choose([entry["many"] for entry in times]) - choose([entry["few"] for entry in times])
    return ours.WIDTH * ours.HEIGHT * times[0]["samples"] / seconds / 1e6


def relative_noise(pictures, samples):
    """Standard error over mean at NOISE_SAMPLES, averaged over the pixels that receive light."""
    levels = np.array([picture.mean(axis=2, dtype=np.float64) for picture in pictures])
    mean, deviation = levels.mean(axis=0), levels.std(axis=0, ddof=1)
    lit = mean > 0
    return (deviation[lit] / mean[lit]).mean() * (samples / NOISE_SAMPLES) ** 0.5


def brightness(pictures):
    """The mean of all pictures, and its standard error."""
    means = [picture.mean(dtype=np.float64) for picture in pictures]
    return np.mean(means), np.std(means, ddof=1) / len(means) ** 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scrutineer", required=True, metavar="PATH", help="the binary")
    parser.add_argument("--scene", choices=["paddock", "cornell"], default="paddock")
    parser.add_argument("--rounds", type=int, default=6, help="at least 2")
    parser.add_argument("--samples", type=int, default=16, help="per pixel and round, a multiple of 16")
    textured = [peer for peer in PEERS if "documented" not in peer]
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=textured)
    arguments = parser.parse_args()

    labels = AOVS | {peer: PEERS[peer][0] for peer in arguments.peers}
    times, pictures = ({key: [] for key in labels} for _ in range(2))
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write_scenes(arguments.scene, folder)
        if (folder / "sky.json").exists():
            scrutineer(arguments, folder / "sky.json", "beauty", BATCH, 0, folder / "sky.exr")
        for turn in range(arguments.rounds):
            for key in labels:
                run = scrutineer_turn if key in AOVS else peer_turn
                time, picture = run(arguments, folder, key, turn)
                times[key].append(time)
                pictures[key].append(picture)
                print(f"round {turn + 1}, {labels[key]}: {time}, load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)

    print("| renderer | M samples per CPU second | relative noise at 64 | efficiency | brightness |")
    print("| --- | --- | --- | --- | --- |")
    first = next(iter(labels))
    efficiency = {}
    ours_mean, ours_error = brightness(pictures[first])
    for key, label in labels.items():
        noise, quickest = relative_noise(pictures[key], arguments.samples), speed(times[key], min)
        efficiency[key] = quickest / noise**2
        mean, error = brightness(pictures[key])
        print(f"| {label} | {quickest:.2f} ({speed(times[key], statistics.median):.2f}) | {noise:.1%} | "
              f"{efficiency[key] / efficiency[first]:.3g} | {mean / ours_mean:.4f} ± {np.hypot(error, ours_error) / ours_mean:.4f} |")


main()
