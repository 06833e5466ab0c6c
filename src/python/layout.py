# SPDX-License-Identifier: MIT
"""Converts libbillow's public headers to Python: constants, enumerations, ctypes structures with the
header's comments as docstrings, and the types of functions.

    layout.py HEADER... --out _layout.py [--offsets offsets.c]

offsets.c is a C program that prints the sizes of structures and the offsets of members; a test compares
them with Python's. The headers may only use a few forms of declaration. Any other form is an error
that quotes the declaration.
"""
import argparse
import re
import sys

SCALARS = {
    "bool": "c_bool", "char": "c_char", "short": "c_short", "int": "c_int", "float": "c_float",
    "double": "c_double",
    "uint8_t": "c_uint8", "uint32_t": "c_uint32", "uint64_t": "c_uint64", "int64_t": "c_int64",
    "size_t": "c_size_t", "ptrdiff_t": "c_ssize_t",
}
# Pointers to these types are passed as addresses of NumPy arrays.
ADDRESSES = {"void", "float", "char", "uint8_t", "unsigned char"}
# Types of texts that the library owns.
TEXTS = {"char *": "ctypes.c_char_p", "char **": "ctypes.POINTER(ctypes.c_char_p)"}


class Unknown(Exception):
    """A declaration in a form that this program does not know."""


def plain(name):
    """A C name without the library's prefix: BillowDef as Def, BILLOW_OPEN as OPEN."""
    return re.sub(r"^(Billow|BILLOW_)", "", name)


def join_comment(text):
    """One or several comments in sequence as one line without comment marks."""
    return re.sub(r"\s+", " ", re.sub(r"/\*|\*/|\n\s*\*", " ", text)).strip()


class Header:
    def __init__(self):
        self.constants = {}   # name: Python text of the value
        self.enums = {}       # C name: [(member, value)]
        self.structs = {}     # C name: ([(field, type, dimensions, comment)], comment)
        self.functions = {}   # name: (result type, [parameter types])
        self.opaque = set()

    def read(self, text):
        for name, value in re.findall(r"^#define (BILLOW_\w+)[ \t]+(\"[^\"]*\"|[-\w.]+)", text, re.M):
            self.constants[name] = value
        declarations = re.sub(r"^#.*$", "", text, flags=re.M)
        declarations = declarations.replace('extern "C" {', "")
        self.opaque.update(re.findall(r"typedef struct (\w+) \1;", declarations))
        pattern = (r"((?:/\*(?:(?!\*/).)*\*/\s*)?)typedef (enum|struct) (\w+) \{(.*?)\} \3;")
        for comment, kind, name, body in re.findall(pattern, declarations, re.S):
            if kind == "enum":
                self.read_enum(name, body)
            else:
                self.read_struct(name, body, join_comment(comment))
        rest = re.sub(pattern, "", declarations, flags=re.S)
        self.read_functions(re.sub(r"/\*.*?\*/", " ", rest, flags=re.S))

    def read_enum(self, name, body):
        members, value = [], 0
        for item in re.sub(r"/\*.*?\*/", "", body, flags=re.S).split(","):
            match = re.fullmatch(r"\s*(\w+)(?:\s*=\s*(-?\d+))?\s*", item)
            if not match:
                raise Unknown(f"enum {name}: '{item.strip()}'")
            value = int(match[2]) if match[2] else value
            counts = plain(match[1]) == plain(name).upper() + "S"
            if counts:
                self.constants[match[1]] = str(value)
            else:
                members.append((match[1], value))
            value += 1
        self.enums[name] = members

    def read_struct(self, name, body, comment):
        fields = []
        last = 0
        for part in re.finditer(r"(/\*.*?\*/)|([^;/]+);", body, re.S):
            if part[1]:
                for field in fields[last:]:
                    field[3] = (field[3] + " " + join_comment(part[1])).strip()
                continue
            last = len(fields)
            self.read_fields(name, re.sub(r"\s+", " ", part[2]).strip(), fields)
        self.structs[name] = (fields, comment)

    @staticmethod
    def read_fields(name, text, fields):
        match = re.fullmatch(r"(\w+) (.+)", text.replace("const ", ""))
        if not match:
            raise Unknown(f"struct {name}: '{text}'")
        for item in match[2].split(", "):
            field = re.fullmatch(r"(\**)(\w+)((?:\[\w+\])*)", item)
            to_array = re.fullmatch(r"\(\*(\w+)\)\[\w+\]", item)
            if to_array:
                fields.append([to_array[1], "void *", [], ""])
            elif field:
                kind = match[1] + (" " + field[1] if field[1] else "")
                fields.append([field[2], kind, re.findall(r"\[(\w+)\]", field[3]), ""])
            else:
                raise Unknown(f"struct {name}: '{text}'")

    def read_functions(self, text):
        for result, name, parameters in re.findall(r"([\w \t]+[\s*]+)(billow_\w+)\(([^)]*)\);", text):
            kinds = []
            for parameter in re.sub(r"\s+", " ", parameters).split(", "):
                if parameter.strip() == "void":
                    continue
                match = re.fullmatch(r"(?:const )?(\w+) (\**)\w+((?:\[\w+\])?)", parameter.strip())
                if not match:
                    raise Unknown(f"{name}: '{parameter}'")
                stars = match[2] + ("*" if match[3] else "")
                kinds.append(match[1] + (" " + stars if stars else ""))
            words = result.replace("const ", "").split()
            self.functions[name] = (" ".join(words), kinds)

    def python_type(self, kind, where):
        """The ctypes expression of a type such as 'float' or 'BillowVolume *'."""
        base, _, stars = kind.partition(" ")
        if not stars:
            if base in SCALARS:
                return "ctypes." + SCALARS[base]
            if base in self.enums:
                return "ctypes.c_int"
            if base in self.structs:
                return plain(base)
            if base == "void":
                return "None"
        elif base in self.structs and stars == "*":
            return f"ctypes.POINTER({plain(base)})"
        elif base in self.opaque or base in ADDRESSES:
            return "ctypes.c_void_p"
        elif base in SCALARS and stars == "*":
            return f"ctypes.POINTER(ctypes.{SCALARS[base]})"
        raise Unknown(f"{where}: '{kind}'")


