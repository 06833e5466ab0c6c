# SPDX-License-Identifier: MIT
"""The Simulation class."""
import ctypes
import threading
from types import SimpleNamespace

import numpy

from . import _layout
from ._layout import Boundary, Def, Emitter, Face, Force, Params, Side, Solid, Stage
from ._library import library
from ._structure import enumerated, real, refused, several, suggestion, whole


class Error(Exception):
    """The library rejected a value or failed; the text is its message."""


class Memory:
    """The memory of a simulation, which is released with the last array that uses it."""

    def __init__(self, definition):
        self.address = None
        error = _layout.Error()
        self.address = library.billow_create(ctypes.byref(definition), ctypes.byref(error))
        if not self.address:
            raise Error(error.text.decode())

    def __del__(self):
        if self.address:
            library.billow_destroy(self.address)
            self.address = None

    def array(self, address, shape, strides, writable=False):
        """A NumPy view of the floats at an address; None for address 0. Strides are in floats."""
        if not address:
            return None
        floats = 1 + sum((count - 1) * stride for count, stride in zip(shape, strides))
        buffer = (ctypes.c_float * floats).from_address(address)
        buffer.memory = self  # the array references the buffer, which references this memory
        array = numpy.ndarray(shape, numpy.float32, buffer, 0, [4 * stride for stride in strides])
        array.flags.writeable = writable
        return array


def listed(items, kind, most, name):
    """Converts a list of structures to a C array of length `most`."""
    if len(items) > most:
        raise ValueError(f"at most {most} {name}, not {len(items)}")
    for index, item in enumerate(items):
        if not isinstance(item, kind):
            raise TypeError(f"{name} are {kind.__name__}s, and {name}[{index}] is {item!r}")
    return (kind * most)(*items)


def by_side(values, array, name, convert):
    """Fills an array of the box's six sides from a dictionary of sides or a list of all six."""
    if hasattr(values, "items"):
        pairs = [(enumerated(Side, side, f"a side of {name}"), value)
                 for side, value in values.items()]
    else:
        values = several(values, name, "a dictionary of sides or a list of all six")
        if len(values) != len(array):
            raise ValueError(f"{name} takes {len(array)} values or a dictionary")
        pairs = list(enumerate(values))
    for side, value in pairs:
        array[side] = convert(value)


def boundary(value):
    if not isinstance(value, Boundary):
        raise TypeError(f"boundaries are of the type Boundary, not {value!r}")
    return value


def switch(value):
    if not isinstance(value, bool):
        raise TypeError(f"unbounded sides are True or False, not {value!r}")
    return value


def grows(view):
    """Whether the box is unbounded. Its memory moves when it grows."""
    return view.home[1][0] > view.home[0][0]


LISTS = {"emitters": (Emitter, _layout.EMITTERS_MAX), "solids": (Solid, _layout.SOLIDS_MAX),
         "forces": (Force, _layout.FORCES_MAX)}


def listed_values(values):
    """The keyword arguments with iterables of emitters, solids and forces converted to lists."""
    return {name: several(value, name, f"a list of {LISTS[name][0].__name__}s")
            if name in LISTS else value for name, value in values.items()}


def definition(values):
    """A Def from keyword arguments that are named as the fields of Def and Params."""
    made = Def()
    own = set(Def.kinds()) - {"params", "emitter_count", "solid_count", "force_count"}
    for name, value in listed_values(values).items():
        if name in LISTS:
            setattr(made, name, listed(value, *LISTS[name], name))
            setattr(made, name[:-1] + "_count", len(value))
        elif name == "faces":
            by_side(value, made.faces, name, lambda face: enumerated(Face, face, name))
        elif name == "boundaries":
            by_side(value, made.boundaries, name, boundary)
        elif name == "unbounded":
            pass  # below, because it needs the faces
        elif name in own:
            setattr(made, name, value)
        elif name in Params.kinds():
            setattr(made.params, name, value)
        else:
            raise TypeError(f"Simulation has no '{name}'"
                            + suggestion(name, own | set(Params.kinds())))
    unbounded = values.get("unbounded", False)
    if isinstance(unbounded, bool):
        unbounded = [unbounded and face == Face.OPEN for face in made.faces]
    by_side(unbounded, made.unbounded, "unbounded", switch)
    return made


