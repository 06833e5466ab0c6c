# SPDX-License-Identifier: MIT
"""pvti_read.py A.pvti B.vti: the pieces of A, joined as ParaView joins them, have the values of B."""
import os
import re
import struct
import sys
import zlib


def attributes(element):
    return dict(re.findall(r'(\w+)="([^"]*)"', element))


def numbers(text):
    return [int(word) for word in text.split()]


def inflate(blocks):
    """The bytes of a field from its compressed blocks."""
    count, size, last = struct.unpack_from("<3Q", blocks)
    sizes = struct.unpack_from(f"<{count}Q", blocks, 24)
    at, values = 24 + 8 * count, b""
    for block in range(count):
        values += zlib.decompress(blocks[at:at + sizes[block]])
        at += sizes[block]
    assert len(values) == (count - (last > 0)) * size + last
    return values


def read_image(path):
    """The ImageData element, the extent and the fields, as bytes, of a .vti."""
    with open(path, "rb") as file:
        head, data = file.read().split(b'<AppendedData encoding="raw">\n_', 1)
    head = head.decode()
    image = attributes(re.search(r"<ImageData [^>]*>", head).group())
    extent = numbers(attributes(re.search(r"<Piece [^>]*>", head).group())["Extent"])
    fields = {}
    for element in re.findall(r"<DataArray [^>]*appended[^>]*>", head):
        array = attributes(element)
        fields[array["Name"]] = (int(array["NumberOfComponents"]),
                                 inflate(data[int(array["offset"]):]))
    return image, extent, fields


def rows(extent):
    """Every row of cells along x, in the order of the file."""
    return [(j, k) for k in range(extent[4], extent[5]) for j in range(extent[2], extent[3])]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    whole, extent, wanted = read_image(sys.argv[2])
    parallel = attributes(re.search(r"<PImageData [^>]*>", text).group())
    assert parallel["GhostLevel"] == "0"
    for name in ("WholeExtent", "Origin", "Spacing"):
        assert parallel[name] == whole[name], name
    arrays = [attributes(element) for element in re.findall(r"<PDataArray [^>]*>", text)]
    kinds = {array["Name"]: int(array["NumberOfComponents"]) for array in arrays}
    assert kinds == {name: components for name, (components, _) in wanted.items()}
    found = {name: {} for name in wanted}
    pieces = [attributes(element) for element in re.findall(r"<Piece [^>]*>", text)]
    assert len(pieces) > 1
    for piece in pieces:
        image, own, fields = read_image(os.path.join(os.path.dirname(sys.argv[1]), piece["Source"]))
        assert own == numbers(piece["Extent"]) == numbers(image["WholeExtent"])
        assert image["Origin"] == whole["Origin"] and own[:2] == extent[:2]
        for name, (components, values) in fields.items():
            length = 4 * components * (own[1] - own[0])
            for at, row in enumerate(rows(own)):
                assert row not in found[name], "two pieces have the same cells"
                found[name][row] = values[at * length:(at + 1) * length]
    for name, (_, values) in wanted.items():
        assert len(found[name]) == len(rows(extent)), "cells are missing"
        assert b"".join(found[name][row] for row in rows(extent)) == values, name


main()
