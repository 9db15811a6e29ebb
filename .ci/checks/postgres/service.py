"""The accounts service as an engine runs it: lines of JSON through pipes."""

import itertools
import json
import os
import queue
import re
import subprocess
import threading

SLOWEST = 60


class Service:
    """`login-accounts-postgres serve`."""

    attempts = itertools.count(1)

    def __init__(self, program, connection, folder, *options, cost="1"):
        self.folder = folder
        self.process = subprocess.Popen(
            [program, "--database", connection, "--key-file", f"{folder}/key", "--outbox", f"{folder}/mails", "--hash-cost", cost, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
        self.answers, self.lock, self.told = {}, threading.Lock(), []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._listen, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            answer = json.loads(line)
            with self.lock:
                waiting = self.answers.pop(answer["id"], None)
            if waiting:
                waiting.put(answer)

    def _listen(self):
        for line in self.process.stderr:
            self.told.append(line.rstrip("\n"))

    def call(self, method, params):
        number, waiting = next(Service.attempts), queue.Queue()
        if method == "authenticator/submit":
            params = {"attempt": number, "locale": "en", **params}
        with self.lock:
            self.answers[number] = waiting
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
            self.process.stdin.flush()
        try:
            return Answer(waiting.get(timeout=SLOWEST), number)
        except queue.Empty:
            raise AssertionError(f"no answer to {method} within {SLOWEST} s") from None

    def ask(self, request, key=None, session=None, **values):
        extra = {name: value for name, value in (("key", key), ("session", session)) if value}
        return self.call("authenticator/submit", {"request": request, "values": values, **extra})

    def setup(self, name, key=None, password="correct horse battery"):
        return self.ask("setup", key or f"setup-{name}", email=f"{name}@example.com", userName=name, password=password)

    def login(self, name, password="correct horse battery"):
        return self.ask("login", userName=name, password=password)

    def proceed(self, attempt, key=None, **values):
        return self.call("authenticator/continue", {"attempt": attempt, "values": values, **({"key": key} if key else {})})

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=SLOWEST)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Answer:
    def __init__(self, value, number):
        self.value, self.number = value, number
        self.outcome = value.get("result", {}).get("outcome")
        self.error = value.get("error", {}).get("data", {}).get("code")

    @property
    def kind(self):
        return self.outcome or self.error

    def __repr__(self):
        return json.dumps(self.value)


class Program:
    """The commands of administrators."""

    def __init__(self, path, connection, folder):
        self.path, self.connection, self.folder = path, connection, folder

    def run(self, *words, given="", environment=None):
        return subprocess.run(
            [self.path, *words, "--database", self.connection, "--key-file", f"{self.folder}/key", "--hash-cost", "1"],
            input=given, capture_output=True, text=True, env={**os.environ, **(environment or {})}, timeout=SLOWEST)

    def do(self, *words, given=""):
        done = self.run(*words, given=given)
        assert done.returncode == 0, f"{words} failed: {done.stderr}"
        return done.stdout


def mailed_codes(folder):
    """The codes of mails, by address."""
    codes = {}
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        if name.endswith(".eml"):
            text = open(f"{folder}/{name}").read()
            address = re.search(r"^To: <?([^>\s]+)", text, re.M)
            code = re.search(r"^    (\S+)$", text, re.M)
            if address and code:
                codes[address[1]] = code[1]
    return codes
