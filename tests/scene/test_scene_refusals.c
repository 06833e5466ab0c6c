/* SPDX-License-Identifier: MIT
 * Scene files and overrides that are refused, and the messages. */
#include "scene_fixture.h"

#define KNOWN                                                                                      \
    "name, title, domain, time, poster, panel, upres, initial, solver, fluid, tracers, emitters, " \
    "solids, "                                                                                     \
    "forces, "                                                                                     \
    "brush, "                                                                                      \
    "detonation, "                                                                                 \
    "lamps, "                                                                                      \
    "camera, sun, surroundings, sky, ground, solid, smoke, fire, picture, grade, exposure, "       \
    "timeline"

static const Wrong wrong_files[] = {
    {"", "f.yaml:1:1: nothing in this file; a scene begins with a line such as 'name: smoke'"},
    {"# only a comment\n",
     "f.yaml:1:1: nothing in this file; a scene begins with a line such as 'name: smoke'"},
    {"---\n", "f.yaml:2:1: 'a scene file' must be a group of keys, not an empty value"},
    {"- 1\n", "f.yaml:1:1: 'a scene file' must be a group of keys, not a list"},
    {"solids:\n  - {shape: plane, motion: falling, density: 1}\n",
     "f.yaml:2:5: 'solids[0]' is a plane, which has no end and no mass; leave 'density' out"},
    {"plume\n", "f.yaml:1:1: 'a scene file' must be a group of keys, not 'plume'"},
    {"name: a\npanel: solver.vorticity solver.vortcity\n",
     "f.yaml:2:8: panel: key 'vortcity' is not known here; did you mean 'vorticity'?"},
    {"panel: emitters[0].smoke\n", "f.yaml:1:8: panel: there is no emitter 0; this scene has none"},
    {"panel: solver.vorticity solver\n",
     "f.yaml:1:8: panel: 'solver' is a group; name one of its values"},
    {"smoke:\n  ramp: []\n", "f.yaml:2:9: 'smoke.ramp' has no stops; the word off removes them"},
    {"smoke:\n  ramp: [{at: 0}, {at: 0.5}, {at: 0.4}]\n",
     "f.yaml:2:30: 'smoke.ramp[2].at' must be at least 0.5, the position of the stop before, not "
     "0.4"},
    {"fire:\n  ramp: [{}, {}, {}, {}, {}, {}, {}, {}, {}]\n",
     "f.yaml:2:9: 'fire.ramp' has 9 entries; at most 8 fit"},
    {"fire:\n  ramp:\n    - {at: .nan}\n",
     "f.yaml:3:12: 'fire.ramp[0].at' must be a finite number, not '.nan'"},
    {"fire:\n  ramp:\n    - {at: 1.5}\n",
     "f.yaml:3:12: 'fire.ramp[0].at' must be 0 to 1, not '1.5'"},
    {"fire:\n  ramp:\n    - {color: [1, nan, 0]}\n",
     "f.yaml:3:19: 'fire.ramp[0].color[1]' must be a finite number, not 'nan'"},
    {"smoke: {ramp: sunsett}\n",
     "f.yaml:1:15: 'smoke.ramp' must be a list of stops, off, ink, ice, toxic, sunset or ash, not "
     "'sunsett'"},
    {"smoke: {ramp: ice, ramp_by: heat}\n",
     "f.yaml:1:29: 'smoke.ramp_by' must be density, temperature, age or speed, not 'heat'"},
    {"timeline: [{key: \"smoke.ramp[0].at\", values: [[0, 0.2]]}]\n",
     "f.yaml:1:18: timeline[0].key: there is no stop 0; this scene has none"},
    {"smoke: {ramp: ice}\ntimeline: [{key: \"smoke.ramp[0].at\", values: [[0, 2]]}]\n",
     "f.yaml:2:46: timeline[0].values[0]: must be 0 to 1, not '2'"},
    {"panel: emitters\n", "f.yaml:1:8: panel: 'emitters' is a group; name one of its values"},
    {"fluid:\n  bouyancy: 1\n",
     "f.yaml:2:3: key 'bouyancy' is not known here; did you mean 'buoyancy'?"},
    {"name: a\nsovler: {}\n", "f.yaml:2:1: key 'sovler' is not known here; did you mean 'solver'?"},
    {"bouyancy: 3\n",
     "f.yaml:1:1: key 'bouyancy' is not known here; did you mean 'fluid.buoyancy'?"},
    {"domain:\n  size: [1, 1000, 1]\n",
     "f.yaml:1:1: the domain needs 1 x 64 x 1 cells; each must be 8 to 2048: change domain.size or "
     "the number of cells"},
    {"vorticity: 8\n",
     "f.yaml:1:1: key 'vorticity' is not known here; did you mean 'solver.vorticity'?"},
    {"sun: {zzz: 1}\n", "f.yaml:1:7: key 'zzz' is not known here; known are: azimuth, elevation, "
                        "intensity, color"},
    {"emitters:\n  - smoek: 1\n",
     "f.yaml:2:5: key 'smoek' is not known here; did you mean 'smoke'?"},
    {"emitters:\n  - {shape: cylinder, rotation: [0, 0, 0, 90]}\n",
     "f.yaml:2:33: 'emitters[0].rotation' must be a list [x, y, z, degrees] with an axis that is "
     "not 0, not a list of 4"},
    {"emitters:\n  - {rotation: 90}\n",
     "f.yaml:2:16: 'emitters[0].rotation' must be a list [x, y, z, degrees] with an axis that is "
     "not 0, not '90'"},
    {"emitters:\n  - {shape: volume}\n",
     "f.yaml:2:5: 'emitters[0]' has the shape of a volume, but neither a mesh nor a text"},
    {"domain: {faces: {top: open}}\n", "f.yaml:1:18: key 'top' is not known here; known are: left, "
                                       "right, floor, ceiling, back, front"},
    {"solver.vorticity: 8\n",
     "f.yaml:1:1: key 'solver.vorticity' is not known here; known are: " KNOWN},
    {"\"\\x1b[31m\": 8\n", "f.yaml:1:1: key '?[31m' is not known here; known are: " KNOWN},
    {"\"na\\0me\": 8\n", "f.yaml:1:1: key 'na?me' is not known here; known are: " KNOWN},
    {"[a]: 8\n", "f.yaml:1:1: a key must be a name, not a list"},
    {"name: a\nsun: {azimuth: 1}\nname: b\n",
     "f.yaml:3:1: key 'name' is here twice, first in line 1"},
    {"solver: {sweeps: 3, sweeps: 4}\n",
     "f.yaml:1:21: key 'sweeps' is here twice, first in line 1"},
    {"solver:\n  vorticity: fast\n",
     "f.yaml:2:14: 'solver.vorticity' must be a finite number, not 'fast'"},
    {"solver: {vorticity: .nan}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '.nan'"},
    {"solver: {vorticity: nan}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not 'nan'"},
    {"solver: {vorticity: .inf}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '.inf'"},
    {"solver: {vorticity: inf}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not 'inf'"},
    {"solver: {vorticity: 0x10}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '0x10'"},
    {"solver: {vorticity: 1e999}\n",
     "f.yaml:1:21: 'solver.vorticity' must be 0 to 100 1/s, not '1e999'"},
    {"solver: {vorticity: 101}\n",
     "f.yaml:1:21: 'solver.vorticity' must be 0 to 100 1/s, not '101'"},
    {"solver: {vorticity: \"8\"}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '8' in quotes"},
    {"solver: {vorticity: !!int 8}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '8' with a tag"},
    {"solver: {vorticity: }\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not an empty value"},
    {"solver: {vorticity: [1]}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not a list"},
    {"solver: {vorticity: {a: 1}}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not a group of keys"},
    {"solver: 3\n", "f.yaml:1:9: 'solver' must be a group of keys, not '3'"},
    {"solver:\nname: a\n", "f.yaml:1:8: 'solver' must be a group of keys, not an empty value"},
    {"solver: {sweeps: 2.5}\n", "f.yaml:1:18: 'solver.sweeps' must be a whole number, not '2.5'"},
    {"solver: {sweeps: 1e3}\n", "f.yaml:1:18: 'solver.sweeps' must be a whole number, not '1e3'"},
    {"solver: {sweeps: 99999999999999999999}\n",
     "f.yaml:1:18: 'solver.sweeps' must be 1 to 100000, not '99999999999999999999'"},
    {"solver: {warm_start: yes}\n",
     "f.yaml:1:22: 'solver.warm_start' must be true or false, not 'yes'"},
    {"solver: {advection: reflexion}\n",
     "f.yaml:1:21: 'solver.advection' must be semi_lagrangian, reflection, conservative or "
     "conservative_smooth (did you mean "
     "'reflection'?), not 'reflexion'"},
    {"solver: {pressure: magic}\n",
     "f.yaml:1:20: 'solver.pressure' must be relaxation, multigrid or "
     "conjugate_gradients, not 'magic'"},
    {"solver: {pressure: cg}\n",
     "f.yaml:1:20: 'solver.pressure' must be relaxation, multigrid or conjugate_gradients (did you "
     "mean 'conjugate_gradients'?), not 'cg'"},
    {"solver: {pressure: mg}\n",
     "f.yaml:1:20: 'solver.pressure' must be relaxation, multigrid or conjugate_gradients (did you "
     "mean 'multigrid'?), not 'mg'"},
    {"solver: {advection: sl}\n", "f.yaml:1:21: 'solver.advection' must be semi_lagrangian, "
                                  "reflection, conservative or conservative_smooth (did you mean "
                                  "'semi_lagrangian'?), not 'sl'"},
    {"solver: {advection: linear}\n",
     "f.yaml:1:21: 'solver.advection' must be semi_lagrangian, "
     "reflection, conservative or conservative_smooth, not 'linear'"},
    {"forces: [{kind: vortex, velocity: [0, 0, 0]}]\n",
     "f.yaml:1:10: 'forces[0]' is a vortex and needs a velocity other than 0 for its axis"},
    {"forces: [{kind: wind, strength: -1}]\n",
     "f.yaml:1:10: 'forces[0]' is a wind, whose strength must not be below 0, and it is -1"},
    {"forces: [{start: 3, end: 1}]\n",
     "f.yaml:1:10: 'forces[0]' would end at 1 s, before it starts at 3 s"},
    {"forces: [{kind: vortx}]\n",
     "f.yaml:1:17: 'forces[0].kind' must be wind, vortex, attractor or turbulence (did you mean "
     "'vortex'?), not 'vortx'"},
    {"forces: {}\n", "f.yaml:1:9: 'forces' must be a list of forces, not a group of keys"},
    {"solids: [{shape: ball}]\n",
     "f.yaml:1:18: 'solids[0].shape' must be sphere, box, cylinder, capsule, torus, plane, "
     "volume or cone, not 'ball'"},
    {"solids: [{bounce: 2}]\n", "f.yaml:1:19: 'solids[0].bounce' must be 0 to 1, not '2'"},
    {"solids: [{smoke: 2}]\n",
     "f.yaml:1:11: key 'smoke' is not known here; known are: name, shape, center, size, rotation, "
     "mesh, vdb, grid, threshold, up, first_frame, frame_rate, repeat, "
     "particles, particle_radius, text, font, velocity, spin, motion, gravity, bounce, density, sticky, isothermal, "
     "temperature"},
    {"solids: {shape: sphere}\n",
     "f.yaml:1:9: 'solids' must be a list of solids, not a group of keys"},
    {"domain: {faces: {left: opne}}\n", "f.yaml:1:24: 'domain.faces.left' must be closed, open, "
                                        "no_slip, inflow or periodic (did you mean 'open'?), not "
                                        "'opne'"},
    {"domain: {faces: {left: periodic}}\n",
     "f.yaml:1:18: domain: left is periodic and right is not; it must be both or neither"},
    {"domain: {cells: [9, 8, 8], faces: {left: periodic, right: periodic}}\n",
     "f.yaml:1:1: domain: 9 cells from left to right; a periodic axis needs an even number of "
     "them"},
    {"name: a\ndomain: {faces: {left: inflow, ceiling: closed}, boundaries: {left: {velocity: [1, "
     "0, "
     "0]}}}\n",
     "f.yaml:2:18: domain: 1 m3/s flow in (left), yet no face is open to let them out; open one"},
    {"domain: {boundaries: {left: {velocity: [1, 0, 0]}}}\n",
     "f.yaml:1:1: domain: boundaries.left.velocity needs the face to be no_slip or inflow"},
    {"domain: {boundaries: {left: {profile: round}}}\n",
     "f.yaml:1:39: 'domain.boundaries.left.profile' must be uniform or parabolic, not 'round'"},
    {"domain: {size: [1, 2]}\n",
     "f.yaml:1:16: 'domain.size' must be a number or a list [x, y, z], not a list of 2"},
    {"domain: {size: [1, 0, 1]}\n",
     "f.yaml:1:20: 'domain.size[1]' must be 0.001 to 10000 m, not '0'"},
    {"domain: {cells: 7}\n", "f.yaml:1:17: 'domain.cells' must be 8 to 2048, not '7'"},
    {"domain: {cells: [64, 64]}\n", "f.yaml:1:17: 'domain.cells' must be a whole number or a list "
                                    "[nx, ny, nz], not a list of 2"},
    {"domain: {cells: [64, 64, 2049]}\n",
     "f.yaml:1:26: 'domain.cells[2]' must be 8 to 2048, not '2049'"},
    {"name: a\ndomain: {size: 0.001, cells: 2048}\n",
     "f.yaml:2:1: cells of this domain would be 4.88281e-07 m wide; they must be 1e-05 to 10000 m: "
     "change domain.size or domain.cells"},
    {"camera: {target: 1}\n", "f.yaml:1:18: 'camera.target' must be a list [x, y, z], not '1'"},
    {"sun: {color: red}\n",
     "f.yaml:1:14: 'sun.color' must be a list [red, green, blue], not 'red'"},
    {"emitters: {smoke: 1}\n",
     "f.yaml:1:11: 'emitters' must be a list of emitters, not a group of keys"},
    {"emitters: [3]\n", "f.yaml:1:12: 'emitters[0]' must be a group of keys, not '3'"},
    {"emitters: [{}, {center: [0, x, 0]}]\n",
     "f.yaml:1:29: 'emitters[1].center[1]' must be a finite number, not 'x'"},
    {"emitters: [{start: 2, end: 1}]\n",
     "f.yaml:1:12: 'emitters[0]' would end at 1 s, before it starts at 2 s"},
    {"domain: {faces: {ceiling: closed}}\n"
     "emitters:\n"
     "  - {expansion: 0}\n"
     "  - {shape: box, center: 0.5, size: 0.1}\n",
     "f.yaml:4:26: 'emitters[1].center' must be a list [x, y, z], not '0.5'"},
    {"domain: {faces: {ceiling: closed}}\n"
     "emitters:\n"
     "  - {smoke: 1}\n"
     "  - smoke: 2\n"
     "    shape: box\n"
     "    center: [0.5, 0.5, 0.5]\n"
     "    size: 0.25\n"
     "    expansion: 2.8\n"
     "    end: 0.2\n",
     "f.yaml:8:16: nothing can leave: left, right, floor, ceiling, back and front are all closed, "
     "yet emitters[1].expansion makes 0.35 m3/s from 0 to 0.2 s; open a face or set it to 0"},
    {"domain: {faces: {ceiling: closed}}\n"
     "emitters: &list [&a {expansion: -1, center: [0.5, 0, 0.5], size: 0.1, start: 1}, *a]\n",
     "f.yaml:2:33: nothing can enter: left, right, floor, ceiling, back and front are all closed, "
     "yet the expansion of emitters 0 and 1 takes away 0.00419 m3/s from 1 s on; open a face or "
     "let "
     "it add up to 0"},
    {"emitters:\n  - {smoke: 1}\n  - {smoke: 1, fuel: 2}\n",
     "f.yaml:3:22: emitters[1].fuel has no use without fluid.fire: true"},
    {"fluid: {fire: true, color: false}\nbrush: {color: [1, 0, 0]}\n",
     "f.yaml:2:16: brush.color has no use without fluid.color: true"},
    {"emitters:\n  - tracers: 5\n",
     "f.yaml:2:14: emitters[0].tracers has no use without tracers.count"},
    {"tracers:\n  count: 20000000\n",
     "f.yaml:2:10: 'tracers.count' must be 0 to 16777216, not '20000000'"},
    {"fluid: {fire: 1}\n", "f.yaml:1:15: 'fluid.fire' must be true or false, not '1'"},
    {"emitters: [{color: [1, 2, 0]}]\n",
     "f.yaml:1:24: 'emitters[0].color[1]' must be 0 to 1, not '2'"},
    {"fluid: {burn_rate: -1}\n", "f.yaml:1:20: 'fluid.burn_rate' must be 0 to 1000 1/s, not '-1'"},
    {"solver: {tolerance: 0}\n", "f.yaml:1:21: 'solver.tolerance' must be 1e-07 to 1, not '0'"},
    {"solver: {tolerance: -1e-3}\n",
     "f.yaml:1:21: 'solver.tolerance' must be 1e-07 to 1, not '-1e-3'"},
    {"solver: {tolerance: 2}\n", "f.yaml:1:21: 'solver.tolerance' must be 1e-07 to 1, not '2'"},
    {"solver: {tolerance: .nan}\n",
     "f.yaml:1:21: 'solver.tolerance' must be a finite number, not '.nan'"},
    {"solver: {tolerance: .inf}\n",
     "f.yaml:1:21: 'solver.tolerance' must be a finite number, not '.inf'"},
    {"solver: {cycles: 0}\n", "f.yaml:1:18: 'solver.cycles' must be 1 to 1000, not '0'"},
    {"solver: {cycles: -1}\n", "f.yaml:1:18: 'solver.cycles' must be 1 to 1000, not '-1'"},
    {"solver: {cycles: 1.5}\n", "f.yaml:1:18: 'solver.cycles' must be a whole number, not '1.5'"},
    {"solver: {cycles: 1e9}\n", "f.yaml:1:18: 'solver.cycles' must be a whole number, not '1e9'"},
    {"solver: {cycles: 1000000000}\n",
     "f.yaml:1:18: 'solver.cycles' must be 1 to 1000, not '1000000000'"},
    {"solver: {advection: magic}\n",
     "f.yaml:1:21: 'solver.advection' must be semi_lagrangian, "
     "reflection, conservative or conservative_smooth, not 'magic'"},
    {"brush: {seed: -1}\n", "f.yaml:1:15: 'brush.seed' must be 0 to 4294967295, not '-1'"},
    {"name: ''\n", "f.yaml:1:7: 'name' must be 1 to 63 bytes, not an empty value"},
    {"name: ../secret\n",
     "f.yaml:1:7: 'name' must be letters, digits, '-' and '_', not '../secret'"},
    {"name: [a]\n", "f.yaml:1:7: 'name' must be text, not a list"},
    {"title: \"two\\nlines\"\n",
     "f.yaml:1:8: 'title' must be one line of text without control characters, not 'two?lines'"},
    {"title: \"a\\u202eb\"\n",
     "f.yaml:1:8: 'title' must be one line of text without control characters, not 'a?b'"},
    {"solver: {vorticity: 1\n",
     "f.yaml:2:1: not valid YAML: while parsing a flow mapping, did not find expected ',' or '}'"},
    {"timeline: [{key: lamps[0].position}]\n",
     "f.yaml:1:23: not valid YAML: while parsing a flow mapping, did not find expected ',' or '}'; "
     "a name with [0] in it needs quotes there"},
    {"solver:\n\tvorticity: 1\n",
     "f.yaml:2:1: not valid YAML: a tab indents this line; use spaces"},
    {"a: *b\n", "f.yaml:1:4: not valid YAML: found undefined alias"},
    {"name: a\n---\nname: b\n",
     "f.yaml:2:1: a second document begins here; a scene is one document"},
    {"name: a\ntitle: \xC3\xA4\xFF\n",
     "f.yaml:2:9: not plain UTF-8 text: invalid leading UTF-8 octet"},
    {"name: a\001\n", "f.yaml:1:8: not plain UTF-8 text: control characters are not allowed"},
    {"a: &a [*a]\n", "f.yaml:1:1: key 'a' is not known here; known are: " KNOWN},
    {"emitters: &a [*a]\n", "f.yaml:1:11: 'emitters[0]' must be a group of keys, not a list"},
    {"solver: &a {vorticity: *a}\n",
     "f.yaml:1:9: 'solver.vorticity' must be a finite number, not a group of keys"},
};

