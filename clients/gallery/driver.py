"""Checks the views: their drawings against one reference, all commands of the transcripts, transcripts played as a user, and random events.

Usage: driver.py ENGINE EVENTS NAME=COMMAND ...     EVENTS is the number of random edits and presses that each view sends
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

ROOT = Path(__file__).resolve().parents[2]
TRANSCRIPTS = ROOT / "protocol/transcripts"
# The timeout in seconds of every step; drawing all snapshots has ten times as long. A correct view takes milliseconds.
PATIENCE = 60
# The least number of transcripts that can be typed into a view, so that none is lost unnoticed.
PLAYABLE = 166
SCREEN = ["screen", "state", "title", "locale", "direction", "sections", "actions"]
COMMANDS = """showScreen setState setItem setAction replaceAction insertSection removeSection insertItem removeItem showActivity hideActivity
    showError hideError showNotice hideNotice showAlert hideAlert showScene setRetryAt setFocus""".split()
# The command that a view starts as its engine: it relays lines to the driver and back.
RELAY = ["sh", "-c", 'trap "" INT TERM; cat "$1" & cat >"$2"; kill -KILL $!', "relay"]
# The command that a view starts as its engine to be shown a file, after its first request.
FEED = ["sh", "-c", 'read -r line; cat "$1"', "feed"]
PROMPTS = ("> ", "value: ")
HARMFUL = re.compile("[\0-\t\v-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
UNFOLLOWED = "the commands do not lead to the snapshot"


class Failure(Exception):
    """A fault of a view."""


class Unplayable(Exception):
    """The reason why a transcript cannot be typed into these views."""


def drawing(snapshot):
    """Returns the lines that a view has to draw, and the choices that it has to offer."""
    lines, choices, alert, scene = [], [], snapshot["alert"], snapshot["scene"]

    def say(*texts):
        lines.append(HARMFUL.sub("\ufffd", "\n".join(filter(None, texts))).replace("\n", "\n   "))

    def empty(part):
        return f"({part.get('placeholder') or ('YYYY-MM-DD' if part['inputType'] == 'date' else '–')})"

    looks = {
        "input": lambda it: "********" if it.get("filled") else it.get("value") or empty(it),
        "selection": lambda it: dict((option["id"], option["title"]) for option in it["options"]).get(it["value"], "–"),
        "switch": lambda it: "[x]" if it["value"] else "[ ]",
    }
    say(f"== scene: {scene['id']}" if scene else f"== {snapshot['title']}", scene and scene.get("principal"))
    for message in (alert, snapshot["notice"], snapshot["error"]):
        if message:
            say(message.get("title"), f"! {message['text']}")
    for section in [] if alert or scene else snapshot["sections"]:
        if section.get("title"):
            say(f"-- {section['title']}")
        for item in section["items"]:
            can_be_chosen = item["kind"] in looks and not item.get("readOnly")
            choices += [item] * can_be_chosen
            value = looks.get(item["kind"], lambda it: it.get("url") or it.get("text"))(item)
            text = ": ".join(filter(None, [item.get("title"), value]))
            messages = [f"! {message['text']}" for message in item.get("messages", [])]
            say(f"{len(choices)}. {text}" if can_be_chosen else text, item.get("hint"), *messages)
    for action in (alert or snapshot)["actions"]:
        if action["enabled"] or not scene:
            choices.append(action)
            say(f"{len(choices)}. " + ("[{}]" if action["enabled"] else "({})").format(action["title"]))
    if snapshot["activity"]:
        say("...")
    return "\n" + "".join(f"{line}\n" for line in lines), choices


def shows(output, wanted):
    """Whether the output ends with these lines."""
    wanted = wanted.removeprefix("\n")  # ends the line of a prompt
    return f"\n{output}".endswith(f"\n{wanted}")


def children_of(process):
    """Returns the children of a process that have not ended, in the order of their starts."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return sorted(int(child) for children in lists for child in children.read_text().split())


def is_asleep(process):
    """Whether all threads of a process are asleep."""
    threads = Path(f"/proc/{process}/task").glob("*/stat")
    return all(thread.read_text().rpartition(")")[2].split()[0] == "S" for thread in threads)


