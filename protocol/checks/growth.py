"""Checks that the protocol only grows within a major version (README.md, Versions).

Compares the schemas with those of the last release (the newest tag) or of another commit. What an older peer writes stays valid, and
what it reads keeps its promised members. As a program, this module takes the commit as its argument.
"""

import copy
import json
import subprocess
import sys

from schemas import FAMILIES, PROTOCOL, Schemas

# The families that the engine reads and those that it writes. It does both with the types in `common`.
READ = {"frontend-to-engine", "authenticator-to-engine", "flow"}
WRITTEN = {"engine-to-frontend", "engine-to-authenticator", "audit-line"}
LIMITS = {"maxLength": 1, "maxItems": 1, "maxProperties": 1, "maximum": 1, "minLength": -1, "minItems": -1, "minimum": -1}


def listed(value):
    return value if isinstance(value, list) else [value]


class Comparison:
    """Compares two sets of schemas and collects the incompatible changes."""

    def __init__(self):
        self.problems, self.compared = [], 0

    def families(self, old, new):
        for family in old:
            read, written = family not in WRITTEN, family not in READ
            for name, schema in old[family].get("$defs", {}).items():
                after = new.get(family, {}).get("$defs", {}).get(name)
                if after is None:
                    self.problems.append(f"{name} was removed")
                else:
                    self.schemas(name, schema, after, read, written)
        return self.problems

    def schemas(self, place, old, new, read, written):
        """`read` and `written`: whether the engine reads or writes such values."""
        self.compared += 1
        if not isinstance(old, dict) or not isinstance(new, dict):
            if old != new:
                self.problems.append(f"{place} was {old} and is now {new}")
            return
        required, before = set(new.get("required", [])), set(old.get("required", []))
        if read and required - before:
            self.problems.append(f"{place} now requires {', '.join(sorted(required - before))}")
        if written and before - required:
            self.problems.append(f"{place} no longer requires {', '.join(sorted(before - required))}")
        for keyword in ("const", "$ref", "pattern"):
            if old.get(keyword) != new.get(keyword):
                self.problems.append(f"{place} has a different {keyword}")
        if missing := [value for value in old.get("enum", []) if value not in new.get("enum", old["enum"])]:
            self.problems.append(f"{place} has lost the values {', '.join(map(str, missing))}")
        if "enum" in new and "enum" not in old or "type" in new and "type" not in old:
            self.problems.append(f"{place} now has an enum or a type")
        kinds, former = set(listed(new.get("type", []))), set(listed(old.get("type", [])))
        if kinds and (read and former - kinds or written and kinds - former):
            self.problems.append(f"{place} now has the types {', '.join(sorted(kinds))}")
        for limit, sign in LIMITS.items():
            if read and limit in new and (limit not in old or (new[limit] - old[limit]) * sign < 0):
                self.problems.append(f"{place} has a stricter {limit}")
        for member, schema in old.get("properties", {}).items():
            if member not in new.get("properties", {}):
                self.problems.append(f"{place}.{member} was removed")
            else:
                self.schemas(f"{place}.{member}", schema, new["properties"][member], read, written)
        if isinstance(old.get("items"), dict):
            self.schemas(f"{place}[]", old["items"], new.get("items", {}), read, written)
        for keyword in ("oneOf", "anyOf"):
            if lost := [branch for branch in old.get(keyword, []) if branch not in new.get(keyword, [])]:
                self.problems.append(f"{place} has lost {json.dumps(lost[0])}")


# Incompatible changes, each applied to a copy of the schemas.
PLANTED = {
    "a method is removed": lambda all: all["frontend-to-engine"]["$defs"].pop("SessionEdit"),
    "a param is removed": lambda all: defs(all, "frontend-to-engine", "SessionOpenParams")["properties"].pop("flow"),
    "a param becomes required": lambda all: defs(all, "frontend-to-engine", "SessionOpenParams").update(required=["flow"]),
    "a promised member is removed": lambda all: defs(all, "common", "Snapshot")["properties"].pop("focus"),
    "a promised member becomes optional": lambda all: defs(all, "common", "Snapshot")["required"].remove("focus"),
    "an outcome is removed": lambda all: defs(all, "common", "Outcome")["enum"].remove("notice"),
    "a member becomes nullable": lambda all: defs(all, "common", "Snapshot")["properties"]["title"].update(type=["string", "null"]),
    "a limit is lower": lambda all: defs(all, "common", "Supports").update(maxItems=8),
    "a command is removed": lambda all: defs(all, "common", "Command")["oneOf"].pop(),
    "an error number changes": lambda all: defs(all, "engine-to-frontend", "NotAccepted")["properties"]["code"].update(const=12),
}
ADDITIONS = {
    "a param": lambda all: defs(all, "frontend-to-engine", "SessionOpenParams")["properties"].update(theme={"type": "string"}),
    "a member": lambda all: defs(all, "common", "Snapshot")["properties"].update(help={"type": "string"}),
    "an outcome": lambda all: defs(all, "common", "Outcome")["enum"].append("expired"),
    "a command": lambda all: defs(all, "common", "Command")["oneOf"].append({"$ref": "#/$defs/SetFocus2"}),
}


def defs(all, family, name):
    return all[family]["$defs"][name]


def check(schemas, count, fail):
    """Checks that the comparison finds the incompatible changes and accepts the additions."""
    for changes, wanted in ((PLANTED, True), (ADDITIONS, False)):
        for name, change in changes.items():
            count()
            new = copy.deepcopy(schemas.documents)
            change(new)
            if bool(Comparison().families(schemas.documents, new)) != wanted:
                fail(f"growth: {name}: {'not found' if wanted else 'wrongly reported as incompatible'}")


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=PROTOCOL, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def main(arguments):
    commit = arguments[0] if arguments else (git("describe", "--tags", "--abbrev=0") or "").strip()
    if not commit:
        print("growth: there is no release yet")
        return 0
    old = {family: git("show", f"{commit}:./schema/{family}.json") for family in FAMILIES}
    if None in old.values():
        print(f"growth: commit {commit} does not have all schemas", file=sys.stderr)
        return 2
    comparison = Comparison()
    problems = comparison.families({family: json.loads(text) for family, text in old.items()}, Schemas().documents)
    for problem in problems:
        print(f"FAILED {problem}")
    print(f"growth since {commit}: {comparison.compared - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