def step_seconds(dt):
    dt = real(dt, "dt")
    if not 0 < dt <= _layout.STEP_MAX:
        raise ValueError(f"a step takes more than 0 and at most {_layout.STEP_MAX:g} s, not {dt}")
    return dt


def check_source(kind, value, made):
    """Raises an Error if the library rejects an emitter or a force. billow_emit and billow_push give
    no message, so this creates a small simulation with that entry to get one."""
    alone = Def()
    ctypes.memmove(ctypes.byref(alone), ctypes.byref(made), ctypes.sizeof(alone))
    alone.nx = alone.ny = alone.nz = 8
    alone.emitter_count = alone.solid_count = alone.force_count = alone.tracers = 0
    setattr(alone, kind + "s", listed([value], *LISTS[kind + "s"], kind + "s"))
    setattr(alone, kind + "_count", 1)
    try:
        Memory(alone)
    except Error as error:
        raise Error(str(error).replace(f"{kind}s[0]", kind)) from None


def result(function, doc):
    """A property that a function of the library returns."""
    return property(lambda sim: sim._call(function), doc=doc)


def field(name, doc):
    """A property: an array of the library's view, one value per cell of the smoke."""
    return property(lambda sim: sim._array(getattr(sim._view(), name)), doc=doc)


def wind_field(name, doc, more):
    """The same, with so many elements more than cells of the wind."""
    return property(lambda sim: sim._array(getattr(sim._view(), name), more, wind=True), doc=doc)


