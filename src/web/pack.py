#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a program's scripts into a folder, its code inside, compressed: pack.py PROGRAM.js FOLDER

A page that was opened as a file may load scripts, but no code of WebAssembly."""
import base64
import gzip
import pathlib
import shutil
import sys

program, folder = map(pathlib.Path, sys.argv[1:])
code = base64.b64encode(gzip.compress(program.with_suffix(".wasm").read_bytes(), 9, mtime=0)).decode()
worker = program.with_suffix(".worker.js")  # Emscripten 3.1.58 and later put it into the program
if worker.exists():
    shutil.copy(worker, folder)
(folder / program.name).write_text(f"{program.read_text()}\ncreateBillow.code = '{code}';\n")
