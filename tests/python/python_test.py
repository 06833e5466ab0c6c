# SPDX-License-Identifier: MIT
"""python_test.py OFFSETS: tests the Python module. OFFSETS is the C program that prints sizes and offsets
of the structures as the compiler has them."""
import ctypes
import gc
import locale
import math
import multiprocessing
import pathlib
import platform
import subprocess
import sys
import tempfile
import threading
import unittest
import weakref

import numpy
import billow
from billow import _layout
from billow._library import rows, words

OFFSETS = sys.argv.pop(1)


def small(**values):
    values = {"emitters": [billow.Emitter()], **values}
    return billow.Simulation(**{"nx": 16, "ny": 24, "nz": 20, "cell_size": 1 / 16, **values})


def need_scenes(test):
    """Skips a test in a build of the solver alone."""
    try:
        billow.scene_names()
    except ImportError as error:
        test.skipTest(str(error))


class Layout(unittest.TestCase):
    def test_every_offset_is_the_compiler_s(self):
        lines = subprocess.run([OFFSETS], check=True, capture_output=True, text=True).stdout.split("\n")
        seen = set()
        for line in filter(None, lines):
            name, *numbers = line.split()
            numbers = [int(number) for number in numbers]
            if ":" in name:
                enum, member = name.split(":")
                members = getattr(_layout, enum)
                short = member.removeprefix(enum.upper() + "_")
                self.assertEqual([members[short]], numbers, name)
            elif "." in name:
                struct, field = name.split(".")
                at = getattr(getattr(_layout, struct), field)
                self.assertEqual([at.offset, at.size], numbers, name)
            else:
                seen.add(name)
                self.assertEqual([ctypes.sizeof(getattr(_layout, name))], numbers, name)
        self.assertLessEqual({"Def", "Params", "Emitter", "Solid", "Force", "View", "Stats",
                              "Profile", "Fields", "Volume", "Boundary"}, seen)

    def test_names_of_def_and_params_differ(self):
        self.assertFalse(set(billow.Def.kinds()) & set(billow.Params.kinds()))

    def test_stages_have_the_library_s_names(self):
        names = [billow._library.billow_stage_name(stage).decode() for stage in billow.Stage]
        self.assertEqual(names, [stage.name.lower() for stage in billow.Stage])

    def test_tables_are_documentation(self):
        self.assertIn("    heat: K/s; temperature rise per second; negative cools; default 200; "
                      "-1000000 to 1000000\n", billow.Emitter.__doc__)
        self.assertIn("default sphere; one of sphere, box", billow.Emitter.__doc__)
        for kind in (billow.Emitter, billow.Force):
            self.assertRegex(kind.__doc__, "    start: s; .*; default 0; 0 to 1000000000\n")
            self.assertRegex(kind.__doc__, "    end: s; .*; default 1e\\+09; 0 to 1000000000\n")

    def test_tables_have_all_values(self):
        lists = {"params", "boundaries", "emitters", "solids", "forces", "volume"}
        for table in billow.Table:
            kind = getattr(billow, table.name.capitalize())
            found = rows(billow._library, table)
            named = {row.name.decode().split(".")[0] for row in found}
            self.assertEqual(named | lists & set(kind.kinds()), set(kind.kinds()), kind)
            for row in found:
                if row.type == billow.Type.CHOICE:  # as many words as the enumeration has values
                    enum = kind._enums.get(row.name.decode(), billow.Face)
                    self.assertEqual(words(row), [member.name.lower() for member in enum])


