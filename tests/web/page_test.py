#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays in the page as a visitor would, in Chromium: page_test.py CASE PAGE PROGRAM

CASE is a function below without its case_. PAGE is the folder that `./build.sh web` writes, and PROGRAM the
billow that the page's states and pictures are compared with."""
import base64
import functools
import glob
import http.server
import inspect
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

SOURCES = pathlib.Path(__file__).resolve().parents[2]
MISSING = []
try:
    import numpy
except ImportError:
    MISSING.append("python3-numpy")
try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support import expected_conditions
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError:
    MISSING.append("python3-selenium")
for program, package in [("chromium", "chromium"), ("chromedriver", "chromium-driver"),
                         ("convert", "imagemagick"), ("Xvfb", "xvfb"), ("xdotool", "xdotool")]:
    if shutil.which(program) is None:
        MISSING.append(package)

HASH_SCENES = ["plume", "fire", "explosion", "gases", "clouds", "sphere"]
failures = 0


def check(good, what, saw=""):
    global failures
    failures += not good
    print(f"{'ok' if good else 'FAILED'}: {what}" + (f" ({saw})" if good else f"; saw {saw}"), flush=True)


def wait_for(condition, seconds=20):
    """Whether a condition comes true in time. The program may be slow on a busy machine."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def pixels(png):
    """A picture as an array: rows, columns, red green and blue from 0 to 1."""
    raw = subprocess.run(["convert", "png:-", "-depth", "8", "ppm:-"], input=png, capture_output=True, check=True)
    width, height = map(int, raw.stdout.split(b"\n", 2)[1].split())
    values = numpy.frombuffer(raw.stdout[-3 * width * height:], numpy.uint8)
    return values.reshape(height, width, 3) / 255


def lab(rgb):
    """CIELAB of sRGB, white point D65 (IEC 61966-2-1, CIE 15)."""
    linear = numpy.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    matrix = numpy.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    share = linear @ matrix.T / numpy.array([0.9505, 1, 1.089])
    root = numpy.where(share > 216 / 24389, numpy.cbrt(share), (24389 / 27 * share + 16) / 116)
    x, y, z = numpy.moveaxis(root, -1, 0)
    return numpy.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def color_difference(one, other):
    """Mean distance of two pictures in CIELAB."""
    return numpy.linalg.norm(lab(one) - lab(other), axis=-1).mean()


REMEMBER_MESSAGES = """
    document.addEventListener('DOMContentLoaded', () => {
        const message = document.getElementById('message');
        window.said = [];
        if (message)
            new MutationObserver(() => {
                if (message.textContent !== '')
                    said.push(message.textContent);
            }).observe(message, {childList: true});
    });
"""


class Browser:
    """Chromium with the page in it."""

    def __init__(self, folder, size=(1280, 720), touch=False):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for option in ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--disable-dev-shm-usage",
                       "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--hide-scrollbars",
                       "--js-flags=--expose-gc"]:
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", "accept")
        service = webdriver.chrome.service.Service(shutil.which("chromedriver"))
        self.driver = webdriver.Chrome(service=service, options=options)
        self.driver.set_script_timeout(900)
        self.driver.set_page_load_timeout(300)
        self.resize(*size, touch)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": REMEMBER_MESSAGES})
        self.servers = []
        self.refused = False  # whether the browser shall write errors
        self.address = self.serve(SOURCES / "src/web/serve.py", folder, "0")
        self.folder = folder

    def serve(self, *program):
        """Starts a server in Python. Returns the address that it prints."""
        self.servers.append(subprocess.Popen([sys.executable, "-u", *program], stdout=subprocess.PIPE, text=True))
        return re.search(r"http:\S+/", self.servers[-1].stdout.readline())[0]

    def resize(self, width, height, touch=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch})
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": touch})

    def close(self):
        errors = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        check(self.refused or not errors, "the console has no error", errors[:3])
        self.driver.quit()
        for server in self.servers:
            server.terminate()
            server.wait()

    def js(self, text, *values):
        return self.driver.execute_script(text, *values)

    def open(self, query="?scene=plume", address=None):
        self.driver.get((address or self.address) + query)
        if not wait_for(lambda: self.js("return typeof window.smoke?.figures === 'function'"), 120):
            raise WebDriverException("no smoke: " + self.message())

    def open_plain(self, query=""):
        """Opens the page of a server without the headers that threads need."""
        self.open(query, self.serve("-m", "http.server", "--bind", "127.0.0.1", "--directory", self.folder, "0"))

    def open_file(self, query=""):
        self.open(query, pathlib.Path(self.folder, "index.html").resolve().as_uri())

    def message(self):
        """The last line that the page has said; it may have gone since."""
        return self.js("return (window.said || []).slice(-1)[0] || ''")

    def message_shown(self):
        return self.js("return document.getElementById('message').textContent")

    def picture(self):
        """The canvas as it is now."""
        png = self.driver.execute_async_script(
            "const done = arguments[0];"
            "smoke.photo().then(blob => { const reader = new FileReader();"
            "reader.onload = () => done(reader.result.split(',')[1]); reader.readAsDataURL(blob); });")
        return pixels(base64.b64decode(png))

    def steps(self):
        """The simulated time in the line of figures, s."""
        found = re.search(r"([\d.]+) s ·", self.js("return smoke.figures()"))
        return float(found[1]) if found else -1

    def wait_time(self, seconds):
        return wait_for(lambda: self.steps() >= seconds, 60)

    def element(self, name):
        return self.driver.find_element("id", name)

    def key(self, key):
        self.driver.find_element("tag name", "body").send_keys(key)

    def drag(self, fro, to, button=0):
        """Drags the mouse between two places, in shares of the canvas."""
        canvas = self.element("canvas")
        width, height = canvas.size["width"], canvas.size["height"]
        chain = ActionChains(self.driver, duration=30)
        at = [(fro[i] + (to[i] - fro[i]) * step / 8 - 0.5) * (width, height)[i]
              for step in range(9) for i in range(2)]
        places = list(zip(at[0::2], at[1::2]))
        pointer = chain.w3c_actions.pointer_action
        pointer.move_to(canvas, round(places[0][0]), round(places[0][1]))
        pointer.pointer_down(button=button)
        for x, y in places[1:]:
            pointer.move_to(canvas, round(x), round(y))
        pointer.pointer_up(button=button)
        chain.perform()

    def touch(self, kind, *fingers):
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(fingers)]})

    def drop(self, *files):
        """Drops files of these names and bytes in the middle of the picture."""
        self.js("""const data = new DataTransfer();
            for (const [name, letters] of arguments[0])
                data.items.add(new File([Uint8Array.from(atob(letters), letter => letter.charCodeAt(0))], name));
            document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true,
                clientX: innerWidth / 2, clientY: innerHeight / 2}));""",
                [[name, base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()] for name, data in files])


def colorful(picture):
    """Share of the pixels that have a colour."""
    return (picture.max(axis=-1) - picture.min(axis=-1) > 0.15).mean()


def changed(before, after):
    """Share of the pixels that differ to the eye."""
    return (abs(before - after).max(axis=-1) > 0.03).mean()


def shades(picture):
    return len(numpy.unique((picture * 255).round().astype(int).reshape(-1, 3), axis=0))


# -- the same states and pictures as the program's -------------------------------------------------


def native_hash(program, scene):
    text = subprocess.run([program, "sim", scene, "--grid", "32", "--steps", "20"], capture_output=True,
                          text=True, check=True).stdout
    return re.search(r"state_hash +([0-9a-f]{16})", text)[1]


def compare_hashes(browser, program, threads, where):
    for scene in HASH_SCENES:
        wanted = native_hash(program, scene)
        got = browser.js("return smoke.ask('page_hash', arguments[0], 32, 20, arguments[1])", scene, threads)
        check(got == wanted, f"{scene} has the program's hash {where}", got)


def case_hashes(browser, program):
    browser.open("?scene=play")
    check(browser.js("return smoke.threads"), "served with both headers it has threads")
    compare_hashes(browser, program, 2, "on two threads")


def case_hashes_single(browser, program):
    browser.open("?scene=play")
    compare_hashes(browser, program, 1, "on one of its threads")
    browser.open("?scene=play&single")
    check(not browser.js("return smoke.threads"), "?single has no threads")
    compare_hashes(browser, program, 0, "without threads")
    browser.open_file("?scene=play")
    check("as a file" in browser.message(), "as a file it says that it has one thread", browser.message())
    compare_hashes(browser, program, 0, "as a file")
    browser.open_plain("?scene=play")
    check("headers" in browser.message(), "served without the headers, too", browser.message())
    check(browser.js("return typeof SharedArrayBuffer") == "undefined", "and leaves the page without the name of shared memory")
    compare_hashes(browser, program, 0, "without the headers")
    check(browser.wait_time(0.5), "and plays", browser.js("return smoke.figures()"))


# A browser that reserves no more than 512 MB for a shared memory.
SMALL_MEMORY = """
    const Memory = WebAssembly.Memory;
    WebAssembly.Memory = function (wanted) {
        if (wanted.maximum > 8192)
            throw new RangeError('Out of memory');
        window.reserved = wanted.maximum;
        return new Memory(wanted);
    };
