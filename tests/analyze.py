#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""analyze.py SOURCE BUILD [WORDS...]: clang-tidy and cppcheck over src, tests and examples, as BUILD's
compile_commands.json compiles them; with WORDS only the files whose paths hold one of them.

What is looked for stands in .clang-tidy; what is known to be right, though the tools doubt it, in
tests/clang-tidy.supp (a check and a pattern of files in each line) and tests/cppcheck.supp. A file that was clean is not looked at
again by clang-tidy until it, what it includes, the flags or the checks change. Exit status: 0 clean,
1 findings, 77 a tool is missing."""

import concurrent.futures
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

FOLDERS = ("src/", "tests/", "examples/")
TOOLS = ("clang-tidy", "clang", "cppcheck")
# Limit of paths that the analyzer follows in a function: a sixth of its default. It takes a sixth of the
# time and found as much here.
ANALYZER = [f"--extra-arg={word}" for word in
            ("-Xclang", "-analyzer-config", "-Xclang", "max-nodes=40000")]
# Options that gcc knows and clang does not.
FOREIGN = ("-fno-semantic-interposition", "-fdiagnostics-color")


def commands(source, build, words):
    """The first compile command of each handwritten source file."""
    chosen = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        inside = path.is_relative_to(source) and not path.is_relative_to(build)
        if not inside or not path.exists():
            continue
        name = str(path.relative_to(source))
        if name.startswith(FOLDERS) and (not words or any(word in name for word in words)):
            chosen.setdefault(name, entry)
    return dict(sorted(chosen.items()))


def flags_of(entry):
    """The options of a command, without launcher, compiler, source and output."""
    words = shlex.split(entry["command"])
    first = next(n for n, word in enumerate(words) if word.startswith("-"))
    kept, skip = [], False
    for word in words[first:]:
        if skip or word in ("-o", "-c"):
            skip = word == "-o"
        elif word != entry["file"] and not word.startswith(FOREIGN):
            kept.append(word)
    return kept


def fingerprint(source, entry, flags):
    """A hash of everything that the result depends on: the preprocessed text and the checks."""
    text = subprocess.run(["clang", *flags, "-E", entry["file"]], cwd=entry["directory"],
                          capture_output=True, check=False)
    parts = [text.stdout, text.stderr, " ".join(flags).encode()]
    parts.append((source / ".clang-tidy").read_bytes())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


FINDING = re.compile(r"^(/[^:]+):\d+:\d+: (?:error|warning): .*\[(\S+)\]$")


def known_findings(source):
    lines = (source / "tests/clang-tidy.supp").read_text().splitlines()
    return {tuple(line.split()) for line in lines if line and not line.startswith("#")}


def new_findings(source, text, known):
    """The findings that no suppression lists, each with the lines that explain it."""
    kept, keeps = [], True
    for line in text.splitlines():
        finding = FINDING.match(line)
        if finding:
            path = finding[1].removeprefix(f"{source}/")
            keeps = not any(check in finding[2].split(",") and fnmatch.fnmatch(path, pattern)
                            for check, pattern in known)
        if keeps:
            kept.append(line)
    return "\n".join(kept)


def tidy(source, stamps, known, name, entry):
    """The findings of clang-tidy in a file; empty if it is clean."""
    flags = flags_of(entry)
    stamp = stamps / name.replace("/", "!")
    print_now = fingerprint(source, entry, flags)
    if stamp.exists() and stamp.read_text() == print_now:
        return ""
    run = subprocess.run(["clang-tidy", "--quiet", *ANALYZER, str(source / name), "--", *flags],
                         cwd=entry["directory"], capture_output=True, text=True, check=False)
    findings = new_findings(source, run.stdout, known)
    if run.returncode != 0 and not run.stdout:
        return run.stderr
    if not findings.strip():
        stamp.write_text(print_now)
    return findings.strip()


def tidy_all(source, build, chosen, jobs):
    stamps = build / "analysis"
    stamps.mkdir(exist_ok=True)
    known = known_findings(source)
    findings = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        looks = {pool.submit(tidy, source, stamps, known, name, entry): name
                 for name, entry in chosen.items()}
        for look in concurrent.futures.as_completed(looks):
            if look.result():
                findings += 1
                print(f"-- {looks[look]}\n{look.result()}", flush=True)
    print(f"clang-tidy: {len(chosen)} files, {findings} with findings", flush=True)
    return findings == 0


def cppcheck_all(source, build, chosen, jobs):
    """Runs cppcheck with the same commands. Results of unchanged files are kept."""
    kept = build / "analysis-cppcheck"
    kept.mkdir(exist_ok=True)
    project = kept / "compile_commands.json"
    project.write_text(json.dumps([{
        "directory": entry["directory"],
        "file": str(source / name),
        "command": shlex.join(["cc", *flags_of(entry), str(source / name)]),
    } for name, entry in chosen.items()]))
    run = subprocess.run(["cppcheck", f"--project={project}", f"--cppcheck-build-dir={kept}",
                          "--enable=warning,performance,portability", "--inline-suppr",
                          f"--suppressions-list={source / 'tests/cppcheck.supp'}",
                          "--error-exitcode=1", "--quiet", f"-j{jobs}",
                          "--template={file}:{line}: {severity}: {message} [{id}]"],
                         cwd=source, check=False)
    print(f"cppcheck: {len(chosen)} files, {'clean' if run.returncode == 0 else 'findings'}")
    return run.returncode == 0


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not installed")
        return 77
    jobs = int(os.environ.get("BILLOW_ANALYZE_JOBS", os.cpu_count()))
    chosen = commands(source, build, sys.argv[3:])
    if not chosen:
        print(f"no file of {build / 'compile_commands.json'} is meant")
        return 1
    clean = cppcheck_all(source, build, chosen, jobs)
    return 0 if tidy_all(source, build, chosen, jobs) and clean else 1


if __name__ == "__main__":
    sys.exit(main())
