#!/usr/bin/env python3
"""Lets login.sh play recorded conversations: those of protocol/transcripts/ whose steps can be typed into the view, each against `login-engine mock`.

The view takes whole snapshots, so it has no commands to apply. In the end of each conversation the view has to have drawn the last snapshot.

Usage: plays.py ENGINE [--all | TRANSCRIPT ...]     needs bash and jq. Prints `N passed, N failed` in the end.
Each third of those that can be typed is played, with --all every one: bash and jq take a second for each.
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
# How many seconds a run of the view may take, and how many the mock waits for the view.
TIMEOUT, PATIENCE = 900, 300
# At least so many of the transcripts can be typed into the view, so that none is lost unnoticed.
PLAYABLE = 141

# The engine that the view starts. The session is opened as in the transcript, and a file keeps the mock's status, which the view does not report.
ENGINE = """
"$1" mock --timeout "$2" "$3" < <(read -r _; printf '%s\\n' "$4"; exec cat)
echo $? >"$5"
"""
# `draw` of the view, with the variables in it, applied to every last snapshot at once: starting jq for each takes long.
DRAW = """
set -euo pipefail
eval "$(grep '^clean=' "$1"; sed -n '/^choosable=/,/^}/p' "$1")"
snapshot=$(cat)
draw
"""


class Unplayable(Exception):
    """Why what a transcript's view does cannot be typed into this view."""


def elements(snapshot):
    """What has a number, in the order of the numbers."""
    if snapshot["alert"]:
        return snapshot["alert"]["actions"]
    if snapshot["scene"]:
        return [action for action in snapshot["actions"] if action["enabled"]]
    items = [item for section in snapshot["sections"] for item in section["items"]]
    return [item for item in items if item["kind"] in ("input", "selection", "switch") and not item.get("readOnly")] + snapshot["actions"]


def typed(params, snapshot):
    """The lines that a person types for a change or a press."""
    wanted, value = params.get("item", params.get("action")), params.get("value")
    found = [(n, it) for n, it in enumerate(elements(snapshot), 1) if it["id"] == wanted and ("item" in params) == ("kind" in it)]
    if not found or "revision" in params:
        raise Unplayable("acts on what the view does not show, or names a revision, which the view does not")
    [(number, element)] = found
    lines = [str(number)]
    if element.get("kind") == "input":
        lines.append(value)
    elif element.get("kind") == "selection":
        options = [None, *(option["id"] for option in element["options"])]
        lines.append(str(options.index(value)) if value in options and "optionCount" not in element else None)
    elif element.get("kind") == "switch" and value is not (not element["value"]):
        lines.append(None)
    # `read` of bash takes spaces at the begin and end of a value away.
    if not all(isinstance(line, str) and line.isprintable() and line == line.strip() for line in lines):
        raise Unplayable("enters what nobody can type")
    return lines


def performance(steps):
    """The line with which a transcript's view opens its session, what a person types from then on, and the last snapshot."""
    opening, lines, snapshot, has_acted = None, [], None, False
    for step in steps:
        if step.keys() & {"raw", "rawBase16", "signal"}:
            raise Unplayable("sends a signal, or lines that are no calls")
        if "/params/snapshot/sections" in step.get("ignore", []):
            raise Unplayable("leaves out what is on the screens")
        if "end" in step and snapshot and snapshot["activity"]:
            raise Unplayable("ends while something is under way, for which a script waits")
        if "out" in step:
            # Where nothing is under way, the view takes updates only after an act.
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
                raise Unplayable("acts while something is under way, which needs a terminal")
            if snapshot["scene"] and not elements(snapshot):
                raise Unplayable("acts after the scene, with which the view ends")
            lines, has_acted = lines + typed(params, snapshot), True
        elif method not in ("session/close", "session/snapshot"):
            raise Unplayable("makes calls that the view does not make, or opens several sessions")
    if not snapshot or snapshot["activity"]:
        raise Unplayable("shows nothing, or ends while something is under way, for which a script waits")
    return json.dumps(opening), "".join(f"{line}\n" for line in lines), snapshot


def drawings(snapshots):
    """What the view draws of each of these snapshots."""
    lines = "\n".join(map(json.dumps, snapshots))
    run = subprocess.run(["bash", "-c", DRAW, "bash", VIEW], input=lines, capture_output=True, text=True, timeout=TIMEOUT)
    # Each drawing begins with an empty line and a heading.
    drawn = f"\n{run.stdout}".split("\n\n== ")[1:]
    if run.returncode or run.stderr or len(drawn) != len(snapshots):
        sys.exit(f"{len(drawn)} of {len(snapshots)} snapshots drawn, status {run.returncode}: {run.stderr}")
    return drawn


def play(engine, path, opening, lines, last, drawing):
    """What goes wrong when the view plays a transcript, or None."""
    with tempfile.NamedTemporaryFile() as status:
        command = ["bash", "-c", ENGINE, "bash", engine, str(PATIENCE), path, opening, status.name]
        # In the folder to which the names of flows in transcripts are relative, without a person's language.
        run = subprocess.run(
            ["timeout", "-k", "2", str(TIMEOUT), "bash", VIEW, *command], input=lines, capture_output=True, text=True, cwd=ROOT
        )
        ended = Path(status.name).read_text().strip()
    if ended != "0" or run.returncode != (0 if last["scene"] else 1):
        return f"{path.name}: not played, status {run.returncode}, of the mock {ended or 'none'}\n{run.stdout[-300:]}{run.stderr}"
    shown = f"\n{run.stdout}".split("\n\n== ")[-1]
    # What the time until the next try was when it was drawn is not known.
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
        failures.append(f"{len(plays)} transcripts can be played, where {PLAYABLE} could")
    if not named and not plays_all:
        plays = plays[::3]
    plays = [(*it, drawing) for it, drawing in zip(plays, drawings([it[-1] for it in plays]))]
    # More at a time than there are cores: the mock waits now and then.
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        failures += filter(None, pool.map(lambda it: play(engine, *it), plays))
    print(f"{len(plays)} transcripts played")
    print(*(f"FAILED: {failure}" for failure in failures), f"{max(len(plays) - len(failures), 0)} passed, {len(failures)} failed", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