"""


def case_memory(browser, program):
    browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SMALL_MEMORY})
    browser.open("?scene=plume")
    check(browser.js("return window.reserved") == 8192, "where the browser refuses 2 GB, the page reserves less",
          browser.js("return window.reserved"))
    check(browser.wait_time(0.5), "and plays", browser.js("return smoke.figures()"))
    check(shades(browser.picture()) > 500, "and is seen", shades(browser.picture()))


def compare_pictures(browser, program, scenes, grid, steps):
    for scene in scenes:
        browser.open("?scene=play")
        png = browser.js("""smoke.stopped = true;
            const canvas = document.getElementById('canvas');
            [canvas.width, canvas.height] = [640, 360];
            const problem = smoke.ask('page_picture', arguments[0], arguments[1], arguments[2], 640, 360);
            return problem !== '' ? problem : canvas.toDataURL('image/png');""", scene, grid, steps)
        if not png.startswith("data:"):
            check(False, f"{scene} can be drawn", png)
            continue
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "native.png")
            step = re.search(r"^  step: ([\d.]+)", (SOURCES / f"assets/scenes/{scene}.yaml").read_text(), re.M)
            rate = str(round(1 / float(step[1]))) if step else "30"  # a step a frame
            subprocess.run([program, "render", scene, "--grid", str(grid), "--frames", str(steps), "--fps", rate,
                            "--quality", "draft", "--size", "640x360", "--out", out, "--quiet"],
                           check=True, capture_output=True)
            native = pixels(out.read_bytes())
        page = pixels(base64.b64decode(png.split(",")[1]))
        difference = color_difference(page, native)
        check(shades(native) > 500 and difference <= 1, f"{scene} looks as in the program", f"{difference:.3f} in CIELAB")


def case_pictures(browser, program):
    compare_pictures(browser, program, ["plume", "fire"], 48, 40)


def case_pictures_all(browser, program):
    scenes = [name for name in browser_scenes(browser) if name != "play"]
    compare_pictures(browser, program, scenes, 64, 45)


def browser_scenes(browser):
    browser.open("?scene=play")
    return browser.js("return smoke.scenes().map(scene => scene.name)")


def case_verify(browser, program):
    browser.open("?verify")
    state = "return document.querySelector('#verify p').textContent"
    wait_for(lambda: browser.js(state).startswith("Done"), 1200)
    check(re.match(r"Done: \d{2,} rows, 0 outside", browser.js(state)), "no row of ?verify is outside", browser.js(state))
    rows = browser.js("""return [...document.querySelectorAll('#verify tbody tr')].map(
        row => [...row.children].map(cell => cell.textContent));""")
    for command, quantity, measured, *_ in rows[:len(HASH_SCENES)]:
        wanted = native_hash(program, command.split()[2])
        check(quantity == "state_hash" and measured == wanted, f"?verify shows the hash of `{command}`", measured)


# -- a hand ----------------------------------------------------------------------------------------


# The scene `play` without its own smoke and fire, so that all colour is a hand's.
EMPTY_STAGE = "?scene=play" + "".join(f"&set=emitters[{number}].{key}=0" for number in range(5) for key in ("smoke", "heat", "fuel"))


def case_mouse(browser, program):
    browser.open(EMPTY_STAGE)
    before = browser.picture()
    browser.drag((0.4, 0.6), (0.6, 0.4))
    wait_for(lambda: colorful(browser.picture()) > colorful(before) + 0.003)
    drawn = browser.picture()
    check(changed(before, drawn) > 0.005, "a drag changes the picture", f"{changed(before, drawn):.3f} of it")
    check(colorful(drawn) > colorful(before) + 0.003, "its smoke has a colour", f"{colorful(drawn):.4f} of the picture")
    browser.key(" ")
    wait_for(lambda: browser.js("return smoke.paused"))
    time.sleep(1)
    before = camera(browser)
    browser.drag((0.5, 0.5), (0.7, 0.5), button=2)
    check(camera(browser)["camera.azimuth"] != before.get("camera.azimuth"), "a right drag turns the view", camera(browser))
    before = camera(browser)
    browser.drag((0.5, 0.5), (0.6, 0.6), button=1)
    check(camera(browser)["camera.target"] != before.get("camera.target"), "a middle drag moves the view", camera(browser))
    before = camera(browser)
    browser.js("""document.getElementById('canvas').dispatchEvent(
        new WheelEvent('wheel', {deltaY: -300, bubbles: true, cancelable: true}));""")
    check(float(camera(browser)["camera.distance"]) < float(before["camera.distance"]), "the wheel comes nearer", camera(browser))


def camera(browser):
    return browser.js("return Object.fromEntries(smoke.keys('camera.').map(({path, value}) => [path, value]))")


def case_touch(browser, program):
    browser.resize(360, 640, touch=True)
    browser.open(EMPTY_STAGE)
    before = browser.picture()
    browser.touch("touchStart", (150, 330))
    for step in range(12):
        browser.touch("touchMove", (150 + 6 * step, 330 - 5 * step))
        time.sleep(0.05)
    browser.touch("touchEnd")
    wait_for(lambda: colorful(browser.picture()) > colorful(before) + 0.003)
    check(colorful(browser.picture()) > colorful(before) + 0.003, "a finger makes coloured smoke",
          f"{colorful(browser.picture()):.4f} of the picture")
    was = camera(browser)
    browser.touch("touchStart", (150, 300), (210, 300))
    for step in range(8):
        browser.touch("touchMove", (150 - 5 * step, 300), (210 + 5 * step, 300))
    browser.touch("touchEnd")
    wait_for(lambda: camera(browser) != was)
    now = camera(browser)
    check(float(now["camera.distance"]) < float(was["camera.distance"]), "two fingers apart come nearer", now)
    browser.touch("touchStart", (150, 300), (210, 300))
    for step in range(8):
        browser.touch("touchMove", (150 + 8 * step, 300), (210 + 8 * step, 300))
    browser.touch("touchEnd")
    wait_for(lambda: camera(browser)["camera.azimuth"] != now["camera.azimuth"])
    check(camera(browser)["camera.azimuth"] != now["camera.azimuth"], "two fingers aside turn the view", camera(browser))
    buttons = browser.js("""return [...document.querySelectorAll('#bar button, #bar select')].map(
        control => [control.id, control.getBoundingClientRect()]).filter(
        ([id, box]) => box.left < 0 || box.right > innerWidth || box.bottom > innerHeight || box.height < 44)
        .map(([id]) => id);""")
    check(not buttons, "on a phone every control is on the screen, and 44 pixels high", buttons)


def case_resize(browser, program):
    browser.open()
    browser.wait_time(0.5)
    for width, height in [(800, 600), (360, 640), (1920, 1080)]:
        browser.resize(width, height)
        wait_for(lambda: browser.picture().shape[:2] == (height, width))
        picture = browser.picture()
        check(picture.shape[:2] == (height, width) and shades(picture) > 500, f"the picture fills {width}x{height}",
              f"{picture.shape}, {shades(picture)} colours")
    browser.resize(1280, 720)


def case_keys(browser, program):
    browser.open()
    browser.wait_time(0.2)
    browser.key(" ")
    wait_for(lambda: browser.element("pause").get_attribute("aria-pressed") == "true")
    time.sleep(1)
    before = browser.steps()
    time.sleep(1)
    check(browser.steps() == before, "space pauses", f"{browser.steps()} s")
    browser.key(".")
    check(wait_for(lambda: browser.steps() > before), "a full stop takes one step", f"{browser.steps()} s")
    browser.key(" ")
    check(wait_for(lambda: browser.steps() > before + 0.2), "space goes on", f"{browser.steps()} s")
    browser.key(Keys.PAGE_DOWN)
    wait_for(lambda: browser.js("return smoke.scene()") != "plume")
    name = browser.js("return smoke.scene()")
    check(name != "plume" and browser.element("scene").get_property("value") == name, "page down opens the next scene", name)
    browser.key("1")
    names = browser.js("return smoke.scenes().map(scene => scene.name)")
    check(wait_for(lambda: browser.js("return smoke.scene()") == names[0]), "1 opens the first scene", names[0])
    browser.key(" ")
    wait_for(lambda: browser.element("pause").get_attribute("aria-pressed") == "true")
    browser.drag((0.3, 0.3), (0.31, 0.3), button=2)
    Select(browser.element("scene")).select_by_value("fire")
    check(wait_for(lambda: browser.element("pause").get_attribute("aria-pressed") == "false" and browser.steps() > 0),
          "another scene plays, and the button of the pause says so", browser.js("return smoke.figures()"))
    time.sleep(1)
    before = browser.steps()
    browser.key("r")
    check(wait_for(lambda: browser.steps() < before), "R starts it again, after the list was used", browser.steps())
    check("scene=fire" in browser.js("return location.href"), "the address names it", browser.js("return location.href"))
    browser.key(Keys.F1)
    check(browser.element("keys").is_displayed(), "F1 shows the help", len(browser.element("keys").text))
    browser.key(Keys.F1)
    check(not browser.element("keys").is_displayed(), "F1 hides it")
    browser.key(Keys.F1)
    browser.key(Keys.ESCAPE)
    check(not browser.element("keys").is_displayed(), "Esc hides it, too")
    browser.key("u")
    check(not browser.element("bar").is_displayed(), "U hides the controls")
    browser.key("u")
    check(browser.element("bar").is_displayed(), "U shows them again")
    browser.key("b")
    wait_for(lambda: browser.message() != "")
    check(browser.message() != "", "B says which tool it has taken", browser.message())
    browser.key(">")
    wait_for(lambda: browser.message() == "speed 2")
    check(browser.message() == "speed 2", "> plays faster", browser.message())


# -- files and links -------------------------------------------------------------------------------


CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + \
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
PANORAMA = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 32 +X 64\n" + bytes([200, 40, 20, 130]) * 2048
COMMAND_WORDS = r"billow |--[a-z]|group of keys"


def case_files(browser, program):
    browser.open()
    scene = (SOURCES / "assets/scenes/jets.yaml").read_text()
    browser.drop(("mine.yaml", scene))
    check(wait_for(lambda: browser.element("scene").get_property("value") == "mine.yaml"), "a dropped scene plays",
          browser.js("return smoke.figures()"))
    check(wait_for(lambda: browser.js("return smoke.figures()").startswith("jets ")), "with its own name in the figures",
          browser.js("return smoke.figures()"))
    for name, text, wanted in [
            ("typo.yaml", scene.replace("solver:", "slover:", 1), r"typo\.yaml:\d+"),
            ("mine.yaml", scene.replace("solver:", "slover:", 1), r"mine\.yaml:\d+"),
            ("picture.png", b"\x89PNG\r\n\x1a\n", r"picture\.png: Billow takes scenes .*meshes .*panoramas"),
            ("empty.yaml", "", r"empty\.yaml"),
            ("large.yaml", "# many words\n" * 300000, r"large\.yaml"),
            ("broken.obj", "v 1 2\n", r"broken\.obj"),
            ("broken.hdr", "no picture", r"broken\.hdr"),
            ("smoke.vdb", b" BDV", r"smoke\.vdb: a page cannot read this kind of file"),
            ("sky.exr", b"v/1\x01", r"sky\.exr: a page cannot read .* only the program can; a panorama may also be a .hdr file"),
            ("huge.yaml", scene.replace("domain:", "domain:\n  cells: [4000, 4000, 4000]", 1), r"huge\.yaml|4000")]:
        browser.drop((name, text))
        wait_for(lambda: re.search(wanted, browser.message()))
        message = browser.message()
        check(re.search(wanted, message) and "\n" not in message and not re.search(COMMAND_WORDS, message),
              f"{name}: one line says what is wrong", message)
        check(browser.element("scene").get_property("value") == "mine.yaml", "and the scene before it plays on")
    Select(browser.element("scene")).select_by_value("fire")
    wait_for(lambda: browser.js("return smoke.figures()").startswith("fire "))
    Select(browser.element("scene")).select_by_value("mine.yaml")
    check(wait_for(lambda: browser.js("return smoke.figures()").startswith("jets ")), "the list opens it again",
          browser.js("return smoke.figures()"))


def solids(browser):
    return browser.js("return smoke.keys().filter(({path}) => /^solids.*shape$/.test(path)).map(({value}) => value)")


def case_joining(browser, program):
    browser.open("?scene=plume")
    wait_for(lambda: browser.steps() > 0.3)
    before = browser.picture()
    browser.drop(("cube.obj", CUBE))
    wait_for(lambda: "cube.obj" in browser.message())
    check(browser.message() == "cube.obj stands in the scene.", "a dropped mesh stands in the scene", browser.message())
    check(wait_for(lambda: len(solids(browser)) == 1), "as a solid", solids(browser))
    wait_for(lambda: browser.steps() > 0.3)
    wait_for(lambda: changed(before, browser.picture()) > 0.01)
    check(changed(before, browser.picture()) > 0.01, "that is seen", f"{changed(before, browser.picture()):.3f} of the picture")
    browser.drop(("cube.obj", CUBE + "# another\n"))
    wait_for(lambda: "cube-2.obj" in browser.message())
    check(browser.message() == "cube-2.obj stands in the scene.", "another of its name stands beside it", browser.message())
    check(wait_for(lambda: len(solids(browser)) == 2), "and does not replace it", solids(browser))
    if folder := os.environ.get("PICTURES"):
        browser.driver.save_screenshot(folder + "/joined.png")
    browser.element("share").click()
    wait_for(lambda: "cube.obj" in browser.message() and "link" in browser.message())
    check(browser.message() == "No link holds this: the scene needs the file cube.obj", "Share says that no link holds it",
          browser.message())
    before = browser.picture()
    browser.drop(("red.hdr", PANORAMA))
    wait_for(lambda: "red.hdr" in browser.message())
    check(browser.message() == "red.hdr lights the scene.", "a dropped panorama lights the scene", browser.message())
    red = lambda: browser.picture()[:100].mean(axis=(0, 1))
    wait_for(lambda: red()[0] > 2 * red()[2])
    check(red()[0] > 2 * red()[2], "with its colour", red())
    scene = "name: own\nsolids:\n  - mesh: cube.obj\n    center: [0, 0.5, 0]\n    size: 0.2\n"
    browser.drop(("cube.obj", CUBE), ("own.yaml", scene))
    check(wait_for(lambda: browser.js("return smoke.figures()").startswith("own ")), "a scene is dropped with the mesh that it names",
          browser.message())


def case_panel(browser, program):
    browser.open("?scene=plume")
    browser.wait_time(0.3)
    browser.element("values").click()
    names = lambda: browser.js("""return [...document.querySelectorAll('#panel label span')].filter(
        name => name.checkVisibility()).map(name => name.textContent);""")
    usual = ["emitter 1 smoke, 1/s", "emitter 1 heat, K/s", "solver vorticity, 1/s", "smoke extinction, 1/m",
             "sun azimuth, degrees", "exposure"]
    check(names() == usual, "the values that matter come first, as in the window", names())
    if folder := os.environ.get("PICTURES"):
        browser.driver.save_screenshot(folder + "/panel.png")
    search = browser.driver.find_element("css selector", "#panel input[type=search]")
    check(search.accessible_name == "Find a value", "then a search", search.accessible_name)
    search.send_keys("smoke heaviness")
    wait_for(lambda: not names())
    check("No value has these words" in browser.element("panel").text, "what is not found is said", browser.element("panel").text)
    search.send_keys(Keys.CONTROL, "a")
    search.send_keys("VORTICITY")
    wait_for(lambda: "solver vorticity, 1/s" in names())
    check("solver vorticity, 1/s" in names() and len(names()) < 20, "words are found in names and meanings", names())
    check(browser.js("return smoke.scene()") == "plume" and not browser.js("return smoke.paused"), "and letters in it are no keys")
    field = browser.driver.find_element("xpath", "//label[contains(., 'solver vorticity')]//input[@type='number']")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("3", Keys.ENTER)
    check(browser.js("return smoke.changes()") == ["solver.vorticity=3"], "what is found can be changed", browser.js("return smoke.changes()"))
    titles = browser.js("return smoke.keys().filter(({path}) => /^emitters/.test(path)).map(({title}) => title)")
    check({"emitter 1"} <= set(titles) <= {f"emitter {n}" for n in range(1, 9)}, "entries are called by what people read",
          sorted(set(titles)))
    browser.open("?scene=play")
    wait_for(lambda: browser.js("return smoke.figures()").startswith("play "))
    own = re.search(r"^panel: (.*)", (SOURCES / "assets/scenes/play.yaml").read_text(), re.M)
    wanted = own[1].split() if own else []
    browser.element("values").click()
    got = browser.js("return smoke.firstKeys().map(({path}) => path)")
    check(not wanted or got == wanted, "a scene's own list comes first", got)
    browser.resize(390, 844, touch=True)
    browser.open("?scene=plume")
    browser.wait_time(1)
    browser.element("values").click()
    free = lambda: browser.js("""return Math.min(document.getElementById('panel').getBoundingClientRect().top,
        document.getElementById('bar').getBoundingClientRect().top) / innerHeight;""")
    check(free() >= 0.5, "on a phone the values leave half of the screen", free())
    shown = lambda: browser.js("return document.getElementById('canvas').getBoundingClientRect().bottom / innerHeight")
    check(wait_for(lambda: shown() <= free()), "and the smoke is in that half", shown())
    if folder := os.environ.get("PICTURES"):
        time.sleep(1)
        browser.driver.save_screenshot(folder + "/phone.png")
    browser.element("values").click()
    check(wait_for(lambda: shown() == 1), "without them it has the whole screen again", shown())


def link_of(browser):
    """What Share puts into the address bar."""
    browser.js("window.said = []")
    browser.element("share").click()
    check(wait_for(lambda: "link" in browser.message()), "Share says where the link is", browser.message())
    return browser.js("return location.href")


def case_link(browser, program):
    browser.open("?scene=plume")
    browser.wait_time(2)
    link = link_of(browser)
    check(link == browser.address + "?scene=plume", "the link to an unchanged scene holds its name alone", link)
    browser.open("?scene=fire&set=solver.vorticity=3")
    wait_for(lambda: browser.js("return smoke.figures()").startswith("fire "))
    browser.js("smoke.turn(0.2, 0.05); smoke.zoom(2); smoke.set('smoke.albedo=[0.9, 0.3, 0.2]')")
    link = link_of(browser)
    changes = browser.js("return smoke.changes()")
    check(any(line.startswith("camera.azimuth=") for line in changes) and "scene=fire" in link, "the link holds the view", link)
    check(not any(line.startswith("camera.fov") for line in changes), "and what was changed alone", changes)
    browser.open("?scene=play")
    browser.open("", link)
    wait_for(lambda: browser.js("return smoke.figures()").startswith("fire "))
    check(browser.js("return smoke.changes()") == changes, "the link opens the same", browser.js("return smoke.changes()"))
    check(link_of(browser) == link, "and is shared as the same link", browser.js("return location.href"))
    browser.open("?scene=nonsense&set=solver.speed=3")
    check("nonsense" in browser.message() or "solver.speed" in browser.message(), "a wrong link says what is wrong",
          browser.message())
    said = browser.js("return said")
    check(not re.search(COMMAND_WORDS, " ".join(said)), "without words of the command line", said)
    check(browser.element("scene").get_property("value") == "plume", "and plays the plume")


def case_link_of_file(browser, program):
    browser.open("?scene=plume")
    scene = (SOURCES / "assets/scenes/jets.yaml").read_text()
    browser.drop(("mine.yaml", scene))
    wait_for(lambda: browser.js("return smoke.figures()").startswith("jets "))
    browser.js("smoke.set('solver.vorticity=3.25'); smoke.turn(0.2, 0)")
    link, view = link_of(browser), camera(browser)
    check("#file=mine.yaml&data=" in link and len(link) < 4000, "the link holds a dropped scene", f"{len(link)} letters")
    browser.open("?scene=plume")
    browser.driver.get("data:,")
    browser.open("", link)
    check(wait_for(lambda: browser.js("return smoke.figures()").startswith("jets ")), "which opens from it",
          browser.js("return smoke.figures()"))
    check(browser.js("return smoke.keys('solver.vorticity')[0].value") == "3.25" and camera(browser) == view, "with what was changed",
          camera(browser))
    check(link_of(browser) == link, "and is shared as the same link", browser.js("return location.href"))
    for broken in [link[:-20], link[:-60] + "AAAA" + link[-56:], link.replace("data=", "data=%")]:
        browser.driver.get("data:,")
        browser.open("", broken)
        said = browser.js("return said.filter(line => line !== 'Loading')")
        check(len(said) == 1 and re.match(r"This link is broken: |mine\.yaml", said[0]), "a broken link gives one sentence", said)
        check(wait_for(lambda: browser.js("return smoke.figures()").startswith("play ")), "and plays the default",
              browser.js("return smoke.figures()"))


def case_link_of_strokes(browser, program):
    browser.open(EMPTY_STAGE)
    wait_for(lambda: browser.steps() > 0.3)
    time.sleep(3)  # until the grid suits the machine
    said = browser.js("smoke.record(); return smoke.recorded().then(() => 'a file', error => error.message)")
    check(said == "nothing has been recorded yet", "a recording that ends at once is refused", said)
    wait_for(lambda: browser.element("record").get_attribute("aria-pressed") == "false" and browser.steps() > 2)
    before = browser.steps()
    browser.element("record").click()
    check(wait_for(lambda: browser.element("record").get_attribute("aria-pressed") == "true" and -1 < browser.steps() < before),
          "Record starts the scene again", browser.js("return smoke.figures()"))
    said = browser.js("try { smoke.record(); } catch (error) { return error.message; }")
    check(said == "strokes are recorded already, or the scene is a host's", "a second recording is refused", said)
    grid = browser.js("return smoke.figures()").split(" ·")[0]
    before = browser.picture()
    browser.drag((0.35, 0.6), (0.65, 0.4))
    wait_for(lambda: colorful(browser.picture()) > colorful(before) + 0.003)
    drawn = colorful(browser.picture())
    check(drawn > colorful(before) + 0.003, "a stroke is seen", f"{drawn:.4f} of the picture")
    link = link_of(browser)
    check("#file=play.bwr&data=" in link, "Share makes a link with the strokes", f"{len(link)} letters")
    check(browser.element("record").get_attribute("aria-pressed") == "false" or
          wait_for(lambda: browser.element("record").get_attribute("aria-pressed") == "false"), "and ends the recording")
    browser.driver.get("data:,")
    browser.open("", link)
    check(wait_for(lambda: browser.js("return smoke.figures()").startswith(grid)), "the link plays on the same grid",
          browser.js("return smoke.figures()"))
    wait_for(lambda: colorful(browser.picture()) > 0.5 * drawn, 60)
    check(colorful(browser.picture()) > 0.5 * drawn, "and the stroke comes by itself", f"{colorful(browser.picture()):.4f} of the picture")
    browser.driver.get("data:,")
    browser.open("", link[:-40] + "AAAA" + link[-36:])
    said = browser.js("return said.filter(line => line !== 'Loading')")
    check(len(said) == 1 and re.match(r"This link is broken: |play\.bwr", said[0]), "a broken one gives one sentence", said)
    browser.js("""smoke.recorded = async () => crypto.getRandomValues(new Uint8Array(60000));
        Object.defineProperty(smoke, 'recording', {get: () => true});""")
    link_of(browser)
    check(re.fullmatch(r"No link holds this: .*\.bwr would make a link of \d{5} letters; the most are 64000\.", browser.message()),
          "one that would be too long is refused", browser.message())
    check(len(browser.js("return location.href")) < 64000, "and the address stays")


def case_photo(browser, program):
    with tempfile.TemporaryDirectory() as folder:
        browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
        browser.open()
        browser.wait_time(0.5)
        browser.element("photo").click()
        path = pathlib.Path(folder, "plume.png")
        check(wait_for(path.exists), "Photo saves a file", os.listdir(folder))
        check(browser.message() == "Saved plume.png.", "and says so", browser.message())
        picture = pixels(path.read_bytes())
        check(picture.shape == (720, 1280, 3) and shades(picture) > 500, "with the picture",
              f"{picture.shape}, {shades(picture)} colours")


def case_lost_context(browser, program):
    browser.open()
    browser.wait_time(0.5)
    browser.js("""window.loser = document.getElementById('canvas').getContext('webgl2')
        .getExtension('WEBGL_lose_context'); loser.loseContext();""")
    check(wait_for(lambda: "lost" in browser.message()), "a lost picture is said", browser.message())
    browser.js("loser.restoreContext()")
    check(wait_for(lambda: browser.message_shown() == ""), "and that it is back", browser.message_shown())
    check(wait_for(lambda: shades(browser.picture()) > 500), "the picture comes back", shades(browser.picture()))
    before = browser.picture()
    check(wait_for(lambda: changed(before, browser.picture()) > 0.001), "and moves", changed(before, browser.picture()))


# -- a session -------------------------------------------------------------------------------------


class Host:
    """The program in a window on a screen of its own, where it hosts a session."""

    def __init__(self, program, folder, *arguments):
        ready, write = os.pipe()
        self.screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "400x300x24", "-nolisten", "tcp", "-noreset"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        self.environment = {**os.environ, "DISPLAY": ":" + os.read(ready, 9).decode().strip(),
                            "XDG_STATE_HOME": folder + "/state"}
        for variable in ["SDL_VIDEODRIVER", "WAYLAND_DISPLAY"]:
            self.environment.pop(variable, None)
        self.report = pathlib.Path(folder, "host.json")
        self.program = subprocess.Popen(
            [program, "run", *arguments, "--host", "127.0.0.1:0", "--key-file", folder + "/key", "--name", "Ann",
             "--size", "400x300", "--json", self.report],
            env=self.environment, stdout=subprocess.PIPE, text=True)
        self.page = next(found[0] for line in self.program.stdout if (found := re.search(r"http://\S+/", line)))
        self.key = pathlib.Path(folder, "key").read_text().strip()
        self.link = f"{self.page}#key={self.key}"

    def act(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True)

    def end(self):
        """Ends the program, and returns its report."""
        self.program.send_signal(signal.SIGINT)
        self.program.communicate(timeout=60)
        return json.loads(self.report.read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [self.program, self.screen]:
            process.kill()
            process.wait()


def stage(browser):
    return browser.js("return window.smoke?.session?.()?.stage")


def case_together(browser, program):
    with tempfile.TemporaryDirectory() as folder, \
            Host(program, folder, "sphere", "--grid", "24", "--threads", "1") as host:
        browser.open("", host.link)
        check(wait_for(lambda: stage(browser) == "shared", 60), "a page joins a session by the host's link",
              browser.js("return smoke.session().why"))
        wait_for(lambda: browser.js("return smoke.figures()").startswith("sphere 48×18×18"))
        check(browser.js("return smoke.figures()").startswith("sphere 48×18×18"), "it has the host's scene and grid",
              browser.js("return smoke.figures()"))
        name = browser.driver.find_element("css selector", "#people input")
        check(name.get_property("value") == "guest", "it has a name", name.get_property("value"))
        name.send_keys(Keys.CONTROL, "a")
        name.send_keys("Ben", Keys.ENTER)
        joined = "return window.smoke && smoke.session?.() ? smoke.session().people.map(person => person.name) : []"
        wait_for(lambda: browser.js(joined) == ["Ann", "Ben"], 60)
        check(browser.js(joined) == ["Ann", "Ben"], "and gets another from its visitor", browser.js(joined))
        play_together(browser, host)
        browser.open("", host.link.replace("#", "?single#"))
        check(wait_for(lambda: stage(browser) == "shared", 60), "a page on one thread joins", stage(browser))
        begun = browser.steps()
        browser.drag((0.4, 0.6), (0.6, 0.4))
        check(wait_for(lambda: browser.steps() > begun + 3, 120), "and follows", browser.js("return smoke.figures()"))
        browser.driver.get("data:,")
        browser.driver.get(host.page)
        alert = WebDriverWait(browser.driver, 60).until(expected_conditions.alert_is_present())
        check("The session's key" in alert.text, "a page without the key asks for it", alert.text)
        alert.send_keys(f" {host.key} ")
        alert.accept()
        check(wait_for(lambda: stage(browser) == "shared", 60), "and joins with it", stage(browser))
        browser.open("", host.page + "#key=aaaaaaa-bbbbbbb-ccccccc-ddddddd")
        wait_for(lambda: "Cannot join" in browser.message())
        check("nobody answered; is the key right?" in browser.message(), "with another key a line says so", browser.message())
        browser.open("", host.link)
        wait_for(lambda: stage(browser) == "shared", 60)
        report = host.end()
        check(report["states_compared"] > 5 and report["states_differed"] == 0, "no state differs from the host's",
              f"{report['states_compared']} compared, {report['states_differed']} differed")
        check(wait_for(lambda: "playing alone: the host has closed the session" in browser.message()),
              "the end of the session is said", browser.message())
        before = browser.steps()
        check(wait_for(lambda: browser.steps() > before + 0.2), "and the page goes on alone", f"{browser.steps()} s")
        check(browser.element("scene").is_enabled(), "with its choice of scenes")


def play_together(browser, host):
    """What both hands do."""
    host.act("mousemove", 150, 180)
    seen = "return document.getElementById('pointers').textContent"
    check(wait_for(lambda: browser.js(seen) == "Ann"), "the pointer of the other is seen, with its name", browser.js(seen))
    before = browser.picture()
    browser.drag((0.4, 0.6), (0.6, 0.4))
    host.act("mousedown", 1, "mousemove", 200, 150, "mousemove", 240, 120, "mouseup", 1)
    browser.key("e")
    check(wait_for(lambda: changed(before, browser.picture()) > 0.01), "both hands act",
          f"{changed(before, browser.picture()):.3f} of the picture")
    if folder := os.environ.get("PICTURES"):
        browser.driver.save_screenshot(folder + "/together.png")
    browser.js("smoke.set('solver.vorticity=7')")
    browser.key("3")
    wait_for(lambda: "host" in browser.message())
    check("only the host of a shared scene can do this" in browser.message(), "the scene is the host's", browser.message())
    check(not browser.element("scene").is_enabled(), "and the page's list of scenes says so")
    browser.key(" ")
    pressed = lambda: browser.element("pause").get_attribute("aria-pressed") == "true"
    wait_for(pressed)
    time.sleep(1)
    paused = browser.steps()
    time.sleep(1)
    check(browser.steps() == paused, "the page pauses all", f"{browser.steps()} s")
    host.act("key", "space")
    check(wait_for(lambda: not pressed() and browser.steps() > paused + 2), "and the host goes on", f"{browser.steps()} s")


# -- people with other needs -----------------------------------------------------------------------


def case_access(browser, program):
    browser.open("?scene=fire")
    wait_for(lambda: browser.js("return smoke.figures()").startswith("fire "))
    browser.element("values").click()
    browser.js("document.querySelectorAll('#panel details').forEach(group => { group.open = true; })")
    nameless = browser.js("""return [...document.querySelectorAll('button, select, input, canvas')].filter(control =>
        !control.textContent.trim() && !control.ariaLabel && !(control.labels && control.labels.length) ||
        control.matches('select') && !control.labels.length && !control.ariaLabel)
        .map(control => control.outerHTML.slice(0, 80));""")
    check(not nameless, "every control has a name", nameless)
    count = browser.js("return document.querySelectorAll('#panel label').length")
    check(count > 50, "the panel has a control for each key", count)
    low = browser.js(CONTRAST)
    check(not low, "every text has a contrast of 4.5 or more on white, grey and black smoke", low)
    browser.element("values").click()
    browser.js("document.getElementById('canvas').focus()")
    order = []
    for _ in range(10):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        order.append(browser.js("return document.activeElement.id"))
    wanted = ["scene", "tool", "detonate", "pause", "restart", "photo", "record", "share", "values", "help"]
    check(order == wanted, "Tab goes through the controls in their order", order)
    browser.element("pause").send_keys(Keys.ENTER)
    check(wait_for(lambda: browser.element("pause").get_attribute("aria-pressed") == "true"), "Enter presses a button")
    outline = browser.js("return getComputedStyle(document.getElementById('pause')).outlineWidth")
    check(outline == "3px", "the focus is seen", outline)


# Texts with less contrast than 4.5 (WCAG 2.1, 1.4.3) on the worst of white, grey and black behind the half
# transparent backgrounds.
CONTRAST = """
    const parts = text => text.match(/[\\d.]+/g).map(Number);
    const over = (top, below) => { const [r, g, b, a = 1] = parts(top);
        return [r, g, b].map((part, i) => part * a + below[i] * (1 - a)); };
    const light = rgb => rgb.map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 :
        ((part + 0.055) / 1.055) ** 2.4).reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (one, other) => { const all = [light(one), light(other)].sort((a, b) => b - a);
        return (all[0] + 0.05) / (all[1] + 0.05); };
    const behind = (element, ground) => element === null || element === document.body ? ground :
        over(getComputedStyle(element).backgroundColor, behind(element.parentElement, ground));
    document.getElementById('message').textContent = 'a line';
    const texts = [...document.querySelectorAll('button, select, label span, summary, #figures, #message, input[type=number]')];
    const low = texts.filter(text => text.offsetParent !== null && text.getBoundingClientRect().width > 1).map(text =>
        [text.id || text.textContent, Math.min(...[0, 128, 255].map(grey =>
            ratio(parts(getComputedStyle(text).color), behind(text, [grey, grey, grey]))))]);
    document.getElementById('message').textContent = '';
    return low.filter(([name, least]) => least < 4.5);
