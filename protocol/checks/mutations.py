"""Mutates the engine's output, one member of one type at a time, and finds a transcript whose replay then fails.

`mutations.py ENGINE` tests all mutations. `mutations.py --through TYPE MEMBER NEW COMMAND ARG ...` runs COMMAND as the engine and passes on
its output to the frontend and the authenticator, with every MEMBER of TYPE renamed to NEW, or removed if NEW is empty.
"""

import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from instances import Instances, members_by_type
from schemas import PROTOCOL, Schemas, parse

WRITTEN = ["engine-to-frontend", "engine-to-authenticator"]
HERE = Path(__file__)


def index(schemas):
    """For each (type, member), the transcripts with that member: those without `ignore` first, then by size."""
    found = {}
    instances = Instances(schemas)
    paths = sorted(
        (PROTOCOL / "transcripts").rglob("*.jsonl"),
        key=lambda path: ('"ignore"' in path.read_text(), path.stat().st_size),
    )
    for path in paths:
        for text in path.read_text().splitlines():
            step = parse(text) if text.strip() else {}
            for kind, family in zip(["out", "ask"], WRITTEN):
                if kind in step:
                    for name, value in instances.of_line(family, step[kind]):
                        if isinstance(value, dict):
                            for member in value:
                                places = found.setdefault((name, member), [])
                                if path not in places:
                                    places.append(path)
    return found


def try_all(engine):
    schemas = Schemas()
    places = index(schemas)
    mutations = [
        (name, member, new)
        for name, members in sorted(members_by_type(schemas, WRITTEN).items())
        for member in members
        for new in ["", member + "Renamed"]
    ]

    def attempt(mutation):
        name, member, new = mutation
        for path in places.get((name, member), [])[:3]:
            if notices(engine, mutation, path):
                return path
        return None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(zip(mutations, pool.map(attempt, mutations)))
    survivors = 0
    for (name, member, new), path in results:
        what = f"{name}.{member} {'renamed' if new else 'dropped'}"
        if path:
            print(f"{what} -> {path.relative_to(PROTOCOL.parent)}")
        else:
            survivors += 1
            print(f"{what} -> SURVIVES")
    print(f"mutations: {len(results) - survivors} passed, {survivors} failed")
    return 1 if survivors else 0


def notices(engine, mutation, path):
    """Whether a replay of the transcript fails because of the mutated line and for no other reason."""
    through = shlex.join([sys.executable, str(HERE), "--through", *mutation, engine])
    replay = [engine, "replay", "--timeout", "10", "--command", through, str(path)]
    # Transcripts name flows relative to the project's root folder.
    folder = PROTOCOL.parent
    result = subprocess.run(replay, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if result.returncode not in (0, 1):
        raise RuntimeError(f"{path}: {result.stdout}{result.stderr}")
    return result.returncode == 1 and "first difference" in result.stdout and "Traceback" not in result.stdout


# --- The program between replayer and engine


class Mutator:
    def __init__(self, name, member, new):
        self.name, self.member, self.new = name, member, new
        self.instances = Instances(Schemas())

    def line(self, family, text):
        try:
            value = json.loads(text)
        except ValueError:
            return text
        targets = [
            part
            for name, part in self.instances.of_line(family, value)
            if name == self.name and isinstance(part, dict)
        ]
        if not any(self.member in part for part in targets):
            return text
        for part in targets:
            if self.member in part:
                members = list(part.items())
                part.clear()
                for key, member in members:
                    if key != self.member:
                        part[key] = member
                    elif self.new:
                        part[self.new] = member
        return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def through(name, member, new, command):
    mutator = Mutator(name, member, new)
    if "--as-authenticator" in command:
        # This process acts as the engine's authenticator and passes the engine's lines on to the real one.
        command.remove("--as-authenticator")
        child = subprocess.Popen(command, stdin=subprocess.PIPE)
        pass_on(sys.stdin.buffer, child.stdin, lambda text: mutator.line(WRITTEN[1], text))
        child.stdin.close()
        return child.wait()
    place = command.index("--authenticator") + 1
    if command[place] != "frontend" and mutator.name.split("/")[0] in authenticator_types(mutator):
        inner = [sys.executable, str(HERE), "--through", name, member, new, "--as-authenticator"]
        command[place] = shlex.join(inner) + " " + command[place]
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    pass_on(child.stdout, sys.stdout.buffer, lambda text: mutator.line(WRITTEN[0], text))
    return child.wait()


def authenticator_types(mutator):
    schemas = mutator.instances.schemas
    return {name for name, family in schemas.family_of_type.items() if family == WRITTEN[1]}


def pass_on(source, target, change):
    for text in source:
        target.write(change(text))
        target.flush()


if __name__ == "__main__":
    if sys.argv[1] == "--through":
        sys.exit(through(*sys.argv[2:5], sys.argv[5:]))
    sys.exit(try_all(str(Path(sys.argv[1]).resolve())))