class Definitions(unittest.TestCase):
    def test_defaults_are_the_library_s(self):
        self.assertEqual(billow.Emitter().smoke, 6)
        self.assertEqual(list(billow.Solid().rotation), [0, 0, 0, 1])
        with billow.Simulation(nx=8, ny=8, nz=8) as sim:
            self.assertEqual(sim.params.vorticity, 4)

    def test_enumerations_by_name(self):
        self.assertEqual(billow.Emitter(shape="torus").shape, billow.Shape.TORUS)
        with small(pressure="relaxation", advection=billow.Advection.REFLECTION) as sim:
            self.assertEqual(sim.params.pressure, 0)
            self.assertEqual(sim.params.advection, 1)
        with self.assertRaisesRegex(ValueError, "did you mean 'torus'"):
            billow.Emitter(shape="torrus")

    def test_wrong_arguments(self):
        for wrong, error, words in (
                ({"bouyancy": 1}, TypeError, "did you mean 'buoyancy'"),
                ({"nx": 2**32 + 16}, ValueError, "Def.nx is 4294967312; it must lie between"),
                ({"nx": 16.5}, TypeError, "Def.nx takes a whole number, not 16.5"),
                ({"nx": "16"}, TypeError, "Def.nx takes a whole number, not '16'"),
                ({"nx": 7}, billow.Error, "nx is 7; it must lie between 8 and 2048"),
                ({"viscosity": math.nan}, billow.Error,
                 "viscosity is nan; it must lie between 0 and 1e"),
                ({"vorticity": 1e300}, billow.Error, "vorticity is inf; it must lie between 0 and 100"),
                ({"vorticity": "much"}, TypeError, "Params.vorticity takes a number, not 'much'"),
                ({"vorticity": None}, TypeError, "Params.vorticity takes a number, not None"),
                ({"vorticity": 10**400}, TypeError, "Params.vorticity takes a number"),
                ({"fire": "no"}, TypeError, "Def.fire takes True or False, not 'no'"),
                ({"fire": 2}, TypeError, "Def.fire takes True or False, not 2"),
                ({"pressure": 1.5}, TypeError, "Params.pressure takes one of relaxation, multigrid"),
                ({"pressure": 9}, ValueError, "Params.pressure has no value 9; it is one of relax"),
                ({"origin": (0, 0)}, ValueError, "Def.origin takes 3 values, not 2"),
                ({"origin": 0}, TypeError, "Def.origin takes 3 values, not 0"),
                ({"origin": (0, "y", 0)}, TypeError, r"Def.origin\[1\] takes a number, not 'y'"),
                ({"faces": 3}, TypeError, "faces takes a dictionary of sides or a list of all six"),
                ({"faces": {"left": 1.5}}, TypeError, "faces takes one of closed"),
                ({"emitters": 3}, TypeError, "emitters takes a list of Emitters, not 3"),
                ({"forces": [billow.Force(), 2]}, TypeError, r"forces\[1\] is 2"),
                ({"faces": {"top": "open"}}, ValueError, "a side of faces is one of left"),
                ({"faces": ["open"]}, ValueError, "takes 6"),
                ({"faces": {"left": "periodic"}}, billow.Error, "periodic"),
                ({"boundaries": {"left": 3}}, TypeError, "Boundary"),
                ({"emitters": [1]}, TypeError, "emitters are Emitters"),
                ({"emitters": [billow.Emitter()] * 33}, ValueError, "at most 32")):
            with self.subTest(wrong), self.assertRaisesRegex(error, words):
                small(**wrong)
        with self.assertRaisesRegex(AttributeError, "did you mean 'center'"):
            billow.Emitter().centre = (0, 0, 0)
        with self.assertRaisesRegex(TypeError, "Emitter.volume takes a Volume or None, not 3"):
            billow.Emitter(volume=3)
        with self.assertRaisesRegex(TypeError, "Def.params takes a Params, not 3"):
            billow.Def(params=3)

    def test_numbers_of_numpy(self):
        sim = small(fire=numpy.bool_(True), nx=numpy.int64(16), buoyancy=numpy.float32(0.5),
                    origin=numpy.zeros(3))
        self.assertIsNotNone(sim.fuel)
        self.assertEqual(sim.params.buoyancy, 0.5)

    def test_wrong_times_and_states(self):
        with small() as sim:
            for call, error, words in (
                    (lambda: sim.step("1"), TypeError, "dt takes a number, not '1'"),
                    (lambda: sim.step(math.nan), ValueError, "more than 0 and at most"),
                    (lambda: sim.advance(math.nan), ValueError, "elapsed is nan s; it must be fin"),
                    (lambda: sim.advance(-1), ValueError, "elapsed is -1.0 s"),
                    (lambda: sim.advance(1, 0), ValueError, "more than 0 and at most"),
                    (lambda: sim.advance(1, steps_max=0), ValueError, "steps_max is 0; it must"),
                    (lambda: sim.load_state(5), TypeError, "load_state takes what save_state gave"),
                    (lambda: sim.load_state(b""), billow.Error, "state")):
                with self.subTest(words), self.assertRaisesRegex(error, words):
                    call()
            self.assertEqual(sim.time, 0)

    def test_faces_and_boundaries_by_side(self):
        wind = billow.Boundary(velocity=(2, 0, 0))
        with small(faces={"left": "inflow", "right": "open"}, boundaries={"left": wind},
                   emitters=[]) as sim:
            for _ in range(10):
                sim.step(1 / 60)
            self.assertAlmostEqual(float(sim.u[0].mean()), 2, places=5)

    def test_notices_and_bytes(self):
        thin = billow.Solid(shape="box", size=(0.001, 0.2, 0.2))
        self.assertEqual(len(billow.notices(solids=[thin])), 1)
        self.assertEqual(billow.notices(), [])
        self.assertGreater(billow.bytes_needed(nx=128), billow.bytes_needed(nx=64))
        with small() as sim:
            self.assertGreater(sim.bytes, 0)


