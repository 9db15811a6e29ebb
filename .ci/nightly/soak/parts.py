"""The parts of the soak. Each loads its own engine in a different way until the time is over."""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import sys
import time

from engine import Engine

HERE = pathlib.Path(__file__).resolve().parent
PASSWORD = "correct horse battery"


def one_time_code(secret):
    """The code of RFC 6238 with SHA-1, six digits and thirty seconds."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    place = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[place:place + 4])[0] & 0x7FFFFFFF) % 1000000:06}"


def view(values, *, tries=3, cancels=0.02):
    """Acts as a user who knows the values: `values` is called with an item and the snapshot. Returns the outcome."""

    def work(session):
        for _ in range(tries):
            shown = session.snapshot
            if shown["scene"]:
                return "accepted"
            if shown["alert"]:
                yield [("session/press", {"action": shown["alert"]["actions"][0]["id"]})]
                continue
            items = [item for section in shown["sections"] for item in section["items"]]
            calls = []
            for item in items:
                value = values(item, shown) if item.get("editable") else None
                if value is not None:
                    calls.append(("session/edit", {"item": item["id"], "value": value}))
            calls.append(("session/press", {"action": "submit"}))
            if random.random() < cancels:
                calls.append(("session/press", {"action": "cancel"}))
            yield calls
            if session.snapshot["retryAt"]:
                return "throttled"
        shown = session.snapshot
        return "accepted" if shown["scene"] else shown["screen"] + ":" + shown["state"]

    return work


def accounts(file):
    """Accounts with the cheapest hashes, as an authenticator."""
    return f"login-accounts --file '{file}' --hash-cost 1"


def beside(engine):
    """The accounts' program, which is in the engine's folder."""
    return str(pathlib.Path(engine).with_name("login-accounts"))


class Part:
    # Whether engines replace each other, so that the figures of one engine cannot be judged.
    is_renewed = False

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.engine, self.problems = None, []
        self.random = random.Random(1)
        self.number = 0

    def start(self, *options, restored=()):
        self.engine = Engine(self.program, *options, problems=self.problems, restored=restored)
        return self.engine

    def name(self):
        self.number += 1
        return f"n{self.number}"

    def keep(self, count, end, open_one):
        """Keeps this many sessions open until the time is over, then lets them finish."""
        checked = time.monotonic()
        while time.monotonic() < end and self.engine.process.poll() is None:
            if self.engine.count < count:
                for _ in range(count - self.engine.count):
                    open_one()
            else:
                time.sleep(0.002)
            if time.monotonic() - checked > 5:
                checked = time.monotonic()
                self.engine.check_lost()
        self.settle()

    def settle(self):
        """Waits for the last replies."""
        limit = time.monotonic() + 60
        while time.monotonic() < limit and self.engine.calls and self.engine.process.poll() is None:
            time.sleep(0.05)
        if self.engine.calls and self.engine.process.poll() is None:
            self.problems.append(f"at the end {len(self.engine.calls)} calls have no reply")

    def stop(self):
        if isinstance(self.engine, Engine) and not self.engine.is_closed:
            if self.engine.process.poll() is not None:
                self.problems.append(f"the engine has ended: {self.engine.log[-5:]}")
            self.engine.close()

    def report(self):
        engine = self.engine
        outcomes = ", ".join(f"{count} {name}" for name, count in sorted(engine.outcomes.items(), key=lambda pair: -pair[1])[:8])
        return f"{engine.replies:,} replies, {engine.updates:,} updates, {engine.ended:,} sessions: {outcomes}"


class Accounts(Part):
    people = 40
    sessions = 60

    def run(self, end):
        file = self.folder / "accounts.sqlite3"
        self.file = file
        self.start("--authenticator", accounts(file), "--log-level", "error")
        self.secrets, self.passwords, self.used = {}, {}, {}
        for number in range(self.people):
            name = f"person{number}"
            self.passwords[name] = PASSWORD
            self.engine.open(self.name(), view(self.sign_up(name)), screen="setup")
        deadline = time.monotonic() + 60
        while self.engine.count and time.monotonic() < deadline:
            time.sleep(0.05)
        for number in range(8):
            self.enrol(f"person{number}")
        self.keep(self.sessions, end, self.open_one)

    def administer(self, *words, text=""):
        return subprocess.run(
            [beside(self.program), *words, "--file", str(self.file), "--hash-cost", "1"], input=text, text=True,
            capture_output=True, check=False)

    def enrol(self, name):
        """Turns on one-time codes for an account. The command prints the secret and then reads the first code."""
        command = [beside(self.program), "one-time-codes", name, "--file", str(self.file)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            secret = None
            for line in process.stdout:
                if found := re.search(r"secret=([A-Z2-7]+)", line):
                    secret = found[1]
                    break
            if secret:
                process.stdin.write(one_time_code(secret) + "\n")
                process.stdin.flush()
            process.stdin.close()
            process.stdout.read()
            error = process.stderr.read()
        if process.returncode != 0 or not secret:
            self.problems.append(f"one-time codes cannot be set up: {error}")
        else:
            self.secrets[name] = secret

    def sign_up(self, name):
        def value(item, _):
            return {"email": f"{name}@example.com", "text": name, "newPassword": PASSWORD}.get(item.get("inputType"))

        return value

    def log_in(self, name, *, password=None, code=None):
        new = f"another horse {self.random.random()}"

        def value(item, shown):
            kind = item.get("inputType")
            if kind == "email":
                return f"{name}@example.com"
            if kind == "newPassword":
                self.passwords[name] = new
                return new
            if kind == "password":
                return password or self.passwords.get(name, PASSWORD)
            if kind == "oneTimeCode":
                return code or one_time_code(self.secrets[name]) if name in self.secrets else "000000"
            return None

        return value

    def open_one(self):
        roll = self.random.random()
        if roll < 0.15:
            return self.engine.open(self.name(), view(self.sign_up(f"new{self.random.randrange(500)}")), screen="setup")
        if roll < 0.3:
            return self.engine.open(self.name(), view(self.log_in(f"nobody{self.random.randrange(100000)}")))
        name = f"person{self.random.randrange(self.people)}"
        if roll < 0.32:
            return self.engine.open(self.name(), view(self.log_in(name, password="wrong horse wrong")))
        if roll < 0.4 and name in self.secrets:
            return self.engine.open(self.name(), view(self.log_in(name, code="123456"), tries=5))
        if roll < 0.405:
            self.administer("expire", f"person{self.random.randrange(20, self.people)}")
        self.engine.open(self.name(), view(self.log_in(name), tries=4), transitions="instant")


class Faults(Part):
    sessions = 40

    def run(self, end):
        script = str(HERE / "faulty.py")
        self.start("--authenticator", f"{sys.executable} {script}", "--authenticator", "setup=demo", "--log-level", "error")
        self.keep(self.sessions, end, self.open_one)

    def open_one(self):
        words = ["ok", "ok", "ok", "late", "twice", "nonsense", "silent", "exit", "deaf", "error", "challenge", "huge", "half", "noisy", "notify"]
        # The worst faults are rare: after an exit the engine delays the restart of an authenticator.
        word = self.random.choice(words if self.random.random() < 0.1 else words[:5] + ["error", "challenge", "noisy", "notify"])
        screen = "setup" if self.random.random() < 0.2 else "login"
        demo = ["wrong", "taken", "throttled", "challenge", "notice", "error", "fine", "exit"]
        name = self.random.choice(demo if self.random.random() < 0.1 else demo[:7]) if screen == "setup" else word

        def value(item, _):
            return {
                "email": f"{name}@example.com", "text": name, "password": PASSWORD, "newPassword": PASSWORD, "oneTimeCode": "123456",
            }.get(item.get("inputType"))

        self.engine.open(self.name(), view(value, cancels=0.3 if word in ("silent", "late", "deaf") else 0.02), screen=screen)


class Clock(Part):
    sessions = 40
    def run(self, end):
        self.start(
            "--authenticator", accounts(self.folder / "accounts.sqlite3"), "--clock", "manual", "--idle-timeout", "3600",
            "--log-level", "error")
        self.people = [f"person{number}" for number in range(20)]
        for name in self.people:
            self.engine.open(self.name(), view(self.values(name, PASSWORD)), screen="setup")
        self.moved = time.monotonic()
        self.keep(self.sessions, end, self.open_one)
        self.move()
        self.settle()

    @staticmethod
    def left_alone(_):
        while True:
            yield []

    def values(self, name, password):
        def value(item, _):
            return {"email": f"{name}@example.com", "text": name, "password": password, "newPassword": password}.get(item.get("inputType"))

        return value

    def move(self):
        step = self.random.choice([1, 900, 5_000, 61_000, 3_600_000, 86_400_000, 2_678_400_000])
        self.engine.call("clock/advance", {"milliseconds": step})

    def open_one(self):
        name = self.random.choice(self.people)
        password = PASSWORD if self.random.random() < 0.7 else "wrong horse wrong"
        kind = self.random.random()
        if kind < 0.1:
            # An abandoned session, which the idle timeout closes.
            self.engine.open(self.name(), self.left_alone)
        else:
            self.engine.open(self.name(), view(self.values(name, password), tries=6))
        if time.monotonic() - self.moved > 0.05:
            self.moved = time.monotonic()
            self.move()


class Typing(Part):
    """Edits in blocks that were made beforehand. Replies are counted, and one line in some hundred is checked."""

    sessions = 1000

    def run(self, end):
        engine = self.start("--authenticator", "demo", "--log-level", "error")
        names = [f"s{number}" for number in range(self.sessions)]
        self.lines = self.seen = self.expected = self.blocks = self.pauses = 0
        self.revisions = {}
        engine.say_bytes(b"".join(self.line("open", {"session": name}) for name in names))
        self.expected += len(names)
        values = ["a", "ada", "ada@", "ada@example.com", "ada@example.org", ""]
        blocks = [
            b"".join(self.line("edit", {"session": name, "item": "email", "value": value}) for name in names)
            for value in values]
        while time.monotonic() < end and engine.process.poll() is None:
            if self.expected - self.seen > 200_000:
                time.sleep(0.002)
                continue
            engine.say_bytes(blocks[self.blocks % len(blocks)])
            self.blocks += 1
            self.expected += self.sessions
        limit = time.monotonic() + 120
        while self.seen < self.expected and time.monotonic() < limit and engine.process.poll() is None:
            time.sleep(0.05)
        if self.seen != self.expected:
            self.problems.append(f"{self.seen} updates for {self.expected} edits")

    def start(self, *options, restored=()):
        part = self

        class Counting(Engine):
            def read(self):
                part.read(self)

        self.engine = Counting(self.program, *options, problems=self.problems)
        return self.engine

    @staticmethod
    def line(method, params):
        return json.dumps({"jsonrpc": "2.0", "method": f"session/{method}", "params": params}).encode() + b"\n"

    def read(self, engine):
        rest, paused = b"", time.monotonic()
        while piece := os.read(engine.process.stdout.fileno(), 1 << 20):
            lines = (rest + piece).split(b"\n")
            rest = lines.pop()
            self.seen += len(lines)
            for line in lines[::211]:
                self.look(line)
            if time.monotonic() - paused > 5:
                paused = time.monotonic() + 1
                self.pauses += 1
                time.sleep(1)

    def look(self, line):
        try:
            message = json.loads(line)
        except ValueError:
            return self.problems.append(f"a line is no JSON: {line[:200]}")
        if message.get("method") != "session/update":
            return self.problems.append(f"an edit leads to {line[:300]}")
        params = message["params"]
        name, revision = params["session"], params["revision"]
        if revision <= self.revisions.get(name, 0):
            self.problems.append(f"{name}: revision {revision} comes after {self.revisions[name]}")
        self.revisions[name] = revision
        return None

    def report(self):
        return f"{self.seen:,} updates for {self.expected:,} edits and openings, {self.pauses} pauses of the reader"


class Reconnects(Part):
    is_renewed = True

    def run(self, end):
        saved = self.folder / "sessions.jsonl"
        options = ["--authenticator", "demo", "--save-on-exit", str(saved), "--log-level", "error"]
        self.rounds = self.moved = self.replies = 0
        while time.monotonic() < end:
            kept = [json.loads(line)["params"]["session"] for line in saved.read_text().splitlines()] if saved.exists() else []
            if len(kept) > 60:
                saved.unlink()
                kept = []
            engine = self.start(*options, *(["--restore", str(saved)] if kept else []), restored=kept)
            for number in range(20):
                engine.open(f"r{self.rounds}-{number}", self.halfway)
            engine.call("session/list")
            limit = time.monotonic() + 30
            while (engine.calls or engine.restored) and time.monotonic() < limit:
                time.sleep(0.002)
            if engine.calls or engine.restored:
                self.problems.append(f"after a restart {len(engine.calls)} calls have no reply, {len(engine.restored)} sessions are not shown")
            self.replies += engine.replies
            self.moved += len(kept)
            # A frontend that ends, and one whose engine gets a signal to end.
            ending = [None, signal.SIGTERM, signal.SIGHUP][self.rounds % 3]
            if ending:
                engine.process.send_signal(ending)
            engine.close()
            count = len(saved.read_text().splitlines()) if saved.exists() else 0
            if count != len(kept) + 20:
                self.problems.append(f"{count} sessions are saved of {len(kept) + 20}")
            self.rounds += 1

    @staticmethod
    def halfway(session):
        yield [("session/edit", {"item": "email", "value": "slow@example.com"}), ("session/edit", {"item": "password", "value": "x"})]
        while True:
            session.is_over = True
            yield []

    def stop(self):
        pass

    def report(self):
        return f"{self.rounds} engines, {self.moved:,} sessions that went on in the next one, {self.replies:,} replies"


ALL = {"accounts": Accounts, "faults": Faults, "clock": Clock, "typing": Typing, "reconnects": Reconnects}
