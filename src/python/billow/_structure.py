# SPDX-License-Identifier: MIT
"""The base class of the library's structures. A structure starts with the library's defaults and takes
keyword arguments. It rejects names, types and numbers that C would accept silently."""
import ctypes
import difflib
import operator

WHOLE = {ctypes.c_int: (-2**31, 2**31 - 1), ctypes.c_uint32: (0, 2**32 - 1),
         ctypes.c_uint64: (0, 2**64 - 1), ctypes.c_ssize_t: (-2**63, 2**63 - 1)}


def suggestion(name, known):
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def refused(name, wanted, value):
    """The exception for a value of the wrong type."""
    return TypeError(f"{name} takes {wanted}, not {value!r}")


def enumerated(enum, value, name):
    """Converts a member, a number or a name to a member of an enumeration."""
    known = [member.name.lower() for member in enum]
    if isinstance(value, str):
        if value.lower() not in known:
            raise ValueError(f"{name} is one of {', '.join(known)}, not '{value}'"
                             + suggestion(value.lower(), known))
        return enum[value.upper()]
    try:
        return enum(operator.index(value))
    except TypeError:
        raise refused(name, f"one of {', '.join(known)}", value) from None
    except ValueError:
        raise ValueError(f"{name} has no value {value!r}; it is one of {', '.join(known)}") from None


def whole(value, name, least, most):
    try:
        number = operator.index(value)
    except TypeError:
        raise refused(name, "a whole number", value) from None
    if not least <= number <= most:
        raise ValueError(f"{name} is {number}; it must lie between {least} and {most}")
    return number


def tried(convert, value, name, wanted):
    """Converts a value. Rejects texts, which many conversions would accept."""
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return convert(value)
    except (TypeError, ValueError, OverflowError, KeyError):
        pass
    raise refused(name, wanted, value)


def real(value, name):
    return tried(float, value, name, "a number")


def truth(value, name):
    """Converts a Python or NumPy truth value to bool. Rejects other types, since bool("no") is True."""
    return tried({False: False, True: True}.__getitem__, value, name, "True or False")


def several(value, name, wanted):
    """Converts an iterable to a list."""
    return tried(list, value, name, wanted)


def pointer(kind, value, name):
    target = kind._type_
    if value is None or isinstance(value, kind):
        return value
    if not isinstance(value, target):
        raise refused(name, f"a {target.__name__} or None", value)
    return ctypes.pointer(value)


def converted(kind, enum, value, name):
    """Converts a value for a member of the given ctypes type."""
    if issubclass(kind, ctypes.Array):
        items = several(value, name, f"{kind._length_} values")
        if len(items) != kind._length_:
            raise ValueError(f"{name} takes {kind._length_} values, not {len(items)}")
        return kind(*[converted(kind._type_, enum, item, f"{name}[{index}]")
                      for index, item in enumerate(items)])
    if enum is not None:
        return enumerated(enum, value, name)
    if kind in WHOLE:
        return whole(value, name, *WHOLE[kind])
    if kind in (ctypes.c_float, ctypes.c_double):
        return real(value, name)
    if kind is ctypes.c_bool:
        return truth(value, name)
    if hasattr(kind, "contents"):
        return pointer(kind, value, name)
    if issubclass(kind, ctypes.Structure) and not isinstance(value, kind):
        raise refused(name, f"a {kind.__name__}", value)
    return value


class Structure(ctypes.Structure):
    _default = None  # library function that returns the structure with its defaults
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
        """The ctypes type of each member by its name."""
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
