#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""calls_test.py SOURCE [NM LIBRARY...]: no source lets the program's locale into its numbers and words. They are
read and written by the functions of number.h, and nothing else sets a locale. Nor do the libraries, whose
numbers reach a state hash, take functions from the C library that differ from machine to machine: those
of mathematics.h are used. NM lists what an archive takes from elsewhere."""

import pathlib
import re
import subprocess
import sys

from messages_test import texts_of

READS = re.compile(r"\b(?:strtod|strtof|strtold|atof|tolower|toupper|setlocale|uselocale|localeconv|"
                   r"strerror(?:_[rl])?|strsignal|perror|psignal|gai_strerror|hstrerror|dlerror)\(")
# Within number.h's function, and in billow-reader, a process that sets no locale.
OWN = {("system.c", "dlerror("), ("reader_vdb.c", "dlerror(")}
PRINTS = {"printf", "fprintf", "sprintf", "snprintf", "vsnprintf", "sscanf", "fscanf"}
NUMBER = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?[lL]?[aefgAEFG]")
# sqrt, floor, fmod and the like are exact. The compiler may take the finite, vector or sincos variants.
INEXACT = re.compile(r"(?:_ZGV\w+_|__)?(?:exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|sin|cos|tan|sincos|asin|acos|atan|"
                     r"atan2|sinh|cosh|tanh|asinh|acosh|atanh|cbrt|hypot|erf|erfc|tgamma|lgamma|fma)[fl]?(?:_finite)?")
# What these compute reaches a simulation in commands alone, whose values recordings and sessions keep.
GIVEN = {"brush", "budget", "camera_control", "grid_choice", "resolution"}


def calls(path):
    """Calls of the C library that follow the locale."""
    code = path.read_text()
    for found in READS.finditer(re.sub(r"/\*.*?\*/|//[^\n]*", "", code, flags=re.DOTALL)):
        yield found[0]
    for text, around in texts_of(code):
        if around and around[-1][0] in PRINTS and NUMBER.search(text.replace("%%", "")):
            yield f"{around[-1][0]}(\"{text}\""


def taken(nm, library):
    """Names that an archive's objects take from elsewhere, each with its object."""
    listed = subprocess.run([nm, "-A", "-u", library], check=True, capture_output=True, text=True).stdout
    return {(line.split(":")[1], line.split()[-1].split("@")[0]) for line in listed.splitlines() if " U " in line}


def main():
    source, *rest = sys.argv[1:]
    wrong, own = [], []
    for library in rest[1:]:
        names = taken(rest[0], library)
        wrong += [f"{library}: {part} takes {name}" for part, name in sorted(names)
                  if INEXACT.fullmatch(name) and part.split(".")[0] not in GIVEN]
        if "memcpy" not in {name for _, name in names}:
            wrong.append(f"{library}: {rest[0]} shows too little")
    for path in sorted(pathlib.Path(source, "src").rglob("*")):
        if path.suffix in (".c", ".h", ".cpp"):
            found = [f"{path}: {call}" for call in calls(path) if (path.name, call) not in OWN]
            (own if path.name == "number.c" else wrong).extend(found)
    print(*wrong, sep="\n")
    return 1 if wrong or len(own) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
