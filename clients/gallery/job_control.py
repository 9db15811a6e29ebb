#!/usr/bin/env python3
"""Stops, continues and ends views that ask for a secret, in terminals with and without a shell. Secrets must not be echoed, and the echo must be on at the end.

Usage: job_control.py ENGINE NAME=COMMAND ...     Prints `N passed, N failed` at the end.
A view shows the prompt `> `, takes the number of an item, asks for its value with `value`, and ends with `== scene: ` on the screen.
"""

import fcntl
import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from driver import children_of

PATIENCE = 60
ADDRESS, SECRET = "ada@example.com", "unseen horse battery"
SHELL_PROMPT = "shell: "
# bash restores the terminal's modes when a job stops; dash leaves the job's modes.
BASH, DASH = ["bash", "--norc", "--noediting", "-i"], ["dash", "-i"]


class Failure(Exception):
    """A fault of a view."""


def state(process):
    """Returns Linux's letter for the state of a process: R runs, S sleeps, T is stopped, Z has ended. None if there is no such process."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def has_settled(view):
    """Whether the view, its engine and the engine's authenticator are asleep."""
    engines = children_of(view)
    authenticators = [child for engine in engines for child in children_of(engine)]
    return authenticators and all(state(process) == "S" for process in [view, *engines, *authenticators])


def begin_terminal():
    """Sets a new program's signals, as a terminal does."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # A check in the background of a script has some of them ignored, and bash cannot trap ignored signals.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)


class Terminal:
    """A terminal and its program."""

    def __init__(self, command):
        self.master, slave = pty.openpty()
        self.output, self.read_until = "", 0
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "PS1": SHELL_PROMPT, "TERM": "dumb"},
            preexec_fn=begin_terminal,
        )
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for group in {os.tcgetpgrp(self.master), self.process.pid}:
            if group > 0:  # ends a stopped job too
                try:
                    os.killpg(group, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        os.close(self.master)  # SIGHUP for the remaining jobs
        self.process.wait()

    def type(self, text):
        os.write(self.master, text.encode())

    def is_echoing(self):
        return bool(termios.tcgetattr(self.master)[3] & termios.ECHO)

    def wait(self, what, is_met):
        """Waits for a condition, and reads the program's output meanwhile."""
        end = time.monotonic() + PATIENCE
        while not (met := is_met()):
            if time.monotonic() > end:
                raise Failure(f"waited in vain {what}, after\n{self.output[-600:]}")
            if select.select([self.master], [], [], 0.02)[0]:
                try:
                    self.output += os.read(self.master, 65536).decode(errors="replace")
                except OSError:  # the program has ended
                    time.sleep(0.02)
        return met

    def wait_for(self, pattern):
        """Waits for output that matches, after the last match."""
        found = self.wait(f"for {pattern!r}", lambda: re.compile(pattern).search(self.output, self.read_until))
        self.read_until = found.end()
        return found

    def choose_the_secret(self, has_address=True):
        """Enters the address, and makes the view ask for the secret."""
        self.wait_for("\n> ")
        for number, value in [("1", ADDRESS)] * has_address:
            self.type(f"{number}\n")
            self.wait_for("value: ")
            self.type(f"{value}\n")
            self.wait_for("\n> ")
        self.type("2\n")
        self.wait_for("value")
        self.wait_until_hidden()
        self.wait("until all processes have started", lambda: has_settled(os.tcgetpgrp(self.master)))

    def wait_until_hidden(self):
        self.wait("until the terminal does not echo", lambda: not self.is_echoing())

    def log_in(self):
        """Types the secret, and logs in with it."""
        self.type(f"{SECRET}\n")
        self.wait_for("\n> ")
        if not self.is_echoing():
            raise Failure("leaves the echo off after the secret")
        self.type("4\n")
        self.wait_for("== scene: ")
        if SECRET in self.output:
            raise Failure(f"shows the secret:\n{self.output[-600:]}")


def start(shell, view):
    """Starts a shell, or the view itself without one, in a terminal, and makes the view ask for the secret."""
    terminal = Terminal(shell or view)
    if shell:
        terminal.wait_for(SHELL_PROMPT)
        terminal.type(shlex.join(view) + "\n")
    return terminal


def require_echo(terminal):
    if not terminal.is_echoing():
        raise Failure("leaves the shell's terminal without echo")


def status(terminal):
    terminal.type("echo status=$?\n")
    return int(terminal.wait_for(r"status=(\d+)")[1])


def job_state(terminal):
    terminal.type("jobs\n")
    found = terminal.wait_for("Stopped|Running")
    terminal.wait_for(SHELL_PROMPT)
    return found[0]


def is_suspended(shell, view):
    """Checks Ctrl-Z, then fg."""
    with start(shell, view) as terminal:
        terminal.choose_the_secret()
        terminal.type("begun\x1a")
        terminal.wait_for(SHELL_PROMPT)
        require_echo(terminal)
        terminal.type("fg\n")
        terminal.wait_until_hidden()
        terminal.wait_for("value")
        terminal.log_in()
        terminal.wait_for(SHELL_PROMPT)
        require_echo(terminal)
        if status(terminal) != 0:
            raise Failure("does not end with status 0 after a login")