"""


# -- in a page of one's own ------------------------------------------------------------------------


def case_embedding(browser, program):
    text = (SOURCES / "docs/page.md").read_text()
    snippet = re.search(r"```html\n(.*?)```", text, re.S)[1]
    own = pathlib.Path(browser.folder, "embedding_test.html")
    own.write_text('<!doctype html><link rel="icon" href="data:,">' + snippet.replace("}).then(smoke =>", "}).then(smoke => window.smoke = smoke).then(smoke =>"))
    try:
        browser.open("embedding_test.html", browser.serve("-m", "http.server", "--bind", "127.0.0.1", "--directory",
                                                          browser.folder, "0"))
        check(wait_for(lambda: browser.steps() > 0.3), "the lines of docs/page.md start a plume", browser.js("return smoke.figures()"))
        picture = browser.picture()
        check(picture.shape == (360, 640, 3) and shades(picture) > 500, "in their canvas", f"{picture.shape}, {shades(picture)} colours")
        browser.js("""smoke.stop(); window.smoke = null;
            billow(document.querySelector('canvas'), {scene: 'fire'}).then(smoke => { window.smoke = smoke; });""")
        check(wait_for(lambda: browser.js("return window.smoke !== null") and browser.steps() > 0.3),
              "after stop the canvas takes another scene", browser.js("return window.smoke && smoke.figures()"))
        check(shades(browser.picture()) > 500, "and shows it", shades(browser.picture()))
    finally:
        own.unlink()
    if shutil.which("npm"):
        packed = subprocess.run(["npm", "pack", "--dry-run", "--json", "--offline"], cwd=browser.folder, capture_output=True,
                                text=True)
        files = {entry["path"] for entry in json.loads(packed.stdout or "[{}]")[0].get("files", [])}
        scripts = {path.name for path in pathlib.Path(browser.folder).glob("billow*.js")}
        check({"billow.js", "billow_program.js"} <= scripts and scripts | {"README.md", "LICENSE"} <= files,
              "npm packs the folder", sorted(files))
    size = sum(len(subprocess.run(["gzip", "-9", "-c", path], capture_output=True, check=True).stdout)
               for path in glob.glob(str(browser.folder) + "/*"))
    check(size <= 1e6, "the folder has at most 1 MB as compressed by gzip", size)


ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


class Site(http.server.ThreadingHTTPServer):
    """Somebody's site: a page of this text at /site/, and Billow's files above it, but for the missing ones."""

    daemon_threads = True

    def __init__(self, folder, text="", headers=(), missing=()):
        self.text, self.headers, self.missing = text, dict(headers), missing
        super().__init__(("127.0.0.1", 0), functools.partial(SiteHandler, directory=folder))
        self.address = f"http://127.0.0.1:{self.server_address[1]}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path[1:] in self.server.missing:
            self.send_error(404)
        elif self.path == "/site/":
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(self.server.text.encode())
        else:
            try:
                super().do_GET()
            except ConnectionError:
                pass  # the browser has gone elsewhere

    def end_headers(self):
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_):
        pass


TWO_CANVASES = """<!doctype html><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">
<body style="margin: 0; height: 4000px; background: rgb(0, 120, 200)">
<canvas id="one" style="display: block; width: 480px; height: 300px"></canvas>
<canvas id="two" style="display: block; width: 480px; height: 300px"></canvas>
<script>
    const workers = new Set(), Plain = Worker;
    window.Worker = class extends Plain {
        constructor(...values) { super(...values); workers.add(this); }
        terminate() { super.terminate(); workers.delete(this); }
    };
