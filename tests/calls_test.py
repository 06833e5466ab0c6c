#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""calls_test.py SOURCE: no source lets the program's locale into its numbers. They are read and written by
the functions of number.h, and nothing else sets a locale."""

import pathlib
import re
import sys

from messages_test import texts_of

READS = re.compile(r"\b(?:strtod|strtof|strtold|atof|tolower|toupper|setlocale|uselocale|localeconv)\(")
PRINTS = {"printf", "fprintf", "sprintf", "snprintf", "vsnprintf", "sscanf", "fscanf"}
NUMBER = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?[lL]?[aefgAEFG]")


def calls(path):
    """Calls of the C library that follow the locale."""
    code = path.read_text()
    for found in READS.finditer(re.sub(r"/\*.*?\*/|//[^\n]*", "", code, flags=re.DOTALL)):
        yield found[0]
    for text, around in texts_of(code):
        if around and around[-1][0] in PRINTS and NUMBER.search(text.replace("%%", "")):
            yield f"{around[-1][0]}(\"{text}\""


def main():
    wrong, own = [], []
    for path in sorted(pathlib.Path(sys.argv[1], "src").rglob("*")):
        if path.suffix in (".c", ".h", ".cpp"):
            found = [f"{path}: {call}" for call in calls(path)]
            (own if path.name == "number.c" else wrong).extend(found)
    print(*wrong, sep="\n")
    return 1 if wrong or len(own) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
