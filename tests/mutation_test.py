#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutation_test.py SOURCE FOLDER: checks that the tests notice defects of the source.

Each defect of tests/mutants.txt is put into a copy of the source in FOLDER; the source itself is only
read. The test that the defect names must pass without it and fail with it: not by a failure to compile
and not by running out of time. Where the defect also names functions of the test, one of these must
be among those that fail.

With --draw N --seed S, N changes of one token or statement are drawn from all C, C++ and GLSL of src and
shaders that is compiled (mutation_sites.py). Each is held against the tests that run its line
(mutation_runs.py), the quickest first, until one fails or takes far longer than usual. Changes that do
not compile, and those with the same object code, are replaced. Verdicts are kept in FOLDER: a run that
was stopped goes on where it ended, and a later one tries only what has survived again."""

import argparse
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import mutation_runs
import mutation_sites

TIMEOUT = 300  # seconds for one test
SKIPPED = 77  # exit status
HEADER = re.compile(r"\[([a-z0-9-]+)\]\s*(.+)")
FOLDERS = ("src/", "shaders/")
GLSL = (".glsl", ".vert", ".frag")
MODULES = ("billow_openvdb.so",)  # targets that the program opens when it needs them
CAUGHT_LEAST = 0.9  # share of drawn mutants
TESTING_MOST = 200  # seconds of tests for one drawn mutant
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
        self.source, self.root = source, folder / "source"
        self.build = self.root / "build" / "release"  # where ccache may know it from
        self.jobs = str(jobs)
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(self.root), CCACHE_NOHASHDIR="1",
                                OMP_WAIT_POLICY="passive", MESA_SHADER_CACHE_DIR=str(folder))
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
            name = str(path.relative_to(self.root))
            if not path.is_dir() and name not in wanted and not name.startswith("build/"):
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

    def configure(self, build=None, options=()):
        build = build or self.build
        command = ["cmake", "-S", str(self.root), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
                   "-DBILLOW_TESTS=ON", *options]
        if not (build / "CMakeCache.txt").exists() and shutil.which("ninja"):
            command += ["-G", "Ninja"]
        if shutil.which("ccache"):
            command += [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")]
        return self.run(command)

    def make(self, targets, build=None):
        """Builds targets. The programs of tests have the names of the tests."""
        return self.run(["cmake", "--build", str(build or self.build), "-j", self.jobs, "--target",
                         *sorted(targets)])

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


class Drawing:
    """Tries drawn mutants in a copy of the source."""

    def __init__(self, copy, folder):
        self.copy, self.folder, self.coverage = copy, folder, folder / "coverage"
        self.runs = self.tests = self.objects = self.modules = None

    def prepare(self, pattern, longest):
        """Builds the tests that match a pattern twice, with gcov and without, and finds out what each
        runs. Whether that went well."""
        copy, environment = self.copy, self.copy.environment
        flags = ["-DCMAKE_C_FLAGS=--coverage",
                 *(f"-DCMAKE_{kind}_LINKER_FLAGS=--coverage" for kind in ("EXE", "SHARED", "MODULE"))]
        if not copy.configure(self.coverage, flags) or not copy.configure():
            print(f"the source does not build:\n{copy.tail()}")
            return False
        for build in (self.coverage, copy.build):
            targets = mutation_runs.targets_of(build)
            # A program must be there before CTest shows its command.
            wanted = mutation_runs.names_of(build, pattern) | {"billow", *MODULES}
            if not copy.make(wanted & targets, build):
                print(f"the source does not build:\n{copy.tail()}")
                return False
        self.runs = mutation_runs.Runs(self.coverage, self.folder / "covered", environment, pattern)
        self.tests = mutation_runs.list_tests(copy.build, environment, pattern)
        for build, tests in ((self.coverage, self.runs.tests), (copy.build, self.tests)):
            if not copy.make({program for test in tests.values() for program in test.programs}, build):
                print(f"the source does not build:\n{copy.tail()}")
                return False
        self.runs.renew(longest, lambda text: print(text, flush=True))
        self.tests = {name: self.tests[name] for name in self.runs.tests if name in self.tests}
        for name, test in self.tests.items():
            test.seconds = self.runs.tests[name].seconds
        self.modules = set(MODULES) & mutation_runs.targets_of(copy.build)
        self.objects = {}
        for entry in json.loads((copy.build / "compile_commands.json").read_text()):
            file = os.path.relpath(os.path.realpath(entry["file"]), os.path.realpath(copy.root))
            self.objects.setdefault(file, []).append(re.search(r" -o (\S+)", entry["command"])[1])
        return True

    def texts(self):
        """The sources of which mutants are drawn."""
        found = {}
        for path in sorted(self.copy.root.rglob("*")):
            name = str(path.relative_to(self.copy.root))
            if not name.startswith(FOLDERS) or not path.is_file():
                continue
            if path.suffix in GLSL or (path.suffix in (".c", ".cpp") and name in self.objects) or (
                    path.suffix == ".h" and self.runs.objects(name)):
                found[name] = path.read_text()
        return found

    def objects_of(self, file):
        if pathlib.Path(file).suffix in GLSL:
            return [name for names in self.objects.values() for name in names if "embedded_shaders" in name]
        names = self.objects.get(file) or self.runs.objects(file)
        return [name for name in names if not name.startswith(("tests/", "examples/"))]

    def digest(self, objects):
        return [hashlib.sha256((self.copy.build / name).read_bytes()).digest() for name in objects]

    def tests_for(self, mutant):
        """The tests that run a mutant's line, quickest first. Any test that draws may run a shader."""
        suffix = pathlib.Path(mutant.file).suffix
        if suffix in GLSL:
            names = self.runs.of_object("gl/shader.c.gcda")
        elif suffix == ".cpp":  # compiled without gcov: any test of its folder may run it
            names = self.runs.of_object(f"{pathlib.Path(mutant.file).parent.name}.dir/*.c.gcda")
        elif mutant.file.startswith("src/reader/"):  # its process may write no counts
            names = self.runs.of_object("/isolated.c.gcda")
        elif mutant.named:
            names = set()
            for file in [mutant.file, *(self.uses(mutant) if mutant.file.endswith(".h") else ())]:
                for number, line in enumerate(self.copy.read(file).splitlines(), 1):
                    if number != mutant.line and re.search(rf"\b{mutant.named}\b", line):
                        names |= self.runs.of_line(file, number)
        else:
            names = self.runs.of_line(mutant.file, mutant.line)
        if not names and suffix == ".h":  # data or a type, in whatever includes it
            for name in self.runs.objects(mutant.file):
                names |= self.runs.of_object(name[:-2] + ".gcda")
        meant = {defect.test for defect in self.meant if defect.file == mutant.file}
        meant.add("test_" + pathlib.Path(mutant.file).stem)
        header = f'"{os.path.splitext(mutant.file)[0].removeprefix("src/")}.h"'
        meant |= {name for name in names
                  if any(header in path.read_text() for path in self.copy.root.glob(f"tests/*/{name}.c"))}
        # Tests that are meant for the file go before all others.
        return sorted(names, key=lambda name: (name not in meant, self.tests[name].seconds))

    def uses(self, mutant):
        return [file for file in self.sources if re.search(rf"\b{mutant.named}\b", self.sources[file])]

    def try_mutant(self, mutant):
        """Verdict and a sentence. Verdicts: caught, survives, equal, invalid."""
        sound = self.copy.read(mutant.file)
        objects = self.objects_of(mutant.file)
        if not self.copy.make(objects):
            sys.exit(f"the copy does not build:\n{self.copy.tail()}")
        before = self.digest(objects)
        try:
            self.copy.write(mutant.file, mutant.apply(sound))
            if not self.copy.make(objects):
                return "invalid", "does not compile"
            if self.digest(objects) == before:
                return "equal", "has the same object code"
            return self.ask(mutant, self.tests_for(mutant))
        finally:
            self.copy.write(mutant.file, sound)

    def ask(self, mutant, names):
        left, asked, at = TESTING_MOST, [], 0
        while at < len(names) and (left > 0 or not asked):
            group = names[at:at + 3]
            at += len(group)
            programs = {program for name in group for program in self.tests[name].programs}
            if not self.copy.make(programs | self.modules):
                return "invalid", "does not link: " + self.copy.output[-300:]
            for name in group:
                left -= self.tests[name].seconds
                asked.append(name)
                sentence = self.notices(name)
                if sentence and pathlib.Path(mutant.file).suffix in GLSL and re.search(
                        r"do not link|syntax error|undeclared|type mismatch", self.copy.output):
                    return "invalid", "does not compile as a shader"
                if sentence:
                    return "caught", sentence
        if not asked:
            return "survives", "no test runs it"
        rest = len(names) - len(asked)
        return "survives", f"{len(asked)} tests pass" + (f", {rest} were not asked" if rest else "")

    def notices(self, name):
        """A sentence if a test fails, twice."""
        test, copy = self.tests[name], self.copy
        limit = 20 + 8 * test.seconds
        for _ in range(2):
            status, copy.output = mutation_runs.execute(test.command, test.environment, test.folder, limit)
            passed = mutation_runs.verdict(test, status, copy.output)
            if passed is None:
                return f"{name} takes longer than {limit:.0f} s"
            if passed:
                return ""
        failed = list(dict.fromkeys(FAILED.findall(copy.output)))
        return name + (": " + ", ".join(failed[:3]) if failed else "")

    def run(self, given):
        kept_in = self.folder / f"drawn-{given.seed}.json"
        kept = json.loads(kept_in.read_text()) if kept_in.is_file() else {}
        self.sources = {file: text for file, text in self.texts().items() if file.startswith(tuple(given.under))}
        self.meant = read_defects(self.copy.root / "tests" / "mutants.txt")
        end = time.monotonic() + 60 * given.minutes
        counts, survivors, judged = {"caught": 0, "survives": 0, "equal": 0, "invalid": 0}, [], 0
        for mutant in mutation_sites.draw(self.sources, given.seed):
            if judged == given.draw or time.monotonic() > end:
                break
            key = mutant.describe() + " " + hashlib.sha256(self.sources[mutant.file].encode()).hexdigest()[:16]
            verdict, sentence = kept.get(key, ("", ""))
            if verdict == "" or (verdict == "survives" and given.again):
                verdict, sentence = self.try_mutant(mutant)
                kept[key] = verdict, sentence
                kept_in.write_text(json.dumps(kept, indent=0))
                print(f"{verdict} {mutant.describe()}; {sentence}", flush=True)
            counts[verdict] += 1
            judged += verdict in ("caught", "survives")
            if verdict == "survives":
                survivors.append(f"{mutant.describe()}; {sentence}")
        print(f"\nseed {given.seed}: {judged} of {given.draw} mutants, {counts['caught']} caught "
              f"({100 * counts['caught'] / max(judged, 1):.1f} %); replaced: {counts['equal']} with the same "
              f"object code, {counts['invalid']} that do not compile. Survivors:")
        print("\n".join(survivors))
        return 0 if counts["caught"] >= CAUGHT_LEAST * judged else 1