class Conversation:
    """A view in its own terminal and an engine, with this program between them."""

    def __init__(self, view, engine, opening=None, has_snapshots=True):
        """With snapshots, the view compares each one with the result of its commands; without, it has only the commands."""
        self.folder = tempfile.TemporaryDirectory()
        self.opening, self.has_snapshots = opening, has_snapshots
        self.snapshot = self.revision = self.options = self.answer = None
        self.updates, self.events, self.output = 0, 0, ""
        self.is_answered = True
        self.expected, self.echoed = b"", b""
        self.rests, self.decoder = {}, codecs.getincrementaldecoder("utf-8")("replace")
        fifos = [os.path.join(self.folder.name, name) for name in ("from-engine", "to-engine")]
        for fifo in fifos:
            os.mkfifo(fifo)
        self.from_engine, self.to_engine = (os.open(fifo, os.O_RDWR) for fifo in fifos)
        self.errors = open(os.path.join(self.folder.name, "errors"), "w+")
        self.master, slave = pty.openpty()
        self.slave = slave
        self.engine = subprocess.Popen(engine, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0, cwd=ROOT)
        # In its own session, because the terminal becomes that session's controlling terminal.
        command = ["setsid", "--ctty", *view, *["--verify"] * has_snapshots, *RELAY, *fifos]
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
        """Returns the complete lines that a descriptor has now."""
        text = self.rests.get(descriptor, b"") + os.read(descriptor, 65536)
        *lines, self.rests[descriptor] = text.split(b"\n")
        return lines

    def pump(self, seconds):
        """Relays lines for this time."""
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
        """Sends a line to the engine. The first line opens the session, possibly with the params of a transcript's view."""
        message = json.loads(line)
        self.is_answered = False
        self.events += message["method"] in ("session/edit", "session/press")
        if self.opening is not None:
            message["params"] = {**self.opening, "session": message["params"]["session"]}
            line, self.opening = json.dumps(message).encode(), None
        with contextlib.suppress(BrokenPipeError):
            self.engine.stdin.write(line + b"\n")

    def tell(self, line):
        """Sends a line of the engine to the view, except answers to this program's own requests."""
        message = json.loads(line)
        content = message.get("params") or message.get("result") or {}
        if message.get("id") == "driver":
            self.answer = content
            return
        self.is_answered = self.is_answered or "method" not in message
        if "snapshot" in content:
            self.snapshot, self.revision = content["snapshot"], content["revision"]
        self.updates += message.get("method") == "session/update"
        self.options = content.get("options", self.options)
        if not self.has_snapshots and message.get("method") == "session/update":
            del content["snapshot"]
            line = json.dumps(message).encode()
        os.write(self.from_engine, line + b"\n")

    def complaints(self):
        """Returns the error output of the engine and the view."""
        self.errors.seek(0)
        return self.errors.read()

    def wait(self, what, is_done, seconds=0.05):
        """Waits until a condition holds, and checks it at least at this interval in seconds."""
        end = time.monotonic() + PATIENCE
        while not is_done():
            if time.monotonic() > end:
                raise Failure(f"waited in vain {what}, after\n{self.output[-600:]}")
            self.pump(seconds)

    def is_drawn(self):
        """Whether the view shows the last snapshot, and waits or has ended."""
        if not self.snapshot:
            return self.ended
        text, choices = drawing(self.snapshot)
        return shows(self.output, text + "> ") if choices else self.ended and shows(self.output, text + "\n")

    def prompt(self):
        """Returns the prompt that the view has printed last, if it is the end of the output."""
        return next((prompt for prompt in PROMPTS if self.output.endswith(prompt)), None)

    def type(self, line):
        """Types a line, and waits until the view asks for the next one."""
        self.wait("until the view is at rest", self.is_at_rest, 0.001)
        length = len(self.output)
        if self.is_hidden() and self.prompt() == "> ":
            raise Failure("the terminal does not echo where a choice is to be typed")
        if not self.is_hidden():
            # The echo of control characters.
            self.expected += re.sub(rb"[\0-\x1f]", lambda it: b"^" + bytes([it[0][0] ^ 0x40]), line) + b"\r\n"
        os.write(self.master, line + b"\n")
        # The prompt may belong to an update that came before the line. Then the view still waits for a response, whose prompt determines whether
        # the next line is echoed.
        self.wait("for an answer to what was typed",
                  lambda: self.ended or len(self.output) > length and self.prompt() and self.is_at_rest() and self.is_answered, 0.001)
        self.wait("for the echo", lambda: self.ended or len(self.echo()) >= len(self.expected), 0.001)
        if self.echoed != self.expected and not self.ended:
            raise Failure(f"the terminal has echoed {self.echoed[-300:]} and not {self.expected[-300:]}")

    def is_at_rest(self):
        """Whether the view waits for a person or the engine, and no data are on the way. The checks are in the order in which one process wakes
        the next."""
        if self.ended:
            return True
        try:
            children = children_of(self.view.pid)
            relay = [child for child in children_of(children[0]) if len(children) == 1]
            is_on_its_way = select.select([self.from_engine, self.slave], [], [], 0)[0]  # a poll makes the terminal deliver typed input
            return (len(relay) == 2 and not is_on_its_way and all(map(is_asleep, [relay[0], self.view.pid, relay[1]]))
                    and children_of(self.view.pid) == children and not select.select([self.to_engine, self.view.stdout], [], [], 0)[0])
        except (OSError, IndexError):  # a process starts or ends
            return False

    def is_hidden(self):
        """Whether the terminal does not echo input."""
        return not termios.tcgetattr(self.slave)[3] & termios.ECHO

    def echo(self):
        """Returns the terminal's echo."""
        while select.select([self.master], [], [], 0)[0]:
            self.echoed += os.read(self.master, 65536)
        return self.echoed

    def truth(self):
        """Returns the engine's state of the session."""
        self.answer = None
        self.engine.stdin.write(b'{"jsonrpc":"2.0","id":"driver","method":"session/snapshot","params":{"session":"view"}}\n')
        self.wait("for the engine's snapshot", lambda: self.answer)
        return self.answer.get("snapshot")


