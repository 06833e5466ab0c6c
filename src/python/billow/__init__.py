# SPDX-License-Identifier: MIT
"""Smoke in a box of cubic cells: libbillow from Python, with its fields as NumPy arrays.

    import billow
    with billow.Simulation(nx=64, ny=64, nz=64, emitters=[billow.Emitter()]) as sim:
        for frame in range(100):
            sim.step(1 / 60)
        print(sim.stats.mass, sim.density.max())
    with billow.load_scene("explosion") as scene:  # a Simulation that follows a scene's timeline
        scene.step(1 / 30)

Simulation takes the members of Def and of Params as keyword arguments. Emitter, Solid, Force,
Boundary and Volume start with the library's defaults and take their members as keyword arguments;
help(billow.Emitter) lists them with unit, default and range. Enumerations are given by name: face
"open", shape "torus".

Arrays are indexed [i, j, k] along x, y, z. They are views of the library's memory, not copies. A step
moves fields in memory, so get the arrays again after each step. The memory of an array stays valid
while the array exists, even after the simulation is closed. The arrays of Simulation.fields are
writable.

If the library rejects a value, billow.Error is raised with the library's message. The environment
variable BILLOW_LIBRARY is the path of another library to load.
"""
import ctypes as _ctypes

try:
    import numpy as _numpy
except ModuleNotFoundError:
    raise ImportError("billow needs NumPy: install the package python3-numpy, or run "
                      "'pip install numpy'") from None

from ._layout import *  # noqa: F401,F403 - constants, enumerations and structures
from ._layout import VERSION as __version__
from ._layout import Emitter, Force, Notice, Solid, Volume
from ._library import library as _library
from ._scene import Scene, load_scene, scene_names
from ._simulation import Error, Simulation, definition as _definition
from ._structure import whole as _whole
from . import _layout


def volume_from_array(distance, spacing, low=None):
    """A shape for emitters and solids from distances to its surface, m, negative inside. The samples
    [i, j, k] are `spacing` metres apart. `low` is the position of the first sample; by default the
    middle of the samples is at 0."""
    samples = _numpy.asfortranarray(distance, _numpy.float32)
    if samples.ndim != 3:
        raise ValueError(f"distances are an array of three axes, not {samples.ndim}")
    if low is None:
        low = [-0.5 * spacing * (count - 1) for count in samples.shape]
    nx, ny, nz = samples.shape
    volume = Volume(nx=nx, ny=ny, nz=nz, low=low, spacing=spacing, distance=samples.ctypes.data)
    volume._samples = samples
    return volume


def _threes(values, kind, name):
    try:
        return _numpy.ascontiguousarray(values, kind).reshape(-1, 3)
    except (TypeError, ValueError):
        raise ValueError(f"{name} takes an array of n x 3 numbers") from None


def volume_from_mesh(vertices, triangles, cells=48):
    """A shape from a closed mesh of vertices (n x 3, m) and triangles (n x 3 indices, anticlockwise
    from outside). `cells` is the number of samples along its longest side."""
    vertices = _threes(vertices, _numpy.float32, "vertices")
    triangles = _threes(triangles, _numpy.int32, "triangles")
    cells = _whole(cells, "cells", 1, GRID_MAX)  # noqa: F405
    if not len(vertices) or not _numpy.isfinite(vertices).all():
        raise ValueError("vertices must be finite, and some")
    mesh = _layout.Mesh(vertices=vertices.ctypes.data, vertex_count=len(vertices),
                        triangles=triangles.ctypes.data, triangle_count=len(triangles))
    low, high = vertices.min(0), vertices.max(0)
    spacing = float((high - low).max()) / cells
    counts = _numpy.ceil((high - low) / spacing).astype(int) + 5  # two samples around it
    volume = volume_from_array(_numpy.zeros(counts), spacing, low - 2 * spacing)
    scratch = _numpy.empty(_library.billow_mesh_scratch(mesh, volume), _numpy.uint8)
    error = _layout.Error()
    if not _library.billow_voxelize(mesh, volume, volume.distance, scratch.ctypes.data, error):
        raise Error(error.text.decode())
    return volume


def bytes_needed(**values):
    """The memory that Simulation(**values) needs, bytes."""
    return _library.billow_bytes_needed(_ctypes.byref(_definition(values)))


def notices(**values):
    """Warnings about values that are probably mistakes in Simulation(**values), one line each."""
    found = (Notice * 64)()
    count = _library.billow_notices(_ctypes.byref(_definition(values)), found, len(found))
    return [notice.text.text.decode() for notice in found[:min(count, len(found))]]


def simd():
    """The instruction set of the kernels, such as 'avx2'."""
    return _library.billow_simd().decode()


__all__ = ["Error", "Scene", "Simulation", "bytes_needed", "load_scene", "notices", "scene_names",
           "simd", "volume_from_array", "volume_from_mesh", "Emitter", "Force", "Solid", "Volume", "__version__"]
__all__ += [name for name in vars(_layout) if not name.startswith("_")
            and name not in ("ctypes", "enum", "FUNCTIONS", "SceneDef", "Structure")]
