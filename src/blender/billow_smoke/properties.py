# SPDX-License-Identifier: MIT
"""What the panel shows: the part that an object plays, and the values of that part."""
import bpy
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty,
                       PointerProperty, StringProperty)


class BillowObject(bpy.types.PropertyGroup):
    """Object.billow. Lengths, velocities and times are those of the Blender scene: 1 unit is 1 m."""

    role: EnumProperty(
        name="Part", description="What this object is for Billow", default="NONE",
        items=[("NONE", "None", "Billow does not see it"),
               ("DOMAIN", "Domain", "Its bounding box holds the smoke"),
               ("EMITTER", "Emitter", "Releases smoke, heat and fuel"),
               ("SOLID", "Solid", "Stands, or moves, in the flow")])

    # The domain.
    cells: IntProperty(
        name="Cells", description="Cells of the wind along the longest edge", default=64, min=8,
        max=2048, soft_max=256)
    refine: IntProperty(
        name="Refine", description="Cells of smoke along the edge of a cell of wind", default=2,
        min=1, max=4)
    walls: EnumProperty(
        name="Walls", default="FLOOR",
        items=[("FLOOR", "Floor", "The floor is a wall; smoke leaves through all other sides"),
               ("ROOM", "All but the ceiling", "Smoke leaves only through the ceiling"),
               ("CLOSED", "All", "Nothing leaves the box"),
               ("NONE", "None", "Smoke leaves through all sides")])
    grows: BoolProperty(
        name="Grow", default=False,
        description="Open sides move outwards before smoke reaches them, to 8 times the cells")
    vorticity: FloatProperty(
        name="Curls", description="Vorticity confinement, 1/s: brings back small curls", default=8,
        min=0, max=100, soft_max=20)
    eddies: FloatProperty(
        name="Folds", description="Eddies smaller than a cell of the wind, which fold the smoke",
        default=0.6, min=0, max=4, soft_max=1)
    dissipation: FloatProperty(
        name="Fading", description="Rate at which smoke vanishes, 1/s", default=0.05, min=0, max=1000,
        soft_max=2)
    cooling: FloatProperty(
        name="Cooling", description="Rate at which heat vanishes, 1/s", default=0.25, min=0, max=1000,
        soft_max=2)
    wind: FloatVectorProperty(
        name="Wind", description="Velocity of a wind through the whole box, m/s", size=3,
        subtype="VELOCITY", default=(0, 0, 0))
    extinction: FloatProperty(
        name="Density", description="Extinction of light by smoke of density 1, 1/m", default=40, min=0,
        max=1000000, soft_max=200)
    albedo: FloatVectorProperty(
        name="Color", description="Share of the light that smoke scatters: black is soot, white steam",
        size=3, subtype="COLOR", min=0, max=1, default=(0.9, 0.91, 0.92))
    glow: FloatProperty(
        name="Glow", description="Radiance of hot soot at 1500 K", default=3, min=0, max=1000000,
        soft_max=50)
    velocity_field: BoolProperty(
        name="Velocity", default=True, description="Write the velocity, for motion blur")
    folder: StringProperty(
        name="Folder", subtype="DIR_PATH", default="//billow",
        description="Bakes go into a folder of the domain's name in here; // is the .blend file's")
    message: StringProperty(name="How the last bake went")
    progress: FloatProperty(name="Share that is done", subtype="PERCENTAGE", min=0, max=100, precision=0)

    # An emitter.
    source: EnumProperty(
        name="From", default="MESH",
        items=[("MESH", "Mesh", "The mesh with its modifiers; it must be closed"),
               ("PARTICLES", "Particles", "The particles of its first particle system")])
    smoke: FloatProperty(
        name="Smoke", description="Density released per second", default=8, min=0, max=1000000,
        soft_max=50)
    heat: FloatProperty(
        name="Heat", description="Rise of temperature, K/s", default=250, min=-1000000, max=1000000,
        soft_min=-1000, soft_max=4000)
    fuel: FloatProperty(
        name="Fuel", description="Fuel released per second; it burns where it is hot enough", default=0,
        min=0, max=1000000, soft_max=50)
    color: FloatVectorProperty(
        name="Color", description="Colour of its smoke", size=3, subtype="COLOR", min=0, max=1,
        default=(1, 1, 1))
    velocity: FloatVectorProperty(
        name="Velocity", description="Velocity to which it drives the air, m/s", size=3,
        subtype="VELOCITY", default=(0, 0, 0))
    noise: FloatProperty(
        name="Flicker", description="Share of the rates that flickers in space and time", default=0.8,
        min=0, max=4)
    first: IntProperty(name="First frame", description="0: from the beginning", default=0, min=0)
    last: IntProperty(name="Last frame", description="0: to the end", default=0, min=0)

    # A solid.
    sticky: BoolProperty(
        name="Sticky", default=False,
        description="The air at its surface moves with it instead of sliding along")


class BillowPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: StringProperty(
        name="Program", subtype="FILE_PATH", default="billow",
        description="The program billow; its name alone if it is in a folder of PATH")

    def draw(self, _context):
        self.layout.prop(self, "program")


def program():
    """The path of `billow` that the preferences give."""
    return bpy.context.preferences.addons[__package__].preferences.program


classes = [BillowObject, BillowPreferences]


def register():
    for kind in classes:
        bpy.utils.register_class(kind)
    bpy.types.Object.billow = PointerProperty(type=BillowObject)


def unregister():
    del bpy.types.Object.billow
    for kind in reversed(classes):
        bpy.utils.unregister_class(kind)
