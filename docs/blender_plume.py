# SPDX-License-Identifier: MIT
"""Opens a sequence baked by Billow in Blender and renders one of its frames with Cycles.

    billow bake plume --frames 10 --fps 4 --out p_%04d.vdb
    blender -b --factory-startup -noaudio --python blender_plume.py -- p_0001.vdb plume.png

Optional arguments after the first .vdb file and the picture are the frame (default: the last), the
width and height of the picture (640 640) and the samples per pixel (64). Camera, sun, sky, ground and
smoke are those of Billow's scene "plume". Its y axis becomes z, as in the files of `billow bake`.
"""
import math
import os
import re
import sys

import bpy
from mathutils import Vector

CAMERA = {"target": (1, 0.93, 1), "distance": 3.6, "azimuth": 20, "elevation": 3, "fov": 32}
SUN = {"azimuth": 125, "elevation": 24, "intensity": 13, "color": (1, 0.88, 0.7)}
SKY = {"intensity": 0.6, "zenith": (0.11, 0.25, 0.6), "horizon": (0.6, 0.74, 0.92)}
GROUND = (0.15, 0.142, 0.13)
SMOKE = {"extinction": 50, "albedo": (0.9, 0.91, 0.92), "anisotropy": 0.35}


def turned(x, y, z):
    """A point or direction of Billow (y up) in Blender's axes (z up)."""
    return Vector((x, -z, y))


def towards(azimuth, elevation):
    a, e = math.radians(azimuth), math.radians(elevation)
    return turned(math.sin(a) * math.cos(e), math.sin(e), math.cos(a) * math.cos(e))


def sequence_of(first):
    """The files of a sequence: names that differ only in the digits at the end."""
    folder, name = os.path.split(os.path.abspath(first))
    stem = re.fullmatch(r"(.*?)(\d*)\.vdb", name).group(1)
    pattern = re.compile(re.escape(stem) + r"(\d+)\.vdb")
    names = sorted(other for other in os.listdir(folder) if pattern.fullmatch(other))
    return folder, names or [name]


def import_smoke(first):
    folder, names = sequence_of(first)
    bpy.ops.object.volume_import(
        filepath=os.path.join(folder, names[0]), directory=folder,
        files=[{"name": name} for name in names], align="WORLD", location=(0, 0, 0))
    smoke = bpy.context.object
    smoke.data.velocity_unit = "SECOND"  # Blender's default is metres per frame
    return smoke


def smoke_material():
    material = bpy.data.materials.new("smoke")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    volume = nodes.new("ShaderNodeVolumePrincipled")
    output = nodes.new("ShaderNodeOutputMaterial")
    volume.inputs["Color"].default_value = (*SMOKE["albedo"], 1)
    volume.inputs["Density"].default_value = SMOKE["extinction"]
    volume.inputs["Density Attribute"].default_value = "density"
    volume.inputs["Anisotropy"].default_value = SMOKE["anisotropy"]
    links.new(volume.outputs["Volume"], output.inputs["Volume"])
    return material


def add_camera():
    place = turned(*CAMERA["target"]) + CAMERA["distance"] * towards(
        CAMERA["azimuth"], CAMERA["elevation"])
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.sensor_fit = "VERTICAL"
    camera.data.angle = math.radians(CAMERA["fov"])
    camera.location = place
    camera.rotation_euler = (turned(*CAMERA["target"]) - place).to_track_quat("-Z", "Y").to_euler()
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def add_sun():
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = SUN["intensity"]
    sun.data.color = SUN["color"]
    sun.rotation_euler = towards(SUN["azimuth"], SUN["elevation"]).to_track_quat("Z", "Y").to_euler()
    bpy.context.collection.objects.link(sun)


def add_sky():
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    place, parts = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeSeparateXYZ")
    ramp, background = nodes.new("ShaderNodeValToRGB"), nodes["Background"]
    ramp.color_ramp.elements[0].color = (*SKY["horizon"], 1)
    ramp.color_ramp.elements[1].color = (*SKY["zenith"], 1)
    ramp.color_ramp.elements[1].position = 0.5
    links.new(place.outputs["Generated"], parts.inputs[0])
    links.new(parts.outputs["Z"], ramp.inputs[0])
    links.new(ramp.outputs["Color"], background.inputs["Color"])
    background.inputs["Strength"].default_value = SKY["intensity"]
    world.cycles.sampling_method = "MANUAL"  # Blender's default takes long to prepare
    world.cycles.sample_map_resolution = 256
    bpy.context.scene.world = world


def add_ground():
    bpy.ops.mesh.primitive_plane_add(size=200, location=(0, 0, 0))
    material = bpy.data.materials.new("ground")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*GROUND, 1)
    shader.inputs["Roughness"].default_value = 1
    specular = "Specular" if "Specular" in shader.inputs else "Specular IOR Level"  # Blender 4
    shader.inputs[specular].default_value = 0
    bpy.context.object.data.materials.append(material)


def render(path, width, height, samples):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = samples
    scene.cycles.seed = 1
    scene.cycles.use_denoising = False  # not every Blender is built with it
    scene.cycles.volume_bounces = 16
    scene.cycles.sample_clamp_indirect = 4  # limits fireflies
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look = "Medium High Contrast"
    scene.view_settings.exposure = -0.3
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "JPEG" if path.endswith(".jpg") else "PNG"
    scene.render.filepath = os.path.abspath(path)
    bpy.ops.render.render(write_still=True)


def main():
    words = sys.argv[sys.argv.index("--") + 1:]
    if not 2 <= len(words) <= 6:
        sys.exit(__doc__)
    numbers = [int(word) for word in words[2:]]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    smoke = import_smoke(words[0])
    smoke.data.materials.append(smoke_material())
    frames = smoke.data.frame_duration if smoke.data.is_sequence else 1
    frame = numbers[0] if numbers else frames
    width, height, samples = (numbers[1:] + [640, 640, 64][len(numbers[1:]):])
    bpy.context.scene.frame_end = frames
    bpy.context.scene.frame_set(frame)
    smoke.data.grids.load()
    print("billow:", frames, "frames, grids", " ".join(sorted(g.name for g in smoke.data.grids)))
    low, high = (Vector(corner(smoke.bound_box[n][axis] for n in range(8)) for axis in range(3))
                 for corner in (min, max))
    print("billow: smoke from", *(f"{v:.3f}" for v in low), "to", *(f"{v:.3f}" for v in high))
    add_camera()
    add_sun()
    add_sky()
    add_ground()
    render(words[1], width, height, samples)


try:
    main()
except Exception as problem:  # Blender would print it and exit with 0
    print("billow:", problem, file=sys.stderr)
    sys.exit(1)
