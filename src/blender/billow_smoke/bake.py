# SPDX-License-Identifier: MIT
"""A bake: first the scene is exported, frame by frame, then `billow bake` runs in the background.

`Bake.tick` does the next small part. Blender's timer calls it; without a window, a loop does.
"""
import os
import re
import shutil
import subprocess
import time

import bpy

from . import axes, properties, scene_file, smoke

FILE = re.compile(r"smoke(\d+)_\d{5}\.vdb")
bakes = {}  # by the name of their domain; only those that run


def folder_of(domain):
    """The folder of a domain's bake. Raises ExportError if there is none yet."""
    given = domain.billow.folder
    if given.startswith("//") and not bpy.data.filepath:
        raise scene_file.ExportError("save the .blend file first, or choose another folder than //...")
    name = "".join(letter if letter.isalnum() or letter in "-_. " else "_" for letter in domain.name)
    return os.path.join(os.path.abspath(bpy.path.abspath(given)), name.strip(". ") or "domain")


def find_program():
    given = properties.program()
    found = shutil.which(bpy.path.abspath(given))
    if found is None:
        raise scene_file.ExportError(f"the program '{given}' is not found: give its path in Preferences "
                                     "> Add-ons > Billow")
    return found


class Bake:
    """A bake of a domain. Names stand for objects, since Blender frees these at any undo."""

    def __init__(self, context, domain):
        self.scene, self.domain = context.scene.name, domain.name
        self.folder = folder_of(domain)
        self.program = find_program()
        self.frames = range(context.scene.frame_start, context.scene.frame_end + 1)
        self.fps = context.scene.render.fps / context.scene.render.fps_base
        self.return_to = context.scene.frame_current
        self.origin = axes.Box(domain).origin
        self.show_progress(0)
        self.process = self.log = None
        os.makedirs(self.folder, exist_ok=True)
        # Blender does not read a file again that it has read, so each bake has names of its own.
        self.number = 1 + max((number for number, _ in self.files()), default=0)
        self.export = scene_file.export(context.scene, domain, self.folder, self.frames)
        self.colored = False

    # -- its parts ---------------------------------------------------------------------------------

    def tick(self, seconds=0.05):
        """Goes on for about so many seconds. Returns a sentence when the bake has ended; None: it
        goes on. Raises ExportError if it fails."""
        if self.process is None:
            return self.go_on_exporting(time.monotonic() + seconds)
        status = self.process.poll()
        self.show_progress(len(self.baked()) / len(self.frames))
        if status is None:
            return None
        if status != 0:
            raise scene_file.ExportError(self.last_words() or f"billow ended with status {status}")
        self.show()
        return f"{len(self.frames)} frames baked"

    def go_on_exporting(self, until):
        try:
            while time.monotonic() < until:
                self.show_progress(next(self.export))
        except StopIteration:
            self.restore_frame()
            self.start()
        return None

    def show_progress(self, share):
        domain = bpy.data.objects.get(self.domain)
        if domain is not None:
            domain.billow.progress = 100 * share

    def start(self):
        scene = os.path.join(self.folder, "scene.yaml")
        with open(scene, encoding="utf-8") as file:
            self.colored = "\n  color: true\n" in file.read()
        domain = bpy.data.objects[self.domain]
        fields = [] if domain.billow.velocity_field else ["--fields", self.fields()]
        self.log = open(os.path.join(self.folder, "bake.log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [self.program, "bake", scene, "--frames", str(len(self.frames)), "--fps", f"{self.fps:.9g}",
             "--up", "z", "--out", os.path.join(self.folder, f"smoke{self.number}_%05d.vdb"), *fields],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log, cwd=self.folder)

    def fields(self):
        with open(os.path.join(self.folder, "scene.yaml"), encoding="utf-8") as file:
            fire = "\n  fire: true\n" in file.read()
        return ",".join(["density", "temperature"] + ["flame"] * fire + ["color"] * self.colored)

    def files(self):
        """All baked files in the folder, with the number of their bake."""
        return [(int(match[1]), name) for name in os.listdir(self.folder)
                if (match := FILE.fullmatch(name))]

    def baked(self):
        return sorted(name for number, name in self.files() if number == self.number)

    def last_words(self):
        """The last line that the program wrote, without the place in scene.yaml."""
        self.log.seek(0)
        lines = [line.strip() for line in self.log.read().splitlines() if line.strip()]
        return re.sub(r"^billow: (\S*scene\.yaml:\d+:\d+: )?", "", lines[-1]) if lines else ""

    def restore_frame(self):
        scene = bpy.data.scenes.get(self.scene)
        if scene is not None:
            scene.frame_set(self.return_to)

    def show(self):
        """Shows the frames that are there as a volume, in place of those of the bake before."""
        names, scene = self.baked(), bpy.data.scenes.get(self.scene)
        domain = bpy.data.objects.get(self.domain)
        if not names or scene is None or domain is None:
            return
        smoke.show(os.path.join(self.folder, names[0]), f"{self.domain} smoke", self.origin,
                   self.frames.start, scene.collection, self.colored, domain.billow)
        domain.display_type = "WIRE"
        domain.hide_render = True
        for number, name in self.files():
            if number != self.number:
                os.remove(os.path.join(self.folder, name))

    # -- its end -----------------------------------------------------------------------------------

    def stop(self):
        """Ends the bake early. Frames that are whole stay."""
        if self.process is None:
            self.export.close()
            self.restore_frame()
            return "given up before the first frame"
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.show()
        return f"given up; {len(self.baked())} of {len(self.frames)} frames are there"

    def close(self):
        if self.log is not None:
            self.log.close()


# -- running ---------------------------------------------------------------------------------------

def say(name, message):
    domain = bpy.data.objects.get(name)
    if domain is not None:
        domain.billow.message = message
    print(f"billow: {name}: {message}")


def end(bake, message):
    bakes.pop(bake.domain, None)
    bake.close()
    say(bake.domain, message)


def tick_all():
    """Blender's timer: goes on with every bake, and redraws the panel."""
    for bake in list(bakes.values()):
        try:
            message = bake.tick()
        except Exception as problem:  # whatever it is, the bake must not stay in the list
            message = bake.stop() and str(problem)
        if message is not None:
            end(bake, message)
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
    return 0.2 if bakes else None


def start(context, domain):
    """Starts a bake in the background."""
    bakes[domain.name] = Bake(context, domain)
    domain.billow.message = ""
    if not bpy.app.timers.is_registered(tick_all):
        bpy.app.timers.register(tick_all, persistent=True)


def run(context, domain):
    """Bakes, and returns when it is done."""
    bake = Bake(context, domain)
    try:
        while (message := bake.tick()) is None:
            time.sleep(0.02)
    except BaseException:
        bake.stop()
        raise
    finally:
        bake.close()
    say(domain.name, message)


def cancel(name):
    bake = bakes.get(name)
    if bake is not None:
        end(bake, bake.stop())


@bpy.app.handlers.persistent
def cancel_all(*_):
    for name in list(bakes):
        cancel(name)
