"""A virtual display with keyboard input and screenshots: Xvfb, xdotool and ImageMagick's import."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from patience import PATIENCE

SIZE = "560x680"


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """Starts a display, and yields its environment."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            yield {**os.environ, "DISPLAY": f":{number.readline().strip()}"}
    finally:
        server.terminate()
        server.wait()


class Window:
    """A `watched.py` process, driven by keys, and observed through the engine's trace and the window's own reports."""

    def __init__(self, environment: dict[str, str], trace: Path, *arguments: str, json: int | None = 1) -> None:
        self.environment, self.trace, self._seen = environment, trace, 0
        view, engine = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
        self._notes, write = os.pipe()
        self._unread, self.noted = b"", {"revision": 0, "is_level": False, "focus": ""}
        output = [] if json is None else ["--json", str(json)]
        command = [sys.executable, str(Path(__file__).with_name("watched.py")), *output, *view, "--", "--trace", str(trace), *engine]
        environment = {**environment, "WATCHED": str(write)}
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=[write, *([json] if json else [])],
            start_new_session=True,
        )
        os.close(write)

    def wait_for(self, text: str) -> None:
        """Waits until the text appears in the trace after the last wait, and the window shows that update or a later one."""
        deadline = time.monotonic() + PATIENCE
        while True:
            noted = self.trace.read_text() if self.trace.exists() else ""
            before, found, _ = noted[self._seen :].partition(text)
            # From the start of the line that contains the text.
            line = noted.rfind("\n", 0, self._seen + len(before)) + 1
            update = re.search(r'"effect":"session/update","session":"[^"]*","revision":([0-9]+)', noted[line:]) if found else None
            if update:
                break
            if self.process.poll() is not None:
                raise AssertionError(f"the window has ended: {self.process.communicate()}")
            if time.monotonic() > deadline:
                raise AssertionError(f"there is no {text} in {noted[self._seen:][-2000:]}")
            time.sleep(0.05)
        self._seen += len(before) + len(text)
        revision = int(update[1])
        self.wait_until(lambda it: it["revision"] >= revision)

    def wait_until(self, condition: Callable[[dict[str, Any]], bool]) -> None:
        """Waits until the condition holds for the window's report."""
        deadline = time.monotonic() + PATIENCE
        while not condition(self.noted):
            if not select.select([self._notes], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"timed out: {self.noted}")
            data = os.read(self._notes, 1 << 16)
            if not data:
                raise AssertionError(f"the window has ended: {self.process.communicate()}")
            *lines, self._unread = (self._unread + data).split(b"\n")
            if lines:
                self.noted = json.loads(lines[-1])

    def type(self, text: str) -> None:
        self._xdotool("type", "--delay", "8", text.removesuffix("\n"))
        if text.endswith("\n"):
            self.press("Return")

    def press(self, *keys: str) -> None:
        for key in keys:
            self._xdotool("key", key)

    def picture(self, path: Path) -> bytes:
        """Takes a screenshot of the window once two in a row are equal."""
        before = b""
        for _ in range(40):
            now = subprocess.run(["import", "-window", "root", "png:-"], env=self.environment, capture_output=True, check=True).stdout
            pixels = subprocess.run(["convert", "png:-", "rgb:-"], input=now, capture_output=True, check=True).stdout
            if pixels == before:
                break
            before = pixels
            time.sleep(0.15)
        path.write_bytes(now)
        return pixels

    def close(self) -> None:
        """Ends the processes that are left."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        os.close(self._notes)

    def end(self) -> tuple[int, str, str]:
        try:
            output, errors = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"the window is still there: {self.trace.read_text()[-2000:]}") from None
        return self.process.returncode, output, errors

    def _xdotool(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self.environment, check=True)