</script>
<script src="/billow.js"></script>
<script>
    const set = [0, 1, 2, 3, 4].flatMap(
        number => ['smoke', 'heat', 'fuel'].map(key => `emitters[${number}].${key}=0`));
    const smokes = {}, problems = [];
    for (const [id, options] of [
        ['one', {scene: 'play', set, hover: true, background: 'transparent'}],
        ['two', {scene: 'plume', pointer: 'all'}]])
        billow(document.getElementById(id), options).then(
            smoke => { smokes[id] = smoke; }, error => { problems.push(error.message); });
</script>"""


def simulated(browser, name):
    found = re.search(r"([\d.]+) s ·", browser.js("return smokes[arguments[0]]?.figures() || ''", name))
    return float(found[1]) if found else -1


def scrolled(browser):
    return browser.js("return scrollY")


def wheel(browser, x, y):
    browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent",
                                   {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": 100})


def case_site(browser, program):
    site = Site(browser.folder, TWO_CANVASES, ISOLATED)
    browser.driver.get(site.address + "site/")
    check(wait_for(lambda: simulated(browser, "one") > 0.1 and simulated(browser, "two") > 0.3, 120), "two canvases play in one page",
          browser.js("return [problems, Object.values(smokes).map(smoke => smoke.figures())]"))
    shown = lambda: pixels(browser.driver.get_screenshot_as_png())
    blue = numpy.array([0, 120, 200]) / 255
    wait_for(lambda: abs(shown()[20, 20] - blue).max() < 0.02)
    before = shown()
    check(abs(before[20, 20] - blue).max() < 0.02, "the site is seen behind the transparent one", before[20, 20])
    check(abs(before[320, 20] - blue).max() > 0.1 and shades(before[300:600, :480]) > 300, "and not behind the other", before[320, 20])
    for step in range(30):
        browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent",
                                       {"type": "mouseMoved", "x": 180 + 4 * step, "y": 150 + step % 5, "button": "none"})
        time.sleep(0.03)
    wait_for(lambda: changed(before[:300, :480], shown()[:300, :480]) > 0.005)
    drawn = shown()
    check(changed(before[:300, :480], drawn[:300, :480]) > 0.005, "a mouse that moves over it brushes without a button",
          f"{changed(before[:300, :480], drawn[:300, :480]):.3f} of it")
    if folder := os.environ.get("PICTURES"):
        browser.driver.save_screenshot(folder + "/site.png")
    distance = "return smokes.two.changes().find(line => line.startsWith('camera.distance='))"
    was = browser.js(distance)
    wheel(browser, 200, 400)
    check(wait_for(lambda: browser.js(distance) != was), "with pointer: 'all' the wheel zooms", browser.js(distance))
    check(scrolled(browser) == 0, "and the site stays", scrolled(browser))
    wheel(browser, 200, 100)
    check(wait_for(lambda: scrolled(browser) > 0), "otherwise it scrolls the site", scrolled(browser))
    site_fingers(browser)
    browser.js("scrollTo(0, 3000)")
    resting = "return Object.values(smokes).every(smoke => smoke.paused)"
    check(wait_for(lambda: browser.js(resting)), "out of view both rest", browser.js(resting))
    time.sleep(2)  # until their last steps have ended
    was = simulated(browser, "one"), simulated(browser, "two")
    time.sleep(1)
    check((simulated(browser, "one"), simulated(browser, "two")) == was, "and simulate nothing", was)
    browser.js("scrollTo(0, 0)")
    check(wait_for(lambda: simulated(browser, "one") > was[0] and simulated(browser, "two") > was[1], 60), "in view they go on",
          f"{simulated(browser, 'one')} and {simulated(browser, 'two')} s")
    hide = """Object.defineProperty(document, 'hidden', {configurable: true, get: () => arguments[0]});
        document.dispatchEvent(new Event('visibilitychange'));"""
    browser.js(hide.replace("arguments[0]", "true"))
    check(wait_for(lambda: browser.js(resting)), "in a hidden tab both rest", browser.js(resting))
    browser.js(hide.replace("arguments[0]", "false"))
    check(wait_for(lambda: not browser.js(resting)), "and in a shown one they go on", browser.js(resting))
    site_stop(browser)
    site.shutdown()


def site_fingers(browser):
    browser.js("scrollTo(0, 0)")
    browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    browser.touch("touchStart", (200, 200))
    for step in range(12):
        browser.touch("touchMove", (200, 200 - 10 * step))
    browser.touch("touchEnd")
    check(wait_for(lambda: scrolled(browser) > 20), "a finger that moves up scrolls the site", scrolled(browser))
    browser.js("""scrollTo(0, 0); window.presses = 0;
        const press = smokes.one.press; smokes.one.press = (...values) => { presses++; press.apply(smokes.one, values); };""")
    time.sleep(0.5)
    browser.touch("touchStart", (120, 150))
    for step in range(12):
        browser.touch("touchMove", (120 + 10 * step, 150))
        time.sleep(0.03)
    browser.touch("touchEnd")
    check(wait_for(lambda: browser.js("return presses") == 1), "one that moves sideways brushes", browser.js("return presses"))
    browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def site_stop(browser):
    lost = "return ['one', 'two'].map(id => document.getElementById(id).getContext('webgl2').isContextLost())"
    check(browser.js("return workers.size") >= 4, "they have threads", browser.js("return workers.size"))
    browser.js("""window.left = Object.values(smokes).map(smoke => new WeakRef(smoke.program));
        for (const id in smokes) {
            smokes[id].stop();
            delete smokes[id];
        }""")
    check(browser.js("return workers.size") == 0, "stop ends all workers", browser.js("return workers.size"))
    check(wait_for(lambda: browser.js(lost) == [True, True]), "and gives the contexts of WebGL back", browser.js(lost))
    kept = "gc(); return left.filter(program => program.deref() !== undefined).length"
    check(wait_for(lambda: browser.js(kept) == 0, 60), "and the programs with their memory", browser.js(kept))
    browser.js("""billow(document.getElementById('one'), {scene: 'fire'}).then(smoke => { smokes.one = smoke; });""")
    check(wait_for(lambda: simulated(browser, "one") > 0.1, 120), "a canvas takes another scene", simulated(browser, "one"))


# What somebody's site forbids or lacks: headers, missing files, a script before billow.js, options, and the sentence.
REFUSALS = [
    ("a policy without WebAssembly", {"Content-Security-Policy": "script-src 'self' 'unsafe-inline'"}, (), "", "{}",
     r"content policy .* forbids WebAssembly: .*'wasm-unsafe-eval'"),
    ("a policy without workers", {**ISOLATED, "Content-Security-Policy": "worker-src 'none'"}, (), "", "{}",
     r"content policy .* forbids http\S+worker\.js: its worker-src must allow it"),
    ("a policy for this script alone", {"Content-Security-Policy":
                                       "script-src 'unsafe-inline' 'wasm-unsafe-eval' http://127.0.0.1:*/billow.js"}, (), "", "{}",
     r"content policy .* forbids http\S+/billow_program\.js: its script-src must allow it"),
    ("a foreign origin without its header", ISOLATED, (), "", "{folder: FOREIGN}",
     r"http\S+/billow_program\.js cannot be loaded\. .*Access-Control-Allow-Origin"),
    ("a folder without the files", {}, (), "", "{folder: '/nothing/'}", r"http\S+/billow_program\.js cannot be loaded\. .*folder"),
    ("a missing worker", ISOLATED, ("billow_program.worker.js",), "", "{}", r"threads cannot start: a worker cannot be loaded from http"),
    ("a browser without WebGL 2", {}, (), "delete window.WebGL2RenderingContext;", "{}", r"no WebGL 2, which Billow needs"),
    ("a device without WebGL 2", {}, (), "HTMLCanvasElement.prototype.getContext = () => null;", "{}",
     r"no WebGL 2, which Billow needs"),
    ("a browser without WebAssembly", {}, (), "delete window.WebAssembly;", "{}", r"no WebAssembly, which Billow needs"),
    ("a device without memory", {}, (), "WebAssembly.Memory = function () { throw new RangeError('Out of memory'); };", "{}",
     r"cannot run Billow: Out of memory"),
]


def case_refusals(browser, program):
    browser.refused = True
    foreign = Site(browser.folder)
    ask = """const done = arguments[0], late = new Promise(resolve => setTimeout(resolve, 20000, 'nothing within 20 s'));
        Promise.race([late, billow(document.querySelector('canvas'), OPTIONS).then(
            smoke => { window.smoke = smoke; return 'plays'; }, error => error.message)]).then(done);"""
    text = """<!doctype html><link rel="icon" href="data:,"><canvas style="width: 320px; height: 180px"></canvas>
        <script>SCRIPT</script><script src="/billow.js"></script>"""
    for name, headers, missing, script, options, wanted in REFUSALS:
        site = Site(browser.folder, text.replace("SCRIPT", script), headers, missing)
        browser.driver.get(site.address + "site/")
        options = options.replace("FOREIGN", repr(foreign.address))
        said = browser.driver.execute_async_script(ask.replace("OPTIONS", options))
        check(re.search(wanted, said) and "\n" not in said, f"{name}: the promise is rejected with a sentence", said)
        site.shutdown()
    site = Site(browser.folder, text.replace("SCRIPT", "").replace('"/', f'"{foreign.address}'))
    browser.driver.get(site.address + "site/")
    said = browser.driver.execute_async_script(ask.replace("OPTIONS", "{}"))
    check(said == "plays" and wait_for(lambda: browser.steps() > 0.1, 60) and not browser.js("return smoke.threads"),
          "from a foreign origin it plays on one thread", said)
    site.shutdown()
    foreign.shutdown()


def main():
    name, folder, program = sys.argv[1:4]
    cases = {key[5:]: value for key, value in globals().items() if key.startswith("case_") and inspect.isfunction(value)}
    if name not in cases:
        sys.exit("page_test: the cases are " + ", ".join(cases))
    if MISSING:
        sys.exit("page_test: missing packages: " + " ".join(MISSING))
    browser = Browser(folder)
    try:
        cases[name](browser, program)
    except WebDriverException as error:
        check(False, "the case ends", str(error).splitlines()[0])
    finally:
        browser.close()
    sys.exit(failures > 0)


main()
