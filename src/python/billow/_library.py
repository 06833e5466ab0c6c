# SPDX-License-Identifier: MIT
"""Finds libbillow and gives its functions their types."""
import ctypes
import ctypes.util
import os

from . import _layout


def candidates():
    """Paths to try, the best first: the environment's, the one beside this module, the system's."""
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
    for name, (result, parameters) in _layout.FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{path} has no {name}: it is of another version than this module, "
                              f"{_layout.VERSION}") from None
        function.restype, function.argtypes = result, parameters
    version = library.billow_version().decode()
    if version != _layout.VERSION:
        raise ImportError(f"{path} is version {version}, this module is for {_layout.VERSION}")
    for name in ("Def", "Params", "Emitter", "Solid", "Force"):
        getattr(_layout, name)._default = getattr(library, f"billow_default_{name.lower()}")
    return library


library = load()
