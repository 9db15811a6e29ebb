"""Compares the engine's verdicts with those of the schemas, on randomly changed saved sessions, requests and answers.

`differences.py ENGINE [SEED]` starts one engine with this program as frontend and authenticator. Each case takes a valid value from the examples or
transcripts and changes one to three parts of it. The engine must refuse what the schema refuses. It may refuse what the schema accepts only for reasons that
a schema cannot express, such as a name that the flow lacks or a call that the state does not allow. The engine's output must meet its schema.
"""

import copy
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from schemas import PROTOCOL, Schemas, parse

COUNTS = {"saved": 5000, "request": 3000, "answer": 3000}
VALUES = [
    None, True, False, 0, 1, -1, 0.5, 2**40, 2**53 - 1, 2**53, 2**63, "", "x", "a b", "\u00e9", "standard", "login", "email", "submit", "validated",
    "requestFailed", "requestPending", "accepted", "notice", "link", "begin", "item", "alert", "error", "queue", "x" * 64, "x" * 65, "x" * 129, "x" * 5000,
    [], {}, [None], [{}], {"code": "x"}, {"text": "x"}, {"": 1}, ["a"] * 65, [{"item": "email", "message": {"code": "x"}}],
]  # fmt: skip
# Valid calls. The session `s` is open in the flow `countries`, whose screen has a long list and an input; `t` is not open.
REQUESTS = [
    ("session/edit", {"session": "s", "item": "email", "value": "a", "revision": 1}),
    ("session/edit", {"session": "s", "item": "password", "value": "\u00e9"}),
    ("session/edit", {"session": "s", "item": "country", "value": "DE"}),
    ("session/press", {"session": "s", "action": "submit", "revision": 1}),
    ("session/submit", {"session": "s", "values": {"email": "a"}, "action": "submit", "revision": 1}),
    ("session/submit", {"flow": "standard", "screen": "login", "values": {"email": "a", "password": "b"}, "locale": "de", "context": {"a": [1]}, "principal": "p",
                        "secrets": {"token": "x"}, "supports": ["a"], "transitions": "instant", "policy": "latest", "detail": "commands"}),
    ("session/open", {"session": "t", "flow": "standard", "screen": "login", "values": {"email": "a", "remember": True}, "locale": "de", "context": {"a": [1]},
                      "principal": "p", "secrets": {"token": "x"}, "supports": ["a", "restoreSecret"], "transitions": "acknowledged", "policy": "reject",
                      "detail": "full"}),
    ("session/open", {}),
    ("session/presented", {"session": "s", "revision": 1}),
    ("session/options", {"session": "s", "item": "country", "revision": 1}),
    ("session/locale", {"session": "s", "locale": "de"}),
    ("session/snapshot", {"session": "s"}),
    ("session/save", {"session": "s"}),
    ("session/list", {"cursor": 0, "limit": 10}),
    ("engine/describe", {}),
    ("engine/stats", {}),
]  # fmt: skip
# Errors of the reader of saved sessions about shapes. All others are about the flow, or about parts that contradict one another.
SHAPE = re.compile(r"Expected (letters|a string|a whole number|one of|true;|an array|an object|at least)|There is a member besides|The member \w+ is missing")
# Places where the shape depends on more than the schema: a value's item, a screen's numbers of requests and items, bytes and levels.
BEYOND = re.compile(r"\.(beside|checks|left)$|\.items\.[^.]+\.value$|\.context$|^saved\.version$|\.request(\.resume)?$|^saved\.locale$")


