"""Holds the views to view.py's drawings, to the transcripts, and to the engine under random lines.

Usage: driver.py ENGINE LINES NAME=COMMAND ...     LINES: how many random lines are typed into each view
       driver.py --start-times ENGINE NAME=COMMAND ...
"""

import codecs
import contextlib
import json
import os
import pty
import random
import re
import select
import statistics
import subprocess
import sys
import tempfile
import termios
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
import view as reference  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TRANSCRIPTS = ROOT / "protocol/transcripts"
# How many seconds a view may take for anything. A view that is right takes milliseconds.
PATIENCE = 60
# At least so many transcripts can be typed into a view, so that none is lost unnoticed.
PLAYABLE = 200
# What a view starts as its engine: this passes lines on to the driver and back, and so the driver sees them.
RELAY = ["sh", "-c", 'trap "" INT TERM; cat "$1" & cat >"$2"; kill -KILL $!', "relay"]
PROMPTS = ("> ", "value: ", "value (not shown): ", "number, or nothing for none: ")


class Failure(Exception):
    """What a view has done wrong."""


class Unplayable(Exception):
    """Why what a transcript's view does cannot be typed into these views."""


here = threading.local()
reference.print = lambda *texts: here.lines.append(" ".join(texts) + "\n")


def drawing(snapshot):
    """What view.py draws, and what it lets a person choose."""
    here.lines = []
    choices = reference.draw(snapshot)
    return "".join(here.lines), choices


def normal(text):
    """A text whose JSON does not depend on the language that wrote it."""
    start = "   data: "
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith(start):
            with contextlib.suppress(ValueError):
                lines[number] = start + json.dumps(json.loads(line.removeprefix(start), parse_int=float), sort_keys=True)
    return "\n".join(lines)


def shows(output, wanted):
    """Whether the output ends with these lines."""
    wanted = wanted.removeprefix("\n")  # ends the line of a prompt
    count = wanted.count("\n") + 1
    return normal("\n".join(output.split("\n")[-count:])) == normal(wanted)


