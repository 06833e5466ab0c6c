#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attacks the host of a shared session from outside, without its key: attack_test.py PROGRAM

A guest plays through a relay, which records its datagrams. Meanwhile strangers send garbage, requests with wrong
checksums, recorded datagrams, and as much as they can. Nothing may be answered, the guest's states stay the host's,
and the host's memory stays bounded. Strangers hold connections so that no browser gets one, send requests from
pages of other sites, guess, and look at the processes. How fast the host is meanwhile is printed, for reading only."""
import concurrent.futures
import itertools
import json
import os
import pathlib
import pty
import random
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

KEY = r"(?:[a-hj-km-np-z02-9]{7}-){3}[a-hj-km-np-z02-9]{7}"  # the form of a key
PATIENCE = 120  # s until the test gives up
HELD = 700  # connections of a crowd, more than the host has places
GROWTH = 32e6  # largest growth of the host's memory under attack, bytes
STEADY = 1e6  # growth of the memory of a host that has all it needs, bytes a second
DATAGRAMS = 120  # that a guest gets until it counts as playing
CONNECT = 56  # bytes of ENet's request for a connection, with the header of its datagram
failed = []


def check(good, what, saw=""):
    if not good:
        failed.append(f"FAILED: {what}; saw {saw}")
    print(f"ok: {what}; saw {saw}" if good else failed[-1], flush=True)


def wait_for(condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not condition():
        time.sleep(0.05)
    return condition()


class Relay(threading.Thread):
    """Passes datagrams on between one guest and the host. Records those of the guest."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.near, self.far = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        self.near.bind(("127.0.0.1", 0))
        self.far.connect(("127.0.0.1", port))
        self.port = self.near.getsockname()[1]
        self.recorded, self.from_host, self.guest = [], 0, None

    def run(self):
        while True:
            for ready in select.select([self.near, self.far], [], [])[0]:
                try:
                    if ready is self.near:
                        datagram, self.guest = self.near.recvfrom(65536)
                        if len(self.recorded) < 3000:
                            self.recorded.append(datagram)
                        self.far.send(datagram)
                    else:
                        datagram = self.far.recv(65536)
                        self.from_host += 1
                        self.near.sendto(datagram, self.guest)
                except ConnectionRefusedError:
                    pass  # the other side has ended


class Terminal(threading.Thread):
    """Runs a program in a terminal, whose text it keeps."""

    def __init__(self, arguments):
        super().__init__(daemon=True)
        self.own, theirs = pty.openpty()
        self.text = ""
        self.process = subprocess.Popen(arguments, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        self.start()

    def run(self):
        try:
            while part := os.read(self.own, 4096):
                self.text += part.decode().replace("\r\n", "\n")
        except OSError:
            pass  # the program has ended

    def type(self, line):
        os.write(self.own, (line + "\n").encode())


class Strangers:
    """Sockets of machines that do not have the key. Counts the bytes that come back."""

    def __init__(self, port, count=16):
        self.sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
        for each in self.sockets:
            each.connect(("127.0.0.1", port))
            each.setblocking(False)
        self.turn = itertools.cycle(self.sockets)
        self.sent = self.answered = 0

    def send(self, datagram):
        try:
            self.sent += next(self.turn).send(datagram)
        except (BlockingIOError, ConnectionRefusedError):
            pass
        self.listen()

    def listen(self, seconds=0):
        for ready in select.select(self.sockets, [], [], seconds)[0]:
            try:
                self.answered += len(ready.recv(65536))
            except ConnectionRefusedError:
                pass

    def close(self):
        for each in self.sockets:
            each.close()


# -- attacks: each gives datagrams without end ----------------------------------------------------


def garbage(relay, size):
    while True:
        yield random.randbytes(size)


def wrong_checksums(relay):
    """Requests for a connection whose sender does not know the key."""
    request = bytearray(relay.recorded[0])
    while True:
        request[4:8] = random.randbytes(4)
        request[-8:] = random.randbytes(8)  # random numbers of the request
        yield bytes(request)


def replays(relay):
    """What the guest sent, from other ports: requests, greetings, and sealed messages."""
    while True:
        yield from list(relay.recorded)


def changed_replays(relay):
    while True:
        for recorded in list(relay.recorded):
            datagram = bytearray(recorded)
            datagram[random.randrange(len(datagram))] ^= 1 << random.randrange(8)
            yield bytes(datagram)


def half_open(relay):
    """The request that opened the guest's connection, again and again: nobody answers the host's answer."""
    while True:
        yield relay.recorded[0]


ATTACKS = {
    **{f"garbage of {size} bytes": (lambda relay, size=size: garbage(relay, size))
       for size in [0, 1, 2, 8, CONNECT, 1400, 9000, 65507]},
    "wrong checksums": wrong_checksums,
    "recorded datagrams": replays,
    "changed recorded datagrams": changed_replays,
    "half-open connections": half_open,
}

# -- attacks over TCP, where the host also listens there: lists of what strangers send once ---------


def http(path, *lines):
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *lines, "", ""]).encode()


