"""The two programs, and the registry of their checks: functions that fail with assertions."""

import json
import subprocess
import tempfile
from pathlib import Path

from flows import saying
from terminal import Terminal

ROOT = Path(__file__).resolve().parents[3]
OTHER = ROOT / "clients/other-flow.json"
FLOWS = ROOT / "protocol/transcripts/flows"

abilities = []


def ability(function):
    """Registers a check. Its name is that of the function, with spaces."""
    abilities.append(function)
    return function


class Programs:
    """The paths of the two programs, and a folder for files."""

    def __init__(self, engine, view, folder):
        self.engine, self.view, self.folder = engine, view, folder

    def terminal(self, flow=None, engine=None, authenticator="demo", options=(), **members):
        """The view in a terminal, with the real engine or with another one."""
        command = [self.view, *options, "--engine", engine or self.engine]
        if not engine:
            command += ["--strict", "--", "--authenticator", authenticator]
            if isinstance(flow, dict):
                path = self.folder / "flow.json"
                path.write_text(json.dumps(flow))
                flow = path
            command += ["--flow", flow] if flow else []
        return Terminal(command, **members)

    def saying(self, *snapshots):
        return saying(self.folder, *snapshots)

    def shows(self, *snapshots, **members):
        return self.terminal(engine=self.saying(*snapshots), **members)

    def in_shell(self, command, options=(), arguments=("--authenticator", "demo"), **members):
        """A command of bash in a terminal, in which `"$@"` is the view."""
        view = [self.view, *options, "--engine", self.engine, "--", *arguments]
        return Terminal(["bash", "-c", command, "bash", *map(str, view)], **members)

    def lines(self, typed, flow=None, engine=None):
        """The output of the view with --plain."""
        command = [self.view, "--plain", "--engine", engine or self.engine]
        command += [] if engine else ["--strict", "--", "--authenticator", "demo", "--flow", flow]
        run = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60)
        return run.stdout

    def run(self, options, typed="", engine=None, arguments=("--authenticator", "demo"), **members):
        """Runs the view without a terminal. Returns its output and status."""
        command = [self.view, *options, "--engine", engine or self.engine, "--", *arguments]
        members = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 60} | members
        if "stdin" not in members:
            members["input"] = typed
        return subprocess.run(list(map(str, command)), **members)

    def decoded(self, terminal):
        """The text of the QR code on the screen, or an empty string."""
        path = self.folder / "screen.pgm"
        path.write_bytes(terminal.picture())
        run = subprocess.run(["zbarimg", "--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable", path], capture_output=True)
        return run.stdout.decode().removesuffix("\n")


def same(got, wanted):
    assert got == wanted, f"got {got!r} instead of {wanted!r}"


def has(text, rows):
    assert any(text in row for row in rows), f"no {text!r} in\n" + "\n".join(rows)


def lacks(text, rows):
    assert not any(text in row for row in rows), f"{text!r} in\n" + "\n".join(rows)


def row_of(text, terminal):
    return next(number for number, row in enumerate(terminal.rows()) if text in row)


def check(engine, view, words):
    """Yields the name of each check with its failure, or None."""
    for function in abilities:
        name = function.__name__.replace("_", " ")
        if words and not any(word in name for word in words):
            continue
        problem = None
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(Programs(engine, view, Path(folder)))
            except (AssertionError, StopIteration, OSError, subprocess.TimeoutExpired) as error:
                problem = str(error) or repr(error)
        yield name, problem