class Conversation:
    """A view in a terminal of its own, and an engine, with this program between the two."""

    def __init__(self, view, engine, opening=None):
        self.folder = tempfile.TemporaryDirectory()
        self.opening = opening
        self.snapshot = self.revision = self.options = self.answer = None
        self.updates, self.output = 0, ""
        self.hidden, self.echoed = [], b""
        self.rests, self.decoder = {}, codecs.getincrementaldecoder("utf-8")("replace")
        fifos = [os.path.join(self.folder.name, name) for name in ("from-engine", "to-engine")]
        for fifo in fifos:
            os.mkfifo(fifo)
        self.from_engine, self.to_engine = (os.open(fifo, os.O_RDWR) for fifo in fifos)
        self.errors = open(os.path.join(self.folder.name, "errors"), "w+")
        self.master, slave = pty.openpty()
        self.slave = slave
        self.engine = subprocess.Popen(engine, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0, cwd=ROOT)
        # In a session of its own, so that Ctrl-C reaches it and nothing else.
        command = ["setsid", "--ctty", *view, *RELAY, *fifos]
        self.view = subprocess.Popen(command, stdin=slave, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0)
        self.ended = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.view, self.engine):
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    stream.close()
        for descriptor in (self.master, self.slave, self.from_engine, self.to_engine):
            os.close(descriptor)
        self.errors.close()
        self.folder.cleanup()

    def lines(self, descriptor):
        """The whole lines that a descriptor has now."""
        text = self.rests.get(descriptor, b"") + os.read(descriptor, 65536)
        *lines, self.rests[descriptor] = text.split(b"\n")
        return lines

    def pump(self, seconds):
        """Passes on what comes within this time."""
        sources = [self.to_engine, self.engine.stdout.fileno()] + [self.view.stdout.fileno()] * (not self.ended)
        for source in select.select(sources, [], [], seconds)[0]:
            if source == self.to_engine:
                for line in self.lines(source):
                    self.ask(line)
            elif source == self.engine.stdout.fileno():
                lines = self.lines(source)
                if not lines and not self.rests[source]:
                    raise Failure(f"the engine has stopped: {self.complaints()}, after\n{self.output[-600:]}")
                for line in lines:
                    self.tell(line)
            else:
                new = os.read(source, 65536)
                self.ended = not new
                self.output += self.decoder.decode(new, final=not new)

    def ask(self, line):
        """Passes a line on to the engine; the first opens the session, maybe as a transcript's view does."""
        if self.opening is not None:
            message = json.loads(line)
            message["params"] = {**self.opening, "session": message["params"]["session"]}
            line, self.opening = json.dumps(message).encode(), None
        with contextlib.suppress(BrokenPipeError):
            self.engine.stdin.write(line + b"\n")

    def tell(self, line):
        """Passes a line of the engine's on to the view, but not what this program has asked for."""
        message = json.loads(line)
        content = message.get("params") or message.get("result") or {}
        if message.get("id") == "driver":
            self.answer = content
            return
        if "snapshot" in content:
            self.snapshot, self.revision = content["snapshot"], content["revision"]
        self.updates += message.get("method") == "session/update"
        self.options = content.get("options", self.options)
        os.write(self.from_engine, line + b"\n")

    def complaints(self):
        """What the engine and the view have written on standard error."""
        self.errors.seek(0)
        return self.errors.read()

    def wait(self, what, is_done):
        """Waits for something."""
        end = time.monotonic() + PATIENCE
        while not is_done():
            if time.monotonic() > end:
                raise Failure(f"waited in vain {what}, after\n{self.output[-600:]}")
            self.pump(0.05)

    def is_drawn(self):
        """Whether the view shows the last snapshot, and waits or has ended."""
        if not self.snapshot:
            return self.ended
        text, choices = drawing(self.snapshot)
        return shows(self.output, text + "> ") if choices else self.ended and shows(self.output, text + "\n")

    def prompt(self):
        """The prompt that the view has printed last, if nothing came behind."""
        return next((prompt for prompt in PROMPTS if self.output.endswith(prompt)), None)

    def type(self, line):
        """Types a line, and waits until the view asks for the next one."""
        length, is_hidden = len(self.output), "not shown" in self.prompt()
        os.write(self.master, line + b"\n")
        self.wait("for an answer to what was typed", lambda: self.ended or len(self.output) > length and self.prompt())
        if is_hidden:
            self.hidden.append(line)
        elif line.isalnum():
            # The terminal echoes in the order of typing, but maybe later than the view answers.
            self.wait("for the echo", lambda: line in self.echo())
            if any(len(secret) > 3 and secret in self.echoed and secret not in line for secret in self.hidden):
                raise Failure("a secret was echoed")
        if not is_hidden:
            self.hidden, self.echoed = [], b""

    def echo(self):
        """What the terminal has echoed."""
        while select.select([self.master], [], [], 0)[0]:
            self.echoed += os.read(self.master, 65536)
        return self.echoed

    def truth(self):
        """What the engine says that the view shows."""
        self.answer = None
        self.engine.stdin.write(b'{"jsonrpc":"2.0","id":"driver","method":"session/snapshot","params":{"session":"view"}}\n')
        self.wait("for the engine's snapshot", lambda: self.answer)
        return self.answer.get("snapshot")


def steps_of(path):
    """The steps of a transcript."""
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def typed(params, snapshot, revision, listed=()):
    """What a person chooses and enters for a change or a press, where `listed` are options that the snapshot leaves out."""
    wanted, value = params.get("item", params.get("action")), params.get("value")
    choices = drawing(snapshot)[1]
    number, part = next(((n, part) for n, part in enumerate(choices, 1) if part["id"] == wanted and ("item" in params) == ("kind" in part)), (0, None))
    if not part or params.get("revision", revision) != revision:
        raise Unplayable("acts on what the view does not show")
    kind = part.get("kind")
    if kind == "input" and not (isinstance(value, str) and value.isprintable() and len(value.encode()) < 4000):
        raise Unplayable("enters what nobody can type")
    if kind == "selection" and value not in [None, *listed, *(option["id"] for option in part["options"])]:
        raise Unplayable("enters what nobody can type")
    if kind == "switch" and value is not (not part["value"]):
        raise Unplayable("enters what nobody can type")
    return number, part, value


