# SPDX-License-Identifier: MIT
"""The axes of Blender (z up) and of a Billow scene (y up, the box from 0 to its size)."""
import math

import numpy
from mathutils import Vector


def turned(vector):
    """A direction of Blender in Billow's axes."""
    return [vector[0], vector[2], -vector[1]]


class Box:
    """The bounding box of a domain in Blender's world, m, at the present frame."""

    def __init__(self, thing):
        corners = [thing.matrix_world @ Vector(corner) for corner in thing.bound_box]
        self.low = [min(corner[axis] for corner in corners) for axis in range(3)]
        self.high = [max(corner[axis] for corner in corners) for axis in range(3)]

    @property
    def size(self):
        """The edges in Billow's axes."""
        x, y, z = (high - low for low, high in zip(self.low, self.high))
        return [x, z, y]

    @property
    def origin(self):
        """Where in Blender's world the files of `billow bake --up z` have their origin."""
        return Vector((self.low[0], self.high[1], self.low[2]))

    def place(self, point):
        """A point of Blender's world in the scene of Billow."""
        return turned(Vector(point) - self.origin)

    def places(self, points):
        """The same for an array of the shape (n, 3)."""
        away = numpy.asarray(points, dtype=float).reshape(-1, 3) - self.origin
        return numpy.stack([away[:, 0], away[:, 2], -away[:, 1]], axis=1)


def angles(vector):
    """Azimuth and elevation of a direction of Billow, degrees: 0, 0 is the direction of z."""
    x, y, z = vector
    return (math.degrees(math.atan2(x, z)), math.degrees(math.atan2(y, math.hypot(x, z))))