static void test_wrong_files(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(wrong_files); i++) {
        Scene scene;
        BillowError error;
        memset(&scene, 0x5A, sizeof scene);
        const char *text = wrong_files[i].input;
        assert_false(parse(text, strlen(text), &scene, &error));
        assert_string_equal(error.text, wrong_files[i].message);
    }
}

static const Wrong wrong_sets[] = {
    {"solver.vorticity", "--set 'solver.vorticity': write KEY=VALUE, such as solver.vorticity=8"},
    {"=8", "--set '': write KEY=VALUE, such as solver.vorticity=8"},
    {"", "--set '': write KEY=VALUE, such as solver.vorticity=8"},
    {"solver.vorticity=", "--set solver.vorticity: a value must follow the '='"},
    {"solver.vorticity=900", "--set solver.vorticity: must be 0 to 100 1/s, not '900'"},
    {"solver.vorticity=nan", "--set solver.vorticity: must be a finite number, not 'nan'"},
    {"solver.vorticity=[1",
     "--set solver.vorticity: not valid YAML: while parsing a flow sequence, "
     "did not find expected ',' or ']'"},
    {"solver.vortcity=8",
     "--set solver.vortcity: key 'vortcity' is not known here; did you mean 'vorticity'?"},
    {"vorticity=8",
     "--set vorticity: key 'vorticity' is not known here; did you mean 'solver.vorticity'?"},
    {"foo=1",
     "--set foo: key 'foo' is not known here; known are: name, title, domain, time, poster, panel, "
     "upres, initial, solver, fluid, tracers, "
     "emitters, solids, forces, brush, detonation, lamps, camera, sun, surroundings, "
     "sky, ground, solid, smoke, fire, picture, grade, exposure, timeline"},
    {"solver.=8",
     "--set solver.: key '' is not known here; known are: advection, pressure, tolerance, cycles, "
     "sweeps, overrelaxation, warm_start, cfl, substeps_max, vorticity, disturbance, "
     "disturbance_size, disturbance_speed, disturbance_density, shredding, eddies, "
     "diffusion_sweeps"},
    {"solver=8", "--set solver: must be a group of keys, not '8'"},
    {"solver={vorticity: 900}", "--set solver: 'solver.vorticity' must be 0 to 100 1/s, not '900'"},
    {"solver.vorticity.x=8",
     "--set solver.vorticity.x: 'solver.vorticity' has no parts; it is set as a whole"},
    {"domain.size[0]=8", "--set domain.size[0]: 'domain.size' has no parts; it is set as a whole"},
    {"emitters[1].smoke=3",
     "--set emitters[1].smoke: there is no emitter 1; this scene has 1, counted from 0"},
    {"emitters[99999999999].smoke=3", "--set emitters[99999999999].smoke: an emitter is written "
                                      "emitters[0], emitters[1], ..."},
    {"forces[0].strength=3", "--set forces[0].strength: there is no force 0; this scene has none"},
    {"forces.x=3", "--set forces.x: a force is written forces[0], forces[1], ..."},
    {"emitters[-1].smoke=3",
     "--set emitters[-1].smoke: an emitter is written emitters[0], emitters[1], ..."},
    {"emitters[0=3", "--set emitters[0: an emitter is written emitters[0], emitters[1], ..."},
    {"emitters[0]x=3", "--set emitters[0]x: an emitter is written emitters[0], emitters[1], ..."},
    {"emitters.smoke=3",
     "--set emitters.smoke: an emitter is written emitters[0], emitters[1], ..."},
    {"emitters.0.smoek=3",
     "--set emitters.0.smoek: key 'smoek' is not known here; did you mean 'smoke'?"},
    {"emitters.0.smoke=-3", "--set emitters[0].smoke: must be 0 to 1000000 1/s, not '-3'"},
    {"emitters[0].end=-3", "--set emitters[0].end: must be 0 to 1000000000 s, not '-3'"},
    {"brush={start: 3, end: 2}", "--set brush: 'brush' would end at 2 s, before it starts at 3 s"},
    {"picture.bloom=2", "--set picture.bloom: must be 0 to 1, not '2'"},
    {"picture.tone_map=film", "--set picture.tone_map: must be aces or agx, not 'film'"},
    {"picture.auto_exposure=1", "--set picture.auto_exposure: must be true or false, not '1'"},
    {"domain.cells=64x64", "--set domain.cells: must be a whole number, not '64x64'"},
    {"name=a/b", "--set name: must be letters, digits, '-' and '_', not 'a/b'"},
    {"a\nb=3", "--set a?b: key 'a?b' is not known here; known are: " KNOWN},
};