class Arrays(unittest.TestCase):
    def test_density_is_the_library_s_memory(self):
        with small() as sim:
            sim.step(1 / 30)
            density = sim.density
            address = sim._view().density
            self.assertEqual(density.__array_interface__["data"], (address, True))
            self.assertEqual(density.shape, (16, 24, 20))
            self.assertEqual(density.strides[0], 4)
            self.assertFalse(density.flags.owndata)
            mass = float(density.sum(dtype=float)) / 16**3
            self.assertAlmostEqual(mass / sim.stats.mass, 1, places=6)
            self.assertGreater(mass, 0)
            with self.assertRaises(ValueError):
                density[0, 0, 0] = 1

    def test_writing_changes_the_simulation(self):
        with small(emitters=[]) as sim:
            before = sim.state_hash
            sim.fields.density[3, 4, 5] = 0.5
            self.assertEqual(sim.density[3, 4, 5], 0.5)
            self.assertEqual(numpy.count_nonzero(sim.density), 1)
            self.assertNotEqual(sim.state_hash, before)
            self.assertIsNone(sim.fields.color)

    def test_velocity_has_one_more_face_along_its_axis(self):
        with small() as sim:
            self.assertEqual(sim.u.shape, (17, 24, 20))
            self.assertEqual(sim.v.shape, (16, 25, 20))
            self.assertEqual(sim.w.shape, (16, 24, 21))

    def test_velocity_has_the_divergence_that_the_library_says(self):
        with small() as sim:
            for _ in range(20):
                sim.step(1 / 30)
            u, v, w = sim.u, sim.v, sim.w
            divergence = 16 * (numpy.diff(u, axis=0) + numpy.diff(v, axis=1) + numpy.diff(w, axis=2))
            self.assertGreater(float(abs(v).max()), 0.1)
            self.assertAlmostEqual(float(abs(divergence).max()) / sim.stats.divergence_max, 1, 2)

    def test_arrays_keep_the_memory(self):
        sim = small()
        sim.step(1 / 30)
        memory = weakref.ref(sim._memory)
        part = sim.density[2:9:2, 1:]
        mass = part.sum()
        self.assertGreater(mass, 0)
        sim.close()
        gc.collect()
        self.assertIsNotNone(memory())
        self.assertEqual(part.sum(), mass)
        with self.assertRaisesRegex(billow.Error, "closed"):
            sim.step(1 / 30)
        with self.assertRaisesRegex(billow.Error, "closed"):
            sim.density
        del part
        gc.collect()
        self.assertIsNone(memory())

    def test_a_box_that_grows(self):
        faces = {side: "open" for side in ("left", "right", "ceiling", "back", "front")}
        emitter = billow.Emitter(center=(0.25, 0.1, 0.25), velocity=(-1, 2, 0), grip=10)
        with billow.Simulation(nx=32, ny=32, nz=32, faces=faces, unbounded=True, emitters=[emitter],
                               threads=1) as sim:
            first = sim.density
            before = sim.shape, sim.origin
            for _ in range(20):
                sim.step()
            self.assertEqual(first.shape, (32, 32, 32))
            self.assertEqual(first.sum(), 0)  # a copy from before the first step
            self.assertGreater(sim.shape[1], 32)
            self.assertEqual(sim.origin[1], 0)
            self.assertLess(sim.origin[0], 0)
            self.assertEqual(sim.density.shape, sim.shape)
            self.assertEqual(sim.u.shape[0], sim.shape[0] + 1)
            self.assertEqual(sim.growth_notice, "")
            with self.assertRaisesRegex(billow.Error, "no writable fields"):
                sim.fields
            sim.reset()
            self.assertEqual((sim.shape, sim.origin), before)
        with self.assertRaisesRegex(billow.Error, "unbounded.left needs the face to be open"):
            billow.Simulation(unbounded={"left": True})
        with self.assertRaisesRegex(TypeError, "True or False, not 1"):
            billow.Simulation(unbounded={"left": 1})

    def test_pressure_balances_a_force(self):
        # A wind of 1 m/s2 against the closed right wall: the pressure rises by 1.2 Pa per metre.
        wind = billow.Force(kind="wind", velocity=(1, 0, 0), strength=1)
        with small(nx=16, ny=10, nz=12, emitters=[], forces=[wind], tolerance=1e-6, cycles=100,
                   faces={"ceiling": "closed"}) as sim:
            sim.step(1 / 60)
            pressure = sim.pressure
            self.assertEqual(pressure.shape, (16, 10, 12))
            slope = numpy.diff(pressure, axis=0) * 16
            self.assertLess(float(abs(slope / slope.mean() - 1).max()), 0.01)
            self.assertAlmostEqual(float(slope.mean()) / 1.2, 1, delta=0.03)

    def test_nonsense_is_refused_and_told(self):
        for guarded in (False, True):
            with small(guarded=guarded) as sim:
                sim.step(1 / 60)
                fields = sim.fields
                fields.temperature[3, 4, 5] = math.nan
                before = sim.state_hash
                for go in (lambda: sim.step(1 / 60), lambda: sim.advance(0.1, 1 / 60)):
                    with self.assertRaisesRegex(
                            billow.Error, r"^step 2 is not taken: temperature is nan at cell "
                                          r"\(3, 4, 5\); values that are written must be finite$"):
                        go()
                self.assertEqual(sim.stats.steps, 1)
                self.assertNotEqual(before, 0)
                fields.temperature[3, 4, 5] = 0
                sim.step(1 / 60)

    def test_what_a_simulation_has_not_is_none(self):
        with small() as sim:
            for name in ("color", "fuel", "flame", "solid", "tracers"):
                self.assertIsNone(getattr(sim, name), name)
        ball = billow.Solid(center=(0.5, 0.8, 0.5))
        with small(color=True, fire=True, tracers=100, solids=[ball]) as sim:
            sim.step(1 / 60)
            self.assertEqual(len(sim.color), 3)
            self.assertEqual(sim.fuel.shape, sim.flame.shape)
            self.assertEqual(sim.solid.shape, (17, 25, 21))
            self.assertLess(float(sim.solid[8, 13, 8]), 0)
            self.assertEqual([part.shape for part in sim.tracers], [(100,)] * 4)