def performance(steps):
    """How a transcript's view opens its session, and its further acts: each with how many updates there are before."""
    opening, acts, snapshot, revision, updates, is_over, shows_all = None, [], None, None, 0, False, True
    results = [step["out"].get("result") for step in steps if isinstance(step.get("out"), dict)]
    listed = [option["id"] for result in results if isinstance(result, dict) for option in result.get("options", [])]
    for step in steps:
        if step.keys() & {"raw", "rawBase16", "signal"}:
            raise Unplayable("sends a signal, or lines that are no calls")
        if "out" in step:
            out = step["out"] if isinstance(step["out"], dict) else {}
            if out.get("method", "").startswith("authenticator/"):
                raise Unplayable("decides logins in the frontend")
            if out.get("method") == "session/update" and not is_over:
                updates += 1
                snapshot, revision = out["params"].get("snapshot"), out["params"]["revision"]
                shows_all = "/params/snapshot/sections" not in step.get("ignore", [])
        is_over = is_over or "end" in step
        if "in" not in step:
            continue
        call = step["in"] if isinstance(step["in"], dict) else {}
        method, params = call.get("method"), call.get("params", {})
        if method == "session/open" and opening is None and isinstance(params, dict):
            opening = params
            if params.get("detail") == "commands":
                raise Unplayable("gets no snapshots")
        elif method in ("session/change", "session/perform") and snapshot and isinstance(params, dict) and not is_over:
            if snapshot["scene"] and not drawing(snapshot)[1]:
                raise Unplayable("acts after the scene, with which the view ends")
            if shows_all:
                typed(params, snapshot, revision, listed)
            acts.append((params, updates))
        elif method == "session/close" and opening:
            is_over = True
        elif method not in ("session/snapshot", "session/options"):
            raise Unplayable("makes calls that the view does not make, or opens several sessions")
    if not snapshot:
        raise Unplayable("shows nothing")
    return opening, acts, updates


def play(engine, view, path, opening, acts, updates):
    """Plays a transcript."""
    command = [engine, "mock", "--timeout", str(PATIENCE), str(path)]
    with Conversation(view, command, opening) as conversation:
        def settle(count):
            conversation.wait(f"for update {count}, drawn", lambda: conversation.updates >= count and conversation.is_drawn())
        for params, count in acts:
            settle(count)
            number, part, value = typed(params, conversation.snapshot, conversation.revision, [params.get("value")])
            conversation.type(str(number).encode())
            if part.get("kind") == "input":
                conversation.type(value.encode())
            elif part.get("kind") == "selection":
                numbers = {option["id"]: str(number) for number, option in enumerate(conversation.options, 1)}
                conversation.type(numbers.get(value, "").encode())
        settle(updates)
        os.write(conversation.master, b"\x04")
        conversation.wait("for the view's end", lambda: conversation.ended)
        status = conversation.view.wait(PATIENCE)
        has_scene = bool(conversation.snapshot["scene"])
        if status != (0 if has_scene else 1):
            raise Failure(f"ended with status {status}")
        conversation.engine.stdin.close()
        if conversation.engine.wait(PATIENCE) != 0:
            raise Failure(conversation.complaints())


def snapshots():
    """Every snapshot that the transcripts and the examples have, and some with what a later version may add."""
    found = {}
    for path in sorted(TRANSCRIPTS.glob("*/*.jsonl")):
        for step in steps_of(path):
            out = step.get("out")
            for part in ("params", "result"):
                holder = out.get(part) if isinstance(out, dict) else None
                snapshot = holder.get("snapshot") if isinstance(holder, dict) else None
                if isinstance(snapshot, dict) and all(isinstance(snapshot[key], list) for key in ("sections", "actions")):
                    found.setdefault(json.dumps(snapshot), snapshot)
    every = list(found.values()) + json.loads((ROOT / "protocol/examples/Snapshot.json").read_text())["accepted"]
    later = {"kind": "later", "title": "A kind of a later version", "text": "Its text", "unknown": {"deep": [1]}}
    harm = "\u001b[31m\u0007\u009b1m\u202e\u2066\u0001first\nsecond\r\x7f"
    items = [
        {"id": "a", **later},
        {"id": "b", "kind": "input", "inputType": "later", "title": "T", "placeholder": None, "filled": True, "editable": True, "validity": "valid",
         "messages": [{"code": "later", "text": harm}], "hint": harm},
        {"id": "c", "kind": "code", "format": "qr", "title": None, "text": "otpauth://totp/x"},
        {"id": "d", "kind": "text", "title": harm},
    ]
    plain = next(snapshot for snapshot in every if not snapshot["scene"] and not snapshot["alert"])
    action = {"id": "e", "title": harm, "role": "later", "enabled": False}
    error = {"code": "later", "text": harm}
    every.append({**plain, "title": harm, "sections": [{"id": "s", "title": harm, "items": items}], "actions": [action], "error": error, "notice": error})
    every.append({**plain, "alert": {"id": 1, "title": None, "text": harm, "messages": [], "actions": [{**action, "role": "dismiss", "enabled": True}]}})
    return every


