# SPDX-License-Identifier: MIT
"""Finds out which tests run a line of the source, how long they take, and whether they pass.

A build with gcov runs each test once, alone; what each has run is kept until its program changes."""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

LEFT_OUT = {"soak", "analysis", "ports", "install", "blender"}  # labels
# These read the tree or its manual, not what the code computes, or take minutes.
LEFT_OUT_NAMES = {"docs_test", "messages_test", "header_pages_test", "promises_test", "package_test",
                  "attack_test"}
SKIPPED = 77  # exit status


@dataclasses.dataclass
class Test:
    name: str
    command: list
    environment: dict
    folder: str
    labels: set
    passes_with: str  # pattern of its output, or ""
    fails_with: str   # likewise
    programs: list    # targets of the build that it runs
    seconds: float = 0


def execute(command, environment, folder, limit):
    """Exit status and output of a command; None as status if it takes too long. What it started ends
    with it."""
    with subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, errors="replace",
                          start_new_session=True) as process:
        status = None
        try:
            output, _ = process.communicate(timeout=limit)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
        try:
            os.killpg(process.pid, 9)  # programs that a test which failed has left
        except ProcessLookupError:
            pass
        return status, output


def targets_of(build):
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "targets", "all"], check=True,
                            stdout=subprocess.PIPE, text=True)
    return {line.split(": ")[0] for line in listed.stdout.splitlines()}


def entries_of(build, pattern):
    """What CTest knows of the tests that mutants are held against: those whose name has the pattern."""
    shown = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True,
                           stdout=subprocess.PIPE, text=True)
    for entry in json.loads(shown.stdout)["tests"]:
        values = {item["name"]: item["value"] for item in entry.get("properties", [])}
        labels = set(values.get("LABELS", []))
        named = re.search(pattern, entry["name"]) or "FIXTURES_SETUP" in values
        if named and not labels & LEFT_OUT and entry["name"] not in LEFT_OUT_NAMES:
            yield entry["name"], entry.get("command"), values, labels


def names_of(build, pattern):
    return {name for name, *_ in entries_of(build, pattern)}


def list_tests(build, environment, pattern):
    """The tests of a build that has their programs."""
    targets, tests = targets_of(build), {}
    for called, command, values, labels in entries_of(build, pattern):
        if command is None:
            continue
        extra = dict(item.split("=", 1) for item in values.get("ENVIRONMENT", []))
        if "FIXTURES_SETUP" in values:  # not a test: prepares others
            execute(command, {**environment, **extra}, values["WORKING_DIRECTORY"], None)
            continue
        programs = []
        for word in command:
            try:
                name = str(pathlib.Path(word).relative_to(build))
            except ValueError:
                continue
            if name == "examples" or name in targets:
                programs.append("examples/all" if name == "examples" else name)
        passes, fails = ("".join(values.get(f"{kind}_REGULAR_EXPRESSION", [])[:1]) for kind in ("PASS", "FAIL"))
        tests[called] = Test(called, command, {**environment, **extra}, values["WORKING_DIRECTORY"], labels,
                             passes, fails, programs)
    return tests


def verdict(test, status, output):
    """Whether a run of a test passed; None: it took too long."""
    if status is None:
        return None
    if test.fails_with and re.search(test.fails_with, output):
        return False
    if test.passes_with:
        return re.search(test.passes_with, output, re.S) is not None
    return status in (0, SKIPPED)


class Runs:
    """What each test runs, kept in `folder`. `build` is a build with gcov."""

    def __init__(self, build, folder, environment, pattern):
        self.build, self.folder = build, folder
        self.tests = list_tests(build, environment, pattern)
        self.lines = {}    # (test, object) -> {file: {line: whether it runs}}
        self.includers = None

    def key(self, test):
        """Names the contents of all files in a test's command."""
        digest = hashlib.sha256()
        for word in test.command:
            path = pathlib.Path(word)
            digest.update(path.read_bytes() if path.is_file() else word.encode())
        return digest.hexdigest()

    def renew(self, longest, say):
        """Runs the tests that have changed since they ran last, and drops those that fail or take longer
        than so many seconds."""
        for name in list(self.tests):
            test, folder = self.tests[name], self.folder / name
            note, key = folder / "note.json", self.key(test)
            kept = json.loads(note.read_text()) if note.is_file() else {}
            if kept.get("key") != key or (not kept["passed"] and kept["seconds"] < longest):
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
                kept = {"key": key, **self.run(test, folder, longest)}
                note.write_text(json.dumps(kept))
                say(f"{name}: {kept['seconds']:.1f} s" + ("" if kept["passed"] else ", does not pass"))
            test.seconds = kept["seconds"]
            if not kept["passed"] or test.seconds > longest:
                del self.tests[name]

    def run(self, test, folder, longest):
        strip = len(self.build.parts) - 1
        environment = dict(test.environment, GCOV_PREFIX=str(folder), GCOV_PREFIX_STRIP=str(strip),
                           GCOV_ERROR_FILE="/dev/null")
        start = time.monotonic()
        status, output = execute(test.command, environment, test.folder, longest + 1)
        (folder / "output.txt").write_text(output)
        return {"seconds": time.monotonic() - start, "passed": bool(verdict(test, status, output))}

    def objects(self, file):
        """The objects that are compiled from a source or that include a header."""
        if self.includers is None:
            shown = subprocess.run(["ninja", "-C", str(self.build), "-t", "deps"], check=True,
                                   stdout=subprocess.PIPE, text=True)
            self.includers, current = {}, None
            for line in shown.stdout.splitlines():
                if line.startswith("    "):
                    path = os.path.realpath(os.path.join(self.build, line.strip()))
                    self.includers.setdefault(path, []).append(current)
                elif line:
                    current = line.split(":")[0]
        return self.includers.get(os.path.realpath(self.build.parent / "source" / file), [])

    def ran(self, test, name):
        """For each file that an object was compiled of: its lines, and whether a test ran them."""
        if (test, name) not in self.lines:
            counts = self.folder / test / (name[:-2] + ".gcda")
            notes = counts.with_suffix(".gcno")
            found = {}
            if counts.is_file():
                if not notes.exists():
                    notes.symlink_to(self.build / (name[:-2] + ".gcno"))
                shown = subprocess.run(["gcov", "--json-format", "--stdout", str(counts)], check=False,
                                       cwd=self.build, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                for part in shown.stdout.splitlines():
                    for entry in json.loads(part)["files"]:
                        lines = found.setdefault(self.relative(entry["file"]), {})
                        for line in entry["lines"]:
                            at = line["line_number"]
                            lines[at] = lines.get(at, False) or line["count"] > 0
            self.lines[test, name] = found
        return self.lines[test, name]

    def relative(self, file):
        path = os.path.realpath(os.path.join(self.build, file))
        return os.path.relpath(path, os.path.realpath(self.build.parent / "source"))

    def of_line(self, file, line):
        """Names of the tests that run a line. Data, which has no code, counts as run with any line of
        its file."""
        found = set()
        for name in self.objects(file):
            for test in self.tests:
                lines = self.ran(test, name).get(file, {})
                before = [at for at in lines if at <= line and at > line - 40]
                if lines and (lines[max(before)] if before else any(lines.values())):
                    found.add(test)
        return found

    def of_object(self, ending):
        """Names of the tests that run anything of the objects with this ending."""
        return {test for test in self.tests if any(self.folder.glob(f"{test}/**/*{ending}"))}
