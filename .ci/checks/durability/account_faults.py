"""Shared code of the checks that inject faults into the accounts process with strace."""

import json
import pathlib
import sqlite3
import subprocess
import sys


class Accounts:
    """An accounts file, and the file to which strace logs its faults."""

    def __init__(self, program, folder, name, options):
        self.program, self.folder, self.options = program, pathlib.Path(folder), options
        self.file, self.trace = self.folder / name, self.folder / "trace"
        self.runs = 0

    def command(self, *words, fault=None):
        command = [self.program, "--file", str(self.file), *words]
        if not fault:
            return command
        trace = ["-o", str(self.trace), "-e", "trace=" + fault.split(":")[0], "-e", "inject=" + fault]
        return ["timeout", "60", "strace", "-f", "-qq", *trace, *command]

    def run(self, *words, fault=None, input=""):
        """Runs an administrator's command. Returns its status and its output."""
        done = subprocess.run(self.command(*words, fault=fault), input=input, capture_output=True, text=True)
        return done.returncode, done.stdout

    def rows(self, sql):
        with sqlite3.connect(self.file) as connection:
            found = connection.execute(sql).fetchall()
        connection.close()
        return found

    def faults(self, calls=("pwrite64", "fdatasync", "write"), errors=("fdatasync:error=EIO", "pwrite64:error=ENOSPC")):
        """Yields each fault, at a later call each time until a run ends without it; then the faults that the service answers."""
        for call in calls:
            for when in range(1, 41):
                self.trace.unlink(missing_ok=True)
                yield f"{call}:signal=KILL:when={when}"
                if "SIGKILL" not in self.trace.read_text():
                    # The rule must have killed the process at least once; otherwise it tested nothing.
                    require(when > 1, f"no {call} has killed the process")
                    break
            else:
                sys.exit(f"durability: {call} never ends")
        for fault in errors:
            self.trace.unlink(missing_ok=True)
            yield fault
            require("INJECTED" in self.trace.read_text(), f"{fault} did not happen")

    def requireIntact(self, after):
        require(self.rows("PRAGMA integrity_check") == [("ok",)], f"the file is damaged after {after}")


class Service:
    """Runs the service, with an injected fault if one is given. A killed service gives no answers."""

    def __init__(self, accounts, fault=None, options=()):
        accounts.runs += 1
        pipe = subprocess.PIPE
        environment = {"LOGIN_ENGINE_RUN": f"run{accounts.runs}"}
        command = accounts.command(*accounts.options, *options, fault=fault)
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment)
        self.run, self.id = accounts.runs, 0

    def ask(self, method, **params):
        self.id += 1
        question = {"jsonrpc": "2.0", "id": self.id, "method": "authenticator/" + method, "params": {"key": f"{self.run}:{self.id}"} | params}
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline() or "{}")
        except (BrokenPipeError, ValueError):
            return {}

    def submit(self, request, values, supports=(), **more):
        self.attempt = self.id + 1
        return self.ask("submit", attempt=self.attempt, request=request, values=values, supports=supports, **more)

    def proceed(self, values, supports=(), **more):
        return self.ask("continue", attempt=self.attempt, values=values, supports=supports, **more)

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.close()
        self.process.wait()


def outcome(answer):
    return answer.get("result", {}).get("outcome", answer.get("error", {}).get("data", {}).get("code"))


def message(answer):
    return answer.get("result", {}).get("message", {}).get("code")


def items(answer):
    return answer.get("result", {}).get("screen", {}).get("sections", [{}])[0].get("items", [])


def require(holds, what):
    if not holds:
        sys.exit(f"durability: {what}")
