#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutation_test.py SOURCE FOLDER: checks that the tests notice defects of the source.

Each defect of tests/mutants.txt is put into a copy of the source in FOLDER; the source itself is only
read. The test that the defect names must pass without it and fail with it: not by a failure to compile
and not by running out of time. Where the defect also names functions of the test, one of these must
be among those that fail."""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

TIMEOUT = 300  # seconds for one test
SKIPPED = 77  # exit status
HEADER = re.compile(r"\[([a-z0-9-]+)\]\s*(.+)")
FAILED = re.compile(r"\[  FAILED  \] ([A-Za-z_]\w*)\b(?!:)")


@dataclasses.dataclass
class Defect:
    """One block of mutants.txt."""
    name: str
    wrong: str
    file: str = ""
    test: str = ""
    functions: tuple = ()
    before: str = None
    after: str = None


def read_defects(path):
    defects = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        header = HEADER.fullmatch(line)
        word, _, rest = line.partition(" ")
        if line == "" or line.startswith("#"):
            continue
        if header:
            defects.append(Defect(header[1], header[2]))
        elif not defects:
            sys.exit(f"{path}:{number}: this line belongs to no defect")
        elif word == "-":
            defects[-1].before = join(defects[-1].before, rest)
        elif word == "+":
            defects[-1].after = join(defects[-1].after, rest)
        elif word == "file":
            defects[-1].file = rest
        elif word == "test":
            defects[-1].test, *functions = rest.split()
            defects[-1].functions = tuple(functions)
        else:
            sys.exit(f"{path}:{number}: a line begins with [name], file, test, -, + or #")
    for defect in defects:
        if not defect.file or not defect.test or defect.before is None:
            sys.exit(f"{path}: {defect.name} lacks its file, its test or the text before")
    names = [defect.name for defect in defects]
    for name in names:
        if names.count(name) > 1:
            sys.exit(f"{path}: there are two defects with the name {name}")
    return defects


def join(text, line):
    return line if text is None else text + "\n" + line


def apply(defect, text):
    """The text of the file with the defect, or None and the reason why it does not apply."""
    count = text.count(defect.before)
    if count != 1:
        return None, f"the text before occurs {count} times in {defect.file}; it must occur once"
    if defect.before == (defect.after or ""):
        return None, "the text after is the text before"
    return text.replace(defect.before, defect.after or ""), ""


class Copy:
    """A copy of the source and its build."""

    def __init__(self, source, folder, jobs):
        self.source, self.root, self.build = source, folder / "source", folder / "build"
        self.jobs = str(jobs)
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(self.root), CCACHE_NOHASHDIR="1",
                                OMP_WAIT_POLICY="passive")
        self.output = ""

    def update(self):
        """Copies the files that differ, so that a build of an earlier run goes on. This also takes
        back a defect that an interrupted run left."""
        listed = subprocess.run(["git", "-C", str(self.source), "ls-files", "-z"], check=False,
                                stdout=subprocess.PIPE)
        if listed.returncode != 0:
            print("skipped: git does not list the files of this source")
            sys.exit(SKIPPED)
        wanted = {os.fsdecode(name) for name in listed.stdout.split(b"\0") if name}
        for path in sorted(self.root.rglob("*")):
            if not path.is_dir() and str(path.relative_to(self.root)) not in wanted:
                path.unlink()
        for name in sorted(wanted):
            origin, target = self.source / name, self.root / name
            if not origin.is_file():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.is_file() or target.read_bytes() != origin.read_bytes():
                shutil.copyfile(origin, target)
            shutil.copymode(origin, target)

    def run(self, command, limit=None):
        """Whether a command succeeds; None if it takes too long. Keeps its output."""
        try:
            done = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=limit, check=False)
        except subprocess.TimeoutExpired as late:
            self.output = (late.stdout or b"").decode(errors="replace")
            return None
        self.output = done.stdout.decode(errors="replace")
        return done.returncode == 0

    def configure(self):
        command = ["cmake", "-S", str(self.root), "-B", str(self.build), "-DCMAKE_BUILD_TYPE=Release",
                   "-DBILLOW_TESTS=ON"]
        if not (self.build / "CMakeCache.txt").exists() and shutil.which("ninja"):
            command += ["-G", "Ninja"]
        if shutil.which("ccache"):
            command += [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")]
        return self.run(command)

    def make(self, tests):
        """Builds the programs of tests, which have the names of the tests."""
        return self.run(["cmake", "--build", str(self.build), "-j", self.jobs, "--target", *sorted(tests)])

    def passes(self, test):
        """Whether a test passes; None if it takes too long or does not run."""
        passed = self.run(["ctest", "--test-dir", str(self.build), "-R", f"^{test}$", "--verbose",
                           "--no-tests=error", "--timeout", str(TIMEOUT)], TIMEOUT + 60)
        if passed is False and re.search(r"\*\*\*(Timeout|Not Run|Skipped)|No tests were found", self.output):
            return None
        return passed

    def write(self, name, text):
        (self.root / name).write_text(text)

    def read(self, name):
        path = self.root / name
        return path.read_text() if path.is_file() else ""

    def tail(self):
        return "\n".join("    " + line for line in self.output.splitlines()[-20:])


def try_defect(copy, defect):
    """Whether the defect's test notices it, and a sentence."""
    sound = copy.read(defect.file)
    text, reason = apply(defect, sound)
    if text is None:
        return False, f"does not apply: {reason}"
    try:
        copy.write(defect.file, text)
        if not copy.make({defect.test}):
            return False, "does not compile:\n" + copy.tail()
        passed = copy.passes(defect.test)
    finally:
        copy.write(defect.file, sound)
    if passed is None:
        return False, f"{defect.test} did not run to its end:\n" + copy.tail()
    if passed:
        return False, f"survives {defect.test}"
    failed = list(dict.fromkeys(FAILED.findall(copy.output)))
    noticed = ", ".join(failed[:4]) + (", ..." if len(failed) > 4 else "")
    if defect.functions and not set(defect.functions) & set(failed):
        return False, f"{defect.test} fails, but not in {' or '.join(defect.functions)}: {noticed}"
    return True, f"caught by {defect.test}" + (f": {noticed}" if noticed else "")


