# SPDX-License-Identifier: MIT
"""docs_test.py SOURCE BILLOW [--build BUILD] [--library LIBRARY] [--renew] [--verbose]

Checks README.md, examples/README.md and docs/*.md:

- README.md has at most 150 lines;
- local links lead to files and headings that exist;
- files named in backticks (`src/sim/step.c`) exist, and so do functions (`billow_step()`);
- changes shown in blocks of the language diff still fit the files;
- parts between <!-- generated: COMMAND --> and <!-- end --> are what COMMAND prints
  (--renew writes them again);
- every command works. Commands are the lines of indented blocks and inline code that begins with
  a program's name. They run in the order of their page, in a temporary folder for each page, with
  small grids, few frames and small pictures (see `shorten`). A picture or window whose options were
  seen before is not drawn: its scene and settings are checked (see `parts`). `billow run` opens its
  window on a display of its own where Xvfb is installed. Inline code with placeholders such as SCENE or [...]
  is not run: its options are looked up in the help. Commands of other programs are checked by the
  functions in CHECKS. Programs in C and Python are compiled and run.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

README_LINES = 150
GRID = "16"
SECONDS = 120  # of one command
PAGES_AT_ONCE = 2
FAST_CASES = ["rest", "beer-lambert"]
WRITING = ["--out", "--write", "--csv", "--plot", "--report", "--checkpoint"]

# Commands that another test runs, because they install or build.
RUN_ELSEWHERE = [
    (r"^cmake -S examples -B build-examples|^cmake --build build-examples|^\./build-examples/",
     "tests/install/install_test.sh"),
    (r"^cmake --install ", "tests/install/install_test.sh"),
    (r"^(export PKG_CONFIG_PATH=|cc .*pkg-config)", "tests/install/install_test.sh"),
    (r"^PYTHONPATH=\S+ python3 examples/plume.py", "tests/install/install_test.sh"),
    (r"^PYTHONPATH=\S+$", "tests/install/install_test.sh"),
    (r"^apt install ./billow", "tests/install/package_test.sh"),
    (r"^blender -b ", "tests/io/blender_test.sh"),
    (r"^vdb_print ", "tests/io/blender_test.sh"),
    (r"^man billow$", "tests/install/package_test.sh"),
    (r"^build/\w+/tests/golden", "tests/render/golden.c"),
    (r"^build/\w+/billow$", "tests/docs_test.py"),
    (r"^tests/coverage\.sh ", "tests/coverage.sh"),
    (r"^python3 tests/docs_test\.py ", "tests/docs_test.py"),
    (r"^python3 tests/messages_test\.py ", "tests/messages_test.py"),
    (r"^python3 tests/calls_test\.py ", "tests/calls_test.py"),
    (r"^python3 tests/includes_test\.py ", "tests/includes_test.py"),
    (r"^python3 tests/mutation_test\.py ", "tests/mutation_test.py"),
    (r"^(git|clang-format) ", ".clang-format"),
]
PROGRAMS = r"(billow|\./build\.sh|cmake|ctest|cc|python3|blender|export|man|git|clang-format|" \
           r"apt|vdb_print|PYTHONPATH=\S+|\./build-examples/\S+|build/\w+/\S+|tests/coverage\.sh)"
# Words of a synopsis: SCENE, FILE, N, A,E,D, [OPTIONS], CASE..., p_0001 ...
PLACEHOLDER = re.compile(r"(^|[\s=/,'])([A-Z]{1,}[A-Z.]*)([\s,'.:]|$)|\[[A-Z-]|\.\.\.|WxH")


class Page:
    def __init__(self, path, source):
        self.path = path
        self.name = str(path.relative_to(source))
        self.lines = path.read_text().split("\n")
        self.blocks = []    # (line, language, text); language "" for indented blocks
        self.prose = []     # (line, text) outside of blocks
        self.headings = set()
        self.parse()

    def parse(self):
        fence = None
        indented = None
        generated = False
        for number, line in enumerate(self.lines, 1):
            if fence is not None:
                if line.startswith("```"):
                    self.blocks.append(fence)
                    fence = None
                elif not generated:
                    fence = (fence[0], fence[1], fence[2] + line + "\n")
                continue
            if line.startswith("<!-- generated"):
                generated = True
            elif line.startswith("<!-- end"):
                generated = False
            if line.startswith("```"):
                fence = (number, line[3:].strip() or "text", "")
                continue
            if line.startswith("    ") and (indented or not self.lines[number - 2].strip()):
                indented = (indented or (number, "", ""))
                indented = (indented[0], "", indented[2] + line[4:] + "\n")
                continue
            if indented:
                self.blocks.append(indented)
                indented = None
            if re.match(r"#+ ", line):
                self.headings.add(slug(line.lstrip("#").strip()))
            if not generated:
                self.prose.append((number, line))

    def spans(self):
        text = "\n".join(line for _, line in self.prose)
        starts = {}
        at = 0
        for number, line in self.prose:
            starts[at] = number
            at += len(line) + 1
        for match in re.finditer(r"(?<!`)`([^`]+)`(?!`)", text):
            line = max(start for start in starts if start <= match.start())
            yield starts[line], " ".join(match.group(1).split())

    def commands(self):
        """(line, command, inline) in the order of the page."""
        found = []
        for number, language, text in self.blocks:
            if language not in ("", "sh"):
                continue
            for command in re.sub(r"\\\n\s*", "", text).strip().split("\n"):
                found.append((number, re.sub(r"\s+# .*", "", command).strip(), False))
        for number, span in self.spans():
            if re.match(PROGRAMS + r"(\s|$)", span):
                found.append((number, span, True))
        return sorted(found, key=lambda entry: entry[0])


def slug(heading):
    """The anchor that GitHub gives a heading."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def shorten(words):
    """The arguments of a documented billow command, changed so that it takes about a second."""
    words = words or ["run"]
    if words[0].startswith("-"):
        return words
    command, words = words[0], list(words[1:])
    if "--help" in words:
        return [command, *words]
    replaced = {"--grid": GRID, "--frames": "2", "--size": "64x48", "--sizes": "64x48",
                "--grids": GRID, "--every": "1", "--seconds": "0.5", "--flipbook": "2x1", "--loop": "0.03",
                "--exposures": "4", "--steps": "5" if command == "bench" else "2"}
    for i in range(len(words) - 1):
        if words[i] in replaced:
            words[i + 1] = replaced[words[i]]
        elif words[i] == "--threads":
            words[i + 1] = ",".join(str(min(int(n), 2)) for n in words[i + 1].split(","))
    added = {"render": {"--frames": "2", "--size": "64x48", "--grid": GRID},
             "bake": {"--frames": "2", "--grid": GRID},
             "sim": {"--steps": "2", "--grid": GRID},
             "run": {"--seconds": "0.5", "--grid": GRID, "--size": "64x48"},
             "bench": {"--steps": "5", "--grids": GRID, "--threads": "1"}}.get(command, {})
    if command == "bench" and "--live" in words:
        added = {"--seconds": "2", "--size": "64x48"}
    if command == "bench" and words[:1] == ["all"]:  # some scenes are too flat for GRID
        words[:1] = ["plume", "fire"]
    goes_on = "--resume" in words or "--replay" in words or any(
        word.endswith(".ckpt") for word in words[:1])
    if command == "render" and len(words) > 1 and "--quality" not in words and not goes_on:
        added["--quality"] = "draft"  # a scene without options is drawn as well as its poster
    for option, value in added.items():
        if option not in words and not (option == "--grid" and goes_on) and not (
                option == "--frames" and "--flipbook" in words):
            words += [option, value]
    if command == "bench" and "--render" in words and "--sizes" not in words:
        words += ["--sizes", "64x48"]
    if command == "bench" and "--kernels" in words:
        at = words.index("--steps")
        del words[at:at + 2]
    if command == "verify" and "--list" not in words:
        cases = 0
        while cases < len(words) and not words[cases].startswith("-"):
            cases += 1
        kept = [case for case in words[:cases] if case in FAST_CASES] or ["rest"]
        words = kept + [word for word in words[cases:] if word != "--full"]
    if any(option in words for option in WRITING) and "--force" not in words:
        words.append("--force")
    return [command, *words]


