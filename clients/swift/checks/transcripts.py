"""Replays every transcript with the view between its program and the engine.

The view passes on the lines of the transcript's view (`--relay`) to `login-engine mock`, applies the commands in the replies, and ends with an error if they do
not lead to the snapshot (`--strict`). Each line is sent once the outputs before it in the transcript have arrived.
"""

import json
import os
import queue
import re
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from wcwidth import wcswidth

FOLDER = Path(__file__).resolve().parents[3] / "protocol/transcripts"
TIMEOUT = 60
STYLE = re.compile("\x1b\\[[0-9;]*m")
# `tee` writes to the view first, so a line that has arrived here has arrived there.
MOCK = 'set -o pipefail; "$0" mock --timeout "$1" "$2" | tee "$3"'


def bytes_of(text, step):
    """The bytes that the view writes in a step, or None."""
    if "in" in step:
        # The text as written, because numbers have several spellings.
        return text.removeprefix('{"in":').removesuffix("}").encode() + b"\n"
    if "raw" not in step and "rawBase16" not in step:
        return None
    line = step["raw"].encode() if "raw" in step else bytes.fromhex(step["rawBase16"])
    return line.ljust(step.get("length", 0), b"x") + (b"" if step.get("unterminated") else b"\n")


class Lines:
    """The lines from a named pipe, read by a thread."""

    def __init__(self, path):
        os.mkfifo(path)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, args=[path], daemon=True).start()

    def read(self, path):
        with open(path, "rb") as pipe:
            for line in pipe:
                self.lines.put(line)
        self.lines.put(None)

    def next(self):
        try:
            return self.lines.get(timeout=TIMEOUT)
        except queue.Empty:
            return None


def play(engine, view, name):
    """Plays a transcript through the view. Returns the failure or None, and the drawn text."""
    updates = 0
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/drawn", "w+b") as drawn:
        pipe = f"{folder}/lines"
        lines = Lines(pipe)
        command = [view, "--relay", "--strict", "--engine", "bash", "--"]
        command += ["-c", MOCK, engine, str(TIMEOUT), FOLDER / name, pipe]
        # The paths of flow definitions are relative to this folder.
        root = FOLDER.parents[1]
        process = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=drawn, stderr=subprocess.PIPE)
        problem = None
        for text in filter(None, map(str.strip, (FOLDER / name).read_text().split("\n"))):
            step = json.loads(text)
            if "out" in step:
                if lines.next() is None:
                    problem = f"{name}: a line that the transcript has did not come: {json.dumps(step['out'])[:200]}"
                    break
                out = step["out"] if isinstance(step["out"], dict) else {}
                updates += out.get("method") == "session/update"
            elif "end" in step:
                process.stdin.close()
            elif (line := bytes_of(text, step)) is not None:
                try:
                    process.stdin.write(line)
                    process.stdin.flush()
                    if step.get("unterminated"):
                        process.stdin.close()
                except (BrokenPipeError, ValueError):
                    break
        if not process.stdin.closed:
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            errors = process.stderr.read().decode(errors="replace")
            process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            return f"{name}: the view does not end", ""
        finally:
            process.stderr.close()
        drawn.seek(0)
        text = drawn.read().decode(errors="replace")
    if process.returncode:
        return f"{name}: status {process.returncode}: {errors[-2000:]}", text
    if problem is None and STYLE.sub("", text).count("\n╭") < updates:
        problem = f"{name}: {updates} updates, of which not all were drawn"
    return problem, text


def misdrawn(text):
    """The fault in the drawn cards, or None: a control character, or a row of another width."""
    text = STYLE.sub("", text)
    if found := re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text):
        return f"{found[0]!r} is drawn"
    for row in text.split("\n"):
        if row.lstrip("\u200e")[:1] in ("╭", "│", "╰") and wcswidth(row) != 66:
            return f"a row of {wcswidth(row)} columns: {row}"
    return None


def check(engine, view, words):
    """Returns the name of each check with its failure, or None."""
    names = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.jsonl"))
    names = [name for name in names if not words or any(word in name for word in words)]

    def both(name):
        problem, text = play(engine, view, name)
        return [(f"plays {name}", problem), (f"draws {name}", misdrawn(text))]

    # More threads than cores, because the mock sometimes waits.
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        return [pair for pairs in pool.map(both, names) for pair in pairs]
