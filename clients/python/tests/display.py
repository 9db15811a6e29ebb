"""A display without a monitor, with a keyboard and a camera: Xvfb, xdotool and ImageMagick's import."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SIZE = "560x680"


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """The environment of a display of its own."""
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
    """`python -m login_engine.tk`, used from outside: by keys, and by what the engine notes in its trace."""

    def __init__(self, environment: dict[str, str], trace: Path, *arguments: str) -> None:
        self.environment, self.trace, self._seen = environment, trace, 0
        view, engine = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
        command = [sys.executable, "-m", "login_engine.tk", *view, "--", "--trace", str(trace), *engine]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for(self, text: str) -> None:
        """Waits until the trace has the text since the last wait."""
        for _ in range(1200):
            noted = self.trace.read_text() if self.trace.exists() else ""
            if text in noted[self._seen :]:
                self._seen = noted.index(text, self._seen) + len(text)
                return
            if self.process.poll() is not None:
                raise AssertionError(f"the window has ended: {self.process.communicate()}")
            time.sleep(0.05)
        raise AssertionError(f"there is no {text} in {noted[self._seen:][-2000:]}")

    def type(self, text: str) -> None:
        self._xdotool("type", "--delay", "8", text.removesuffix("\n"))
        if text.endswith("\n"):
            self.press("Return")

    def press(self, *keys: str) -> None:
        for key in keys:
            self._xdotool("key", key)

    def picture(self, path: Path) -> bytes:
        """A picture of the window, once two pictures in a row are the same."""
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
        """Ends what is left."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def end(self) -> tuple[int, str, str]:
        try:
            output, errors = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"the window is still there: {self.trace.read_text()[-2000:]}") from None
        return self.process.returncode, output, errors

    def _xdotool(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self.environment, check=True)
