# SPDX-License-Identifier: MIT
"""Baked smoke as a volume object, with a material of the same light as Billow's picture."""
import os
import re

import bpy

WIEN = 25924.0  # hc / (k lambda) of green light, 555 nm, K
AMBIENT = 293.0  # K


def sequence_of(path):
    """The files of a sequence by one of them: (first file, first number, how many)."""
    folder, name = os.path.split(path)
    parts = re.fullmatch(r"(.*?)(\d+)(\.vdb)", name, re.IGNORECASE)
    if parts is None:
        return path, 1, 1
    pattern = re.compile(re.escape(parts[1]) + r"(\d+)" + re.escape(parts[3]))
    numbers = sorted((int(match[1]), other) for other in os.listdir(folder)
                     if (match := pattern.fullmatch(other)))
    count = 1
    while count < len(numbers) and numbers[count][0] == numbers[0][0] + count:
        count += 1
    return os.path.join(folder, numbers[0][1]), numbers[0][0], count


class Nodes:
    """Makes nodes of arithmetic, and links them."""

    def __init__(self, material):
        self.tree = material.node_tree
        self.tree.nodes.clear()
        self.column = 0

    def add(self, kind, **inputs):
        node = self.tree.nodes.new(kind)
        node.location = (200 * self.column, -120 * (len(self.tree.nodes) % 5))
        self.column += 1
        for name, value in inputs.items():
            self.connect(value, node.inputs[name.replace("_", " ")])
        return node

    def connect(self, value, socket):
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        else:
            socket.default_value = value

    def math(self, operation, *values):
        node = self.add("ShaderNodeMath")
        node.operation = operation
        for value, socket in zip(values, node.inputs):
            self.connect(value, socket)
        return node.outputs[0]

    def grid(self, name, output="Fac"):
        node = self.add("ShaderNodeAttribute")
        node.attribute_name = name
        return node.outputs[output]


def make_material(name, extinction, albedo, glow, colored, anisotropy=0.35, flame=0.3):
    """Smoke scatters; hot soot, and flames as soot of `flame` seconds, emit as black bodies whose
    luminance at 1500 K is `glow`, and at other temperatures Planck's to the power 0.6, as Billow's."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    material.use_nodes = True
    nodes = Nodes(material)
    thick = nodes.math("MULTIPLY_ADD", nodes.grid("flame"), flame, nodes.grid("density"))
    optical = nodes.math("MULTIPLY", thick, extinction)
    kelvin = nodes.math("MAXIMUM", nodes.math("ADD", nodes.grid("temperature"), AMBIENT), AMBIENT)
    power = nodes.math("SUBTRACT", 0.6 * WIEN / 1500, nodes.math("DIVIDE", 0.6 * WIEN, kelvin))
    light = nodes.math("MULTIPLY", nodes.math("EXPONENT", power), glow)
    shine = nodes.math("MULTIPLY", light, optical)
    color = nodes.add("ShaderNodeBlackbody", Temperature=nodes.math("MAXIMUM", kelvin, 800.0))
    volume = nodes.add("ShaderNodeVolumePrincipled", Density=optical, Anisotropy=anisotropy,
                       Emission_Strength=shine, Emission_Color=color.outputs[0], Color=(*albedo, 1))
    volume.inputs["Density Attribute"].default_value = ""
    volume.inputs["Temperature Attribute"].default_value = ""
    if colored:
        volume.inputs["Color Attribute"].default_value = "color"
    nodes.add("ShaderNodeOutputMaterial", Volume=volume.outputs[0])
    return material


def load(path, name, origin, first_frame, collection):
    """The sequence of a .vdb file as the volume object NAME, which replaces an earlier one."""
    first, _, count = sequence_of(path)
    old = bpy.data.objects.get(name)
    if old is not None and old.type == "VOLUME":
        volume, thing = old.data, old
    else:
        volume = bpy.data.volumes.new(name)
        thing = bpy.data.objects.new(name, volume)
        collection.objects.link(thing)
    volume.filepath = first
    volume.is_sequence = count > 1
    volume.frame_duration = count
    volume.frame_start = first_frame
    volume.frame_offset = 0
    volume.sequence_mode = "CLIP"
    volume.velocity_unit = "SECOND"  # Blender's default is metres a frame
    volume.render.space = "WORLD"
    if volume.grids.is_loaded:
        volume.grids.unload()
    thing.location = origin
    return thing


def show(path, name, origin, first_frame, collection, colored, values):
    """Loads a sequence, and gives it its material. values: a domain's, or other extinction, albedo and
    glow."""
    thing = load(path, name, origin, first_frame, collection)
    material = make_material(name, values.extinction, values.albedo, values.glow, colored)
    thing.data.materials.clear()
    thing.data.materials.append(material)
    cycles = getattr(bpy.context.scene, "cycles", None)
    if cycles is not None and cycles.volume_bounces == 0:
        cycles.volume_bounces = 8  # without bounces white smoke is grey
    return thing
