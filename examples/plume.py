# SPDX-License-Identifier: MIT
"""Smoke from Python: fields of the simulation as NumPy arrays, without a copy.

    python3 plume.py [FILE.pgm]

The program writes a layer of smoke into the fields, simulates two seconds of a warm plume, adds up
its mass and flux with NumPy on the solver's own memory, and writes the front view as a picture.
"""
import sys

import numpy
import billow


def write_pgm(path, image):
    """An image [x, y], 0 to 1, y upwards."""
    grey = (255 * numpy.clip(image, 0, 1)).astype(numpy.uint8).T[::-1]
    with open(path, "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (grey.shape[1], grey.shape[0]))
        file.write(grey.tobytes())


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "plume.pgm"
    emitter = billow.Emitter(center=(0.5, 0.1, 0.5), size=(0.08, 0, 0), heat=250, noise=1)
    with billow.Simulation(nx=48, ny=72, nz=48, cell_size=1 / 48, vorticity=8,
                           emitters=[emitter]) as sim:
        # Arrays of sim.fields can be written to. This is a thin layer of smoke at 0.9 m.
        sim.fields.density[:, 43:46, :] = 0.05
        for frame in range(120):
            sim.step(1 / 60)

        # Indices are [i, j, k] along x, y, z. Get the arrays again after each step.
        density, v = sim.density, sim.v
        rising = 0.5 * (v[:, 1:, :] + v[:, :-1, :])  # from the faces to the cells
        flux = (density * rising).sum((0, 2)) / 48**2
        stats = sim.stats
        print(f"{stats.time:.2f} s, {stats.mass:.5f} m3 of smoke, {stats.speed_max:.2f} m/s at most")
        print(f"most smoke rises at {(flux.argmax() + 0.5) / 48:.2f} m: {flux.max():.5f} m3/s")
        depth = 20 * density.sum(2) / 48  # seen from the front; 20/m is its extinction
        write_pgm(path, 1 - numpy.exp(-depth))
        print(f"hash {sim.state_hash:016x}, picture in {path}")


if __name__ == "__main__":
    main()
