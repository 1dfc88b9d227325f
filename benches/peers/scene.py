"""Reads a scene of ours as plain data, for the adapters of other renderers.

A module for `compare.py`, `mitsuba_peer.py` and `cycles_peer.py`. It knows the subset of glTF and of the scene file that
`scenes/generate` writes for paddock and cornell, and refuses what it would get wrong.
"""

import json
import math
import struct
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import OpenEXR

WIDTH, HEIGHT = 640, 360
MAX_DEPTH = 8

COMPONENTS = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
EXTENSIONS = {"EXT_mesh_gpu_instancing", "KHR_materials_emissive_strength"}


@dataclass
class Material:
    """Metallic-roughness; textures are image files or None and multiply the factors. v grows downward."""

    name: str
    base_color: list
    base_color_texture: Path | None
    metallic: float
    roughness: float
    metallic_roughness_texture: Path | None
    normal_texture: Path | None
    emission: list
    emission_texture: Path | None

    @property
    def emits(self):
        return any(self.emission)


@dataclass
class Primitive:
    """Triangles of one material."""

    positions: np.ndarray
    normals: np.ndarray
    uvs: np.ndarray
    triangles: np.ndarray
    material: int


@dataclass
class Scene:
    materials: list
    meshes: list  # of lists of primitives
    placements: list  # of (mesh, [4×4 object to world])
    position: list
    target: list
    vertical_fov: float
    sun: tuple | None  # (direction toward it, irradiance)


def scene_file(name):
    return Path(__file__).parents[2] / "scenes" / name / f"{name}.toml"


def load(name):
    """Reads `scenes/NAME`."""
    source = scene_file(name)
    file = tomllib.loads(source.read_text())
    [geometry] = file["geometry"]
    materials, meshes, placements = read_glb(source.parent / geometry["file"])
    camera, sun = file["camera"], file.get("sun")
    return Scene(
        materials, meshes, placements, camera["position"], camera["target"], camera["vertical_fov"],
        sun and (toward(sun["elevation"], sun["azimuth"]), sun["irradiance"]))


def toward(elevation, azimuth):
    """Degrees to a direction: azimuth 0 looks along -Z and grows toward +X."""
    elevation, azimuth = math.radians(elevation), math.radians(azimuth)
    across = math.cos(elevation)
    return [across * math.sin(azimuth), math.sin(elevation), -across * math.cos(azimuth)]


def read_glb(path):
    data = path.read_bytes()
    [length] = struct.unpack_from("<I", data, 12)
    gltf, binary = json.loads(data[20 : 20 + length]), data[28 + length :]
    unknown = set(gltf.get("extensionsUsed", [])) - EXTENSIONS
    if unknown:
        raise SystemExit(f"{path.name}: {unknown} is not supported")

    def accessor(index):
        entry = gltf["accessors"][index]
        width, start = WIDTHS[entry["type"]], gltf["bufferViews"][entry["bufferView"]]["byteOffset"]
        flat = np.frombuffer(binary, COMPONENTS[entry["componentType"]], entry["count"] * width, start)
        return flat.reshape(-1, width) if width > 1 else flat

    def texture(reference):
        return reference and path.parent / gltf["images"][gltf["textures"][reference["index"]]["source"]]["uri"]

    materials = [read_material(entry, texture) for entry in gltf["materials"]]
    meshes = [[read_primitive(entry, accessor) for entry in mesh["primitives"]] for mesh in gltf["meshes"]]
    placements = [(node["mesh"], transforms(node, accessor)) for node in gltf["nodes"]]
    return materials, meshes, placements


def read_material(entry, texture):
    if entry.get("doubleSided") or entry.get("alphaMode", "OPAQUE") != "OPAQUE":
        raise SystemExit(f"material {entry['name']}: double-sided and see-through surfaces are not supported")
    surface = entry["pbrMetallicRoughness"]
    strength = entry.get("extensions", {}).get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1)
    return Material(
        entry["name"],
        surface.get("baseColorFactor", [1, 1, 1])[:3],
        texture(surface.get("baseColorTexture")),
        surface.get("metallicFactor", 1.0),
        surface.get("roughnessFactor", 1.0),
        texture(surface.get("metallicRoughnessTexture")),
        texture(entry.get("normalTexture")),
        [strength * channel for channel in entry.get("emissiveFactor", [0, 0, 0])],
        texture(entry.get("emissiveTexture")))


def read_primitive(entry, accessor):
    attributes = entry["attributes"]
    columns = [accessor(attributes[name]) for name in ("POSITION", "NORMAL", "TEXCOORD_0")]
    return Primitive(*columns, accessor(entry["indices"]).reshape(-1, 3).astype(np.int32), entry["material"])


def transforms(node, accessor):
    """Object to world, of each copy of a node's mesh."""
    instancing = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
    if not instancing:
        return [transform(node["translation"], node["rotation"], node["scale"])]
    columns = [accessor(instancing["attributes"][key]) for key in ("TRANSLATION", "ROTATION", "SCALE")]
    return [transform(*row) for row in zip(*columns)]


def transform(translation, rotation, scale):
    x, y, z, w = rotation
    matrix = np.eye(4)
    matrix[:3, :3] = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]) * np.asarray(scale)
    matrix[:3, 3] = translation
    return matrix


def read_exr(path):
    """The RGB of an EXR's first part, height × width × 3."""
    channels = OpenEXR.File(str(path)).channels()
    for name in ("RGBA", "RGB"):
        if name in channels:
            return np.asarray(channels[name].pixels, np.float32)[..., :3]
    raise SystemExit(f"{path}: no colour channels, it has {sorted(channels)}")


def write_exr(path, pixels):
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, {"RGB": np.ascontiguousarray(pixels, np.float32)}).write(str(path))