def plain_words(command):
    """The arguments of a `billow` command, or None if it needs a shell."""
    return None if re.search(r"[|&;<>$~]", command) else shlex.split(command)[1:]


def parts(words):
    """Scene and settings of shortened words, and what else they draw with: the kind of the command."""
    scene = [word for word in words[1:2] if not word.startswith("-")]
    kind = [words[0]]
    rest = iter(words[1 + len(scene):])
    for word in rest:
        if word == "--set":
            scene += [word, next(rest)]
        else:
            kind.append(pathlib.Path(next(rest)).suffix if word == "--out" else word)
    return scene, tuple(kind)


def run_billow(program, words, **options):
    """Runs shortened words. Grids that are too coarse for a flat or periodic scene are made finer."""
    for finer in ("48", "64", None):
        done = subprocess.run([program, *words], capture_output=True, check=False, **options)
        if done.returncode == 0 or not finer or "--grid" not in words or b"cells" not in done.stderr:
            break
        words[words.index("--grid") + 1] = finer
    return done


def stand_in(program, arguments):
    """What `billow` is inside a shell of the test: the program with shortened arguments."""
    done = run_billow(program, shorten(arguments))
    sys.stdout.buffer.write(done.stdout)
    sys.stderr.buffer.write(done.stderr)
    sys.exit(done.returncode)


