# SPDX-License-Identifier: MIT
"""The buttons."""
import atexit
import os
import subprocess

import bpy
from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty, StringProperty
from bpy_extras.io_utils import ImportHelper
from mathutils import Vector

from . import axes, bake, scene_file, smoke


def domain_in(context):
    """The active object if it is a domain, or else the scene's only one; None: there is none."""
    active = context.object
    if active is not None and active.billow.role == "DOMAIN":
        return active
    domains = [thing for thing in context.scene.objects if thing.billow.role == "DOMAIN"]
    return domains[0] if len(domains) == 1 else None


class DomainOperator:
    @classmethod
    def poll(cls, context):
        return domain_in(context) is not None

    def attempt(self, action, *arguments):
        """Runs an action. Returns whether it went well; otherwise the user has the reason."""
        try:
            action(*arguments)
        except (scene_file.ExportError, OSError) as problem:
            self.report({"ERROR"}, str(problem))
            return False
        return True


class BILLOW_OT_bake(DomainOperator, bpy.types.Operator):
    """Bake the frames of the scene in the background, and show the smoke"""
    bl_idname = "billow.bake"
    bl_label = "Bake"

    def execute(self, context):
        domain = domain_in(context)
        if domain.name in bake.bakes:
            self.report({"WARNING"}, f"{domain.name} is being baked")
            return {"CANCELLED"}
        action = bake.run if bpy.app.background else bake.start
        return {"FINISHED"} if self.attempt(action, context, domain) else {"CANCELLED"}


class BILLOW_OT_cancel(DomainOperator, bpy.types.Operator):
    """End the bake. Frames that are whole stay"""
    bl_idname = "billow.cancel"
    bl_label = "Cancel"

    def execute(self, context):
        bake.cancel(domain_in(context).name)
        return {"FINISHED"}


class BILLOW_OT_play(DomainOperator, bpy.types.Operator):
    """Play the scene in Billow's own window, with this camera and light"""
    bl_idname = "billow.play"
    bl_label = "Play in Billow"

    def execute(self, context):
        return {"FINISHED"} if self.attempt(self.play, context) else {"CANCELLED"}

    def play(self, context):
        domain, scene = domain_in(context), context.scene
        folder, program = bake.folder_of(domain), bake.find_program()
        frame = scene.frame_current
        os.makedirs(folder, exist_ok=True)
        try:
            for _ in scene_file.export(scene, domain, folder,
                                       range(scene.frame_start, scene.frame_end + 1)):
                pass
        finally:
            scene.frame_set(frame)
        subprocess.Popen([program, "run", os.path.join(folder, "scene.yaml")], cwd=folder,
                         stdin=subprocess.DEVNULL, start_new_session=True)


class BILLOW_OT_quick(bpy.types.Operator):
    """Make the active mesh smoke: it becomes an emitter, in a new domain around it"""
    bl_idname = "billow.quick"
    bl_label = "Quick Smoke"
    bl_options = {"REGISTER", "UNDO"}

    fuel: FloatProperty(name="Fuel", default=0, min=0, max=1000)

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def execute(self, context):
        thing = context.object
        thing.billow.role = "EMITTER"
        if self.fuel > 0:
            thing.billow.fuel, thing.billow.heat, thing.billow.smoke = self.fuel, 2000, 0.5
        box = axes.Box(thing)
        longest = max(box.size)
        middle = 0.5 * (Vector(box.low) + Vector(box.high))
        bpy.ops.mesh.primitive_cube_add(size=1, location=(middle.x, middle.y, box.low[2] + 3 * longest))
        domain = context.object
        domain.name, domain.scale = "Billow domain", (4 * longest, 4 * longest, 6 * longest)
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
        domain.billow.role, domain.display_type, domain.hide_render = "DOMAIN", "WIRE", True
        if self.fuel > 0:
            domain.billow.extinction, domain.billow.albedo = 5, (0.3, 0.28, 0.27)
            domain.billow.vorticity, domain.billow.dissipation = 16, 0.3
        return {"FINISHED"}


class BILLOW_OT_import(bpy.types.Operator, ImportHelper):
    """Show .vdb files of `billow bake` as a volume, with a material like Billow's picture"""
    bl_idname = "billow.import_vdb"
    bl_label = "Import Billow Smoke"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".vdb"
    filter_glob: StringProperty(default="*.vdb", options={"HIDDEN"})
    extinction: FloatProperty(name="Density", description="The scene's smoke.extinction, 1/m",
                              default=50, min=0)
    glow: FloatProperty(name="Glow", description="The scene's smoke.glow", default=3, min=0)

    albedo: FloatVectorProperty(name="Color", description="The scene's smoke.albedo", size=3,
                                subtype="COLOR", min=0, max=1, default=(0.9, 0.91, 0.92))
    colored: BoolProperty(name="Coloured", description="The scene has fluid.color", default=False)

    def execute(self, context):
        if not os.path.isfile(self.filepath):
            self.report({"ERROR"}, f"there is no file {self.filepath}")
            return {"CANCELLED"}
        name = os.path.splitext(os.path.basename(self.filepath))[0]
        smoke.show(self.filepath, name, (0, 0, 0), context.scene.frame_start, context.collection,
                   self.colored, self)
        return {"FINISHED"}


def import_entry(self, _context):
    self.layout.operator(BILLOW_OT_import.bl_idname, text="Billow Smoke (.vdb)")


classes = [BILLOW_OT_bake, BILLOW_OT_cancel, BILLOW_OT_play, BILLOW_OT_quick, BILLOW_OT_import]


def register():
    for kind in classes:
        bpy.utils.register_class(kind)
    bpy.types.TOPBAR_MT_file_import.append(import_entry)
    bpy.app.handlers.load_pre.append(bake.cancel_all)
    atexit.register(bake.cancel_all)


def unregister():
    bake.cancel_all()
    atexit.unregister(bake.cancel_all)
    bpy.app.handlers.load_pre.remove(bake.cancel_all)
    bpy.types.TOPBAR_MT_file_import.remove(import_entry)
    for kind in reversed(classes):
        bpy.utils.unregister_class(kind)
