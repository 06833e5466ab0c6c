# SPDX-License-Identifier: MIT
"""Writes a Blender scene as a scene of Billow: scene.yaml, and the files of its shapes beside it.

`export` is a generator, so that the caller can show progress and give up between two frames.
"""
import math
import os
import shutil

import bpy
import numpy
from mathutils import Vector

from . import axes

MOMENTS = 48  # most values of a track of Billow's timeline
LAMPS, EMITTERS, SOLIDS = 4, 32, 16


class ExportError(Exception):
    """A sentence for the user."""


# -- YAML ------------------------------------------------------------------------------------------

def word_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, str)):
        return str(value)
    if isinstance(value, float):
        return f"{value:.7g}"
    return "[" + ", ".join(word_of(part) for part in value) + "]"


def quoted(text):
    return "'" + "".join(" " if ord(letter) < 32 else letter for letter in text).replace("'", "''") + "'"


def lines_of(group, indent=""):
    """The lines of a group of keys: groups within it, lists of groups, and values."""
    for key, value in group.items():
        if isinstance(value, dict):
            yield f"{indent}{key}:"
            yield from lines_of(value, indent + "  ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{indent}{key}:"
            for entry in value:
                lines = list(lines_of(entry, indent + "    "))
                yield f"{indent}  - {lines[0].strip()}"
                yield from lines[1:]
        else:
            yield f"{indent}{key}: {word_of(value)}"


# -- shapes ----------------------------------------------------------------------------------------

class MeshFiles:
    """Writes a mesh of every frame into FOLDER/NAME_%05d.obj. A frame that equals the one before is
    left out, as Billow's sequences allow."""

    def __init__(self, folder, name):
        self.folder, self.name, self.count, self.last = folder, name, 0, None
        self.center, self.size = [0, 0, 0], 0

    def add(self, number, thing, box, depsgraph):
        evaluated = thing.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        points = numpy.empty(3 * len(mesh.vertices), dtype=numpy.float32)
        mesh.vertices.foreach_get("co", points)
        mesh.calc_loop_triangles()
        triangles = numpy.empty(3 * len(mesh.loop_triangles), dtype=numpy.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
        evaluated.to_mesh_clear()
        if len(triangles) == 0:
            raise ExportError(f"{thing.name} has no faces at frame {bpy.context.scene.frame_current}")
        matrix = numpy.array(evaluated.matrix_world)
        world = points.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
        triangles = triangles.reshape(-1, 3)
        if numpy.linalg.det(matrix[:3, :3]) < 0:
            triangles = triangles[:, ::-1]
        places = box.places(world)
        if self.last is not None and numpy.array_equal(self.last[0], places) and \
                numpy.array_equal(self.last[1], triangles):
            return
        self.last = places, triangles
        if self.count == 0:
            low, high = places.min(axis=0), places.max(axis=0)
            self.center, self.size = list(0.5 * (low + high)), 0.5 * float((high - low).max())
        self.count += 1
        with open(os.path.join(self.folder, f"{self.name}_{number:05d}.obj"), "w",
                  encoding="ascii") as file:
            file.writelines("v %.7g %.7g %.7g\n" % tuple(place) for place in places)
            file.writelines("f %d %d %d\n" % tuple(corners) for corners in triangles + 1)

    def keys(self, fps):
        file = f"shapes/{self.name}_%05d.obj" if self.count > 1 else f"shapes/{self.name}_00000.obj"
        return {"mesh": quoted(file), "center": self.center, "size": self.size,
                **({"frame_rate": fps} if self.count > 1 else {})}


class ParticleFiles:
    """Writes the living particles of every frame into FOLDER/NAME_%05d.npz."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name

    def add(self, number, thing, box, depsgraph):
        systems = thing.evaluated_get(depsgraph).particle_systems
        if not systems:
            raise ExportError(f"{thing.name} has no particle system")
        particles = systems[0].particles
        places, speeds = (numpy.empty(3 * len(particles), dtype=numpy.float32) for _ in range(2))
        sizes = numpy.empty(len(particles), dtype=numpy.float32)
        particles.foreach_get("location", places)
        particles.foreach_get("velocity", speeds)
        particles.foreach_get("size", sizes)
        alive = numpy.array([particle.alive_state == "ALIVE" for particle in particles], dtype=bool)
        places, speeds = box.places(places), speeds.reshape(-1, 3)
        numpy.savez(os.path.join(self.folder, f"{self.name}_{number:05d}.npz"),
                    id=numpy.nonzero(alive)[0], position=places[alive],
                    velocity=numpy.stack([speeds[:, 0], speeds[:, 2], -speeds[:, 1]], axis=1)[alive],
                    radius=sizes[alive])

    def keys(self, fps):
        return {"particles": quoted(f"shapes/{self.name}_%05d.npz"), "center": [0, 0, 0], "size": 1,
                "up": "y", "frame_rate": fps}


def parts_of(scene, role):
    return [thing for thing in scene.objects if thing.billow.role == role and not thing.hide_render]


def shape_files(thing, folder, name):
    if thing.billow.role == "EMITTER" and thing.billow.source == "PARTICLES":
        return ParticleFiles(folder, name)
    if thing.type not in {"MESH", "CURVE", "SURFACE", "FONT", "META"}:
        raise ExportError(f"{thing.name} has no surface: give its part to a mesh")
    return MeshFiles(folder, name)


def drive(velocity):
    """The keys that drive the air to a velocity."""
    return {"velocity": axes.turned(velocity), "grip": 20} if any(velocity) else {}


def emitter_of(thing, files, frames, fps):
    values = thing.billow
    emitter = {"name": quoted(thing.name[:31]), **files.keys(fps), "smoke": values.smoke,
               "heat": values.heat}
    if values.fuel > 0:
        emitter["fuel"] = values.fuel
    if tuple(values.color) != (1, 1, 1):
        emitter["color"] = list(values.color)
    emitter.update(drive(values.velocity))
    if values.noise > 0:
        longest = max(thing.dimensions)
        emitter.update({"noise": values.noise, "noise_scale": max(0.3 * longest, 0.001),
                        "seed": len(thing.name) + sum(map(ord, thing.name))})
    if values.first > frames.start:
        emitter["start"] = (values.first - frames.start) / fps
    if values.last > 0:
        emitter["end"] = max((values.last + 1 - frames.start) / fps, emitter.get("start", 0))
    return emitter


def solid_of(thing, files, fps):
    return {"name": quoted(thing.name[:31]), **files.keys(fps), "sticky": thing.billow.sticky}


# -- the domain ------------------------------------------------------------------------------------

def faces_of(values):
    sides = ["left", "right", "back", "front"]
    walls = {"FLOOR": ["floor"], "ROOM": ["floor", *sides], "CLOSED": ["floor", "ceiling", *sides],
             "NONE": []}[values.walls]
    faces = {side: "closed" if side in walls else "open" for side in ["floor", "ceiling", *sides]}
    grows = [side for side in faces if values.grows and side not in walls]
    return faces, grows


def domain_of(thing, box):
    faces, grows = faces_of(thing.billow)
    return {"size": box.size, "cells": thing.billow.cells, "refine": thing.billow.refine,
            "faces": faces, **({"unbounded": {side: True for side in grows}} if grows else {})}


def fluid_of(values, emitters):
    fluid = {"weight": 0.15, "dissipation": values.dissipation, "cooling": values.cooling}
    if any("fuel" in emitter for emitter in emitters):
        # Hot gas lifts less per kelvin than warm air, and radiates; see `billow scenes --show fire`.
        fluid.update({"fire": True, "buoyancy": 0.009, "ignition": 60, "burn_rate": 3, "burn_rich": 4,
                      "burn_heat": 1800, "burn_smoke": 1, "burn_expansion": 1.5, "radiation": 1})
    if any("color" in emitter for emitter in emitters):
        fluid["color"] = True
    return fluid


# -- what the window shows: camera, light ----------------------------------------------------------

class CameraTrack:
    """Camera and box, as values of Billow's camera by time."""

    def __init__(self, scene, box):
        self.scene, self.box, self.values, self.azimuth = scene, box, [], 0

    def add(self, seconds, depsgraph):
        camera = self.scene.camera
        if camera is None or camera.data.type != "PERSP":
            return
        matrix = camera.evaluated_get(depsgraph).matrix_world
        eye = matrix.translation
        ahead = matrix.to_quaternion() @ Vector((0, 0, -1))
        middle = Vector([0.5 * (low + high) for low, high in zip(self.box.low, self.box.high)])
        distance = max(ahead.dot(middle - eye), 0.01)
        azimuth, elevation = axes.angles(axes.turned(-ahead))
        azimuth += 360 * round((self.azimuth - azimuth) / 360)
        self.azimuth = azimuth
        self.values.append((seconds, {"target": self.box.place(eye + distance * ahead),
                                      "distance": distance, "azimuth": azimuth,
                                      "elevation": elevation}))

    def fov(self):
        camera, render = self.scene.camera.data, self.scene.render
        width = render.resolution_x * render.pixel_aspect_x
        height = render.resolution_y * render.pixel_aspect_y
        upright = camera.sensor_fit == "VERTICAL" or (camera.sensor_fit == "AUTO" and height > width)
        half = math.tan(0.5 * camera.angle) * (1 if upright else height / width)
        return math.degrees(2 * math.atan(half))

    def write(self, made):
        if not self.values:
            return
        made["camera"] = {**self.values[0][1], "fov": self.fov()}
        made["camera"]["azimuth"] = (made["camera"]["azimuth"] + 180) % 360 - 180
        stride = -(-len(self.values) // MOMENTS)
        kept = self.values[::stride]
        for key in self.values[0][1]:
            track = [[time, value[key]] for time, value in kept]
            if any(value != track[0][1] for _, value in track):
                made.setdefault("timeline", []).append(
                    {"key": "camera." + key, "mode": "linear", "values": track})


def lamp_of(thing, box):
    light, matrix = thing.data, thing.matrix_world
    lamp = {"name": quoted(thing.name[:31]), "kind": light.type.lower(),
            "color": list(light.color), "intensity": light.energy}
    if light.type != "SUN":
        lamp["position"] = box.place(matrix.translation)
    if light.type != "POINT":
        lamp["direction"] = axes.turned(matrix.to_quaternion() @ Vector((0, 0, -1)))
    if light.type == "SUN":
        return lamp
    # Irradiance at 1 m of a light of so many watts: Blender's points and spots have P / (4 pi), its
    # areas P / pi.
    lamp["intensity"] = light.energy / (math.pi if light.type == "AREA" else 4 * math.pi)
    if light.type == "SPOT":
        lamp.update({"angle": min(math.degrees(light.spot_size), 170), "softness": light.spot_blend})
    if light.type == "AREA":
        height = light.size if light.shape in {"SQUARE", "DISK"} else light.size_y
        lamp["radius"] = math.sqrt(light.size * height / math.pi)
    return lamp


def panorama_turn(node):
    """The turn of a panorama, degrees. The middle of the picture is at Blender's x, and at Billow's -z."""
    links = node.inputs["Vector"].links
    mapping = links[0].from_node if links else None
    turn = mapping.inputs["Rotation"].default_value[2] if getattr(mapping, "type", "") == "MAPPING" else 0
    return (-90 - math.degrees(turn)) % 360


def sky_of(world, folder):
    """Sky and surroundings of a world: its colour, or its panorama."""
    background = None
    if world is not None and world.use_nodes:
        background = next((node for node in world.node_tree.nodes if node.type == "BACKGROUND"), None)
    if background is None:
        color = list(world.color) if world is not None else [0, 0, 0]
        return {"sky": {"zenith": color, "horizon": color, "intensity": 1}}
    strength = background.inputs["Strength"].default_value
    links = background.inputs["Color"].links
    from_node = links[0].from_node if links else None
    if from_node is not None and from_node.type == "TEX_ENVIRONMENT" and from_node.image is not None:
        path = bpy.path.abspath(from_node.image.filepath)
        ending = os.path.splitext(path)[1].lower()
        if ending in {".hdr", ".exr"} and os.path.isfile(path):
            shutil.copy(path, os.path.join(folder, "shapes", "panorama" + ending))
            return {"surroundings": {"kind": "hdri", "file": "shapes/panorama" + ending,
                                     "rotation": panorama_turn(from_node)},
                    "sky": {"intensity": strength}}
    if from_node is not None:
        return {"surroundings": {"kind": "sky"}, "sky": {"intensity": strength}}
    color = list(background.inputs["Color"].default_value)[:3]
    return {"sky": {"zenith": color, "horizon": color, "intensity": strength}}


def light_of(scene, box, folder):
    lights = [thing for thing in scene.objects if thing.type == "LIGHT" and not thing.hide_render]
    suns = [thing for thing in lights if thing.data.type == "SUN"]
    made = {"sun": {"intensity": 0.0}}
    if suns:
        lights.remove(suns[0])
        azimuth, elevation = axes.angles(
            axes.turned(suns[0].matrix_world.to_quaternion() @ Vector((0, 0, 1))))
        made["sun"] = {"azimuth": azimuth, "elevation": elevation, "intensity": suns[0].data.energy,
                       "color": list(suns[0].data.color)}
    made.update(sky_of(scene.world, folder))
    around = made.setdefault("surroundings", {"kind": "gradient"})
    around["sun"] = around["kind"] == "hdri" and not suns
    if lights:
        made["lamps"] = [lamp_of(thing, box) for thing in lights[:LAMPS]]
    return made


# -- all of it -------------------------------------------------------------------------------------

def check(scene, domain, box):
    if min(box.size) <= 0:
        raise ExportError(f"{domain.name} is flat: a domain needs width, depth and height")
    emitters, solids = parts_of(scene, "EMITTER"), parts_of(scene, "SOLID")
    if not emitters:
        raise ExportError("there is no emitter: give a mesh that part in the panel Billow")
    for things, most, name in [(emitters, EMITTERS, "emitters"), (solids, SOLIDS, "solids")]:
        if len(things) > most:
            raise ExportError(f"there are {len(things)} {name}; Billow takes {most}")
    return emitters, solids


def export(scene, domain, folder, frames):
    """Writes folder/scene.yaml. frames: a range; the frame before its first is Billow's time 0.
    Yields the share that is done. The scene's frame changes meanwhile."""
    fps = scene.render.fps / scene.render.fps_base
    values, box = domain.billow, axes.Box(domain)
    emitters, solids = check(scene, domain, box)
    shapes = os.path.join(folder, "shapes")
    shutil.rmtree(shapes, ignore_errors=True)
    os.makedirs(shapes)
    things = [(thing, shape_files(thing, shapes, f"{thing.billow.role.lower()}{index}"))
              for index, thing in enumerate(emitters + solids)]
    camera = CameraTrack(scene, box)
    for number, frame in enumerate(range(frames.start - 1, frames.stop)):
        scene.frame_set(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        for thing, files in things:
            files.add(number, thing, box, depsgraph)
        camera.add(number / fps, depsgraph)
        yield (number + 1) / (len(frames) + 1)
    made = {
        "name": "".join(letter if letter.isascii() and letter.isalnum() else "-"
                        for letter in domain.name)[:63],
        "title": quoted("made in Blender"),
        "domain": domain_of(domain, box),
        "time": {"step": 1 / fps / math.ceil(30 / fps)},
        "solver": {"advection": "conservative_smooth", "vorticity": values.vorticity,
                   "eddies": values.eddies},
    }
    made["emitters"] = [emitter_of(thing, files, frames, fps)
                        for thing, files in things[:len(emitters)]]
    made["fluid"] = fluid_of(values, made["emitters"])
    if solids:
        made["solids"] = [solid_of(thing, files, fps) for thing, files in things[len(emitters):]]
    if any(values.wind):
        made["forces"] = [{"kind": "wind", "velocity": axes.turned(values.wind), "strength": 1.0}]
    made["smoke"] = {"extinction": values.extinction, "albedo": list(values.albedo),
                     "anisotropy": 0.35, "glow": values.glow, "glow_range": 0.6,
                     **({"flame": 0.3} if "fire" in made["fluid"] else {})}
    camera.write(made)
    made.update(light_of(scene, box, folder))
    with open(os.path.join(folder, "scene.yaml"), "w", encoding="utf-8") as file:
        file.write("# Written by Billow's add-on for Blender. Baking writes it again.\n")
        file.writelines(line + "\n" for line in lines_of(made))