def upgrade(token):
    return http(f"/{token}/join", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: billow")


CALLS = {
    "silent connections": [b""] * 100,
    "half requests": [b"GET /"] * 100,
    "half heads": [http("/")[:-2]] * 100,
    "long heads": [b"GET /" + b"a" * 100000] * 20,
    "garbage over TCP": [random.Random(seed).randbytes(1 + 37 * seed) for seed in range(100)],
    "wrong paths": [http(path) for path in ["/", "/join", "/index.html", "/../../etc/passwd", "//", "*",
                                            f"/{0:032x}/"]],
    "wrong tokens": [upgrade(f"{token:032x}") for token in range(50)],
}

# These know the path, which only those with the key do, and then do not greet.
CALLS_WITH_PATH = {
    "no greeting": [b""] * 40,
    "half frames": [b"\x82\xfe\x01"] * 40,
    "huge frames": [b"\x82\xff" + (1 << 40).to_bytes(8, "big") + bytes(4) + bytes(65536)] * 20,
    "wrong greetings": [b"\x82\xb1" + bytes(4) + bytes(49)] * 40,
}


def call(port, requests):
    """Sends each request on a connection of its own. Returns the bytes that came until the host had closed all
    connections, and the number of those that it left open."""
    answered, left = 0, []
    for request in requests:
        each = socket.create_connection(("127.0.0.1", port), PATIENCE)
        left.append(each)
        try:
            each.sendall(request)
        except ConnectionError:
            pass  # it has been closed already
    end = time.monotonic() + PATIENCE
    while left and time.monotonic() < end:
        for ready in select.select(left, [], [], 0.1)[0]:
            try:
                bytes_read = len(ready.recv(65536))
            except ConnectionError:
                bytes_read = 0
            answered += bytes_read
            if bytes_read == 0:
                left.remove(ready)
                ready.close()
    return answered, len(left)



class Crowd(threading.Thread):
    """Opens connections with the same request, or a part of one, at a rate, and holds the last. They come from so many
    addresses in turn, and read nothing."""

    def __init__(self, port, request, rate, source, addresses=1):
        super().__init__(daemon=True)
        network, number = source.rsplit(".", 1)
        self.port, self.request, self.rate = port, request, rate
        self.sources = itertools.cycle(f"{network}.{int(number) + n}" for n in range(addresses))
        self.held, self.opened, self.ended = [], 0, False
        self.start()

    def run(self):
        while not self.ended:
            try:
                each = socket.socket()
                each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                each.bind((next(self.sources), 0))
                each.settimeout(PATIENCE)
                each.connect(("127.0.0.1", self.port))
                each.setblocking(False)
                self.held.append(each)
                self.opened += 1
                each.send(self.request)
            except OSError:
                pass
            if len(self.held) > HELD:
                self.held.pop(0).close()
            time.sleep(1 / self.rate)

    def end(self):
        self.ended = True
        self.join()
        for each in self.held:
            each.close()


def status_of(port, request, before=0, after=0):
    """The status of the answer to a request, and its head; 0 where there is none, or where the host closes the
    connection too soon. Waits so many seconds before the request, and after the answer."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as each:
        answer = b""
        try:
            time.sleep(before)
            each.sendall(request)
            while b"\r\n\r\n" not in answer and (part := each.recv(65536)):
                answer += part
            if after and select.select([each], [], [], after)[0] and not each.recv(65536):
                answer = b""
        except ConnectionError:
            pass
    return (int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 0), answer.decode("latin1").lower()


class Session:
    started = []

    def __init__(self, program, folder):
        self.program, self.folder, self.terminals = program, folder, {}
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.host = self.start("host", "sphere", "--host", f"127.0.0.1:{self.port}", "--grid", "24", "--rewind", "0")
        check(wait_for(lambda: "Others join with" in self.log("host")), "the host starts", self.log("host").strip())
        self.relay = Relay(self.port)
        self.relay.start()
        self.key = re.search(f"and this key: +({KEY})\n", self.log("host"))[1]
        self.guest = self.start("guest", "--join", f"127.0.0.1:{self.relay.port}")
        check(wait_for(lambda: "The session's key" in self.log("guest")), "the guest is asked for the key", self.log("guest"))
        time.sleep(0.2)
        self.terminals["guest"].type(self.key)
        check(wait_for(lambda: self.relay.from_host > DATAGRAMS), "a guest plays", self.log("guest"))
        self.since = time.monotonic()
        check(len(self.relay.recorded[0]) == CONNECT, "the first datagram asks for a connection",
              f"{len(self.relay.recorded[0])} bytes")

    def start(self, name, *arguments):
        self.terminals[name] = Terminal([self.program, "run", *arguments, "--name", name, "--threads", "1",
                                         "--size", "64x48", "--json", str(self.folder / f"{name}.json")])
        self.started.append(self.terminals[name].process)
        return self.terminals[name].process

    def log(self, name):
        return self.terminals[name].text

    def report(self, name):
        return json.loads((self.folder / f"{name}.json").read_text())

    def memory(self):
        """Resident memory of the host, bytes."""
        for line in pathlib.Path(f"/proc/{self.host.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    def steady_memory(self):
        """Resident memory of the host, bytes, once it grows no more: its first pictures take what drivers need."""
        memory, quiet, end = self.memory(), 0, time.monotonic() + PATIENCE
        while quiet < 3 and time.monotonic() < end:
            time.sleep(1)
            before, memory = memory, self.memory()
            quiet = quiet + 1 if 0 < memory < before + STEADY else 0
        check(quiet == 3, "the host's memory becomes steady", f"{memory / 1e6:.1f} MB")
        return memory

    def attack(self, name, datagrams, seconds):
        before, start, strangers = self.relay.from_host, time.monotonic(), Strangers(self.port)
        for datagram in datagrams:
            strangers.send(datagram)
            if time.monotonic() - start > seconds:
                break
        strangers.listen(0.2)
        rate = (self.relay.from_host - before) / (time.monotonic() - start)
        check(strangers.answered == 0, f"{name}: nothing is answered",
              f"{strangers.answered} bytes for {strangers.sent / 1e6:.1f} MB; {rate:.0f} datagrams/s to the guest")
        strangers.close()
        before = self.relay.from_host
        check(wait_for(lambda: self.relay.from_host > before + 10), f"{name}: the guest goes on", self.log("guest"))

    def listens_on_tcp(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def call(self, calls, may_answer):
        """All kinds of calls at once, since the host gives most of them seconds."""
        before, start = self.relay.from_host, time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(len(calls)) as callers:
            results = list(callers.map(lambda requests: call(self.port, requests), calls.values()))
        rate = (self.relay.from_host - before) / (time.monotonic() - start)
        for (name, requests), (answered, left) in zip(calls.items(), results):
            check(left == 0 and (may_answer or answered == 0), f"{name}: all are closed" +
                  ("" if may_answer else " without an answer"),
                  f"{answered} bytes, {left} of {len(requests)} left; {rate:.0f} datagrams/s to the guest")
        before = self.relay.from_host
        check(wait_for(lambda: self.relay.from_host > before + 10), "the guest goes on", self.log("guest"))

    def call_all(self):
        if not self.listens_on_tcp():
            print("the host does not listen on TCP: no attacks there")
            return
        self.call(CALLS, False)
        token = re.search(rf":{self.port}/([0-9a-f]{{32}})/", self.log("host"))[1]
        self.call({name: [upgrade(token) + request for request in requests]
                   for name, requests in CALLS_WITH_PATH.items()}, True)
        self.guess()
        self.ask_from_elsewhere(token)
        self.send_heads(token)
        self.lock_out_all(token)

    # -- attacks on the page, with figures -------------------------------------------------------

    def look_at_processes(self):
        """What other users of the machine see, and what is shown while the key is typed."""
        for name, process in [("host", self.host), ("guest", self.guest)]:
            seen = pathlib.Path(f"/proc/{process.pid}/cmdline").read_text()
            check(self.key not in seen and not re.search(KEY, seen), f"the process list has no key of the {name}",
                  seen.replace("\0", " "))
        check(self.key not in self.log("guest"), "a key that is typed is not shown", self.log("guest").strip())

    def guess(self):
        """Keys that people choose are none, and those of the program are too long to guess."""
        words = ["correct horse battery staple", "12345678", "a key for a test", "password-password-password-passwor"]
        answers = [subprocess.run([self.program, "run", "--join", f"127.0.0.1:{self.port}", "--key-file", "-"],
                                  input=word, capture_output=True, text=True) for word in words]
        check(all(answer.returncode == 1 and "this is no key" in answer.stderr for answer in answers),
              "chosen keys are refused", [answer.stderr for answer in answers])
        start, guesses = time.monotonic(), 0
        while time.monotonic() - start < 0.2:
            answered, _ = status_of(self.port, http(f"/{random.getrandbits(128):032x}/"))
            check(answered == 0, "a guessed token is not answered") if answered else None
            guesses += 1
        years = 2**127 / (5 * guesses) / 3.15e7
        print(f"{5 * guesses} guesses of the token in a second: {years:.0e} years for half of all; a key of 140 bits at "
              f"1e12 hashes a second: {2**139 / 1e12 / 3.15e7:.0e} years")

    def lock_out(self, name, request, rate, source, wanted, status, addresses=1, tries=81, before=0, after=0):
        """Whether each request is answered while a crowd holds connections."""
        crowd, came, longest = Crowd(self.port, request, rate, source, addresses), 0, 0
        wait_for(lambda: crowd.opened >= (HELD if rate > 20 else 80) or not crowd.is_alive())
        for _ in range(tries):
            start = time.monotonic()
            came += status_of(self.port, wanted, before, after)[0] == status
            longest = max(longest, time.monotonic() - start)
        crowd.end()
        check(came == tries, f"{name}: every request is answered", f"{came} of {tries} among {crowd.opened} connections at "
              f"{rate} a second; the slowest took {1e3 * longest:.0f} ms")

    def lock_out_all(self, token):
        page, join = http(f"/{token}/"), upgrade(token)
        for request, what, source in [(b"", "silent connections", "127.0.0.1"), (b"", "silent connections", "127.0.0.2"),
                                      (b"GET /", "half requests", "127.0.0.1"), (page[:-2], "half heads", "127.0.0.2")]:
            self.lock_out(f"{what} from {source}", request, 400, source, page, 200)
        self.lock_out("silent connections, as in the past", b"", 20, "127.0.0.1", page, 200)
        self.lock_out("WebSockets without a greeting", join, 400, "127.0.0.2", join, 101)
        self.lock_out("pages that are not read", page, 400, "127.0.0.2", page, 200)
        slow = {"tries": 5, "before": 0.3}
        self.lock_out("slow requests among silent connections of 64 addresses", b"", 300, "127.0.1.1", page, 200, 64, **slow)
        self.lock_out("slow requests among silent connections of 200 addresses", b"", 1000, "127.0.1.1", page, 200, 200,
                      **slow)
        load = http(f"/{token}/large.js")
        self.lock_out("slow requests among downloads that are not read", load, 200, "127.0.0.2", page, 200, **slow)
        self.lock_out("WebSockets that greet late among downloads that are not read", load, 200, "127.0.0.2", join, 101,
                      tries=5, after=0.3)

    def ask_from_elsewhere(self, token):
        """WebSockets that pages of other sites ask for."""
        for origin, status in [(f"http://127.0.0.1:{self.port}", 403), ("http://evil.example", 403), ("null", 403),
                               ("http://127.0.0.1", 101)]:
            seen, _ = status_of(self.port, upgrade(token).replace(b"\r\nConn", f"\r\nOrigin: {origin}\r\nConn".encode(), 1))
            check(seen == status, f"a WebSocket of {origin} at 127.0.0.1 is {'taken' if status == 101 else 'refused'}", seen)

    def send_heads(self, token):
        """Long heads, as with the cookies of other programs on this machine."""
        seen = {size: status_of(self.port, http(f"/{token}/", "Cookie: " + "c" * size))[0]
                for size in [*range(100, 16000, 500), *range(3700, 4200, 20), 17000, 30000, 100000]}
        check(all(status == (200 if size < 16100 else 431) for size, status in seen.items()),
              "heads up to 16 kB are answered, and longer ones refused", seen)
        _, head = status_of(self.port, http(f"/{token}/"))
        policy = re.search(r"\r\ncontent-security-policy: (.*)\r\n", head)
        check(policy and "default-src 'none'" in policy[1] and "unsafe-inline" not in policy[1] and "*" not in policy[1] and
              "\r\nx-content-type-options: nosniff\r\n" in head and "\r\nreferrer-policy: no-referrer\r\n" in head,
              "the page comes with its policy", head)

    def replay_late(self):
        """The guest's request, once more from its own address, after it has left."""
        wait_for(lambda: time.monotonic() - self.since > 11)
        before = -1
        while before != self.relay.from_host:  # until the host has stopped sending
            before = self.relay.from_host
            time.sleep(1)
        for _ in range(20):
            self.relay.far.send(self.relay.recorded[0])
            time.sleep(0.05)
        check(self.relay.from_host == before, "a request that is repeated later is not answered",
              f"{self.relay.from_host - before} datagrams")

    def replay_from_same_address(self):
        """Recorded datagrams from the guest's own address: ENet drops those it has had."""
        for datagram in list(self.relay.recorded):
            self.relay.far.send(datagram)
        before = self.relay.from_host
        check(wait_for(lambda: self.relay.from_host > before + 10), "its own datagrams again: the guest goes on",
              self.log("guest"))

    def end(self):
        for name, process in [("guest", self.guest), ("host", self.host)]:
            check(process.poll() is None, f"the {name} is there at the end", self.log(name).strip())
            process.send_signal(signal.SIGINT)
            status = process.wait(PATIENCE)
            check(status == 130, f"the {name} ends as asked", f"status {status}")
            if name == "guest":
                self.replay_late()
            report = self.report(name)
            check(report["states_differed"] == 0 and report["states_compared"] > 3,
                  f"no state of the {name} differed",
                  f"{report['states_differed']} of {report['states_compared']}")


def beside_a_page(program, folder):
    """A copy of the program that finds a page to serve, so that it listens on TCP, too."""
    for name in ["bin", "web"]:
        (folder / name).mkdir()
    (folder / "web" / "index.html").write_text("<!DOCTYPE html>")
    (folder / "web" / "large.js").write_bytes(bytes(1 << 24))
    return shutil.copy(program, folder / "bin" / "billow")


def run(program, folder):
    seconds = 0.3
    session = Session(program, folder)
    start, before = time.monotonic(), session.relay.from_host
    time.sleep(seconds)
    print(f"without attacks: {(session.relay.from_host - before) / (time.monotonic() - start):.0f} datagrams/s "
          "to the guest")
    memory = session.steady_memory()
    for name, attack in ATTACKS.items():
        session.attack(name, attack(session.relay), seconds)
    session.replay_from_same_address()
    session.look_at_processes()
    session.call_all()
    growth = session.memory() - memory
    check(growth < GROWTH, "the host's memory is bounded", f"{growth / 1e6:.1f} MB more than {memory / 1e6:.0f} MB")
    session.end()


def main():
    random.seed(1)
    display, ready = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(ready), "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset"],
                              pass_fds=[ready], stderr=subprocess.DEVNULL)
    os.close(ready)
    os.environ["DISPLAY"] = ":" + os.read(display, 16).decode().strip()
    os.environ.pop("SDL_VIDEODRIVER", None)
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_STATE_HOME"] = folder + "/state"
            run(beside_a_page(sys.argv[1], pathlib.Path(folder)), pathlib.Path(folder))
    finally:
        for process in Session.started:
            process.kill()
        server.terminate()
        server.wait()
        for line in failed:  # again, at the end of a long text
            print(line)
    return len(failed) > 0


if __name__ == "__main__":
    sys.exit(main())