def write_structs(header, out):
    for name, (fields, comment) in header.structs.items():
        lines = [f"    {field}: {text}" for field, _, _, text in fields]
        doc = "\n\n".join(filter(None, [comment, "\n".join(lines)])).replace("\\", "\\\\")
        out.write(f'\n\nclass {plain(name)}(Structure):\n    r"""{doc}\n    """\n    _fields_ = [\n')
        for field, kind, dimensions, _ in fields:
            text = TEXTS.get(kind) or header.python_type(kind, f"struct {name}")
            for size in reversed(dimensions):
                text = f"{text} * {plain(size)}"
            out.write(f'        ("{field}", {text}),\n')
        enums = [f'"{field}": {plain(kind)}' for field, kind, _, _ in fields if kind in header.enums]
        out.write(f"    ]\n    _enums = {{{', '.join(enums)}}}\n")


def write_layout(header, out):
    out.write('"""What libbillow\'s headers declare; made by layout.py."""\nimport ctypes\n'
              "import enum\n\nfrom ._structure import Structure\n\n")
    for name, value in header.constants.items():
        out.write(f"{plain(name)} = {value}\n")
    for name, members in header.enums.items():
        out.write(f"\n\nclass {plain(name)}(enum.IntEnum):\n")
        prefix = plain(name).upper() + "_"
        for member, value in members:
            out.write(f"    {plain(member).removeprefix(prefix)} = {value}\n")
    write_structs(header, out)
    out.write("\n\nFUNCTIONS = {  # name: (result, parameters)\n")
    for name, (result, kinds) in header.functions.items():
        if result == "char *":
            text = "ctypes.c_char_p"
        else:
            text = header.python_type(result, name)
        parameters = "".join(header.python_type(kind, name) + ", " for kind in kinds)
        out.write(f'    "{name}": ({text}, ({parameters})),\n')
    out.write("}\n")


def write_offsets(header, headers, out):
    out.write("#include <stddef.h>\n#include <stdio.h>\n")
    for path in headers:
        out.write(f'#include "{path}"\n')
    out.write("\nint main(void)\n{\n")
    for name, (fields, _) in header.structs.items():
        out.write(f'    printf("{plain(name)} %zu\\n", sizeof({name}));\n')
        for field, _, _, _ in fields:
            out.write(f'    printf("{plain(name)}.{field} %zu %zu\\n", offsetof({name}, {field}), '
                      f"sizeof((({name} *)0)->{field}));\n")
    for name, members in header.enums.items():
        for member, _ in members:
            out.write(f'    printf("{plain(name)}:{plain(member)} %d\\n", (int){member});\n')
    out.write("    return 0;\n}\n")


def main():
    parser = argparse.ArgumentParser(description="libbillow's headers as Python")
    parser.add_argument("headers", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--offsets")
    arguments = parser.parse_args()
    header = Header()
    try:
        for path in arguments.headers:
            with open(path, encoding="utf-8") as file:
                header.read(file.read())
        with open(arguments.out, "w", encoding="utf-8") as file:
            write_layout(header, file)
        if arguments.offsets:
            with open(arguments.offsets, "w", encoding="utf-8") as file:
                write_offsets(header, arguments.headers, file)
    except (Unknown, OSError) as error:
        sys.exit(f"layout.py: {error}: this form of declaration is not known here")


if __name__ == "__main__":
    main()
