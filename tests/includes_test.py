#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""includes_test.py SOURCE: the folders of src keep the order of docs/tour.md, whose map names each of
them; includes are named from src; and no two files of src share a name."""

import collections
import pathlib
import re
import sys

GENERATED = {"commit.h", "frame_fields.inc"}


def main():
    source = pathlib.Path(sys.argv[1])
    tour = (source / "docs/tour.md").read_text()
    ranks = re.search(r"alone, in this order:\s+(.*?)\.\n", tour, re.DOTALL)[1].split(";")
    rank = {folder: at for at, folders in enumerate(ranks) for folder in re.findall(r"\w+", folders.replace(" and ", " "))}
    wrong, includes, names = [], 0, collections.defaultdict(list)
    for folder in sorted(path.name for path in (source / "src").iterdir()):
        if f"src/{folder}/ " not in tour or (folder not in rank and folder not in ("python", "blender")):
            wrong.append(f"docs/tour.md does not place src/{folder}")
    for path in sorted((source / "src").rglob("*.[ch]*")):
        if path.suffix not in (".c", ".h", ".cpp"):
            continue
        name = path.relative_to(source / "src")
        names[name.name].append(name)
        for include in re.findall(r'(?m)^#include "(.*?)"', path.read_text()):
            includes += 1
            here, there = name.parts[0], include.split("/")[0]
            if include not in GENERATED and not (source / "src" / include).is_file():
                wrong.append(f"src/{name} includes {include}, which is no path from src")
            elif there != here and include not in GENERATED and rank[there] <= rank[here]:
                wrong.append(f"src/{name} includes {include}, which lies no lower")
    wrong += [f"{paths[0]} and {paths[1]} share a name" for paths in names.values() if len(paths) > 1]
    print(*wrong, sep="\n")
    return 1 if wrong or includes < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