def print_table(defects):
    print("| file | defect | test |\n|---|---|---|")
    for defect in defects:
        functions = ", ".join(f"`{name}`" for name in defect.functions)
        print(f"| {defect.file} | {defect.wrong} | `{defect.test}`" + (f": {functions}" if functions else "")
              + " |")


def fits(defect, source):
    """Whether the defect can still be put into the source; says so where it cannot."""
    path = source / defect.file
    changed, reason = apply(defect, path.read_text()) if path.exists() else (None, f"there is no {defect.file}")
    if changed is None:
        print(f"FAILED {defect.name}: {reason}")
    return changed is not None


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
    parser.add_argument("--list", action="store_true", help="print a table of the defects, whether they fit the source, and try none")
    parser.add_argument("--draw", metavar="N", type=int, help="draw N mutants instead")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="of the draw")
    parser.add_argument("--under", metavar="PATH", nargs="+", default=[""], help="draw from these files of src or shaders")
    parser.add_argument("--tests", metavar="REGEX", default=".", help="hold drawn mutants against these tests")
    parser.add_argument("--longest", type=float, default=60, help="seconds; tests that take longer are not asked")
    parser.add_argument("--again", action="store_true", help="try drawn mutants again that have survived")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop drawing after this time")
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
        return 0 if all([fits(defect, given.source) for defect in defects]) else 1
    if given.folder is None:
        parser.error("the working folder is missing")

    start = time.monotonic()
    copy = Copy(given.source.resolve(), given.folder.resolve(), given.jobs)
    copy.update()
    if given.draw is not None:
        drawing = Drawing(copy, given.folder.resolve())
        return drawing.run(given) if drawing.prepare(given.tests, given.longest) else 1
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
