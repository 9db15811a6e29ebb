"""README's sign-up in one process: this program is the view, the clock and the authenticator of an engine.

Usage: sign_up.py LIBRARY     LIBRARY is the path of liblogin_engine.so
"""

import ctypes
import json
import sys
import time


class Error(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 512)]


class Text(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Engine:
    """An engine of the library, with lines as Python values. Failed calls raise ValueError."""

    def __init__(self, library, **options):
        self.library = ctypes.CDLL(library)
        self.library.login_engine_destroy.restype = None
        self.pointer = ctypes.c_void_p()
        text = json.dumps(options).encode()
        self.call("create", text, ctypes.c_size_t(len(text)), *self.now(), ctypes.byref(self.pointer))

    def close(self):
        self.library.login_engine_destroy(self.pointer)
        self.pointer = ctypes.c_void_p()

    def feed(self, *messages):
        """Passes in messages of the view. Yields after each accepted part, for a turn of the host."""
        rest = "".join(json.dumps(message) + "\n" for message in messages).encode()
        while rest:
            taken = ctypes.c_size_t()
            self.call("feed", self.pointer, rest, ctypes.c_size_t(len(rest)), ctypes.byref(taken))
            rest = rest[taken.value :]
            yield

    def end_input(self):
        self.call("end_input", self.pointer)

    def advance(self):
        self.call("advance", self.pointer, *self.now())

    def output(self):
        return self.drain("drain_output")

    def effects(self):
        return self.drain("drain_effects")

    def answer(self, authenticator, response):
        name, line = authenticator.encode(), json.dumps(response).encode()
        self.call("answer", self.pointer, name, ctypes.c_size_t(len(name)), line, ctypes.c_size_t(len(line)))

    def is_finished(self):
        finished = ctypes.c_int32()
        self.call("is_finished", self.pointer, ctypes.byref(finished))
        return finished.value == 1

    def drain(self, function):
        text = Text()
        self.call(function, self.pointer, ctypes.byref(text))
        lines = ctypes.string_at(text.bytes, text.length) if text.length else b""
        return [json.loads(line) for line in lines.splitlines()]

    def call(self, function, *arguments):
        error = Error()
        if getattr(self.library, "login_engine_" + function)(*arguments, ctypes.byref(error)) != 0:
            raise ValueError(error.text.decode())

    @staticmethod
    def now():
        return ctypes.c_uint64(time.monotonic_ns() // 1_000_000), ctypes.c_uint64(time.time_ns() // 1_000_000)


def event(method, session, **params):
    return {"jsonrpc": "2.0", "method": "session/" + method, "params": {"session": session, **params}}


TYPED = [
    event("open", "new", screen="setup"),
    event("edit", "new", item="email", value="ada@example.com"),
    event("edit", "new", item="userName", value="ada"),
    event("edit", "new", item="password", value="correct horse"),
    event("press", "new", action="submit"),
    event("open", "back"),
    event("edit", "back", item="email", value="ada@example.com"),
    event("edit", "back", item="password", value="wrong horse"),
    event("press", "back", action="submit"),
    event("edit", "back", item="password", value="correct horse"),
    event("press", "back", action="submit"),
]


def decide(accounts, params):
    """The authenticator, which keeps the accounts that have signed up."""
    values = params["values"]
    if params["request"] == "setup":
        accounts[values["email"]] = values["password"]
    if accounts.get(values["email"]) == values["password"]:
        return {"outcome": "accepted", "principal": "ada"}
    return {"outcome": "rejected", "reason": "invalidCredentials"}


def turn(engine, accounts):
    while True:
        effects, output = engine.effects(), engine.output()
        if not effects and not output:
            return
        for effect in effects:
            line = effect.get("line", {})
            if effect["effect"] == "ask" and line["method"] == "authenticator/submit":
                result = decide(accounts, line["params"])
                engine.answer(effect["authenticator"], {"jsonrpc": "2.0", "id": line["id"], "result": result})
        for message in output:
            params = message["params"]
            print(f"{params['session']} {params['revision']}: {params['snapshot']['state']}")


def main():
    engine, accounts = Engine(sys.argv[1], lockstep=True), {}
    engine.advance()
    for _ in engine.feed(*TYPED):
        turn(engine, accounts)
    engine.end_input()
    turn(engine, accounts)
    finished = engine.is_finished()
    engine.close()
    return 0 if finished else 1


sys.exit(main())
