"""A view that sends the lines of a transcript, with this package's sessions, which check each update's commands against its snapshot."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from login_engine.engine import Engine, Session
from login_engine.form import Form

PROTOCOL = Path(__file__).resolve().parents[3] / "protocol"
TRANSCRIPTS = sorted((PROTOCOL / "transcripts").glob("*/*.jsonl"))


class TranscriptView(Engine):
    """Sends each line of a transcript's view verbatim, as soon as the preceding outputs have come."""

    def __init__(self, transcript: Path) -> None:
        self.said: list[str] = []
        super().__init__("mock", "--timeout", "600", str(transcript), log=self.said.append, strict=True)
        self.transcript, self.outputs = transcript, 0
        self.has_come = asyncio.Event()
        self.closing: set[str] = set()

    async def play(self) -> int:
        expected = 0
        self._reader.add_done_callback(lambda _: self.has_come.set())
        for kind, step, text in steps(self.transcript):
            if kind == "out":
                expected += 1
            elif kind in ("in", "raw", "rawBase16", "end"):
                async with asyncio.timeout(600):
                    while self.outputs < expected and not self._reader.done():
                        self.has_come.clear()
                        await self.has_come.wait()
                if kind == "in":
                    self.track(step["in"])
                    self._transport.write(text)
                elif kind == "end":
                    self._transport.end_input()
                elif "unterminated" in step:
                    self._transport._input.write(bytes_of(step))
                    self._transport.end_input()
                else:
                    with contextlib.suppress(ValueError, RecursionError):
                        self.track(json.loads(bytes_of(step)))
                    self._transport.write(bytes_of(step))
        return await self.close()

    def track(self, message: Any) -> None:
        """Does what `Session` does when it sends such a line."""
        for entry in message if isinstance(message, list) else [message]:
            params = entry.get("params") if isinstance(entry, dict) and entry.get("jsonrpc") == "2.0" else None
            if not isinstance(params, dict):
                continue
            method, name, id = entry.get("method"), params.get("session"), entry.get("id")
            if method == "session/close":
                self.closing |= {name} if isinstance(name, str) else set(self._sessions)
            if not isinstance(name, str) or method == "session/close":
                continue
            session = self.session(name)
            if method == "session/open" and (not session.form.revision or name in self.closing):
                session.form = Form(strict=True)
                self.closing.discard(name)
            if method == "session/edit" and "item" in params:
                session.form.enter(params["item"], params.get("value"))
            elif method in ("session/edit", "session/press", "session/submit"):
                session.form.press()
            if isinstance(id, int | str):
                answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
                answer.add_done_callback(lambda done: done.exception())
                self._pending[id] = (answer, session)  # type: ignore[index]

    def session(self, name: str) -> Session:
        return self._sessions.setdefault(name, Session(self, name, Form(strict=True)))

    def _receive(self, message: Any) -> None:
        if isinstance(message, list):
            self.outputs -= len(message)
        elif message.get("method") == "session/update":
            self.session(message["params"]["session"])
        # The transcript contains the frontend's answers as an authenticator.
        if isinstance(message, list) or not message.get("method", "").startswith("authenticator/"):
            super()._receive(message)
        self.outputs += 1
        self.has_come.set()


def steps(transcript: Path) -> Iterator[tuple[str, Any, bytes]]:
    """Yields each step's kind, the step, and the verbatim text of its first member."""
    decoder = json.JSONDecoder()
    for line in transcript.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        step = json.loads(line)
        kind = next(iter(step))
        start = line.index(":", line.index(f'"{kind}"')) + 1
        while line[start] == " ":
            start += 1
        end = decoder.raw_decode(line, start)[1]
        yield kind, step, line[start:end].encode()


def bytes_of(step: Any) -> bytes:
    line: bytes = step["raw"].encode() if "raw" in step else bytes.fromhex(step["rawBase16"])
    return line.ljust(step.get("length", 0), b"x")
