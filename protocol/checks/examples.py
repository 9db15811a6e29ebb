"""Examples: for a type one file TYPE.json, with instances that meet its schema and instances that do not.

    {"accepted": [INSTANCE ...], "refused": {"REASON": INSTANCE ...}}

A type that is only a part of others needs none if some transcript or flow definition has an instance of it.
"""

from schemas import PROTOCOL, parse

KINDS = ["accepted", "refused"]


def check(schemas, count, fail):
    """Returns how many instances of each kind were checked."""
    folder = PROTOCOL / "examples"
    totals = dict.fromkeys(KINDS, 0)
    for path in sorted(folder.iterdir()):
        if path.suffix != ".json" or path.stem not in schemas.family_of_type:
            fail(f"examples/{path.name}: there is no such type")
    parts = shown_parts()
    for name in schemas.concrete_types():
        place = f"examples/{name}.json"
        count()
        if not (folder / f"{name}.json").exists():
            if not any(schemas.meets(name, part) for part in parts):
                fail(f"{place}: there is no such file, and no transcript or flow definition shows the type")
            continue
        try:
            examples = parse((folder / f"{name}.json").read_text())
            instances = {
                "accepted": list(enumerate(examples.pop("accepted"), 1)),
                "refused": list(examples.pop("refused").items()),
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            fail(f"{place}: the file cannot be read as examples: {error!r}")
            continue
        if examples:
            fail(f"{place}: members besides accepted and refused: {sorted(examples)}")
        for kind in KINDS:
            count()
            if not instances[kind]:
                fail(f"{place}: no instance is {kind}")
            for label, value in instances[kind]:
                count()
                totals[kind] += 1
                problem = schemas.problem(name, value)
                if kind == "accepted" and problem:
                    fail(f"{place}: accepted {label}: {problem}")
                if kind == "refused" and problem is None:
                    fail(f"{place}: the schema accepts what is refused for this reason: {label}")
    return totals


def shown_parts():
    """Some of the objects that transcripts and flow definitions have, of each shape."""
    shapes = {}

    def walk(value):
        if isinstance(value, dict):
            kinds = (value.get(name) for name in ("kind", "command", "rule", "outcome", "method"))
            shape = (*sorted(value), *(kind for kind in kinds if isinstance(kind, str)))
            found = shapes.setdefault(shape, [])
            if len(found) < 5:
                found.append(value)
            for member in value.values():
                walk(member)
        elif isinstance(value, list):
            for member in value:
                walk(member)

    for path in (PROTOCOL / "transcripts").rglob("*.jsonl"):
        for line in path.read_text().splitlines():
            if line.strip():
                walk(parse(line))
    for path in [*(PROTOCOL / "flows").glob("*.json"), *(PROTOCOL / "transcripts/flows").glob("*.json")]:
        walk(parse(path.read_text()))
    return [value for found in shapes.values() for value in found]


def check_flows(schemas, count, fail):
    for path in sorted([*(PROTOCOL / "flows").glob("*.json"), *(PROTOCOL / "transcripts/flows").glob("*.json")]):
        count()
        problem = schemas.problem("flow", parse(path.read_text()))
        if problem:
            fail(f"{path.relative_to(PROTOCOL)}: {problem}")