def wind_cells(view):
    """The number of cells of the wind along each axis."""
    return tuple(n // view.refine for n in (view.nx, view.ny, view.nz))


class Simulation:
    """Smoke in a box. Keyword arguments are the members of Def and of Params:

        Simulation(nx=64, ny=64, nz=64, vorticity=8, emitters=[Emitter(heat=300)],
                   faces={"ceiling": "open", "left": "periodic", "right": "periodic"})

    A `with` block closes the simulation at its end. Calls from several threads wait for each other. A
    step releases Python's global lock, so that other threads continue.

    unbounded=True lets the box grow at its open faces before smoke reaches them; a dictionary or a list
    says it for each side. The arrays of such a simulation are copies, and it has no writable fields.
    """

    def __init__(self, **values):
        values = listed_values(values)
        made = definition(values)
        self._start(Memory(made), made)
        # References to the volumes of shapes, which must exist as long as the library uses them.
        self._used.update((name, values.get(name, [])) for name in ("emitters", "solids"))

    def _start(self, memory, made):
        self._used = {}
        self._emitted = []
        self._turn = threading.RLock()
        self._memory = memory
        self._definition = made
        self._solid_count = made.solid_count

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        self.close()

    def close(self):
        """Releases the memory, as soon as no array uses it."""
        with self._turn:
            self._memory = None

    def _call(self, function, *arguments):
        with self._turn:
            if self._memory is None:
                raise Error("the simulation is closed")
            return function(self._memory.address, *arguments)

    def _try(self, function, *arguments):
        error = _layout.Error()
        if not self._call(function, *arguments, ctypes.byref(error)):
            raise Error(error.text.decode())

    # -- time

    def step(self, dt=1 / 60):
        """Advances by dt seconds, in as many substeps as the flow needs. Raises an Error with the field
        and cell if a value is infinite or not a number; see billow_step."""
        with self._turn:
            if not self._call(library.billow_step, step_seconds(dt)):
                self._raise()
        self._emitted.clear()

    def advance(self, elapsed, dt=1 / 60, steps_max=4):
        """Advances by the elapsed time, s, in whole steps of dt. The rest is left for the next call.
        Returns the number of steps."""
        elapsed = real(elapsed, "elapsed")
        if not 0 <= elapsed < float("inf"):
            raise ValueError(f"elapsed is {elapsed} s; it must be finite and not below 0")
        dt, steps_max = step_seconds(dt), whole(steps_max, "steps_max", 1, 2**31 - 1)
        with self._turn:
            steps = self._call(library.billow_advance, elapsed, dt, steps_max)
            if self._call(library.billow_error):
                self._raise()
        if steps > 0:
            self._emitted.clear()
        return steps

    def _raise(self):
        """Raises an Error with the reason why the last step failed."""
        raise Error(self._call(library.billow_error).decode())

    def reset(self):
        """Resets the simulation to its initial state at time 0."""
        self._call(library.billow_reset)

    def save_state(self):
        """The whole state as bytes for load_state, which may be stored in a file."""
        with self._turn:
            state = ctypes.create_string_buffer(self._call(library.billow_state_bytes))
            self._call(library.billow_save_state, state)
            return state.raw

    def load_state(self, state):
        """Restores a state that a simulation with the same definition has saved."""
        try:
            state = bytes(memoryview(state))
        except TypeError:
            raise refused("load_state", "what save_state gave, bytes", state) from None
        self._try(library.billow_load_state, state, len(state))

    def resample(self, other):
        """Continues another simulation on the grid of this one, with the other's emitters, forces, solids
        and parameters. Amounts are kept. Both need the same box, faces and fields; see billow_resample."""
        if not isinstance(other, Simulation):
            raise refused("resample", "a Simulation", other)
        other._call(lambda address: self._try(library.billow_resample, address))
        self._used = {**other._used, "resampled": other._memory}

    # -- emitters, forces, solids, parameters

    def emit(self, emitter):
        """Adds an emitter for the next step only, such as a brush or a detonation."""
        if not isinstance(emitter, Emitter):
            raise refused("emit", "an Emitter", emitter)
        if not self._call(library.billow_emit, ctypes.byref(emitter)):
            check_source("emitter", emitter, self._definition)
            raise Error(f"more than {_layout.EMITTERS_MAX} emitters for one step")
        self._emitted.append(emitter)

    def push(self, force):
        """Adds a force for the next step only."""
        if not isinstance(force, Force):
            raise refused("push", "a Force", force)
        if not self._call(library.billow_push, ctypes.byref(force)):
            check_source("force", force, self._definition)
            raise Error(f"more than {_layout.FORCES_MAX} forces for one step")

    def _set(self, name, values):
        kind, most = LISTS[name]
        values = several(values, name, f"a list of {kind.__name__}s")
        self._try(getattr(library, "billow_set_" + name), listed(values, kind, most, name), len(values))
        self._used[name] = values

    def set_emitters(self, emitters):
        self._set("emitters", emitters)

    def set_forces(self, forces):
        self._set("forces", forces)

    def set_solids(self, solids):
        """Replaces the solids by a list of the same length."""
        self._set("solids", solids)

    @property
    def solids(self):
        """Copies of the solids in their present state."""
        found = []
        for index in range(self._solid_count):
            solid = Solid()
            address = self._call(library.billow_solid, index)
            ctypes.memmove(ctypes.byref(solid), address, ctypes.sizeof(Solid))
            found.append(solid)
        return found

    def set_params(self, **values):
        """Changes the named parameters."""
        params = self.params
        for name, value in values.items():
            setattr(params, name, value)
        self._try(library.billow_set_params, ctypes.byref(params))

    params = result(library.billow_params, "A copy of the parameters.")

    # -- results

    stats = result(library.billow_stats,
                   "Statistics of the last step: time, mass, divergence_max and so on.")

    @property
    def profile(self):
        """Milliseconds of the last step by stage, and their sum as 'total'."""
        profile = self._call(library.billow_profile)
        stages = {stage.name.lower(): profile.ms[stage] for stage in Stage}
        return {**stages, "total": profile.total_ms}

    state_hash = result(library.billow_state_hash, "A 64-bit hash of the whole state, equal on any machine "
                        "and with any number of threads.")
    bytes = result(library.billow_bytes, "The memory of the simulation, bytes.")
    threads = result(library.billow_threads, "Number of threads of a step.")

    @property
    def time(self):
        return self._view().time

    @property
    def shape(self):
        """(nx, ny, nz): cells of the smoke. Velocity, pressure and solids have `refine` times fewer
        along each axis."""
        view = self._view()
        return view.nx, view.ny, view.nz

    @property
    def origin(self):
        """Position of the box's corner with the least x, y and z, m. It changes when an unbounded box
        grows."""
        return tuple(self._view().origin)

    @property
    def growth_notice(self):
        """Why an unbounded box no longer grows; "" while it can."""
        return self._call(library.billow_growth_notice).decode()

    def _view(self):
        return self._call(library.billow_view)

    def _array(self, address, more=(0, 0, 0), view=None, writable=False, wind=False):
        with self._turn:
            view = view or self._view()
            cells = wind_cells(view) if wind else (view.nx, view.ny, view.nz)
            shape = tuple(n + extra for n, extra in zip(cells, more))
            strides = ((1, view.wind_stride_y, view.wind_stride_z) if wind
                       else (1, view.stride_y, view.stride_z))
            array = self._memory.array(address, shape, strides, writable)
            return array.copy() if grows(view) and array is not None else array

    @property
    def fields(self):
        """density, temperature, u, v, w, color and fuel as writable arrays. Values must be finite. The
        next step makes the velocity free of divergence. u, v and w are on faces of the wind."""
        view = self._view()
        if grows(view):
            raise Error("the box is unbounded, and its memory moves when it grows: there are no writable "
                        "fields")
        fields = self._call(library.billow_fields)

        def array(address, more=None):
            return self._array(address, more or (0, 0, 0), view, True, wind=more is not None)

        color = tuple(array(address) for address in fields.color) if fields.color[0] else None
        return SimpleNamespace(
            density=array(fields.density), temperature=array(fields.temperature),
            u=array(fields.u, (1, 0, 0)), v=array(fields.v, (0, 1, 0)), w=array(fields.w, (0, 0, 1)),
            color=color, fuel=array(fields.fuel))

    density = field("density", "Smoke density at cell centres; read-only.")
    temperature = field("temperature", "Temperature above ambient, K, at cell centres; read-only.")
    u = wind_field("u", "Velocity along x, m/s, on the faces between cells i-1 and i; read-only.", (1, 0, 0))
    v = wind_field("v", "Velocity along y, m/s, on the faces between cells j-1 and j; read-only.", (0, 1, 0))
    w = wind_field("w", "Velocity along z, m/s, on the faces between cells k-1 and k; read-only.", (0, 0, 1))
    age = field("age", "Density times the smoke's mean age, s, at cell centres; None without age; read-only.")
    fuel = field("fuel", "Fuel at cell centres; None without fire; read-only.")
    flame = field("flame", "Fuel burnt in the last substep, 1/s; None without fire; read-only.")
    solid = wind_field("solid", "Distance to the nearest solid, in cells, at the cells' low corners; None "
                       "without solids; read-only.", (1, 1, 1))

    @property
    def color(self):
        """Density times colour (red, green, blue) at cell centres; None without colour; read-only."""
        color = self._view().color
        return tuple(self._array(part) for part in color) if color[0] else None

    @property
    def tracers(self):
        """x, y, z (m) and age (s) of the tracers, read-only; None without tracers. An age below 0
        marks an unused slot."""
        view = self._view()
        if not view.tracer_count:
            return None
        with self._turn:
            view = self._view()
            arrays = (self._memory.array(address, (view.tracer_count,), (1,))
                      for address in (*view.tracer, view.tracer_age))
            return tuple(array.copy() if grows(view) else array for array in arrays)

    @property
    def pressure(self):
        """Pressure above ambient, Pa. It is a copy, because the library stores it in another order."""
        view = self._view()
        nx, ny, nz = wind_cells(view)
        shape = ((nx + 1) // 2, ny, nz)
        strides = (1, view.pressure_stride_y, view.pressure_stride_z)
        halves = [self._memory.array(address, shape, strides) for address in view.pressure]
        whole = numpy.empty((nx, ny, nz), numpy.float32)
        for j in (0, 1):
            for k in (0, 1):
                even, odd = halves[(j + k) % 2], halves[1 - (j + k) % 2]
                whole[0::2, j::2, k::2] = even[:, j::2, k::2]
                whole[1::2, j::2, k::2] = odd[:nx // 2, j::2, k::2]
        return whole * numpy.float32(view.pressure_unit)