def steps_of(path):
    """Returns the steps of a transcript."""
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def typed(params, snapshot, revision, listed=()):
    """Returns the lines that a person types for an edit or a press. `listed` are options that the snapshot leaves out."""
    wanted, value = params.get("item", params.get("action")), params.get("value")
    choices = drawing(snapshot)[1]
    number, part = next(((n, part) for n, part in enumerate(choices, 1) if part["id"] == wanted and ("item" in params) == ("kind" in part)), (0, None))
    if not part or params.get("revision", revision) != revision:
        raise Unplayable("acts on what the view does not show")
    kind = part.get("kind")
    if kind == "input" and not (isinstance(value, str) and value.isprintable() and len(value.encode()) < 4000):
        raise Unplayable("enters a value that a person cannot type")
    if kind == "selection" and value not in [None, *listed, *(option["id"] for option in part["options"])]:
        raise Unplayable("enters a value that a person cannot type")
    if kind == "switch" and value is not (not part["value"]):
        raise Unplayable("enters a value that a person cannot type")
    return number, part, value


def performance(steps):
    """Returns how a transcript's view opens its session, and its further acts, each with the number of updates before it."""
    opening, acts, snapshot, revision, updates, is_over, shows_all = None, [], None, None, 0, False, True
    results = [step["out"].get("result") for step in steps if isinstance(step.get("out"), dict)]
    listed = [option["id"] for result in results if isinstance(result, dict) for option in result.get("options", [])]
    for step in steps:
        if step.keys() & {"raw", "rawBase16", "signal"}:
            raise Unplayable("sends a signal, or lines that are not calls")
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
            if params.get("detail") != "full":
                raise Unplayable("gets no snapshots, or no commands")
        elif method in ("session/edit", "session/press") and snapshot and isinstance(params, dict) and not is_over:
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
            if conversation.is_hidden() != ("filled" in part):
                raise Failure(f"echoes the input for {part} wrongly")
            if part.get("kind") == "input":
                conversation.type(value.encode())
            elif part.get("kind") == "selection":
                numbers = {option["id"]: str(number) for number, option in enumerate(conversation.options, 1)}
                conversation.type(numbers.get(value, "").encode())
        settle(updates)
        os.write(conversation.master, b"\x04")
        conversation.wait("for the view's end", lambda: conversation.ended)
        status = conversation.view.wait(PATIENCE)
        if UNFOLLOWED in conversation.complaints():
            raise Failure(conversation.complaints())
        has_scene = bool(conversation.snapshot["scene"])
        if status != (0 if has_scene else 1):
            raise Failure(f"ended with status {status}")
        conversation.engine.stdin.close()
        if conversation.engine.wait(PATIENCE) != 0:
            raise Failure(conversation.complaints())


