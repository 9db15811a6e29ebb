#!/usr/bin/env python3
"""Plays transcripts with login.sh: those of protocol/transcripts/ that can be typed into the view, each with `login-engine mock`.

The view uses whole snapshots, so it applies no commands. At the end of each transcript the view must have drawn the last snapshot.

Usage: plays.py ENGINE [--all | TRANSCRIPT ...]     needs bash and jq. Prints `N passed, N failed` at the end.
Plays every third transcript that can be typed, or all of them with --all: bash and jq take a second for each.
"""

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TRANSCRIPTS = ROOT / "protocol/transcripts"
VIEW = HERE / "login.sh"
# The timeouts in seconds of a run of the view, and of the mock that waits for the view.
TIMEOUT, PATIENCE = 900, 300
# The least number of transcripts that can be typed into the view, so that none is lost unnoticed.
PLAYABLE = 141

# The engine for the view. It opens the session as in the transcript, and saves the mock's status in a file, because the view does not report it.
ENGINE = """
"$1" mock --timeout "$2" "$3" < <(read -r _; printf '%s\\n' "$4"; exec cat)
echo $? >"$5"
"""
# Runs the view's `draw`, with its variables, for all last snapshots at once, because starting jq for each takes long.
DRAW = """
set -euo pipefail
eval "$(grep '^clean=' "$1"; sed -n '/^choosable=/,/^}/p' "$1")"
snapshot=$(cat)
draw
"""


class Unplayable(Exception):
    """The reason why a transcript cannot be typed into this view."""


def elements(snapshot):
    """Returns the elements that have numbers, in the order of the numbers."""
    if snapshot["alert"]:
        return snapshot["alert"]["actions"]
    if snapshot["scene"]:
        return [action for action in snapshot["actions"] if action["enabled"]]
    items = [item for section in snapshot["sections"] for item in section["items"]]
    return [item for item in items if item["kind"] in ("input", "selection", "switch") and not item.get("readOnly")] + snapshot["actions"]


def typed(params, snapshot):
    """Returns the lines that a person types for an edit or a press."""
    wanted, value = params.get("item", params.get("action")), params.get("value")
    found = [(n, it) for n, it in enumerate(elements(snapshot), 1) if it["id"] == wanted and ("item" in params) == ("kind" in it)]
    if not found or "revision" in params:
        raise Unplayable("acts on an element that the view does not show, or names a revision, which the view never does")
    [(number, element)] = found
    lines = [str(number)]
    if element.get("kind") == "input":
        lines.append(value)
    elif element.get("kind") == "selection":
        options = [None, *(option["id"] for option in element["options"])]
        lines.append(str(options.index(value)) if value in options and "optionCount" not in element else None)
    elif element.get("kind") == "switch" and value is not (not element["value"]):
        lines.append(None)
    # bash's `read` strips spaces at both ends of a value.
    if not all(isinstance(line, str) and line.isprintable() and line == line.strip() for line in lines):
        raise Unplayable("enters a value that a person cannot type")
    return lines


def performance(steps):
    """Returns the line with which a transcript's view opens its session, the lines that a person then types, and the last snapshot."""
    opening, lines, snapshot, has_acted = None, [], None, False
    for step in steps:
        if step.keys() & {"raw", "rawBase16", "signal"}:
            raise Unplayable("sends a signal, or lines that are not calls")
        if "/params/snapshot/sections" in step.get("ignore", []):
            raise Unplayable("omits the content of the screens")
        if "end" in step and snapshot and snapshot["activity"]:
            raise Unplayable("ends during a request, for which a script waits")
        if "out" in step:
            # Outside a request, the view reads updates only after an act.
            params = step["out"].get("params", {}) if isinstance(step["out"], dict) else {}
            if "snapshot" in params and (not snapshot or snapshot["activity"] or has_acted):
                snapshot, has_acted = params["snapshot"], False
        if "in" not in step:
            continue
        call = step["in"] if isinstance(step["in"], dict) else {}
        method, params = call.get("method"), call.get("params", {})
        if method == "session/open" and opening is None:
            opening = call | {"id": "session/open", "params": params | {"session": "shell"}}
            if params.get("detail") == "commands":
                raise Unplayable("gets no snapshots")
        elif method in ("session/edit", "session/press") and snapshot and isinstance(params, dict):
            if snapshot["activity"]:
                raise Unplayable("acts during a request, which needs a terminal")
            if snapshot["scene"] and not elements(snapshot):
                raise Unplayable("acts after the scene, with which the view ends")
            lines, has_acted = lines + typed(params, snapshot), True
        elif method not in ("session/close", "session/snapshot"):
            raise Unplayable("makes calls that the view does not make, or opens several sessions")
    if not snapshot or snapshot["activity"]:
        raise Unplayable("shows nothing, or ends during a request, for which a script waits")
    return json.dumps(opening), "".join(f"{line}\n" for line in lines), snapshot


