# SPDX-License-Identifier: MIT
"""Loads libbillow and sets the argument and result types of its functions."""
import ctypes
import ctypes.util
import os

from . import _layout


def candidates():
    """Paths to try in this order: BILLOW_LIBRARY alone, or this module's folder and the system."""
    asked = os.environ.get("BILLOW_LIBRARY")
    if asked:
        return [asked]
    here = os.path.dirname(os.path.abspath(__file__))
    found = []
    try:
        from ._where import LIBRARY  # written where this module was installed or built
        found.append(os.path.normpath(os.path.join(here, LIBRARY)))
        found.append(os.path.join(here, os.path.basename(LIBRARY)))
    except ImportError:
        pass
    found = [path for path in found if os.path.exists(path)]
    named = ctypes.util.find_library("billow")
    return found + ([named] if named else [])


def load():
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            raise ImportError(f"libbillow could not be loaded: {error}") from None
        break
    else:
        raise ImportError("libbillow was not found; BILLOW_LIBRARY can name it, such as "
                          "BILLOW_LIBRARY=/usr/local/lib/libbillow.so.0")
    declare(library, path, scenes=False)
    version = library.billow_version().decode()
    if version != _layout.VERSION:
        raise ImportError(f"{path} is version {version}, this module is for {_layout.VERSION}")
    for name in ("Def", "Params", "Emitter", "Solid", "Force"):
        getattr(_layout, name)._default = getattr(library, f"billow_default_{name.lower()}")
    for table in _layout.Table:
        document(getattr(_layout, table.name.capitalize()), rows(library, table))
    return library


def declare(library, path, scenes):
    """Sets the types of the functions of libbillow, or of those of libbillow_scene."""
    for name, (result, parameters) in _layout.FUNCTIONS.items():
        if ("_scene" in name) != scenes:
            continue
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{path} has no {name}: it is of another version than this module, "
                              f"{_layout.VERSION}") from None
        function.restype, function.argtypes = result, parameters


def load_scene_library():
    """libbillow_scene, from the folder of libbillow."""
    folder, name = os.path.split(library._name)
    path = os.path.join(folder, name.replace("billow", "billow_scene", 1))
    try:
        scenes = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError("libbillow_scene, which reads scenes, could not be loaded: "
                          f"{error}") from None
    declare(scenes, path, scenes=True)
    _layout.SceneDef._default = scenes.billow_default_scene_def
    return scenes


def rows(library, table):
    """The rows of one of the library's tables of values, as Parameters."""
    count = ctypes.c_int()
    first = library.billow_parameters(table, ctypes.byref(count))
    return [first[row] for row in range(count.value)]


def words(row):
    """The names of a choice's values, in order."""
    found = []
    while row.choices[len(found)]:
        found.append(row.choices[len(found)].decode())
    return found


def described(row):
    """One line about a value: its unit, meaning, default and range."""
    default = [f"{number:.6g}" for number in row.initial]
    if row.type == _layout.Type.CHOICE:
        known = words(row)
        last = f"default {known[int(row.initial[0])]}; one of {', '.join(known)}"
    elif row.type == _layout.Type.BOOL:
        last = f"default {bool(row.initial[0])}"
    elif row.type == _layout.Type.ROTATION:
        last = f"a unit quaternion (x, y, z, w); default ({', '.join(default)})"
    else:
        threes = (_layout.Type.VECTOR, _layout.Type.SIZE, _layout.Type.COLOR)
        shown = f"({', '.join(default[:3])})" if row.type in threes else default[0]
        last = f"default {shown}; {row.least:.10g} to {row.most:.10g}"
    unit = row.unit.decode()
    return f"{row.name.decode()}: {unit + '; ' if unit else ''}{row.meaning.decode()}; {last}"


def document(kind, table):
    """Replaces the header's comments in a docstring by the table's rows, for members that have one."""
    named = {row.name.decode().split(".")[0] for row in table}
    others = [line for line in kind.__doc__.rstrip().split("\n")
              if line.partition(":")[0].strip() not in named]
    kind.__doc__ = "\n".join(others + [f"    {described(row)}" for row in table]) + "\n"


library = load()
