"""Renders a scene of ours with Mitsuba 3 on one thread; `compare.py` runs it, in a process of its own.

    python mitsuba_peer.py VARIANT SCENE SAMPLES SEED OUT.npy [SKY.exr]

VARIANT is Mitsuba's, or that with `+weights`: all emissive meshes together are then chosen as often as the sun or the sky,
where Mitsuba by itself chooses all emitters equally often. With `+documented` surfaces have our own BRDF, for scenes without
textures: the picture is then ours but for noise.

Prints one line of JSON: the samples a pixel and the CPU seconds of one render. A short one goes before it, so that
tracing and compiling are not in it. The sun is a directional light without an angular size: what Mitsuba has for it, and
less noisy than a disc. All surfaces are the `principled` BSDF on both sides otherwise.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import drjit
import mitsuba
import numpy as np

import scene as ours


def build(scene, sky, folder, option):
    t = mitsuba.ScalarTransform4f
    film = {"type": "hdrfilm", "width": ours.WIDTH, "height": ours.HEIGHT, "rfilter": {"type": "box"},
            "pixel_format": "rgb", "component_format": "float32"}
    result = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": ours.MAX_DEPTH},
        "sensor": {"type": "perspective", "fov": scene.vertical_fov, "fov_axis": "y", "near_clip": 0.001,
                   "to_world": t().look_at(scene.position, scene.target, [0, 1, 0]),
                   "film": film, "sampler": {"type": "independent"}},
    }
    for index, material in enumerate(scene.materials):
        result[f"material{index}"] = documented(material) if option == "documented" else bsdf(material)
    for mesh_index, copies in scene.placements:
        mesh = scene.meshes[mesh_index]
        if len(copies) == 1:
            for index, primitive in enumerate(mesh):
                result[f"mesh{mesh_index}_{index}"] = shape(scene, primitive, folder, t(copies[0]))
            continue
        group = {"type": "shapegroup"}
        for index, primitive in enumerate(mesh):
            group[f"part{index}"] = shape(scene, primitive, folder, t())
        result[f"group{mesh_index}"] = group
        for index, copy in enumerate(copies):
            result[f"instance{mesh_index}_{index}"] = {
                "type": "instance", "to_world": t(copy), "group": {"type": "ref", "id": f"group{mesh_index}"}}
    if scene.sun:
        direction, irradiance = scene.sun
        result["sun"] = {"type": "directional", "direction": [-x for x in direction],
                         "irradiance": {"type": "rgb", "value": irradiance}}
    if sky:
        # Our picture's centre looks along -Z, Mitsuba's along +Z.
        pixels = ours.read_exr(sky)
        result["sky"] = {"type": "envmap", "bitmap": mitsuba.Bitmap(np.roll(pixels, pixels.shape[1] // 2, axis=1))}
    if option == "weights":
        emitters = [entry["emitter"] for entry in result.values() if isinstance(entry, dict) and "emitter" in entry]
        for emitter in emitters:
            emitter["sampling_weight"] = 1 / len(emitters)
    return mitsuba.load_dict(result)


def bsdf(material):
    parts = {"type": "principled", "base_color": {"type": "rgb", "value": material.base_color},
             "metallic": material.metallic, "roughness": material.roughness, "eta": 1.5}
    if material.base_color_texture:
        parts["base_color"] = bitmap(linear(material.base_color_texture) * np.float32(material.base_color))
    if material.metallic_roughness_texture:
        stored = stored_rgb(material.metallic_roughness_texture)
        parts["roughness"] = bitmap(stored[..., 1:2] * material.roughness)
        parts["metallic"] = bitmap(stored[..., 2:3] * material.metallic)
    if material.normal_texture:
        parts = {"type": "normalmap", "normalmap": bitmap(stored_rgb(material.normal_texture)), "bsdf": parts}
    return {"type": "twosided", "bsdf": parts}


def documented(material):
    if material.base_color_texture or material.metallic_roughness_texture or material.normal_texture:
        raise SystemExit(f"{material.name}: our BRDF is for materials without textures here")
    color = mitsuba.ScalarColor3f(material.base_color)
    parts = {"type": "documented", "base_color": color, "metallic": material.metallic, "roughness": material.roughness}
    return {"type": "twosided", "bsdf": parts}


def shape(scene, primitive, folder, to_world):
    path = folder / f"{id(primitive)}.ply"
    write_ply(path, primitive)
    result = {"type": "ply", "filename": str(path), "to_world": to_world,
              "bsdf": {"type": "ref", "id": f"material{primitive.material}"}}
    material = scene.materials[primitive.material]
    if material.emission_texture:
        texture = bitmap(linear(material.emission_texture) * np.float32(material.emission))
        result["emitter"] = {"type": "area", "radiance": texture}
    elif material.emits:
        result["emitter"] = {"type": "area", "radiance": {"type": "rgb", "value": material.emission}}
    return result


def write_ply(path, primitive):
    vertices = np.hstack([primitive.positions, primitive.normals, primitive.uvs]).astype("<f4")
    faces = np.empty(len(primitive.triangles), [("count", "u1"), ("corners", "<i4", 3)])
    faces["count"], faces["corners"] = 3, primitive.triangles
    columns = "".join(f"property float {name}\n" for name in "x y z nx ny nz u v".split())
    header = (f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\n{columns}"
              f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n")
    path.write_bytes(header.encode() + vertices.tobytes() + faces.tobytes())


def bitmap(pixels):
    """A texture of linear values, bilinear, repeating."""
    return {"type": "bitmap", "bitmap": mitsuba.Bitmap(np.ascontiguousarray(pixels)), "raw": True}


def stored_rgb(path):
    image = mitsuba.Bitmap(str(path)).convert(mitsuba.Bitmap.PixelFormat.RGB)
    return np.array(image).astype(np.float32) / 255


def linear(path):
    stored = stored_rgb(path)
    return np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4).astype(np.float32)


def main(variant, name, samples, seed, out, sky=None):
    variant, _, option = variant.partition("+")
    mitsuba.set_variant(variant)
    drjit.set_thread_count(1)
    if option == "documented":
        # Its class can only be made from a variant's.
        import documented as _
    with tempfile.TemporaryDirectory() as folder:
        scene = build(ours.load(name), sky, Path(folder), option)
    # Two samples compile the same kernel as many do.
    np.array(mitsuba.render(scene, spp=2, seed=1_000_000))
    start = time.process_time()
    pixels = np.array(mitsuba.render(scene, spp=int(samples), seed=int(seed)))
    seconds = time.process_time() - start
    np.save(out, pixels)
    print(json.dumps({"samples": int(samples), "few": 0, "many": seconds}))


main(*sys.argv[1:])