class Engine:
    def __init__(self, path, folder):
        flows = sorted((PROTOCOL / "transcripts/flows").glob("*.json"))
        options = [word for flow in flows for word in ("--flow", str(flow))]
        self.process = subprocess.Popen(
            [path, "--authenticator", "frontend", "--clock", "manual", "--run", "differences", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(folder / "log", "wb"),
        )  # fmt: skip
        self.marks = 0

    def say(self, *lines):
        """Writes lines, and returns the engine's output up to the point where it has taken them."""
        self.marks += 1
        mark = {"jsonrpc": "2.0", "id": f"mark-{self.marks}", "method": "clock/advance", "params": {"milliseconds": 0}}
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [*lines, mark])
        self.process.stdin.write(text.encode("utf-8", "surrogatepass"))
        self.process.stdin.flush()
        said = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"the engine ended after {text[-2000:]}")
            said.append(parse(line))
            if said[-1].get("id") == mark["id"]:
                return said[:-1]


class Cases:
    """Valid values of each kind, and random changes to them."""

    def __init__(self, schemas, seed):
        self.random = random.Random(seed)
        self.saved, self.answers = [], []
        for path in sorted((PROTOCOL / "transcripts").rglob("*.jsonl")):
            for text in path.read_text().splitlines():
                step = parse(text) if text.strip() else {}
                self.take(schemas, step.get("in"), step.get("out"), step.get("answer"))
        for kind, name in ((self.answers, name) for name in ("Accepted", "Rejected", "Throttled", "Notice", "Challenge")):
            kind += parse((PROTOCOL / f"examples/{name}.json").read_text())["accepted"]

    def take(self, schemas, heard, said, answer):
        def member(value, *names):
            for name in names:
                value = value.get(name) if isinstance(value, dict) else None
            return value

        for saved in (member(heard, "params", "saved"), member(said, "result", "saved")):
            if saved is not None and schemas.meets("SavedSession", saved):
                self.saved.append(saved)
        if member(answer, "result") is not None and schemas.meets("Answer", answer["result"]):
            self.answers.append(answer["result"])

    def changed(self, value):
        value = copy.deepcopy(value)
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            value = self.change(value)
        return value

    def change(self, root):
        """Changes one part, chosen by a random descent."""
        pick = self.random
        parent, key, value = None, None, root
        while isinstance(value, (dict, list)) and value and pick.random() < 0.8:
            parent, key = value, pick.choice(list(value) if isinstance(value, dict) else range(len(value)))
            value = parent[key]
        kind = pick.randrange(6)
        if isinstance(value, dict) and kind < 3:
            names = list(value) + ["x", "key", "message", "notice", "text", "title", "item", "revision", "secret"]
            if kind == 0 and value:
                del value[pick.choice(list(value))]
            else:
                value[pick.choice(names)] = copy.deepcopy(pick.choice(VALUES))
            return root
        if isinstance(value, list) and value and kind < 3:
            value[:] = value * pick.choice([2, 3, 65, 1001 // len(value) + 1])
            return root
        new = copy.deepcopy(pick.choice(VALUES))
        if isinstance(value, str) and kind < 3:
            new = pick.choice([value + "x", value[:-1], value + " ", value * 3, value.upper()])
        if isinstance(value, int) and not isinstance(value, bool) and kind < 3:
            new = pick.choice([value + 1, value - 1, -value, value * 1000, value + 0.5, float(value)])
        if parent is None:
            return root if kind < 5 else new
        parent[key] = new
        return root


class Check:
    def __init__(self, engine, seed):
        self.schemas = Schemas()
        self.cases = Cases(self.schemas, seed)
        self.folder = Path(tempfile.mkdtemp())
        self.engine = Engine(engine, self.folder)
        self.failures, self.accepted, self.refused = [], 0, 0

    def fail(self, text, value):
        self.failures.append(f"{text}: {json.dumps(value, ensure_ascii=False)[:1500]}")

    def say(self, value, *lines):
        said = self.engine.say(*lines)
        for line in said:
            problem = self.schemas.problem("engine-to-frontend", line)
            if problem:
                self.fail(f"the engine wrote a line that its schema refuses ({problem}) after", value)
        return said

    def judge(self, is_right, is_taken, may_refuse, reason, value):
        self.accepted += is_taken
        self.refused += not is_taken
        if is_taken and not is_right:
            self.fail("the engine accepts a value that the schema refuses", value)
        if is_right and not is_taken and not may_refuse:
            self.fail(f"the engine refuses a value that the schema accepts ({reason})", value)

    def close(self):
        self.say(None, {"jsonrpc": "2.0", "id": 9, "method": "session/close"})

    def check_saved(self):
        right = self.cases.random.choice(self.cases.saved)
        if self.cases.random.random() < 0.3:
            right = {**right, "digest": "0" * 16}
        saved = self.cases.changed(right)
        call = {"jsonrpc": "2.0", "id": 1, "method": "session/open", "params": {"session": "s", "saved": saved}}
        reply = next(line for line in self.say(saved, call) if line.get("id") == 1)
        data = reply.get("error", {}).get("data", {})
        reason = f"{data.get('param')}: {reply.get('error', {}).get('message')}"
        is_shape = SHAPE.search(reason) and not BEYOND.search(data.get("param") or "")
        self.judge(self.schemas.meets("SavedSession", saved), "result" in reply, not is_shape, reason, saved)
        if "result" in reply:
            self.say(saved, {"jsonrpc": "2.0", "id": 2, "method": "session/locale", "params": {"session": "s", "locale": "de"}},
                     {"jsonrpc": "2.0", "id": 3, "method": "session/save", "params": {"session": "s"}})  # fmt: skip
        self.close()

    def check_request(self):
        method, params = self.cases.random.choice(REQUESTS)
        call = {"jsonrpc": "2.0", "id": "case", "method": method, "params": self.cases.changed(params) if params else params}
        self.say(call, {"jsonrpc": "2.0", "method": "session/open", "params": {"session": "s", "flow": "countries"}})
        # The response to a submit comes once its outcome is known.
        reply = next((line for line in self.say(call, call) if line.get("id") == "case"), {})
        is_right = self.schemas.meets("frontend-to-engine", call)
        # Most params name something that may not be there.
        self.judge(is_right, "error" not in reply, True, None, call)
        self.close()

    def check_answer(self):
        result = self.cases.changed(self.cases.random.choice(self.cases.answers))
        lines = [{"jsonrpc": "2.0", "method": "session/open", "params": {"session": "s", "flow": "standard", "values": {"email": "ada@example.com"}}},
                 {"jsonrpc": "2.0", "method": "session/edit", "params": {"session": "s", "item": "password", "value": "hunter22"}},
                 {"jsonrpc": "2.0", "method": "session/press", "params": {"session": "s", "action": "submit"}}]  # fmt: skip
        question = next(line for line in self.say(result, *lines) if line.get("method") == "authenticator/submit")
        said = self.say(result, {"jsonrpc": "2.0", "id": question["id"], "result": result})
        is_taken = not any("network.invalidAnswer" in json.dumps(line) for line in said)
        is_right = self.schemas.meets("Answer", result)
        # Names on a screen must differ, and notices and secrets have limits that the schema lacks.
        may_refuse = isinstance(result, dict) and (result.get("outcome") == "challenge" or "screen" in result or "secret" in result or "principal" in result)
        if result != "network.invalidAnswer" and '"network.invalidAnswer"' not in json.dumps(result):
            self.judge(is_right, is_taken, may_refuse, "network.invalidAnswer", result)
        self.close()


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    check = Check(sys.argv[1], seed)
    for kind, count in COUNTS.items():
        case = getattr(check, f"check_{kind}")
        before = (check.accepted, check.refused)
        for _ in range(count):
            case()
        print(f"{kind}: {check.accepted - before[0]} accepted, {check.refused - before[1]} refused")
    for failure in check.failures[:20]:
        print(f"FAILED {failure}")
    total = sum(COUNTS.values())
    print(f"differences: {total - len(check.failures)} passed, {len(check.failures)} failed")
    return 1 if check.failures else 0


sys.exit(main())
