"""Growth: within one first number of the protocol's version, changes are additions (README.md, Versions).

Compares the schemas with those of the last release, which is the newest tag, or of another commit. What an older peer writes stays
valid, and what it reads keeps its promised members. Run as a program, this module takes the commit.
"""

import copy
import json
import subprocess
import sys

from schemas import FAMILIES, PROTOCOL, Schemas

# Who writes what a family describes; the parts in `common` are written and read by both.
READ = {"frontend-to-engine", "authenticator-to-engine", "flow"}
WRITTEN = {"engine-to-frontend", "engine-to-authenticator", "audit-line"}
LIMITS = {"maxLength": 1, "maxItems": 1, "maxProperties": 1, "maximum": 1, "minLength": -1, "minItems": -1, "minimum": -1}


def listed(value):
    return value if isinstance(value, list) else [value]


class Comparison:
    """The problems of a change from one set of schemas to another."""

    def __init__(self):
        self.problems, self.compared = [], 0

    def families(self, old, new):
        for family in old:
            read, written = family not in WRITTEN, family not in READ
            for name, schema in old[family].get("$defs", {}).items():
                after = new.get(family, {}).get("$defs", {}).get(name)
                if after is None:
                    self.problems.append(f"{name} is gone")
                else:
                    self.schemas(name, schema, after, read, written)
        return self.problems

    def schemas(self, place, old, new, read, written):
        """`read` and `written` say whether the engine reads or writes such values."""
        self.compared += 1
        if not isinstance(old, dict) or not isinstance(new, dict):
            if old != new:
                self.problems.append(f"{place} is {new}, and was {old}")
            return
        required, before = set(new.get("required", [])), set(old.get("required", []))
        if read and required - before:
            self.problems.append(f"{place} has to have {', '.join(sorted(required - before))} now")
        if written and before - required:
            self.problems.append(f"{place} may lack {', '.join(sorted(before - required))} now")
        for keyword in ("const", "$ref", "pattern"):
            if old.get(keyword) != new.get(keyword):
                self.problems.append(f"{place} has another {keyword}")
        if missing := [value for value in old.get("enum", []) if value not in new.get("enum", old["enum"])]:
            self.problems.append(f"{place} is no longer {', '.join(map(str, missing))}")
        if "enum" in new and "enum" not in old or "type" in new and "type" not in old:
            self.problems.append(f"{place} is limited now")
        kinds, former = set(listed(new.get("type", []))), set(listed(old.get("type", [])))
        if kinds and (read and former - kinds or written and kinds - former):
            self.problems.append(f"{place} is {', '.join(sorted(kinds))} now")
        for limit, sign in LIMITS.items():
            if read and limit in new and (limit not in old or (new[limit] - old[limit]) * sign < 0):
                self.problems.append(f"{place} has another {limit}")
        for member, schema in old.get("properties", {}).items():
            if member not in new.get("properties", {}):
                self.problems.append(f"{place}.{member} is gone")
            else:
                self.schemas(f"{place}.{member}", schema, new["properties"][member], read, written)
        if isinstance(old.get("items"), dict):
            self.schemas(f"{place}[]", old["items"], new.get("items", {}), read, written)
        for keyword in ("oneOf", "anyOf"):
            if lost := [branch for branch in old.get(keyword, []) if branch not in new.get(keyword, [])]:
                self.problems.append(f"{place} has lost {json.dumps(lost[0])}")


# What is no addition: a name, and the change of a copy of the schemas.
PLANTED = {
    "a method is gone": lambda all: all["frontend-to-engine"]["$defs"].pop("SessionEdit"),
    "a param is gone": lambda all: defs(all, "frontend-to-engine", "SessionOpenParams")["properties"].pop("flow"),
    "a param is required": lambda all: defs(all, "frontend-to-engine", "SessionOpenParams").update(required=["flow"]),
    "a promised member is gone": lambda all: defs(all, "common", "Snapshot")["properties"].pop("focus"),
    "a promised member may be absent": lambda all: defs(all, "common", "Snapshot")["required"].remove("focus"),
    "an outcome is gone": lambda all: defs(all, "common", "Outcome")["enum"].remove("notice"),
    "a member is null": lambda all: defs(all, "common", "Snapshot")["properties"]["title"].update(type=["string", "null"]),
    "a limit is lower": lambda all: defs(all, "common", "Supports").update(maxItems=8),
    "a command is gone": lambda all: defs(all, "common", "Command")["oneOf"].pop(),
    "a number is another": lambda all: defs(all, "engine-to-frontend", "NotAccepted")["properties"]["code"].update(const=12),
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
    """That what is no addition is found, and that additions are none."""
    for changes, wanted in ((PLANTED, True), (ADDITIONS, False)):
        for name, change in changes.items():
            count()
            new = copy.deepcopy(schemas.documents)
            change(new)
            if bool(Comparison().families(schemas.documents, new)) != wanted:
                fail(f"growth: {name} is {'not found' if wanted else 'no addition'}")


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=PROTOCOL, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def main(arguments):
    commit = arguments[0] if arguments else (git("describe", "--tags", "--abbrev=0") or "").strip()
    if not commit:
        print("growth: nothing was released yet")
        return 0
    old = {family: git("show", f"{commit}:./schema/{family}.json") for family in FAMILIES}
    if None in old.values():
        print(f"growth: {commit} has no schemas of this protocol", file=sys.stderr)
        return 2
    comparison = Comparison()
    problems = comparison.families({family: json.loads(text) for family, text in old.items()}, Schemas().documents)
    for problem in problems:
        print(f"FAILED {problem}")
    print(f"growth since {commit}: {comparison.compared - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
