"""An engine with a recipe, a session as a person sees it, and a count of the checks."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import ClassVar

from login_engine import sync

RECIPES = Path(__file__).resolve().parent.parent
#: The timeout in seconds of every wait, for slow machines.
LONG = 60


class Check:
    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, what, holds):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print(f"FAILED: {what}", file=sys.stderr)


def eventually(condition, what):
    """Waits until a condition is true, and returns its value."""
    deadline = time.monotonic() + LONG
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"timed out waiting for: {what}")
        time.sleep(0.02)
    return value


def decide(*recipe, **values):
    """Returns the outcome of a recipe's answer to values that the flow would not have let through."""
    line = {"jsonrpc": "2.0", "id": 1, "method": "authenticator/submit", "params": {"attempt": 1, "request": "login", "values": values}}
    command = [sys.executable, RECIPES / recipe[0], *recipe[1:]]
    answer = subprocess.run(command, input=json.dumps(line).encode() + b"\n", stdout=subprocess.PIPE, check=True, timeout=LONG).stdout
    return json.loads(answer).get("result", {}).get("outcome")


class Engine:
    """An engine whose logins a recipe decides. The output of both is kept.

    :param within: a command that starts the engine; the engine's own command is appended.
    """

    #: All engines, so that their logs can be shown if the check itself fails.
    started: ClassVar[list["Engine"]] = []

    def __init__(self, program, flow, *recipe, within=()):
        decide = " ".join(f'"{word}"' for word in (sys.executable, RECIPES / recipe[0], *recipe[1:]))
        command = [*within, program, "--flow", RECIPES / "flows" / flow, "--authenticator", decide]
        self._output, self.log = tempfile.NamedTemporaryFile(), []
        words = ["-c", 'set -o pipefail; "$@" | tee "$0"', self._output.name, *map(str, command)]
        self.started.append(self)
        self.engine = sync.Engine(*words, program="bash", log=self.log.append, strict=True).__enter__()

    @property
    def output(self):
        return Path(self._output.name).read_text().splitlines()

    def written(self):
        """Returns the output of the engine and the recipe, except what they send each other and what only the application receives."""
        return "\n".join([line for line in self.output if '"session/granted"' not in line] + self.log)

    def close(self):
        return self.engine.close(LONG)


class Person:
    """A person with a view that draws the latest snapshot."""

    def __init__(self, engine, supports=()):
        self.session = engine.engine.open(supports=list(supports))
        self.outcome, self.snapshot = None, self.session.snapshot

    def submit(self, **values):
        return self._take(self.session.submit(values))

    def press(self, action):
        return self._take(self.session.submit(action=action))

    def wait(self, condition):
        """Waits until the condition holds."""

        def look(snapshot):
            self.snapshot = snapshot
            return condition(self)

        self.session.wait_for(look, LONG)
        return self

    def _take(self, submitted):
        self.outcome, self.snapshot = submitted.outcome, submitted.snapshot
        return self

    @property
    def items(self):
        return {item["id"]: item for section in self.snapshot["sections"] for item in section["items"]}

    @property
    def screen(self):
        return self.snapshot["screen"]

    @property
    def principal(self):
        return (self.snapshot["scene"] or {}).get("principal")

    @property
    def error(self):
        return (self.snapshot["error"] or {}).get("code")

    @property
    def notice(self):
        return (self.snapshot["notice"] or {}).get("text")