def is_stopped(shell, view):
    """Checks SIGSTOP, which no program can handle."""
    with start(shell, view) as terminal:
        terminal.choose_the_secret()
        os.kill(os.tcgetpgrp(terminal.master), signal.SIGSTOP)
        terminal.wait_for(SHELL_PROMPT)
        terminal.type("fg\n")
        terminal.wait_until_hidden()
        terminal.log_in()


def is_sent_to_the_background(shell, view):
    """Checks Ctrl-Z, bg, fg."""
    with start(shell, view) as terminal:
        terminal.choose_the_secret()
        terminal.type("\x1a")
        terminal.wait_for(SHELL_PROMPT)
        terminal.type("bg\n")
        terminal.wait_for(SHELL_PROMPT)
        # In the background a view cannot turn the echo off, and stops again. `fg` works once the shell has noticed.
        terminal.wait("until the view stops", lambda: job_state(terminal) == "Stopped")
        require_echo(terminal)
        terminal.type("fg\n")
        terminal.wait_until_hidden()
        terminal.log_in()


def ends_while_suspended(shell, view):
    """Checks Ctrl-Z, and then a shell that sends SIGTERM and continues the job."""
    with start(shell, view) as terminal:
        terminal.choose_the_secret(has_address=False)
        job = os.tcgetpgrp(terminal.master)
        terminal.type("\x1a")
        terminal.wait_for(SHELL_PROMPT)
        terminal.type("kill %1\n")
        terminal.wait_for(SHELL_PROMPT)
        terminal.wait("for the end", lambda: state(job) in ("Z", None))  # bash may notice later that its job has ended
        require_echo(terminal)


def has_no_shell(_, view):
    """Checks Ctrl-Z without a shell, when it must not stop the view, because nothing could continue it."""
    with start(None, view) as terminal:
        terminal.choose_the_secret()
        terminal.type("begun\x1a")
        terminal.wait_for("value")  # repeats the prompt, because the kernel discards earlier input
        terminal.wait_until_hidden()
        terminal.log_in()


def ends(shell, view, end):
    """Checks the end of the view by a key or a signal."""
    with start(shell, view) as terminal:
        terminal.choose_the_secret(has_address=False)
        if isinstance(end, str):
            terminal.type(end)
        else:
            os.kill(os.tcgetpgrp(terminal.master), end)
        terminal.wait_for(SHELL_PROMPT)
        require_echo(terminal)
        if status(terminal) == 0:
            raise Failure("ends well")


TASKS = [
    ("echoes no secret after Ctrl-Z and fg in bash", is_suspended, BASH),
    ("echoes no secret after Ctrl-Z and fg in dash", is_suspended, DASH),
    ("echoes no secret after SIGSTOP and fg", is_stopped, BASH),
    ("echoes no secret after Ctrl-Z, bg and fg in bash", is_sent_to_the_background, BASH),
    ("echoes no secret after Ctrl-Z, bg and fg in dash", is_sent_to_the_background, DASH),
    ("echoes no secret after Ctrl-Z without a shell", has_no_shell, None),
    ("ends when it is killed while it is suspended", ends_while_suspended, BASH),
    ("leaves the echo on after Ctrl-C", ends, DASH, "\x03"),
    ("leaves the echo on after Ctrl-\\", ends, DASH, "\x1c"),
    ("leaves the echo on after SIGTERM", ends, DASH, signal.SIGTERM),
    ("leaves the echo on after SIGHUP", ends, DASH, signal.SIGHUP),
]


def make_account(engine, folder):
    """Creates an accounts file with one account."""
    values = {"email": ADDRESS, "userName": "ada", "password": SECRET}
    request = {"jsonrpc": "2.0", "id": 1, "method": "session/submit", "params": {"screen": "setup", "values": values}}
    command = [engine, "--lockstep", "--accounts", f"{folder}/accounts.sqlite3"]
    output = subprocess.run(command, input=json.dumps(request) + "\n", capture_output=True, text=True, timeout=PATIENCE).stdout
    if '"accepted"' not in output:
        sys.exit(f"no account can be created: {output}")


def main():
    engine = os.path.abspath(sys.argv[1])
    views = dict(argument.split("=", 1) for argument in sys.argv[2:])
    tasks = [(f"{name} {what}", view, *task) for name, view in views.items() for what, *task in TASKS]
    with tempfile.TemporaryDirectory() as scratch:
        make_account(engine, scratch)

        def run(task):
            name, view, do, shell, *arguments = task
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(scratch, folder, dirs_exist_ok=True)
                try:
                    do(shell, [view, engine, "--accounts", f"{folder}/accounts.sqlite3"], *arguments)
                except Exception as failure:  # the other tasks still run
                    return f"FAILED: {name}: {failure if isinstance(failure, Failure) else repr(failure)}"
            return None

        # More tasks than cores, because most of the time is spent waiting.
        with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
            failures = list(filter(None, pool.map(run, tasks)))
    print(*failures, f"{len(tasks) - len(failures)} passed, {len(failures)} failed", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