class Running(unittest.TestCase):
    def test_the_same_hash_with_any_number_of_threads(self):
        hashes = set()
        for threads in (1, 2, 3):
            with small(threads=threads) as sim:
                for _ in range(5):
                    sim.step(1 / 30)
                self.assertEqual(sim.threads, threads)
                hashes.add(sim.state_hash)
        self.assertEqual(len(hashes), 1)

    def test_time(self):
        with small() as sim:
            sim.step(0.125)
            self.assertEqual(sim.time, 0.125)
            self.assertEqual(sim.advance(0.25, dt=0.125), 2)
            self.assertEqual(sim.stats.steps, 3)
            for wrong in (0, -1, math.nan, math.inf, 1e5):
                with self.assertRaises(ValueError):
                    sim.step(wrong)
            sim.reset()
            self.assertEqual(sim.time, 0)

    def test_a_saved_state_goes_on_to_the_same_hash(self):
        with small() as sim, small(threads=1) as other, small(nx=17) as larger:
            sim.step(1 / 30)
            state = sim.save_state()
            sim.step(1 / 30)
            other.load_state(state)
            self.assertNotEqual(other.state_hash, sim.state_hash)
            other.step(1 / 30)
            self.assertEqual(other.state_hash, sim.state_hash)
            with self.assertRaises(billow.Error):
                larger.load_state(state)
            with self.assertRaises(billow.Error):
                sim.load_state(state[:-1])

    def test_resample_continues_on_another_grid(self):
        with small() as sim, small(nx=14) as other_box:
            for _ in range(3):
                sim.step(1 / 30)
            nx, ny, nz = sim.shape
            with billow.Simulation(nx=2 * nx, ny=2 * ny, nz=2 * nz, cell_size=1 / 32) as finer:
                finer.resample(sim)
                self.assertEqual(finer.time, sim.time)
                self.assertAlmostEqual(finer.density.sum(dtype=float) / 8,
                                       sim.density.sum(dtype=float), delta=1e-5)
                finer.step(1 / 30)
                self.assertGreater(finer.stats.mass, sim.stats.mass)  # its emitters came along
            with self.assertRaisesRegex(billow.Error, "along x the two boxes must agree"):
                other_box.resample(sim)
            with self.assertRaisesRegex(TypeError, "resample takes a Simulation"):
                sim.resample(5)

    def test_profile_adds_up(self):
        with small() as sim:
            sim.step()
            profile = sim.profile
            self.assertGreater(profile["project"], 0)
            total = profile.pop("total")
            self.assertLessEqual(sum(profile.values()), total * (1 + 1e-9))

    def test_params_change_and_are_refused(self):
        with small() as sim:
            sim.set_params(vorticity=7, pressure="relaxation")
            self.assertEqual(sim.params.vorticity, 7)
            self.assertEqual(sim.params.cfl, 4)
            with self.assertRaisesRegex(billow.Error, "cfl"):
                sim.set_params(cfl=-1, vorticity=9)
            self.assertEqual(sim.params.vorticity, 7)

    def test_emitters_forces_and_solids(self):
        ball = billow.Solid(center=(0.5, 0.8, 0.5))
        with small(emitters=[], solids=[ball]) as sim:
            sim.set_emitters([billow.Emitter(smoke=60)])
            sim.set_forces([billow.Force(kind="attractor", strength=2)])
            sim.emit(billow.Emitter(center=(0.3, 1, 0.3)))
            ball.velocity = (0, 0.6, 0)
            sim.set_solids([ball])
            sim.step(1 / 6)
            self.assertAlmostEqual(sim.solids[0].center[1], 0.9, places=5)
            self.assertGreater(sim.stats.mass, 0)
            with self.assertRaises(billow.Error):
                sim.set_emitters([billow.Emitter(smoke=-1)])
            with self.assertRaisesRegex(billow.Error, "emitter.smoke is -1; it must lie between 0"):
                sim.emit(billow.Emitter(smoke=-1))
            with self.assertRaisesRegex(TypeError, "emit takes an Emitter, not 3"):
                sim.emit(3)
            with self.assertRaisesRegex(TypeError, "push takes a Force, not Emitter"):
                sim.push(billow.Emitter())
            with self.assertRaisesRegex(TypeError, "solids takes a list of Solids, not 3"):
                sim.set_solids(3)
            with self.assertRaises(billow.Error):
                sim.set_solids([])
            sim.push(billow.Force(strength=3))
            with self.assertRaisesRegex(billow.Error, "force.strength is inf; it must lie between"):
                sim.push(billow.Force(strength=math.inf))
            with self.assertRaisesRegex(billow.Error, "more than 16 forces for one step"):
                for _ in range(33):
                    sim.push(billow.Force(strength=3))
            with self.assertRaisesRegex(billow.Error, "more than 32 emitters for one step"):
                for _ in range(33):
                    sim.emit(billow.Emitter(center=(0.3, 1, 0.3)))
        closed = {side: "closed" for side in ("left", "right", "floor", "ceiling", "back", "front")}
        with small(faces=closed) as sim, self.assertRaisesRegex(billow.Error, "all closed, yet emitter.expansion"):
            sim.emit(billow.Emitter(expansion=1))

    def test_volumes_live_as_long_as_they_are_used(self):
        corners = [(x, y, z) for x in (-.1, .1) for y in (-.1, .1) for z in (-.1, .1)]
        sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        triangles = [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))]
        masses = []
        for cube in ({"shape": "box", "size": (.1, .1, .1)},
                     {"shape": "volume", "size": (1, 0, 0),
                      "volume": billow.volume_from_mesh(corners, triangles)}):
            with small(emitters=[billow.Emitter(center=(.5, .5, .5), **cube)]) as sim:
                del cube
                gc.collect()
                sim.step(1 / 60)
                masses.append(sim.stats.mass_sources)
        self.assertAlmostEqual(masses[0], 0.008 * 6 / 60, delta=2e-5)
        self.assertAlmostEqual(masses[1] / masses[0], 1, delta=0.03)
        with self.assertRaisesRegex(billow.Error, "not closed: the edge from"):
            billow.volume_from_mesh(corners, triangles[1:])
        for wrong, error, words in (
                ((corners, triangles, 0), ValueError, "cells is 0; it must lie between 1 and 2048"),
                ((corners, triangles, 4.5), TypeError, "cells takes a whole number, not 4.5"),
                (([(0, 0, math.nan)] * 3, triangles), ValueError, "vertices must be finite"),
                (([0, 1], triangles), ValueError, "vertices takes an array of n x 3"),
                ((corners, "abc"), ValueError, "triangles takes an array of n x 3")):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                billow.volume_from_mesh(*wrong)
        with self.assertRaisesRegex(ValueError, "an array of three axes, not 1"):
            billow.volume_from_array([1, 2], 0.1)
        with self.assertRaisesRegex(TypeError, "Volume.spacing takes a number, not 'x'"):
            billow.volume_from_array(numpy.ones((2, 2, 2)), "x", (0, 0, 0))

    def test_scenes_follow_their_timeline(self):
        need_scenes(self)
        self.assertEqual(billow.scene_names()[0], "plume")
        with billow.load_scene("rolling-ball", cells=24, threads=1,
                               settings=["solver.vorticity=2"]) as scene:
            self.assertIn("rolls", scene.title)
            self.assertEqual(scene.params.vorticity, 2)
            first = scene.solids[0].center[0]
            self.assertAlmostEqual(first, 0.7, places=5)
            for _ in range(20):
                scene.step()
            self.assertGreater(scene.solids[0].center[0], first + 0.01)
            self.assertAlmostEqual(scene.time, 20 * scene.step_length)
            self.assertEqual(scene.density.shape, scene.shape)
            density = scene.density
            with self.assertRaisesRegex(billow.Error, "use step"):
                scene.advance(1)
            with self.assertRaisesRegex(ValueError, "more than 0"):
                scene.step(0)
        del scene
        gc.collect()
        self.assertGreaterEqual(float(density.sum()), 0)  # the array keeps the memory
        with self.assertRaisesRegex(billow.Error, "did you mean 'plume'"):
            billow.load_scene("plumme")
        with self.assertRaisesRegex(billow.Error, "did you mean 'vorticity'"):
            billow.load_scene("plume", settings=["solver.vortcity=8"])
        with self.assertRaisesRegex(TypeError, "settings takes a list of texts"):
            billow.load_scene("plume", settings="solver.vorticity=8")

    def test_scenes_and_messages_are_the_same_with_a_decimal_comma(self):
        def look():
            seen = {}
            for name in billow.scene_names():
                with billow.load_scene(name, cells=40, threads=1,
                                       settings=["solver.vorticity=2.5"]) as scene:
                    self.assertEqual(scene.params.vorticity, 2.5)
                    scene.step()
                    seen[name] = scene.state_hash, bytes(scene.params)
            for wrong in "1,5", "-1.5":
                with self.assertRaises(billow.Error) as raised:
                    billow.load_scene("plume", settings=["solver.vorticity=" + wrong])
                seen[wrong] = str(raised.exception)
            with self.assertRaises(billow.Error) as raised:
                small(cell_size=-0.25)
            seen["cell_size"] = str(raised.exception)
            with tempfile.TemporaryDirectory() as folder:
                scene = pathlib.Path(folder, "missing.yaml")
                scene.write_text("emitters: [{shape: volume, mesh: missing.obj}]\n")
                with self.assertRaisesRegex(billow.Error, "No such file or directory") as raised:
                    billow.load_scene(scene)
                seen["mesh"] = str(raised.exception).replace(folder, "")
            return seen

        need_scenes(self)
        here = look()
        self.addCleanup(locale.setlocale, locale.LC_ALL, locale.setlocale(locale.LC_ALL))
        for name in "de_DE.UTF-8", "tr_TR.ISO-8859-9":
            locale.setlocale(locale.LC_ALL, name)  # of the package locales, in LOCPATH
            self.assertEqual(locale.localeconv()["decimal_point"], ",")
            self.assertEqual(look(), here)

    def test_messages_are_text_wherever_they_are_cut(self):
        need_scenes(self)
        for text in [before + letter * 400 for before in ("", "a", "ab", "abc") for letter in "üé€💨"] + ["gr\udcfcn"]:
            for name, settings in (text, []), (text + ".yaml", []), ("plume", [text]), \
                    ("plume", [text + "=1"]), ("plume", ["solver.vorticity=" + text]):
                with self.assertRaises(billow.Error):
                    billow.load_scene(name, settings=settings)

    def test_a_missing_numpy_is_named(self):
        hidden = "import sys; sys.modules['numpy'] = None; import billow"
        said = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
        self.assertNotEqual(said.returncode, 0)
        self.assertEqual(said.stderr.strip().split("\n")[-1],
                         "ImportError: billow needs NumPy: install the package python3-numpy, or "
                         "run 'pip install numpy'")
        self.assertNotIn("During handling", said.stderr)

    def test_threads_of_python_take_turns(self):
        with small() as sim:
            def work():
                for _ in range(5):
                    sim.step(1 / 60)
            workers = [threading.Thread(target=work) for _ in range(3)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            self.assertEqual(sim.stats.steps, 15)

    def test_rounding_of_the_host_changes_nothing(self):
        need_scenes(self)
        with billow.load_scene("plume", cells=16, threads=1) as scene:
            scene.step()
            expected = scene.state_hash
        mathematics = ctypes.CDLL("libm.so.6")
        nearest, upward = mathematics.fegetround(), 0x800 if platform.machine() == "x86_64" else 0x400000
        for threads in 1, 2:
            mathematics.fesetround(upward)
            with billow.load_scene("plume", cells=16, threads=threads) as scene:
                scene.step()
                found = scene.state_hash
            kept = mathematics.fegetround()
            mathematics.fesetround(nearest)
            self.assertEqual((found, kept), (expected, upward))

    def test_children_step(self):
        def hash_of_steps():
            with small(threads=2) as sim:
                sim.step(1 / 60)
                return sim.state_hash
        expected = hash_of_steps()
        fork = multiprocessing.get_context("fork")
        results = fork.Queue()
        child = fork.Process(target=lambda: results.put(hash_of_steps()))
        child.start()
        self.assertEqual(results.get(timeout=60), expected)
        child.join()


if __name__ == "__main__":
    unittest.main()
