"""Renders a scene of ours with Blender's Cycles on one thread; `compare.py` runs it, in a process of its own.

    python cycles_peer.py cycles SCENE SAMPLES SEED OUT.npy [SKY.exr]

Prints one line of JSON: the CPU seconds of a render with few and of one with SAMPLES samples, and by how many samples a
pixel they differ; in the difference the scene, the BVH and the output cancel. Everything that makes Cycles biased is off:
clamping, glossy filtering, the light threshold, adaptive sampling and denoising.
"""

import json
import math
import sys
import tempfile
import time
from pathlib import Path

import bpy
import mathutils
import numpy as np

import scene as ours

# Ours is Y up, Blender's Z up.
UP = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]], float)
# Samples of the render that is subtracted.
FEW = 4


def build(scene, sky, folder):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    target = bpy.context.scene
    settings(target)
    materials = [node_material(material) for material in scene.materials]
    for index, copies in scene.placements:
        data = mesh(scene.meshes[index], materials)
        for copy in copies:
            add(target, "mesh", data).matrix_world = mathutils.Matrix(UP @ copy)
    camera(target, scene)
    if scene.sun:
        sun(target, *scene.sun)
    world(target, sky, folder)
    return target


def settings(target):
    render, cycles = target.render, target.cycles
    render.engine = "CYCLES"
    render.resolution_x, render.resolution_y, render.resolution_percentage = ours.WIDTH, ours.HEIGHT, 100
    render.threads_mode, render.threads = "FIXED", 1
    render.use_persistent_data = True
    render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "32"
    # Cycles counts bounces after the direct light, we count segments.
    for bounces in ("max_bounces", "diffuse_bounces", "glossy_bounces"):
        setattr(cycles, bounces, ours.MAX_DEPTH - 2)
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0
    cycles.light_sampling_threshold = cycles.blur_glossy = 0
    cycles.pixel_filter_type = "BOX"


def add(target, name, data):
    result = bpy.data.objects.new(name, data)
    target.collection.objects.link(result)
    return result


def mesh(primitives, materials):
    offsets = np.cumsum([0] + [len(primitive.positions) for primitive in primitives])
    triangles = np.vstack([p.triangles + offset for p, offset in zip(primitives, offsets)])
    positions, normals, uvs = (np.vstack([getattr(p, key) for p in primitives]) for key in ("positions", "normals", "uvs"))
    data = bpy.data.meshes.new("mesh")
    data.from_pydata(positions.tolist(), [], triangles.tolist())
    uvs = uvs[triangles.ravel()] * [1, -1] + [0, 1]
    data.uv_layers.new().data.foreach_set("uv", uvs.astype(np.float32).ravel())
    for primitive in primitives:
        data.materials.append(materials[primitive.material])
    slots = np.repeat(np.arange(len(primitives), dtype=np.int32), [len(p.triangles) for p in primitives])
    data.polygons.foreach_set("material_index", slots)
    data.normals_split_custom_set_from_vertices(normals.tolist())
    return data


def node_material(material):
    result = bpy.data.materials.new(material.name)
    result.use_nodes = True
    tree = result.node_tree
    surface = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    inputs = surface.inputs
    inputs["Base Color"].default_value = [*material.base_color, 1]
    inputs["Metallic"].default_value, inputs["Roughness"].default_value = material.metallic, material.roughness
    if material.base_color_texture:
        tree.links.new(times(tree, image(tree, material.base_color_texture), material.base_color), inputs["Base Color"])
    if material.metallic_roughness_texture:
        split = tree.nodes.new("ShaderNodeSeparateColor")
        stored = image(tree, material.metallic_roughness_texture, "Non-Color")
        factors = [1, material.roughness, material.metallic]
        tree.links.new(times(tree, stored, factors), split.inputs["Color"])
        tree.links.new(split.outputs["Green"], inputs["Roughness"])
        tree.links.new(split.outputs["Blue"], inputs["Metallic"])
    if material.normal_texture:
        bump = tree.nodes.new("ShaderNodeNormalMap")
        tree.links.new(image(tree, material.normal_texture, "Non-Color"), bump.inputs["Color"])
        tree.links.new(bump.outputs["Normal"], inputs["Normal"])
    if material.emits:
        emission(tree, material, inputs)
        result.cycles.emission_sampling = "FRONT"
    return result