static void test_wrong_sets(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(wrong_sets); i++) {
        Scene scene = *scene_default();
        scene.def.emitters[0] = billow_default_emitter();
        scene.def.emitter_count = 1;
        BillowError error;
        assert_false(set(&scene, wrong_sets[i].input, &error));
        assert_string_equal(error.text, wrong_sets[i].message);
    }
}

/* Texts made to cost time or memory: each is refused, and at once. */
static void test_hostile_files(void **state)
{
    (void)state;
    Scene scene = *scene_default();
    BillowError error;
    enum { SIZE = 200 * 1024 };
    char *text = malloc(2 * SIZE);
    assert_non_null(text);
    memset(text, '[', SIZE);
    assert_false(parse(text, SIZE, &scene, &error));
    assert_string_equal(error.text, "f.yaml:1:17: nested deeper than 16 levels");
    for (int i = 0; i < SIZE; i += 4)
        memcpy(text + i, "? - ", 4);
    assert_false(parse(text, SIZE, &scene, &error));
    assert_non_null(strstr(error.text, "nested deeper than 16 levels"));
    memset(text, 'a', 2 * SIZE);
    assert_false(parse(text, 2 * SIZE, &scene, &error));
    assert_string_equal(error.text, "f.yaml: larger than 256 KiB; this is no scene file");
    assert_false(parse(text, SIZE, &scene, &error));
    assert_string_equal(error.text, "f.yaml:1:1: 'a scene file' must be a group of keys, not "
                                    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'");
    size_t length = (size_t)sprintf(text, "emitters:\n");
    for (int i = 0; i < 10000; i++)
        length += (size_t)sprintf(text + length, "- &a%d {}\n", i);
    assert_false(parse(text, length, &scene, &error));
    assert_string_equal(error.text, "f.yaml:66:3: more than 64 anchors");
    length = (size_t)sprintf(text, "emitters:\n- &a {smoke: 2}\n");
    for (int i = 1; i < BILLOW_EMITTERS_MAX; i++)
        length += (size_t)sprintf(text + length, "- *a\n");
    assert_true(parse(text, length, &scene, &error));
    assert_int_equal(scene.def.emitter_count, BILLOW_EMITTERS_MAX);
    assert_true(scene.def.emitters[BILLOW_EMITTERS_MAX - 1].smoke == 2.0f);
    length += (size_t)sprintf(text + length, "- *a\n");
    assert_false(parse(text, length, &scene, &error));
    assert_string_equal(error.text, "f.yaml:2:1: 'emitters' has 33 entries; at most 32 fit");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_wrong_sets),
        cmocka_unit_test(test_hostile_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
