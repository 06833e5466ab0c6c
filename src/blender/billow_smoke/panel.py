# SPDX-License-Identifier: MIT
"""The panel Billow in the sidebar of the 3D view."""
import bpy

from . import bake, operators

SHOWN = {
    "DOMAIN": [("Box", ["cells", "refine", "walls", "grows"]),
               ("Motion", ["vorticity", "eddies", "wind", "dissipation", "cooling"]),
               ("Picture", ["extinction", "albedo", "glow", "velocity_field"])],
    "EMITTER": [("Emitter", ["source", "smoke", "heat", "fuel", "color", "velocity", "noise"]),
                ("Frames", ["first", "last"])],
    "SOLID": [("Solid", ["sticky"])],
    "NONE": [],
}


class BILLOW_PT_panel(bpy.types.Panel):
    bl_idname = "BILLOW_PT_panel"
    bl_label = "Billow"
    bl_category = "Billow"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        layout, thing, domain = self.layout, context.object, operators.domain_in(context)
        layout.use_property_split = True
        layout.use_property_decorate = False
        if thing is not None:
            layout.label(text=thing.name, icon="OBJECT_DATA")
            layout.prop(thing.billow, "role")
            for title, names in SHOWN[thing.billow.role]:
                box = layout.box()
                box.label(text=title)
                for name in names:
                    box.prop(thing.billow, name)
        if domain is None:
            row = layout.row(align=True)
            row.operator("billow.quick", icon="OUTLINER_DATA_VOLUME").fuel = 0
            row.operator("billow.quick", text="Quick Fire").fuel = 30
            return
        layout.separator()
        layout.label(text=f"Bake of {domain.name}", icon="MOD_FLUID")
        layout.prop(domain.billow, "folder")
        running = bake.bakes.get(domain.name)
        if running is not None:
            text = "exporting" if running.process is None else "baking"
            layout.prop(domain.billow, "progress", text=text, slider=True)
            layout.operator("billow.cancel", icon="CANCEL")
            return
        layout.operator("billow.bake", icon="RENDER_ANIMATION")
        layout.operator("billow.play", icon="PLAY")
        if domain.billow.message:
            layout.label(text=domain.billow.message, icon="INFO")


def register():
    bpy.utils.register_class(BILLOW_PT_panel)


def unregister():
    bpy.utils.unregister_class(BILLOW_PT_panel)