def draws(view, every):
    """Shows a view these snapshots one after another. The view has to draw what view.py draws."""
    again = {"id": "again", "title": "Again", "role": "primary", "enabled": True}
    shown = [{**it, "actions": [again]} if it["scene"] else it for it in every]  # the view would end with a scene
    params = [{"session": "view", "revision": n, "events": 0, "snapshot": it, "commands": []} for n, it in enumerate(shown, 1)]
    lines = [json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": it}) for it in params]
    lines.insert(1, '{"jsonrpc":"2.0","id":1,"result":{"session":"view","revision":1}}')
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        # The input stays open and empty. The view ends with its engine.
        process = subprocess.Popen([*view, "cat", file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with process:
            killer = threading.Timer(PATIENCE, process.kill)
            killer.start()
            output = process.stdout.read().decode()
            killer.cancel()
    drawn = normal(output).split("> \n== ")
    wanted = normal("> ".join(drawing(it)[0] for it in shown) + "> \n").split("> \n== ")
    for number, (it, other) in enumerate(zip(drawn, wanted)):
        if it != other:
            raise Failure(f"drew\n{it}\nand not\n{other}\nof {shown[number]}")
    if len(drawn) != len(wanted):
        raise Failure(f"drew {len(drawn)} of {len(wanted)} snapshots\n{drawn[-1]}")


def interrupted(engine, view):
    """Presses Ctrl-C where a secret is to be typed. The terminal has to echo afterwards."""
    with Conversation(view, [engine, "--authenticator", "demo"]) as conversation:
        conversation.wait("for the first screen", conversation.is_drawn)
        number = next(n for n, part in enumerate(drawing(conversation.snapshot)[1], 1) if "filled" in part)
        conversation.type(str(number).encode())
        if termios.tcgetattr(conversation.slave)[3] & termios.ECHO:
            raise Failure("the terminal echoes where a secret is to be typed")
        os.write(conversation.master, b"\x03")
        conversation.wait("for the end after Ctrl-C", lambda: conversation.ended)
        if conversation.view.wait(PATIENCE) == 0 or not termios.tcgetattr(conversation.slave)[3] & termios.ECHO:
            raise Failure("ended well after Ctrl-C, or left the terminal without echo")


WORDS = ["ada", "wrong", "taken", "throttled", "challenge", "wait", "notice", "slow", "error", "exit", "123456", "000000", "horse battery staple"]
WORDS += ["", " ", "x" * 200, "é\u0301漢字🇩🇪", "\u202eabc", "2000-02-29", "2000-02-30", '"\\', "\x1b[31m", "-1", "0", "99999999999999999999"]


LOCALE = b'{"jsonrpc":"2.0","method":"session/locale","params":{"session":"view","locale":"%s"}}\n'


def anything(chance):
    """A line that somebody may type."""
    word = chance.choice(WORDS)
    word += chance.choice(["", "", "@example.com"])
    return chance.choice([word.encode(), word.encode(), bytes(chance.choices([*range(0x20, 0x7F), *range(0x80, 0x100)], k=chance.randrange(12)))])


def agrees(conversation):
    """Waits until the view shows what the engine says, unless the view asks for a value."""
    end = time.monotonic() + PATIENCE
    while conversation.prompt() in (None, "> "):
        if conversation.ended and conversation.snapshot["scene"] and conversation.view.wait(PATIENCE) == 0:
            return
        if conversation.ended:
            raise Failure(f"ended without a scene: {conversation.complaints()}")
        text = drawing(conversation.truth())[0] + "> "
        if shows(conversation.output, text):
            return
        if time.monotonic() > end:
            raise Failure(f"does not show what the engine says:\n{text}")
        conversation.pump(0.01)


def wander(engine, view, count, seed):
    """Types random lines, and looks after each whether the view shows what the engine says."""
    chance = random.Random(seed)
    flows = [*sorted(TRANSCRIPTS.glob("../flows/*.json")), *sorted(TRANSCRIPTS.glob("flows/*.json")), ROOT / "clients/other-flow.json"]
    while count > 0:
        flow = chance.choice(flows)
        command = [engine, "--authenticator", "demo", "--max-value-bytes", "100", "--log-level", "error", "--flow", str(flow)]
        opening = {"transitions": "instant", "supports": ["restoreSecret"]}
        with Conversation(view, command, opening) as conversation:
            conversation.wait("for the first screen", conversation.is_drawn)
            for _ in range(min(count, 500)):
                prompt = conversation.prompt()
                if conversation.ended or not prompt:
                    break
                if prompt == "> ":
                    top = len(drawing(conversation.snapshot)[1])  # none if a scene is about to be drawn
                    line = str(chance.randint(0, top)).encode() if chance.random() < 0.95 else anything(chance)
                elif prompt == "number, or nothing for none: ":
                    line = str(chance.randint(0, len(conversation.options) + 1)).encode()
                else:
                    line = anything(chance)
                count -= 1
                try:
                    conversation.type(line)
                    if chance.random() < 0.02:
                        conversation.engine.stdin.write(LOCALE % chance.choice([b"de", b"en", b"fr"]))
                    agrees(conversation)
                except Failure as failure:
                    raise Failure(f"seed {seed}, {flow.name}, after {line!r}: {failure}\n{conversation.output[-800:]}") from None


def started(engine, view):
    """How many milliseconds of a processor a view takes until it waits for a choice. What the engine takes is not counted."""
    with subprocess.Popen([*view, engine, "--authenticator", "demo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        output = b""
        while not output.endswith(b"> "):
            output += os.read(process.stdout.fileno(), 65536)
        threads = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
        took = sum(int(thread.read_text().split()[0]) for thread in threads)
        process.stdin.close()
        process.stdout.read()
    return took / 1e6


def start_times(engine, views):
    """Prints the table of README.md: all views in turn, many times, and of each the median."""
    rounds = [{name: started(engine, view) for name, view in views.items()} for _ in range(21)]
    for name in views:
        lines = (Path(__file__).parent / name).read_text().splitlines()
        code = [line for line in lines if line.strip() and not re.match(r"\s*(#|//|/\*|\*|\"\"\".*\"\"\"$)", line)]
        print(f"| [{name}]({name}) | {len(lines)} | {len(code)} | {statistics.median(took[name] for took in rounds):.0f} |")


def main():
    if sys.argv[1] == "--start-times":
        return start_times(os.path.abspath(sys.argv[2]), {name: [command] for name, command in (it.split("=", 1) for it in sys.argv[3:])})
    engine, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    views = {name: [command] for name, command in (argument.split("=", 1) for argument in sys.argv[3:])}
    every, plays, others = snapshots(), [], {}
    for path in sorted(TRANSCRIPTS.glob("*/*.jsonl")):
        try:
            plays.append((path, *performance(steps_of(path))))
        except Unplayable as reason:
            others.setdefault(str(reason), []).append(path)
    for reason, paths in others.items():
        print(f"{len(paths)} transcripts not played, because each of them {reason}")
    print(f"each view draws {len(every)} snapshots, plays up to {len(plays)} transcripts, and takes {count} random lines")
    seed = random.SystemRandom().randrange(10**6)
    tasks = []
    for name, view in views.items():
        tasks.append((f"{name} draws", draws, view, every))
        tasks.append((f"{name} is interrupted", interrupted, engine, view))
        tasks.append((f"{name} takes random lines", wander, engine, view, count, seed))
        tasks += [(f"{name} plays {path.relative_to(TRANSCRIPTS)}", play, engine, view, path, *rest) for path, *rest in plays]

    def run(task):
        name, what, *arguments = task
        try:
            what(*arguments)
        except Unplayable:  # only now, because the transcript leaves out what is on the screens
            return None
        except Exception as failure:  # whatever it is, the other tasks go on
            return f"FAILED: {name}: {failure if isinstance(failure, Failure) else repr(failure)}"
        return ""

    # More at a time than there are cores: much of it is waiting.
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        results = list(pool.map(run, tasks))
    failures = [result for result in results if result]
    passed = results.count("")
    played = passed - 3 * len(views)
    if not failures and played < PLAYABLE * len(views):
        failures.append(f"FAILED: {played / len(views):.0f} transcripts can be typed into a view, where {PLAYABLE} could")
    print(*failures, f"{passed} passed, {len(failures)} failed", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
