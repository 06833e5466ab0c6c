# SPDX-License-Identifier: MIT
"""Built-in scenes and scene files as simulations, through libbillow_scene."""
import ctypes
import os

from . import _layout
from ._layout import Def, SceneDef
from ._library import library as solver, load_scene_library
from ._simulation import Error, Memory, Simulation, step_seconds
from ._structure import several, whole

_loaded = None


def library():
    """libbillow_scene, loaded at the first use, because it needs more libraries than the solver."""
    global _loaded
    if _loaded is None:
        _loaded = load_scene_library()
    return _loaded


class SceneMemory(Memory):
    """The memory of a scene with its simulation."""

    def __init__(self, definition):
        self.address = self.scene = None
        error = _layout.Error()
        self.scene = library().billow_create_scene(ctypes.byref(definition), ctypes.byref(error))
        if not self.scene:
            raise Error(error.text.decode())
        self.address = library().billow_scene_sim(self.scene)

    def __del__(self):
        if self.scene:
            library().billow_destroy_scene(self.scene)
            self.scene = self.address = None


class Scene(Simulation):
    """A scene that load_scene has loaded: a Simulation whose steps follow the scene's timeline."""

    def __init__(self, definition):
        super()._start(SceneMemory(definition), Def())
        while self._call(solver.billow_solid, self._solid_count):
            self._solid_count += 1

    def step(self, dt=None):
        """Advances by dt seconds, in equal steps no longer than the scene's own. Without dt by one
        step of the scene's own length."""
        with self._turn:
            if dt is None:
                dt = self.step_length
            if not self._of_scene(library().billow_scene_step, step_seconds(dt)):
                raise Error(self._of_scene(library().billow_scene_error).decode())
        self._emitted.clear()

    def advance(self, *arguments, **values):
        raise Error("advance would leave the scene's timeline behind; use step")

    def _of_scene(self, function, *arguments):
        return self._call(lambda address: function(self._memory.scene, *arguments))

    @property
    def step_length(self):
        """The scene's time.step, s."""
        return self._of_scene(library().billow_scene_step_length)

    @property
    def title(self):
        return self._of_scene(library().billow_scene_title).decode()


def load_scene(name, cells=0, threads=0, settings=()):
    """Loads a built-in scene such as "plume" or a scene file. `cells` is the number of cells along the
    longest axis, 0 for the scene's own. `settings` replaces values of the scene, such as
    ["solver.vorticity=8"]."""
    texts = [text.encode("utf-8", "surrogateescape") for text in several(settings, "settings", "a list of texts")]
    listed = (ctypes.c_char_p * max(len(texts), 1))(*texts)
    return Scene(SceneDef(name=os.fsencode(name), cells=whole(cells, "cells", 0, _layout.GRID_MAX),
                          threads=whole(threads, "threads", 0, 2**31 - 1),
                          settings=ctypes.cast(listed, ctypes.POINTER(ctypes.c_char_p)),
                          setting_count=len(texts)))


def scene_names():
    """The names of the built-in scenes."""
    names = []
    while (name := library().billow_scene_name(len(names))) is not None:
        names.append(name.decode())
    return names