class Test:
    def __init__(self, options):
        self.source = pathlib.Path(options.source).resolve()
        self.program = os.path.abspath(options.billow)
        self.build = options.build
        self.libbillow = options.libbillow and os.path.abspath(options.libbillow)
        self.verbose = options.verbose
        self.failures = 0
        self.ran = 0
        self.helps = {}
        self.presets = json.loads((self.source / "CMakePresets.json").read_text())
        self.sources = None
        self.seen = set()
        self.cases = None
        paths = [self.source / "README.md", self.source / "examples/README.md",
                 *sorted((self.source / "docs").glob("*.md"))]
        self.pages = [Page(path, self.source) for path in paths]

    def fail(self, page, line, message):
        self.failures += 1
        print(f"FAILED: {page.name}:{line}: {message}", flush=True)

    # -- text

    def check_text(self, page):
        if page.name == "README.md" and len(page.lines) - 1 > README_LINES:
            self.fail(page, len(page.lines), f"more than {README_LINES} lines")
        headings = {other.path: other.headings for other in self.pages}
        for number, line in page.prose:
            for target in re.findall(r"\]\(([^)\s]+)\)", line):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                path = (page.path.parent / path).resolve() if path else page.path
                if not path.exists():
                    self.fail(page, number, f"the link to {target} leads nowhere")
                elif anchor and anchor not in headings.get(path, set()):
                    self.fail(page, number, f"{target}: there is no such heading")
        for number, span in page.spans():
            if re.fullmatch(r"(\.ci|src|tests|include|docs|shaders|examples|assets|cmake)/[\w./*-]*", span):
                if not list(self.source.glob(span.rstrip("/"))):
                    self.fail(page, number, f"there is no {span}")
            function = re.fullmatch(r"(\w+)\(\)", span)
            if function and not self.is_function(function.group(1)):
                self.fail(page, number, f"there is no function {span}")

    def check_sources(self, page):
        """Each row of docs/sources.md has a place in Billow, a command and a picture."""
        if page.name != "docs/sources.md":
            return
        tests = (self.source / "tests/examples/examples_test.sh").read_text()
        for number, line in enumerate(page.lines, 1):
            if not line.startswith("|") or line.startswith(("|---", "| what ")):
                continue
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            command = re.fullmatch(r"`(.+)`", cells[3]) if len(cells) == 5 else None
            if len(cells) != 5 or not all(cells) or not command or "](" not in cells[4]:
                self.fail(page, number, "a row needs a text, a place, a command and a picture")
                continue
            example = re.match(r"\./build-examples/(\w+)", command.group(1))
            if example and not re.search(rf"\b{example.group(1)}\b", tests):
                self.fail(page, number, f"tests/examples/examples_test.sh does not run {example.group(1)}")

    def is_function(self, name):
        if self.sources is None:
            self.sources = "\n".join(
                path.read_text(errors="replace") for folder in ("src", "include", "shaders")
                for path in sorted((self.source / folder).rglob("*"))
                if path.suffix in (".c", ".h", ".cpp", ".glsl", ".frag", ".vert", ".py"))
        return re.search(rf"\b{name}\(", self.sources) is not None

    def check_changes(self, page):
        """Blocks of the language diff: what they keep and remove must stand in the files they name.
        A line "--- FILE" names a file, "@@" starts a part; FILE of "--- /dev/null" is new."""
        for number, language, text in page.blocks:
            if language != "diff":
                continue
            content, old = None, []
            for line in [*text.split("\n"), "@@"]:
                if line.startswith(("--- ", "@@")):
                    if old and content is not None and "\n".join(old) not in content:
                        self.fail(page, number, "these lines are not in the file: " + " / ".join(old))
                    old = []
                if line.startswith("--- "):
                    path = self.source / line[4:].strip()
                    content = path.read_text() if path.is_file() else None
                    if content is None and line != "--- /dev/null":
                        self.fail(page, number, f"there is no {line[4:]}")
                elif line[:1] in (" ", "-"):
                    old.append(line[1:])

    # -- generated parts

    def check_generated(self, page, renew):
        start = None
        out = []
        kept = True
        for number, line in enumerate(page.lines, 1):
            if line.startswith("<!-- end") and start:
                out += start[1] + [line]
                if start[1] != start[2] and not renew:
                    different = next((i for i, (a, b) in enumerate(zip(start[1], start[2])) if a != b),
                                     min(len(start[1]), len(start[2])))
                    self.fail(page, start[0] + 1 + different,
                              f"'{start[3]}' prints something else now; renew with --renew")
                start = None
                continue
            if start:
                start[2].append(line)
                continue
            out.append(line)
            match = re.fullmatch(r"<!-- generated( as text)?: (.*) -->", line)
            if match:
                start = (number, self.generate(page, number, match.group(2), match.group(1)), [],
                         match.group(2))
        if renew and out != page.lines and kept:
            page.path.write_text("\n".join(out))

    def generate(self, page, number, command, as_text):
        words = shlex.split(command)
        done = subprocess.run([self.program, *words[1:]], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.fail(page, number, f"'{command}' says: {done.stderr}")
        lines = [line.rstrip() for line in done.stdout.strip("\n").split("\n")]
        return ["", "```text", *lines, "```", ""] if as_text else ["", *lines, ""]

    # -- commands

    def help_of(self, command):
        if command not in self.helps:
            done = subprocess.run([self.program, command, "--help"], capture_output=True, text=True,
                                  check=False)
            self.helps[command] = done.stdout if done.returncode == 0 else None
        return self.helps[command]

    def is_synopsis(self, span):
        """Whether inline code names a command or an option, rather than being one to type."""
        words = span.split()
        if len(words) < 3 or PLACEHOLDER.search(span.removeprefix("billow")):
            return True
        return re.search(rf"(?m)^  {re.escape(words[-1])} [A-Z]", self.help_of(words[1]) or "") is not None

    def check_synopsis(self, page, number, span):
        words = span.split()
        if len(words) < 2 or not re.fullmatch("[a-z]+", words[1]):
            return
        text = self.help_of(words[1])
        if text is None:
            self.fail(page, number, f"there is no command {words[1]}")
            return
        for option in re.findall(r"(?<!\S)\[?(--[a-z-]+[a-z0-9])", span):
            if not re.search(rf"(?<!\S){option}\b", text):
                self.fail(page, number, f"'billow {words[1]}' has no option {option}")

    def check_other(self, page, number, command):
        words = command.split()
        if len(words) == 1 and words[0] in ("cmake", "ctest", "cc", "git", "man", "blender"):
            return
        for pattern, test in RUN_ELSEWHERE:
            if re.search(pattern, command):
                if not (self.source / test).exists():
                    self.fail(page, number, f"{test}, which runs '{command}', is not there")
                return
        if words[0] == "./build.sh":
            text = subprocess.run([self.source / "build.sh", "--help"], capture_output=True,
                                  text=True, check=True).stdout
            if len(words) > 1 and f"./build.sh {words[1]}" not in text and words[1] != "--help":
                self.fail(page, number, f"build.sh does not know '{words[1]}'")
        elif words[0] in ("cmake", "ctest"):
            for part in command.split("&&"):
                self.check_preset(page, number, part.split())
        else:
            self.fail(page, number, f"nothing checks '{command}'")

    def check_preset(self, page, number, words):
        kind = "testPresets" if words[0] == "ctest" else \
            "buildPresets" if "--build" in words else "configurePresets"
        if words[0] not in ("cmake", "ctest"):
            self.check_other(page, number, " ".join(words))
            return
        if "--preset" in words:
            name = words[words.index("--preset") + 1]
            if name not in [preset["name"] for preset in self.presets[kind]]:
                self.fail(page, number, f"there is no preset {name} in {kind}")
        elif "--target" not in words and words != ["ctest", "-N"]:
            self.fail(page, number, f"nothing checks '{' '.join(words)}'")
        if "--target" in words and self.build:
            target = words[words.index("--target") + 1]
            targets = subprocess.run(["cmake", "--build", self.build, "--target", "help"],
                                     capture_output=True, text=True, check=False).stdout
            if not re.search(rf"(?m)(^\.\.\. |^){target}\b", targets):
                self.fail(page, number, f"there is no target {target}")
        lists = self.build and [(["ctest", "-N", option, words[words.index(option) + 1]], "Total Tests: 0")
                                for option in ("-L", "-R") if option in words]
        for listing, none in lists or []:
            done = subprocess.run([*listing[:2], *listing[2:]], cwd=self.build, capture_output=True,
                                  text=True, check=False)
            if none in done.stdout:
                self.fail(page, number, f"'{' '.join(words)}' runs no test")

    def run_page(self, page, environment):
        folder = pathlib.Path(environment["HOME"]).parent / re.sub(r"\W", "_", page.name)
        folder.mkdir()
        for name in ("plume-1.ckpt", "mine.yaml", "smoke.c"):
            kept = folder.parent / name
            if kept.exists():
                shutil.copy(kept, folder)
        (folder / "shaders").symlink_to(self.source / "shaders")
        (folder / "examples").symlink_to(self.source / "examples")
        for number, command, inline in page.commands():
            if not re.match(r"billow(\s|$)", command):
                if not re.match(PROGRAMS + r"(\s|$)", command):
                    self.fail(page, number, f"'{command}' is no command that is known here")
                else:
                    self.check_other(page, number, command)
                continue
            if inline and self.is_synopsis(command):
                self.check_synopsis(page, number, command)
                continue
            words = plain_words(command)
            short = shorten(words) if words else [command]
            if short[0] == "verify":
                self.check_cases(page, number, words)
            key = tuple(short) if short[0] in ("run", "info", "verify", "bench", "scenes") else (
                page.name, *short)
            scene, kind = parts(short)
            drawn = short[0] in ("render", "run") and "--checkpoint" not in short and kind in self.seen
            if drawn:
                short = scene and ["check", *scene, "--grid", GRID]
            if key not in self.seen and short:
                self.run_command(page, number, command, folder, environment, words and short)
            self.seen |= {key, kind}

    def check_cases(self, page, number, words):
        """The cases of verify that are not run exist."""
        self.cases = self.cases or subprocess.run([self.program, "verify", "--list"], capture_output=True,
                                                  text=True, check=True).stdout
        for case in itertools.takewhile(lambda word: not word.startswith("-"), words[1:]):
            if not re.search(rf"(?m)^{re.escape(case)} ", self.cases):
                self.fail(page, number, f"there is no case {case}")

    def run_command(self, page, number, command, folder, environment, words=None):
        """Runs a line of shell, or the words of a `billow` command in its place."""
        begun = time.monotonic()
        options = dict(cwd=folder, env=environment, timeout=SECONDS)
        try:
            done = run_billow(self.program, words, **options) if words else subprocess.run(
                ["sh", "-c", command], capture_output=True, check=False, **options)
        except subprocess.TimeoutExpired:
            self.fail(page, number, f"'{command}' takes longer than {SECONDS} s")
            return
        self.ran += 1
        if self.verbose:
            print(f"{time.monotonic() - begun:6.2f} s  {' '.join(words or [command])}", flush=True)
        error = done.stderr.decode(errors="replace").strip()
        if done.returncode != 0 and re.search(r"(built|compiled) without|ffmpeg|gnuplot", error):
            print(f"skipped: {page.name}:{number}: {command}: {error}", flush=True)
        elif done.returncode != 0:
            self.fail(page, number, f"'{command}' ends with {done.returncode}: {error}")

    def libraries(self, program):
        """The libraries to link a program of a page with."""
        scenes = self.libbillow.replace("libbillow.", "libbillow_scene.")
        return [scenes, self.libbillow] if "billow/scene.h" in program else [self.libbillow]

    def run_programs(self, page, environment):
        folder = pathlib.Path(environment["HOME"]).parent / re.sub(r"\W", "_", page.name)
        for number, language, text in page.blocks:
            if language == "c" and "int main" in text and self.libbillow:
                (folder / "program.c").write_text(text)
                built = subprocess.run(
                    ["cc", "-Wall", "-Wextra", "-Werror", "-I", self.source / "include", "program.c", "-o",
                     "program", *self.libraries(text), f"-Wl,-rpath,{os.path.dirname(self.libbillow)}"],
                    cwd=folder, capture_output=True, text=True, check=False)
                if built.returncode != 0:
                    self.fail(page, number, built.stderr)
                    continue
                self.run_command(page, number, "./program", folder, environment)
            elif language == "python" and "import billow" in text and environment.get("PYTHONPATH"):
                (folder / "program.py").write_text(text)
                self.run_command(page, number, '"${BILLOW_PYTHON:-python3}" -B program.py', folder, environment)

    def run(self, renew):
        for page in self.pages:
            self.check_text(page)
            self.check_sources(page)
            self.check_changes(page)
            self.check_generated(page, renew)
        if renew:
            return
        with tempfile.TemporaryDirectory() as name:
            temporary = pathlib.Path(name)
            environment, display = self.prepare(temporary)
            try:
                def run(page):
                    self.run_page(page, environment)
                    self.run_programs(page, environment)

                with concurrent.futures.ThreadPoolExecutor(PAGES_AT_ONCE) as pool:
                    list(pool.map(run, self.pages))
            finally:
                if display:
                    display.terminate()
                    display.wait()
        print(f"{len(self.pages)} pages, {self.ran} commands run, {self.failures} failures")

    def prepare(self, temporary):
        """The environment of the commands, and the display that `billow run` opens its window on."""
        environment = dict(os.environ)
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_STATE_HOME"):
            environment.pop(name, None)
        home = temporary / "home"
        state = home / ".local/state/billow"
        state.mkdir(parents=True)
        (temporary / "bin").mkdir()
        script = temporary / "bin/billow"
        script.write_text("#!/bin/sh\nexec %s\n" % " ".join(
            [shlex.quote(word) for word in (sys.executable, os.path.abspath(__file__), "--stand-in",
                                            self.program)] + ['"$@"']))
        script.chmod(0o755)
        # Compiled shaders are the user's: to compile them takes longer than to draw.
        environment.setdefault("MESA_SHADER_CACHE_DIR", str(pathlib.Path("~/.cache").expanduser()))
        environment.update(HOME=str(home), OMP_WAIT_POLICY="passive",
                           PATH=f"{temporary}/bin:{environment['PATH']}")
        display = None
        if shutil.which("Xvfb"):
            read, write = os.pipe()
            # pylint: disable=consider-using-with # it ends in run()
            display = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-noreset"],
                                       pass_fds=[write], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            os.close(write)
            with os.fdopen(read) as file:
                number = file.readline().strip()
            if number:
                environment["DISPLAY"] = f":{number}"
        run = dict(cwd=temporary, env=environment, check=True, capture_output=True)
        subprocess.run(["billow", "sim", "plume", "--checkpoint", "plume-1.ckpt"], **run)
        shutil.copy(temporary / "plume-1.ckpt", state / "last.ckpt")
        shown = subprocess.run(["billow", "scenes", "--show", "plume"], **run)
        (temporary / "mine.yaml").write_bytes(shown.stdout)
        return environment, display


def main():
    if sys.argv[1:2] == ["--stand-in"]:
        stand_in(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("billow")
    parser.add_argument("--build", help="build folder, to look tests up in")
    parser.add_argument("--library", dest="libbillow", help="shared library, to link programs with")
    parser.add_argument("--renew", action="store_true", help="write the generated parts again")
    parser.add_argument("--verbose", action="store_true")
    test = Test(parser.parse_args())
    test.run("--renew" in sys.argv)
    sys.exit(1 if test.failures else 0)


if __name__ == "__main__":
    main()
