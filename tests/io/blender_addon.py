# SPDX-License-Identifier: MIT
"""The add-on in Blender, without a window: it is installed from its zip, a scene is made, baked, loaded
and rendered. `blender -b --factory-startup --python blender_addon.py -- ZIP BILLOW FOLDER` prints one
line a test and ends with the number of those that failed.
"""
import json
import os
import subprocess
import sys
import time
import traceback

import bpy
import numpy
from mathutils import Vector

ZIP, BILLOW, FOLDER = sys.argv[sys.argv.index("--") + 1:]
NAME = "billow_smoke"


def near(value, wanted, most, what):
    error = max(abs(a - b) for a, b in zip(value, wanted))
    assert error <= most, f"{what} is {tuple(value)}, not {tuple(wanted)}"


def expect_error(action, words):
    try:
        action()
    except RuntimeError as problem:
        assert words in str(problem), f"it says: {problem}"
        return
    raise AssertionError(f"no error about '{words}'")


# -- scenes ----------------------------------------------------------------------------------------

def empty_scene(frames=6):
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 11, 10 + frames
    scene.frame_set(11)
    scene.render.fps, scene.render.fps_base = 24, 1
    return scene


def add_domain(center=(5, -3, 1.5), scale=(1, 1, 1.5), cells=24):
    bpy.ops.mesh.primitive_cube_add(size=2, location=center)
    domain = bpy.context.object
    domain.name, domain.scale = "Box", scale
    domain.billow.role, domain.billow.cells, domain.billow.refine = "DOMAIN", cells, 1
    domain.billow.folder = FOLDER
    bpy.context.view_layer.update()
    return domain


def add_ball(center, radius=0.2, role="EMITTER", name="Ball"):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, location=center)
    ball = bpy.context.object
    ball.name, ball.billow.role, ball.billow.noise = name, role, 0
    return ball


def bake(domain):
    bpy.context.view_layer.objects.active = domain
    assert bpy.ops.billow.bake() == {"FINISHED"}
    return smoke_of(domain)


def smoke_of(domain):
    return bpy.data.objects[f"{domain.name} smoke"]


def extent(smoke, frame):
    """Low and high corner of the smoke in Blender's world at a frame, by its surface of density 0.02."""
    scene = bpy.context.scene
    scene.frame_set(frame)
    assert smoke.data.grids.load(), smoke.data.grids.error_message
    surface = bpy.data.objects.new("surface", bpy.data.meshes.new("surface"))
    surface.matrix_world = smoke.matrix_world
    scene.collection.objects.link(surface)
    modifier = surface.modifiers.new("surface", "VOLUME_TO_MESH")
    modifier.object, modifier.grid_name, modifier.threshold = smoke, "density", 0.02
    found = surface.evaluated_get(bpy.context.evaluated_depsgraph_get())
    corners = numpy.array([found.matrix_world @ corner.co for corner in found.data.vertices])
    bpy.data.objects.remove(surface)
    assert len(corners) > 0, f"there is no smoke at frame {frame}"
    return corners.min(axis=0), corners.max(axis=0)


def written(domain):
    path = os.path.join(FOLDER, domain.name, "scene.yaml")
    with open(path, encoding="utf-8") as file:
        return path, file.read()