def print_table(defects):
    print("| file | defect | test |\n|---|---|---|")
    for defect in defects:
        functions = ", ".join(f"`{name}`" for name in defect.functions)
        print(f"| {defect.file} | {defect.wrong} | `{defect.test}`" + (f": {functions}" if functions else "")
              + " |")


def check_sound(copy, defects):
    """Whether the copy builds and every named test passes in it."""
    tests = sorted({defect.test for defect in defects})
    if not copy.configure() or not copy.make(tests):
        print(f"the source does not build:\n{copy.tail()}")
        return False
    good = True
    for test in tests:
        if not copy.passes(test):
            print(f"{test} does not pass without a defect:\n{copy.tail()}")
            good = False
    return good


def main():
    parser = argparse.ArgumentParser(description="checks that the tests notice defects of the source")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, nargs="?", help="working folder")
    parser.add_argument("--only", metavar="NAME", action="append", help="try this defect alone; may be repeated")
    parser.add_argument("--list", action="store_true", help="print a table of the defects, and try none")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers to run at once")
    given = parser.parse_args()

    defects = read_defects(given.source / "tests" / "mutants.txt")
    unknown = set(given.only or ()) - {defect.name for defect in defects}
    if unknown:
        parser.error(f"there is no defect {', '.join(sorted(unknown))}")
    if given.only:
        defects = [defect for defect in defects if defect.name in given.only]
    if given.list:
        print_table(defects)
        return 0
    if given.folder is None:
        parser.error("the working folder is missing")

    start = time.monotonic()
    copy = Copy(given.source.resolve(), given.folder.resolve(), given.jobs)
    copy.update()
    if not check_sound(copy, defects):
        return 1
    print(f"the tests pass without a defect ({time.monotonic() - start:.0f} s)", flush=True)
    caught = 0
    for defect in defects:
        good, sentence = try_defect(copy, defect)
        caught += good
        print(f"{'caught' if good else 'FAILED'} {defect.name}: {defect.wrong}; {sentence}", flush=True)
    print(f"{len(defects)} defects, {caught} caught ({time.monotonic() - start:.0f} s)")
    return 0 if caught == len(defects) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; the next run begins with a sound copy")