def drawings(snapshots):
    """Returns the view's drawings of these snapshots."""
    lines = "\n".join(map(json.dumps, snapshots))
    run = subprocess.run(["bash", "-c", DRAW, "bash", VIEW], input=lines, capture_output=True, text=True, timeout=TIMEOUT)
    # Each drawing starts with an empty line and a heading.
    drawn = f"\n{run.stdout}".split("\n\n== ")[1:]
    if run.returncode or run.stderr or len(drawn) != len(snapshots):
        sys.exit(f"{len(drawn)} of {len(snapshots)} snapshots drawn, status {run.returncode}: {run.stderr}")
    return drawn


def play(engine, path, opening, lines, last, drawing):
    """Plays a transcript with the view. Returns a description of the failure, or None."""
    with tempfile.NamedTemporaryFile() as status:
        command = ["bash", "-c", ENGINE, "bash", engine, str(PATIENCE), path, opening, status.name]
        # Transcripts name flows relative to this folder. The locale is unset.
        run = subprocess.run(
            ["timeout", "-k", "2", str(TIMEOUT), "bash", VIEW, *command], input=lines, capture_output=True, text=True, cwd=ROOT
        )
        ended = Path(status.name).read_text().strip()
    if ended != "0" or run.returncode != (0 if last["scene"] else 1):
        return f"{path.name}: not played, status {run.returncode}, of the mock {ended or 'none'}\n{run.stdout[-300:]}{run.stderr}"
    shown = f"\n{run.stdout}".split("\n\n== ")[-1]
    # The countdown in the drawing depends on the time.
    if not last["retryAt"] and shown.strip() != drawing.strip():
        return f"{path.name}: did not end with the last snapshot, but with\n{shown}\nand not\n{drawing}"
    return None


def main():
    engine = os.path.abspath(sys.argv[1])
    plays_all = sys.argv[2:] == ["--all"]
    named = [] if plays_all else [Path(path).resolve() for path in sys.argv[2:]]
    paths = named or sorted(TRANSCRIPTS.glob("*/*.jsonl"))
    plays, others = [], {}
    for path in paths:
        try:
            steps = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
            plays.append((path, *performance(steps)))
        except Unplayable as reason:
            others.setdefault(str(reason), []).append(path)
    for reason, those in others.items():
        print(f"{len(those)} transcripts not played, because each of them {reason}")
    failures = []
    if not named and len(plays) < PLAYABLE:
        failures.append(f"{len(plays)} transcripts can be played, fewer than {PLAYABLE}")
    if not named and not plays_all:
        plays = plays[::3]
    plays = [(*it, drawing) for it, drawing in zip(plays, drawings([it[-1] for it in plays]))]
    # More at once than there are cores, because the mock sometimes waits.
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        failures += filter(None, pool.map(lambda it: play(engine, *it), plays))
    print(f"{len(plays)} transcripts played")
    print(*(f"FAILED: {failure}" for failure in failures), f"{max(len(plays) - len(failures), 0)} passed, {len(failures)} failed", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
