"""An engine and its messages: lines, replies, sessions. Checks the protocol's guarantees for every line."""

import json
import os
import subprocess
import threading
import time

# Seconds after which a call without a reply counts as lost; longer than an authenticator's timeout.
LOST = 120


class Session:
    """A session of a view. `work` is a generator of calls, which resumes once their replies have come and nothing is pending."""

    def __init__(self, name, work):
        self.name, self.work = name, work
        self.revision, self.snapshot = 0, None
        self.owed = 0
        self.is_over = False
        self.since = time.monotonic()

    @property
    def is_pending(self):
        return bool(self.snapshot) and self.snapshot["state"] == "requestPending"


class Engine:
    def __init__(self, program, *options, problems, restored=()):
        """`restored` has the names of sessions that are restored here without being opened; each is removed at its first update."""
        # Only the superuser sees the descriptors of non-dumpable processes.
        hardening = [] if os.geteuid() == 0 else ["--hardening", "off"]
        self.problems = problems
        self.process = subprocess.Popen(
            [program, *hardening, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.sessions, self.calls = {}, {}
        self.restored = set(restored)
        self.last = 0
        self.updates = self.replies = self.refusals = self.ended = 0
        self.outcomes = {}
        self.log = []
        self.lock = threading.RLock()
        self.write_lock = threading.Lock()
        self.waiting = []
        self.has_waiting = threading.Condition(self.lock)
        self.is_closed = False
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.logger = threading.Thread(target=self.read_log, daemon=True)
        self.writer = threading.Thread(target=self.write_waiting, daemon=True)
        for thread in [self.reader, self.logger, self.writer]:
            thread.start()

    # Writing

    def call(self, method, params=None, session=None):
        """Sends a request."""
        with self.lock:
            self.last += 1
            self.calls[self.last] = (session, time.monotonic(), method)
            if session:
                session.owed += 1
            self.say({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params or {}})

    def say(self, message):
        self.say_bytes(json.dumps(message).encode() + b"\n")

    def say_bytes(self, text):
        """Writes in a separate thread: the reader must never wait for a write."""
        with self.has_waiting:
            self.waiting.append(text)
            self.has_waiting.notify()

    def write_waiting(self):
        while True:
            with self.has_waiting:
                while not self.waiting and not self.is_closed:
                    self.has_waiting.wait()
                text, self.waiting = b"".join(self.waiting), []
                if not text:
                    break
            try:
                self.process.stdin.write(text)
                self.process.stdin.flush()
            except (BrokenPipeError, ValueError):
                return
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    # Reading

    def read(self):
        for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                self.fail(f"a line is no JSON: {line[:200]}")
                continue
            with self.lock:
                self.take(message)

    def read_log(self):
        for line in self.process.stderr:
            if len(self.log) < 2000:
                self.log.append(line.decode(errors="replace").rstrip())

    def fail(self, text):
        if len(self.problems) < 100:
            self.problems.append(text)

    def take(self, message):
        if "method" in message:
            return self.notification(message["method"], message["params"])
        call = self.calls.pop(message.get("id"), None)
        if not call:
            return self.fail(f"a reply to no call: {str(message)[:300]}")
        self.replies += 1
        if "error" in message:
            self.refusals += 1
        session = call[0]
        if session:
            session.owed -= 1
            self.go_on(session)

    def notification(self, method, params):
        session = self.sessions.get(params.get("session"))
        if method == "session/update":
            if not session and params["session"] in self.restored:
                return self.restored.remove(params["session"])
            if not session:
                return self.fail(f"an update of no session: {str(params)[:200]}")
            self.updates += 1
            if params["revision"] == session.revision:
                # It counts a refused event, and shows nothing new.
                if params["snapshot"] != session.snapshot:
                    self.fail(f"{session.name}: revision {session.revision} has two snapshots")
            elif params["revision"] != session.revision + 1:
                self.fail(f"{session.name}: revision {params['revision']} comes after {session.revision}")
            session.revision, session.snapshot = params["revision"], params["snapshot"]
            if not session.owed:
                self.go_on(session)
        elif method == "session/closed":
            # It was idle for too long.
            if session:
                self.finish(session, "closed")
        elif not method.startswith("session/") and not method.startswith("authenticator/"):
            self.fail(f"an unknown notification: {method}")

    # Sessions

    def open(self, name, work, **params):
        with self.lock:
            session = Session(name, None)
            session.work = work(session)
            self.sessions[name] = session
            self.call("session/open", {"session": name, **params}, session)

    def go_on(self, session):
        """Runs a session's next step, unless the session is waiting."""
        if session.is_over or session.owed or session.is_pending or not session.snapshot:
            if session.is_over and not session.owed:
                self.sessions.pop(session.name, None)
            return
        session.since = time.monotonic()
        try:
            for method, params in next(session.work):
                self.call(method, {"session": session.name, **params}, session)
        except StopIteration as end:
            self.call("session/close", {"session": session.name}, session)
            self.finish(session, end.value or "left")

    def finish(self, session, outcome):
        session.is_over = True
        self.ended += 1
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        if not session.owed:
            self.sessions.pop(session.name, None)

    @property
    def count(self):
        with self.lock:
            return len(self.sessions)

    def check_lost(self):
        """Every call has its reply, and no session waits for ever."""
        now = time.monotonic()
        with self.lock:
            for number, (session, since, method) in list(self.calls.items()):
                if now - since > LOST:
                    self.fail(f"call {number} ({method} of {session.name if session else 'none'}) has no reply")
                    del self.calls[number]
            for session in list(self.sessions.values()):
                if now - session.since > 2 * LOST:
                    state = session.snapshot and session.snapshot["state"]
                    self.fail(f"the session {session.name} is wedged in {state}, owed {session.owed}")
                    session.is_over = True
                    del self.sessions[session.name]

    # The end

    def close(self):
        """Ends the input. Everything is answered before the engine ends."""
        with self.has_waiting:
            self.is_closed = True
            self.has_waiting.notify()
        try:
            status = self.process.wait(timeout=90)
        except subprocess.TimeoutExpired:
            self.fail("the engine does not end")
            self.process.kill()
            status = self.process.wait()
        self.reader.join(timeout=30)
        self.logger.join(timeout=30)
        if status != 0:
            self.fail(f"the engine ends with status {status}: {self.log[-3:]}")
        return status
