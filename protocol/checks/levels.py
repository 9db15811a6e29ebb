"""Checks the levels: each type for views has one, and a view receives only members of the levels that it has requested.

`x-level` is the level of a type and its members; `x-levels` names the members with other levels. A view requests levels with three
params of `session/open`: `detail` (commands), `transitions` (transitions) and `supports` (items of the level platform).
"""

from schemas import PROTOCOL
from transcripts import read

LEVELS = ["minimal", "live", "commands", "transitions", "platform"]
FAMILIES = ["common", "engine-to-frontend", "frontend-to-engine"]

def level(schema, member):
    """The level of a member of a type."""
    others = schema.get("x-levels", {})
    return next((level for level, members in others.items() if member in members), schema["x-level"])


def check(schemas, count, fail):
    for family in FAMILIES:
        for name, schema in schemas.documents[family]["$defs"].items():
            if "properties" not in schema:
                continue
            count()
            if schema.get("x-level") not in LEVELS:
                fail(f"schema {family}: {name} has no valid level")
                continue
            for other, members in schema.get("x-levels", {}).items():
                if other not in LEVELS or not set(members) <= set(schema["properties"]) or other == schema["x-level"]:
                    fail(f"schema {family}: {name}: x-levels.{other} is not another level, or names unknown members")
    sessions = 0
    for path in sorted((PROTOCOL / "transcripts").rglob("*.jsonl")):
        follower = Follower(schemas, count, lambda text, path=path: fail(f"{path.relative_to(PROTOCOL)}: {text}"))
        for number, step in read(path):
            follower.follow(number, step)
        sessions += follower.sessions
    count()
    if sessions < 100:
        fail(f"levels: only {sessions} sessions were checked, fewer than 100")


class Follower:
    """Follows the sessions of a transcript and checks their updates against the requested levels."""

    def __init__(self, schemas, count, fail):
        self.schemas, self.count, self.fail = schemas, count, fail
        self.asked, self.next, self.sessions = {}, None, 0

    def follow(self, number, step):
        line = step.get("in", step.get("out"))
        for message in line if isinstance(line, list) else [line]:
            if not isinstance(message, dict) or not isinstance(message.get("params"), dict):
                continue
            params = message["params"]
            if "in" in step and message.get("method") in ("session/open", "session/submit"):
                self.note(params)
            elif "out" in step and message.get("method") == "session/update":
                asked = self.asked.setdefault(params["session"], self.next)
                if asked is not None:
                    self.compare(number, params, asked)

    def note(self, params):
        """Records the levels that the view of a new session requests; None if the flow or a saved session can add others."""
        if params.get("saved") is not None or params.get("flow") not in (None, "standard", "dynamic", "immediate"):
            asked = None
        else:
            asked = {"minimal", "live"}
            asked |= {"commands"} if params.get("detail") in ("full", "commands") else set()
            asked |= {"platform"} if params.get("supports") else set()
            self.sessions += 1
        if isinstance(params.get("session"), str):
            self.asked.setdefault(params["session"], asked)
        else:
            self.next = asked

    def compare(self, number, params, asked):
        self.count()
        for place, met in self.met({"$ref": "#/$defs/SessionUpdateParams"}, params, "params"):
            if met not in asked:
                self.fail(f"line {number}: {place} has the level {met}, but the view has requested only {', '.join(sorted(asked))}")

    def met(self, schema, value, place):
        """Yields the members of a value with their levels."""
        if "$ref" in schema:
            schema = self.schemas.type(schema["$ref"].rsplit("/", 1)[1])
        branches = schema.get("oneOf", schema.get("anyOf", [])) if "properties" not in schema else []
        for branch in branches:
            if "$ref" in branch and self.schemas.meets(branch["$ref"].rsplit("/", 1)[1], value):
                yield from self.met(branch, value, place)
                return
        if isinstance(value, list):
            for index, child in enumerate(value):
                yield from self.met(schema.get("items", {}), child, f"{place}[{index}]")
        if isinstance(value, dict) and "x-level" in schema:
            for member, child in value.items():
                yield f"{place}.{member}", level(schema, member)
                yield from self.met(schema["properties"].get(member, {}), child, f"{place}.{member}")