def check_scene(path):
    done = subprocess.run([BILLOW, "check", path], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr or done.stdout


# -- tests -----------------------------------------------------------------------------------------

def test_moving_emitter():
    """The smoke is where the ball is, at each frame; the sequence begins at the scene's first frame."""
    scene = empty_scene(frames=6)
    domain = add_domain()
    domain.billow.walls, domain.billow.velocity_field = "CLOSED", False
    ball = add_ball((4.5, -3.2, 0.6))
    ball.billow.heat = 0
    ball.keyframe_insert("location", frame=10)
    ball.location.x += 0.9
    ball.keyframe_insert("location", frame=16)
    for curve in ball.animation_data.action.fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    smoke = bake(domain)
    assert smoke.data.is_sequence and smoke.data.frame_duration == 6
    assert scene.frame_current == 11, "the frame is that of before"
    cell = 3 / 24
    for frame in (11, 13, 16):
        low, high = extent(smoke, frame)
        x = 4.5 + 0.9 * (frame - 10) / 6
        near(low, (4.5 - 0.2, -3.4, 0.4), 2 * cell, f"the low corner at frame {frame}")
        near(high, (x + 0.2, -3.0, 0.8), 2 * cell, f"the high corner at frame {frame}")
    assert sorted(grid.name for grid in smoke.data.grids)[0] == "density"
    assert domain.hide_render and domain.billow.message == "6 frames baked"
    check_scene(written(domain)[0])


def test_still_shapes_once():
    """A mesh that stands is one file, and one that turns a file a frame, with its modifiers."""
    empty_scene(frames=4)
    domain = add_domain()
    add_ball((5, -3, 0.4))
    bpy.ops.mesh.primitive_cube_add(size=0.5, location=(5, -3, 1.6))
    block = bpy.context.object
    block.name, block.billow.role, block.billow.sticky = "Block's edge", "SOLID", True
    block.modifiers.new("subdivision", "SUBSURF").levels = 2
    block.keyframe_insert("rotation_euler", frame=10)
    block.rotation_euler.z = 1
    block.keyframe_insert("rotation_euler", frame=14)
    bake(domain)
    shapes = os.path.join(FOLDER, domain.name, "shapes")
    names = sorted(os.listdir(shapes))
    assert names == ["emitter0_00000.obj"] + [f"solid1_{n:05d}.obj" for n in range(5)], names
    with open(os.path.join(shapes, names[1]), encoding="ascii") as file:
        corners = sum(line.startswith("v ") for line in file)
    assert corners == 98, f"the subdivided cube has {corners} corners"
    check_scene(written(domain)[0])


def test_light_and_camera():
    """A point in the middle of Blender's picture is in the middle of Billow's; so are lights."""
    scene = empty_scene(frames=2)
    domain = add_domain(center=(0, 0, 1), scale=(1, 1, 1))
    add_ball((0, 0, 0.5))
    bpy.ops.object.camera_add(location=(3, -4, 2))
    camera = scene.camera = bpy.context.object
    camera.rotation_euler = (Vector((0, 0, 1)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    bpy.ops.object.light_add(type="SUN", rotation=(0.5, 0, 0))
    bpy.context.object.data.energy = 7
    bpy.ops.object.light_add(type="SPOT", location=(1, -1, 2))
    spot = bpy.context.object
    spot.data.energy, spot.data.spot_size = 100, 0.5
    bpy.ops.object.light_add(type="POINT", location=(1, 1, 2))
    scene.render.resolution_x, scene.render.resolution_y = 200, 100
    bpy.context.view_layer.update()
    bake(domain)
    path, words = written(domain)
    check_scene(path)
    seen = os.path.join(FOLDER, "camera.json")
    subprocess.run([BILLOW, "render", path, "--frames", "1", "--size", "32x16", "--grid", "16", "--quiet",
                    "--quality", "draft", "--out", os.path.join(FOLDER, "camera.png"), "--camera-out",
                    seen, "--force"], check=True)
    with open(seen, encoding="utf-8") as file:
        view = json.load(file)["frames"][0]
    place = (view["position"][0] - 1, 1 - view["position"][2], view["position"][1])
    near(place, (3, -4, 2), 1e-3, "the camera's place")
    near([view["fov_degrees"]], [2 * 57.29578 * numpy.arctan(0.25 * 36 / 50)], 0.01, "the field of view")
    for line in ("intensity: 7\n", "kind: spot\n", "kind: point\n"):
        assert line in words, f"no '{line}' in the scene"


def test_panorama():
    """The panorama is turned as Blender shows it: its middle is at Blender's x."""
    scene = empty_scene(frames=1)
    domain = add_domain(center=(0, 0, 1), scale=(1, 1, 1))
    add_ball((0, 0, 0.5))
    picture = bpy.data.images.new("around", 64, 32, float_buffer=True)
    pixels = numpy.full((32, 64, 4), 0.05, dtype=numpy.float32)
    pixels[15:17, 31:33, :3] = 5000  # low, in the middle
    picture.pixels.foreach_set(pixels.ravel())
    picture.filepath_raw, picture.file_format = os.path.join(FOLDER, "around.hdr"), "HDR"
    picture.save()
    tree = scene.world.node_tree
    node = tree.nodes.new("ShaderNodeTexEnvironment")
    node.image = picture
    tree.links.new(node.outputs[0], tree.nodes["Background"].inputs["Color"])
    bake(domain)
    tree.nodes.remove(node)
    path, words = written(domain)
    check_scene(path)
    assert "kind: hdri" in words
    bright = []
    for azimuth in (0, 90, 180, 270):  # the camera looks from there to the other side
        out = os.path.join(FOLDER, "around.png")
        subprocess.run([BILLOW, "render", path, "--frames", "1", "--size", "32x16", "--grid", "16",
                        "--quality", "draft", "--out", out, "--force", "--quiet", "--camera",
                        f"{azimuth},0,3,40", "--set", "surroundings.sun=false", "--set",
                        "emitters[0].smoke=0", "--set", "ground.visible=false"], check=True)
        shown = bpy.data.images.load(out)
        values = numpy.array(shown.pixels[:]).reshape(-1, 4)
        bpy.data.images.remove(shown)
        bright.append(float(values[:, :3].max()))
    assert bright[3] > 0.9 and max(bright[:3]) < 0.5, f"the brightest pixels are {bright}"


def test_fire_and_colors():
    empty_scene(frames=3)
    domain = add_domain()
    domain.billow.velocity_field = False
    ball = add_ball((5, -3, 0.4))
    ball.billow.fuel, ball.billow.heat, ball.billow.color = 20, 2000, (1, 0.2, 0.1)
    ball.billow.last = 12
    smoke = bake(domain)
    extent(smoke, 13)
    names = sorted(grid.name for grid in smoke.data.grids)
    assert names == ["color", "density", "flame", "temperature"], names
    assert "end: 0.08333333" in written(domain)[1]
    nodes = smoke.data.materials[0].node_tree.nodes
    volume = next(node for node in nodes if node.type == "PRINCIPLED_VOLUME")
    assert volume.inputs["Color Attribute"].default_value == "color"
    check_scene(written(domain)[0])


def test_particles():
    """Smoke from the particles of a system: it is where they have been."""
    scene = empty_scene(frames=4)
    domain = add_domain(cells=32)
    domain.billow.velocity_field = False
    bpy.ops.mesh.primitive_plane_add(size=0.2, location=(5, -3, 0.5))
    plane = bpy.context.object
    plane.modifiers.new("particles", "PARTICLE_SYSTEM")
    settings = plane.particle_systems[0].settings
    settings.count, settings.frame_start, settings.frame_end, settings.lifetime = 20, 1, 2, 100
    settings.normal_factor, settings.effector_weights.gravity, settings.particle_size = 2, 0, 0.05
    plane.billow.role, plane.billow.source, plane.billow.heat = "EMITTER", "PARTICLES", 0
    for frame in range(1, 11):
        scene.frame_set(frame)
    low, high = extent(bake(domain), 14)
    assert low[2] > 1.0 and 1.4 < high[2] < 1.8, f"the smoke is from {low} to {high}"
    check_scene(written(domain)[0])


def test_cancel():
    """A bake in the background is given up: its process ends, whole frames stay and are shown."""
    module = sys.modules[NAME + ".bake"]
    empty_scene(frames=400)
    domain = add_domain(cells=48)
    add_ball((5, -3, 0.4))
    module.start(bpy.context, domain)
    running = module.bakes[domain.name]
    until = time.monotonic() + 120
    while (running.process is None or len(running.baked()) < 3) and time.monotonic() < until:
        module.tick_all()
        time.sleep(0.01)
    assert domain.name in module.bakes and running.process.poll() is None
    bpy.context.view_layer.objects.active = domain
    assert bpy.ops.billow.cancel() == {"FINISHED"}
    assert running.process.poll() is not None and not module.bakes
    frames = smoke_of(domain).data.frame_duration
    assert 3 <= frames < 400 and domain.billow.message.startswith("given up; ")
    extent(smoke_of(domain), 10 + frames)
    bpy.app.timers.unregister(module.tick_all)


def test_errors():
    empty_scene(frames=2)
    domain = add_domain()
    expect_error(lambda: bake(domain), "there is no emitter")
    ball = add_ball((5, -3, 0.4))
    domain.billow.folder = "//here"
    expect_error(lambda: bake(domain), "save the .blend file first")
    domain.billow.folder = FOLDER
    preferences = bpy.context.preferences.addons[NAME].preferences
    preferences.program = "/nowhere/billow"
    expect_error(lambda: bake(domain), "'/nowhere/billow' is not found")
    preferences.program = BILLOW
    bpy.ops.mesh.primitive_grid_add(size=0.2, location=(5, -3, 0.5))
    sheet = bpy.context.object
    sheet.name, sheet.billow.role = "Sheet", "SOLID"
    expect_error(lambda: bake(domain), "not closed: the edge")
    sheet.billow.role = "NONE"
    domain.scale.z = 0
    bpy.context.view_layer.update()
    expect_error(lambda: bake(domain), "is flat")
    domain.scale.z = 1.5
    ball.billow.source = "PARTICLES"
    expect_error(lambda: bake(domain), "has no particle system")


def test_bake_again():
    """Another bake replaces the files of the one before, also where Blender has read them, unless it
    fails."""
    empty_scene(frames=2)
    domain = add_domain()
    domain.billow.velocity_field = False
    ball = add_ball((5, -3, 0.6))
    bake(domain)
    low, _ = extent(smoke_of(domain), 12)
    ball.location.z = 1.6
    smoke = bake(domain)
    higher, _ = extent(smoke, 12)
    near(higher - low, (0, 0, 1), 0.1, "how far the smoke is moved")
    domain.scale.z = 0
    bpy.context.view_layer.update()
    expect_error(lambda: bake(domain), "is flat")
    extent(smoke, 12)
    files = [name for name in os.listdir(os.path.join(FOLDER, domain.name)) if name.endswith(".vdb")]
    assert len(files) == 2, files


def test_quick_and_picture():
    """Quick Smoke, and a picture by Cycles, in which the smoke is seen."""
    scene = empty_scene(frames=12)
    ball = add_ball((0, 0, 0.3), radius=0.3, role="NONE", name="Quick")
    bpy.ops.billow.quick()
    domain = bpy.context.object
    domain.billow.folder, domain.billow.cells, domain.billow.refine = FOLDER, 24, 1
    assert ball.billow.role == "EMITTER" and domain.billow.role == "DOMAIN"
    smoke = bake(domain)
    ball.hide_render = True
    bpy.ops.object.camera_add(location=(0, -4, 0.8), rotation=(1.5708, 0, 0))
    scene.camera = bpy.context.object
    bpy.ops.object.light_add(type="SUN", rotation=(0.5, 0.3, 0))
    scene.frame_set(22)
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 4, False
    scene.render.resolution_x, scene.render.resolution_y = 96, 72
    assert scene.cycles.volume_bounces == 8
    pictures = []
    for name, hidden in (("with", False), ("without", True)):
        smoke.hide_render = hidden
        scene.render.filepath = os.path.join(FOLDER, f"{name}.png")
        bpy.ops.render.render(write_still=True)
        shown = bpy.data.images.load(scene.render.filepath)
        pictures.append(numpy.array(shown.pixels[:]).reshape(72, 96, 4)[::-1, :, :3])
        bpy.data.images.remove(shown)
    changed = numpy.abs(pictures[0] - pictures[1]).max(axis=2) > 0.1
    rows, columns = numpy.nonzero(changed)
    assert changed.sum() > 300, f"the smoke changes only {changed.sum()} pixels"
    assert 36 < columns.mean() < 60, "it stands in the middle"
    assert rows.max() - rows.min() > 15


def test_import():
    """A sequence that `billow bake` wrote by itself."""
    empty_scene(frames=3)
    subprocess.run([BILLOW, "bake", "plume", "--grid", "24", "--frames", "3", "--fps", "4", "--quiet",
                    "--out", os.path.join(FOLDER, "p_%04d.vdb"), "--force"], check=True)
    assert bpy.ops.billow.import_vdb(filepath=os.path.join(FOLDER, "p_0002.vdb")) == {"FINISHED"}
    smoke = bpy.data.objects["p_0002"]
    assert smoke.data.frame_duration == 3
    low, high = extent(smoke, 13)
    # In Blender the box of 2 m spans 0 to 2 in x and z and -2 to 0 in y.
    assert (low > (0, -2, -0.01)).all() and (high < (2, 0, 2)).all() and low[2] < 0.1 < high[2]
    expect_error(lambda: bpy.ops.billow.import_vdb(filepath="/nowhere/a.vdb"), "there is no file")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    bpy.ops.preferences.addon_install(filepath=ZIP, overwrite=True)
    bpy.ops.preferences.addon_enable(module=NAME)
    bpy.context.preferences.addons[NAME].preferences.program = BILLOW
    failures = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            test()
            print("ok:", name, flush=True)
        except Exception:
            failures += 1
            print("FAILED:", name, flush=True)
            traceback.print_exc()
    bpy.ops.preferences.addon_disable(module=NAME)
    assert not hasattr(bpy.types.Object, "billow")
    print("addon tests:", "all passed" if failures == 0 else f"{failures} failed")
    sys.exit(failures)


main()
