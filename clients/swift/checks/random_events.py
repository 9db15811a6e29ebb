"""Random keys and random lines, with the real engine: commands must always lead to snapshots, and the view must not end.

Terminals change their size meanwhile, and output of the engine may be delayed and split. The edits and presses that the engine has read are counted in its
recording.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from programs import FLOWS, OTHER
from terminal import Terminal

TEXTS = ["ada@example.com", "throttled", "wrong@example.com", "taken", "challenge", "notice@x.yz", "123456", "correct horse", "2001-02-28",
         "2001-02-30", "x", "", "漢字🇩🇪é", "שלום", "1" * 300, "\\\"{}", "wrong"]  # fmt: skip
# Without `q`, which would quit at a scene.
LETTERS = "abcdefghijklmnoprstuvwxyz0123456789@.-äß漢é"
KEYS = {" ": 10, "\t": 14, "\x1b[Z": 4, "\r": 8, "\x1b[A": 4, "\x1b[B": 4, "\x1b[C": 4, "\x1b[D": 4, "\x7f": 5, "\x15": 3, "\x1b[5~": 1,
        "\x1b[6~": 1, "\x0c": 1}  # fmt: skip
# Rows and columns.
SIZES = [(12, 20), (12, 72), (24, 72), (24, 120), (50, 20), (50, 120), (1, 1), (3, 9), (5, 300), (200, 13)]
# Options of the view, and arguments of the engine.
SETTINGS = [
    ([], []),
    ([], ["--flow", OTHER]),
    (["--flow", "dynamic"], []),
    (["--flow", "coordinators", "--transitions", "acknowledged"], []),
    (["--flow", "staged", "--transitions", "acknowledged"], []),
    (["--flow", "acknowledged"], []),
    (["--transitions", "acknowledged"], ["--flow", OTHER]),
    ([], ["--flow", FLOWS / "accessible.json"]),
    ([], ["--flow", FLOWS / "sign-up.json"]),
    ([], ["--flow", FLOWS / "kiosk.json"]),
    ([], ["--flow", FLOWS / "two-step.json"]),
]


def lines(draw, count):
    for _ in range(count):
        kind = draw.random()
        if kind < 0.5:
            yield f"{draw.randint(1, 6)} {draw.choice(TEXTS)}\n"
        elif kind < 0.65:
            yield f"{draw.randint(1, 6)} {draw.randint(0, 4)}\n"
        elif kind < 0.75:
            yield f"{draw.randint(1, 8)}\n"
        elif kind < 0.95:
            yield f"!{draw.randint(1, 3)}\n"
        else:
            yield "\n"


def keys(draw, count):
    names, weights = list(KEYS), list(KEYS.values())
    for _ in range(count):
        kind = draw.random()
        if kind < 0.4:
            yield draw.choices(names, weights)[0]
        elif kind < 0.97:
            yield draw.choice(LETTERS)
        else:
            yield f"\x1b[200~{draw.choice(TEXTS)}\x1b[201~"


def events(recording):
    """The number of edits and presses in a recording."""
    count = 0
    with open(recording) as steps:
        for line in steps:
            if line.startswith('{"in"'):
                call = json.loads(line)["in"]
                count += isinstance(call, dict) and call.get("method") in ("session/edit", "session/press")
    return count


def type_lines(command, draw, count):
    """Types random lines in the line mode. Returns the failure, or a false value."""
    run = subprocess.run([*command[:1], "--plain", *command[1:]], input="".join(lines(draw, count)).encode(), capture_output=True, timeout=600)
    return run.returncode and f"status {run.returncode}: {run.stderr.decode(errors='replace')[-2000:]}"


def press_keys(command, draw, count):
    """Presses random keys in the full-screen mode, as fast as it reads them. Returns the failure, or a false value."""
    rows, columns = draw.choice(SIZES[:6])
    with Terminal(command, rows=rows, columns=columns) as terminal:
        pieces = list(keys(draw, count))
        chunks = ["".join(pieces[start : start + 20]) for start in range(0, len(pieces), 20)]
        sizes = [draw.choice(SIZES) if draw.random() < 0.1 else None for _ in chunks]

        def press():
            for chunk, size in zip(chunks, sizes, strict=True):
                try:
                    if size:
                        terminal.resize(*size)
                    os.write(terminal.master, chunk.encode())
                except OSError:
                    return

        # Output is discarded, because an emulator in Python would be too slow.
        terminal.stream.feed = lambda _: None
        terminal.wait(lambda _: b"\x1b[?1049h" in terminal.written)
        writer = threading.Thread(target=press)
        writer.start()
        while writer.is_alive():
            terminal.read(0.1)
            terminal.written = terminal.written[-4000:]
        status = terminal.quit()
        return status and f"status {status}: {terminal.written[-2000:].decode(errors='replace')}"


def late(engine, folder, seed):
    """A program that runs the engine and passes on its output in arbitrary pieces, each delayed by up to ten milliseconds."""
    script = Path(folder, "late-engine")
    script.write_text(f"""#!{sys.executable}
import os, random, subprocess, sys, time
draw = random.Random({seed})
engine = subprocess.Popen([{engine!r}, *sys.argv[1:]], stdout=subprocess.PIPE)
os.close(0)
while piece := engine.stdout.read1(draw.choice([7, 100, 2000, 60000])):
    time.sleep(draw.choice([0, 0, 0, 0.001, 0.01]))
    os.write(1, piece)
sys.exit(engine.wait())
""")
    script.chmod(0o755)
    return script


def check(engine, view, wanted):
    """Sends random events until the engine has read `wanted` of them. Yields the name of the check with its failure, or None."""
    seed = random.randrange(1 << 32)
    total, run, problem = 0, 0, None
    while total < wanted and not problem:
        draw = random.Random(f"{seed} {run}")
        options, arguments = SETTINGS[run % len(SETTINGS)]
        way = (type_lines, press_keys)[run // len(SETTINGS) % 2 if wanted > 10_000 else run % 2]
        with tempfile.TemporaryDirectory() as folder:
            recording = f"{folder}/recording"
            started = late(engine, folder, draw.randrange(1 << 32)) if draw.random() < 0.3 else engine
            command = [view, "--strict", *options, "--engine", started, "--", "--authenticator", "demo", "--record", recording, *arguments]
            wrong = way(list(map(str, command)), draw, max(300, min(3_000, wanted // 20)))
            total += 0 if wrong else events(recording)
        if wrong:
            problem = f"seed {seed}, run {run}, {way.__name__} {options}: {wrong}"
        run += 1
    yield f"follows {total} random events in {run} runs", problem
