# SPDX-License-Identifier: MIT
"""The base of all structures that go to and come from the library: they begin with the library's
defaults, take keyword arguments, and refuse names, kinds and numbers that C would take silently."""
import ctypes
import difflib
import operator

WHOLE = {ctypes.c_int: (-2**31, 2**31 - 1), ctypes.c_uint32: (0, 2**32 - 1),
         ctypes.c_uint64: (0, 2**64 - 1), ctypes.c_ssize_t: (-2**63, 2**63 - 1)}


def suggestion(name, known):
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def enumerated(enum, value, name):
    """A member of an enumeration from itself, its number, or its name in small letters."""
    if isinstance(value, str):
        known = [member.name.lower() for member in enum]
        if value.lower() not in known:
            raise ValueError(f"{name} is one of {', '.join(known)}, not '{value}'"
                             + suggestion(value.lower(), known))
        return enum[value.upper()]
    try:
        return enum(operator.index(value))
    except ValueError:
        raise ValueError(f"{name} has no value {value!r}") from None


def converted(kind, enum, value, name):
    """The value as what a field of a ctypes kind is set to."""
    if issubclass(kind, ctypes.Array):
        items = list(value)
        if len(items) != kind._length_:
            raise ValueError(f"{name} takes {kind._length_} values, not {len(items)}")
        return kind(*[converted(kind._type_, enum, item, name) for item in items])
    if enum is not None:
        return enumerated(enum, value, name)
    if kind in WHOLE:
        value = operator.index(value)
        least, most = WHOLE[kind]
        if not least <= value <= most:
            raise ValueError(f"{name} does not fit: {value}")
        return value
    if kind in (ctypes.c_float, ctypes.c_double):
        return float(value)
    if kind is ctypes.c_bool:
        return bool(value)
    if hasattr(kind, "contents"):  # a pointer
        if value is None or isinstance(value, kind):
            return value
        return ctypes.pointer(value)
    if issubclass(kind, ctypes.Structure) and not isinstance(value, kind):
        raise TypeError(f"{name} takes {kind.__name__}, not {type(value).__name__}")
    return value


class Structure(ctypes.Structure):
    _default = None  # the library's function that returns one with its defaults
    _enums = {}

    def __init__(self, **values):
        super().__init__()
        if type(self)._default is not None:
            default = type(self)._default()
            ctypes.memmove(ctypes.byref(self), ctypes.byref(default), ctypes.sizeof(self))
        for name, value in values.items():
            setattr(self, name, value)

    @classmethod
    def kinds(cls):
        """The ctypes kind of each field by its name."""
        return dict((field[0], field[1]) for field in cls._fields_)

    def __setattr__(self, name, value):
        kinds = type(self).kinds()
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        elif name not in kinds:
            raise AttributeError(f"{type(self).__name__} has no '{name}'" + suggestion(name, kinds))
        else:
            full_name = f"{type(self).__name__}.{name}"
            super().__setattr__(
                name, converted(kinds[name], type(self)._enums.get(name), value, full_name))

    def __repr__(self):
        parts = []
        for name in type(self).kinds():
            value = getattr(self, name)
            if isinstance(value, ctypes.Array):
                value = list(value)
            elif name in type(self)._enums:
                value = type(self)._enums[name](value).name.lower()
            parts.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"