def snapshots():
    """Returns every snapshot of the transcripts and the examples, and some with additions of a later version."""
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
        {"id": "b", "kind": "input", "inputType": "later", "title": "T", "filled": True, "editable": True, "validity": "valid",
         "messages": [{"code": "later", "text": harm}], "hint": harm},
        {"id": "c", "kind": "code", "format": "qr", "text": "otpauth://totp/x"},
        {"id": "d", "kind": "text", "title": harm},
    ]
    plain = next(snapshot for snapshot in every if not snapshot["scene"] and not snapshot["alert"])
    action = {"id": "e", "title": harm, "role": "later", "enabled": False}
    error = {"code": "later", "text": harm}
    every.append({**plain, "title": harm, "sections": [{"id": "s", "title": harm, "items": items}], "actions": [action], "error": error, "notice": error})
    options = {"id": "o", "kind": "selection", "title": harm, "options": [{"id": "p", "title": harm}], "value": "p", "editable": True}
    value = {"id": "v", "kind": "input", "inputType": "text", "placeholder": harm, "value": harm, "editable": True}
    link = {"id": "l", "kind": "link", "title": harm, "url": "https://example.com", "hint": harm}
    empty = {**value, "value": "", "messages": [error]}
    every.append({**plain, "sections": [{"id": "s", "items": [options, value, empty, link]}]})
    every.append({**plain, "scene": {"id": "home", "principal": harm, "values": {}}, "actions": []})
    every.append({**plain, "alert": {"id": 2, "title": harm, "text": harm, "messages": [], "actions": [{**action, "role": "dismiss"}]}})
    every.append({**plain, "alert": {"id": 1, "text": harm, "messages": [], "actions": [{**action, "role": "dismiss", "enabled": True}]}})
    return every