def emission(tree, material, inputs):
    """Light from the front only."""
    inputs["Emission Color"].default_value = [*material.emission, 1]
    if material.emission_texture:
        tree.links.new(times(tree, image(tree, material.emission_texture), material.emission), inputs["Emission Color"])
    geometry, front = tree.nodes.new("ShaderNodeNewGeometry"), tree.nodes.new("ShaderNodeMath")
    front.operation, front.inputs[0].default_value = "SUBTRACT", 1
    tree.links.new(geometry.outputs["Backfacing"], front.inputs[1])
    tree.links.new(front.outputs["Value"], inputs["Emission Strength"])


def image(tree, path, colour_space="sRGB"):
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.load(str(path), check_existing=True)
    node.image.colorspace_settings.name = colour_space
    return node.outputs["Color"]


def times(tree, colour, factor):
    node = tree.nodes.new("ShaderNodeVectorMath")
    node.operation = "MULTIPLY"
    node.inputs[1].default_value = factor
    tree.links.new(colour, node.inputs[0])
    return node.outputs["Vector"]


def camera(target, scene):
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.angle = "VERTICAL", math.radians(scene.vertical_fov)
    data.clip_start, data.clip_end = 0.001, 1e5
    target.camera = add(target, "camera", data)
    position, aim = (mathutils.Vector(UP[:3, :3] @ point) for point in (scene.position, scene.target))
    turn = (aim - position).to_track_quat("-Z", "Y")
    target.camera.matrix_world = mathutils.Matrix.Translation(position) @ turn.to_matrix().to_4x4()


def sun(target, direction, irradiance):
    data = bpy.data.lights.new("sun", "SUN")
    data.angle, data.energy = math.radians(0.53), max(irradiance)
    data.color = [channel / max(irradiance) for channel in irradiance]
    toward = mathutils.Vector(UP[:3, :3] @ direction)
    add(target, "sun", data).matrix_world = toward.to_track_quat("Z", "Y").to_matrix().to_4x4()


def world(target, sky, folder):
    target.world = bpy.data.worlds.new("world")
    target.world.use_nodes = True
    tree = target.world.node_tree
    background = next(node for node in tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = [0, 0, 0, 1]
    if not sky:
        return
    # Our picture's centre looks along -Z, Blender's along +X.
    pixels = ours.read_exr(sky)
    ours.write_exr(folder / "sky.exr", np.roll(pixels, -pixels.shape[1] // 4, axis=1))
    node = tree.nodes.new("ShaderNodeTexEnvironment")
    node.image = bpy.data.images.load(str(folder / "sky.exr"))
    node.image.colorspace_settings.name = "Linear Rec.709"
    tree.links.new(node.outputs["Color"], background.inputs["Color"])


def render(target, samples, seed, out):
    """CPU seconds."""
    target.cycles.samples, target.cycles.seed, target.render.filepath = samples, seed, str(out)
    start = time.process_time()
    bpy.ops.render.render(write_still=True)
    return time.process_time() - start


def main(_, name, samples, seed, out, sky=None):
    samples, seed = int(samples), int(seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        target = build(ours.load(name), sky, folder)
        # The first render also makes what the others find ready.
        render(target, 1, seed, folder / "first.exr")
        few = render(target, FEW, seed, folder / "few.exr")
        many = render(target, samples, seed, folder / "many.exr")
        np.save(out, ours.read_exr(folder / "many.exr"))
    print(json.dumps({"samples": samples - FEW, "few": few, "many": many}))


main(*sys.argv[1:])
