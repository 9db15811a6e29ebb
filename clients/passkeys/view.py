"""The pipes of an engine, and a session as a form: the content of its screen, and values to enter."""

import json
import queue
import subprocess
import threading


class Engine:
    def __init__(self, *command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        self.count, self._log = 0, queue.Queue()
        threading.Thread(target=self._read_log, daemon=True).start()

    def _read_log(self):
        for line in self.process.stderr:
            self._log.put(line.decode().rstrip())

    def logged(self):
        """Returns the next line of the log."""
        return self._log.get(timeout=30)

    def request(self, method, **params):
        """Returns the result of a request. Ignores updates, because the results of this program's requests contain them."""
        self.count += 1
        line = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()
        for answer in map(json.loads, self.process.stdout):
            if answer.get("id") == self.count:
                return answer["result"]
        raise EOFError("the engine has ended")

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


class Form:
    """A session, as the last response shows it."""

    def __init__(self, engine, screen, *supports):
        self.engine = engine
        self.session = engine.request("session/open", screen=screen, supports=supports)["session"]
        self.outcome = None
        self.snapshot = engine.request("session/snapshot", session=self.session)["snapshot"]

    def submit(self, **values):
        return self._take(self.engine.request("session/submit", session=self.session, values=values))

    def press(self, action):
        return self._take(self.engine.request("session/submit", session=self.session, action=action))

    def _take(self, result):
        self.outcome, self.snapshot = result.get("outcome"), result["snapshot"]
        return self

    def items(self):
        return {item["id"]: item for section in self.snapshot["sections"] for item in section["items"]}

    def links(self):
        return [action["id"] for action in self.snapshot["actions"] if action["role"] == "link"]

    @property
    def error(self):
        return (self.snapshot["error"] or {}).get("code")

    @property
    def scene(self):
        return self.snapshot["scene"] or {}