def shown(view, params, delay=0):
    """Shows a view these updates, and returns its standard output and standard error, read after a delay in seconds."""
    lines = [json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {"session": "view", "events": 0, **it}}) for it in params]
    lines.insert(1, '{"jsonrpc":"2.0","id":1,"result":{"session":"view","revision":1}}')
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        # The input stays open and empty. The view ends with its engine.
        with tempfile.TemporaryFile() as errors:
            with subprocess.Popen([*view, *FEED, file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors) as process:
                killer = threading.Timer(10 * PATIENCE, process.kill)
                killer.start()
                time.sleep(delay)
                output = process.stdout.read()
                killer.cancel()
            errors.seek(0)
            return output.decode(), errors.read().decode(errors="replace")


def draws(view, every):
    """Shows a view these snapshots one after another, and checks its drawings."""
    again = {"id": "again", "title": "Again", "role": "primary", "enabled": True}
    every = [{**it, "actions": [again]} if it["scene"] else it for it in every]  # a scene would end the view
    # Read late, to find a view that exits without flushing its output.
    output, _ = shown(view, [{"revision": n, "snapshot": it} for n, it in enumerate(every, 1)], delay=2)
    drawn = output.split("> \n== ")
    wanted = ("> ".join(drawing(it)[0] for it in every) + "> \n").split("> \n== ")
    for number, (it, other) in enumerate(zip(drawn, wanted)):
        if it != other:
            raise Failure(f"drew\n{it}\nand not\n{other}\nof {every[number]}")
    if len(drawn) != len(wanted):
        raise Failure(f"drew {len(drawn)} of {len(wanted)} snapshots\n{drawn[-1]}")


def led_to(snapshot):
    """Returns an update whose commands lead to a snapshot from any state."""
    commands = [{"command": "showScreen", **{name: snapshot[name] for name in SCREEN}}]
    commands += [{"command": "showActivity"}] * snapshot["activity"]
    commands += [{"command": f"show{name.capitalize()}", name: snapshot[name]} for name in ("error", "notice", "alert", "scene") if snapshot[name]]
    commands += [{"command": "setRetryAt", "retryAt": snapshot["retryAt"]}, {"command": "setFocus", "focus": snapshot["focus"]}]
    return {"commands": commands, "snapshot": snapshot}


def recorded():
    """Returns every update of the transcripts with the one before it, and with commands for the edits between them. Without scenes, which end a view."""
    pairs = []
    for path in sorted(TRANSCRIPTS.glob("*/*.jsonl")):
        before, edits, sent = {}, [], {}
        for step in steps_of(path):
            if isinstance(step.get("in"), list):
                break  # the events of a batch cannot be attributed
            call, out = (step.get(name) if isinstance(step.get(name), dict) else {} for name in ("in", "out"))
            params = call.get("params") if isinstance(call.get("params"), dict) else out.get("params", {})
            session = params.get("session") if isinstance(params, dict) and isinstance(params.get("session"), str) else None
            if call.get("method") == "session/open":
                sent[session] = 0
            if call.get("method") in ("session/edit", "session/press", "session/submit"):
                sent[session] = sent.get(session, 0) + 1
            if call.get("method") == "session/edit":
                edits.append((session, sent[session], params))
            elif call.get("method") == "session/submit" or "raw" in step or step.get("ignore"):
                before.clear()  # the view's state is unknown from here on
                edits.clear()
            elif out.get("method") == "session/update":
                snapshot, last = params.get("snapshot"), before.pop(session, None)
                edited = [edit for name, number, edit in edits if name == session and number <= params["events"]]
                edits = [(name, number, edit) for name, number, edit in edits if name != session or number > params["events"]]
                if not isinstance(snapshot, dict) or not isinstance(params.get("commands"), list):
                    continue
                if last and not last["scene"] and not snapshot["scene"] and len(edited) < 2:
                    commands = [put for edit in edited for put in [set_by(edit, last)] if put]
                    if len(commands) == len(edited):
                        pairs.append((led_to(last), {"commands": commands + params["commands"], "snapshot": snapshot}))
                before[session] = snapshot
    plain = pairs[0][0]["snapshot"]
    scene = {"id": "home", "principal": "ada", "values": {}}
    again = [{"id": "again", "title": "Again", "role": "primary", "enabled": True}]
    plain = {**plain, "actions": again}
    pairs.append((led_to(plain), {"commands": [{"command": "showScene", "scene": scene}], "snapshot": {**plain, "scene": scene}}))
    return pairs


def set_by(edit, snapshot):
    """Returns the command that shows an edit, or None for an edit that no view makes."""
    for section in snapshot["sections"]:
        for item in section["items"]:
            if item["id"] == edit.get("item") and "value" in edit:
                shown = {"filled": edit["value"] != ""} if "filled" in item else {"value": edit["value"]}
                return {"command": "setItem", "item": item["id"], **shown} if shown.keys() <= item.keys() else None
    return None


def follows(view, pairs):
    """Checks that a view compares each snapshot with the result of its commands. Then omits one command of each name, which the view has to detect."""
    everything = [update for pair in pairs for update in pair]
    numbered = [{"revision": number, **update} for number, update in enumerate(everything, 1)]
    output, errors = shown([*view, "--verify"], numbered)
    if "the engine has stopped" not in errors or output.count("\n== ") < len(numbered):
        raise Failure(f"drew {output.count(chr(10) + '== ')} of {len(numbered)}: {errors}")
    names = sorted({command["command"] for pair in pairs for command in pair[1]["commands"]})
    if names != sorted(COMMANDS):
        raise Failure(f"no update has the commands {set(COMMANDS) ^ set(names)}")
    for name in names:
        base, update = next(pair for pair in pairs if name in [command["command"] for command in pair[1]["commands"]])
        less = [command for command in update["commands"] if command["command"] != name]
        params = [{"revision": 1, **base}, {"revision": 2, **update, "commands": less}]
        _, errors = shown([*view, "--verify"], params)
        if UNFOLLOWED not in errors:
            raise Failure(f"does not detect that {name} is missing: {errors}")


WORDS = ["ada", "wrong", "taken", "throttled", "challenge", "wait", "notice", "slow", "error", "exit", "123456", "000000", "horse battery staple"]
WORDS += ["", " ", "x" * 200, "é\u0301漢字🇩🇪", "\u202eabc", "2000-02-29", "2000-02-30", '"\\', "\x1b[31m", "-1", "0", "99999999999999999999"]


LOCALE = b'{"jsonrpc":"2.0","method":"session/locale","params":{"session":"view","locale":"%s"}}\n'


def anything(chance):
    """Returns a random line that a person may type."""
    word = chance.choice(WORDS)
    word += chance.choice(["", "", "@example.com"])
    return chance.choice([word.encode(), word.encode(), bytes(chance.choices([*range(0x20, 0x7F), *range(0x80, 0x100)], k=chance.randrange(12)))])


def agrees(conversation):
    """Waits until the view shows the engine's state, unless the view asks for a value."""
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
            raise Failure(f"does not show the engine's state:\n{text}")
        conversation.pump(0.01)


def wander(engine, view, count, seed):
    """Types random lines until the view has sent this many edits and presses, and compares the view with the engine after each line."""
    chance = random.Random(seed)
    flows = [*sorted(TRANSCRIPTS.glob("../flows/*.json")), *sorted(TRANSCRIPTS.glob("flows/*.json")), ROOT / "clients/other-flow.json"]
    while count > 0:
        flow = chance.choice(flows)
        command = [engine, "--authenticator", "demo", "--max-value-bytes", "100", "--log-level", "error", "--flow", str(flow)]
        # In half of the runs the view has only the commands.
        with Conversation(view, command, has_snapshots=chance.random() < 0.5) as conversation:
            conversation.wait("for the first screen", conversation.is_drawn)
            part = None
            while conversation.events < min(count, 250):
                prompt = conversation.prompt()
                if conversation.ended or not prompt:
                    break
                if prompt == "> ":
                    choices = drawing(conversation.snapshot)[1]  # none if a scene is about to be drawn
                    number = chance.randint(0, len(choices))
                    part = choices[number - 1] if number else None
                    line = str(number).encode() if chance.random() < 0.95 else anything(chance)
                elif part and part.get("kind") == "selection" and chance.random() < 0.95:
                    line = str(chance.randint(0, len(conversation.options) + 1)).encode()
                else:
                    line = anything(chance)
                try:
                    conversation.type(line)
                    if chance.random() < 0.02:
                        conversation.engine.stdin.write(LOCALE % chance.choice([b"de", b"en", b"fr"]))
                    agrees(conversation)
                except Failure as failure:
                    raise Failure(f"seed {seed}, {flow.name}, after {line!r}: {failure}\n{conversation.output[-800:]}") from None
            count -= conversation.events


def started(engine, view):
    """Returns the CPU time in milliseconds of a view until it waits for a choice, without the engine's."""
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
    """Prints the start times for README.md: the median of many runs, with the views in turn."""
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
    every, pairs, plays, others = snapshots(), recorded(), [], {}
    for path in sorted(TRANSCRIPTS.glob("*/*.jsonl")):
        try:
            plays.append((path, *performance(steps_of(path))))
        except Unplayable as reason:
            others.setdefault(str(reason), []).append(path)
    for reason, paths in others.items():
        print(f"{len(paths)} transcripts not played, because each of them {reason}")
    print(f"each view draws {len(every)} snapshots, follows the commands of {len(pairs)} updates, plays up to {len(plays)} transcripts, "
          f"and sends {count} random events")
    seed = random.SystemRandom().randrange(10**6)
    tasks = []
    for name, view in views.items():
        tasks.append((f"{name} draws", draws, view, every))
        tasks.append((f"{name} follows commands", follows, view, pairs))
        tasks.append((f"{name} sends random events", wander, engine, view, count, seed))
        tasks += [(f"{name} plays {path.relative_to(TRANSCRIPTS)}", play, engine, view, path, *rest) for path, *rest in plays]

    def run(task):
        name, what, *arguments = task
        try:
            what(*arguments)
        except Unplayable:  # detected only here, because the transcript omits the screens' content
            return None
        except Exception as failure:  # the other tasks still run
            return f"FAILED: {name}: {failure if isinstance(failure, Failure) else repr(failure)}"
        return ""

    # More tasks than cores, because most of the time is spent waiting.
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        results = list(pool.map(run, tasks))
    failures = [result for result in results if result]
    passed = results.count("")
    played = passed - 3 * len(views)
    if not failures and played < PLAYABLE * len(views):
        failures.append(f"FAILED: {played / len(views):.0f} transcripts can be typed into a view, fewer than {PLAYABLE}")
    print(*failures, f"{passed} passed, {len(failures)} failed", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
