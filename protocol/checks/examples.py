"""Checks the examples. TYPE.json has instances that meet the schema of the type, and instances that do not:

    {"accepted": [INSTANCE ...], "refused": {"REASON": INSTANCE ...}}

A type without its own lines needs no file if a transcript or flow definition has an instance of it.
"""

from schemas import PROTOCOL, parse

KINDS = ["accepted", "refused"]


def check(schemas, count, fail):
    """Returns the number of instances checked, by kind."""
    folder = PROTOCOL / "examples"
    totals = dict.fromkeys(KINDS, 0)
    for path in sorted(folder.iterdir()):
        if path.suffix != ".json" or path.stem not in schemas.family_of_type:
            fail(f"examples/{path.name}: the schemas have no such type")
    parts = shown_parts()
    for name in schemas.concrete_types():
        place = f"examples/{name}.json"
        count()
        if not (folder / f"{name}.json").exists():
            if not any(schemas.meets(name, part) for part in parts):
                fail(f"{place}: the file is missing, and no transcript or flow definition has an instance of the type")
            continue
        try:
            examples = parse((folder / f"{name}.json").read_text())
            instances = {
                "accepted": list(enumerate(examples.pop("accepted"), 1)),
                "refused": list(examples.pop("refused").items()),
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            fail(f"{place}: the file does not have the form of examples: {error!r}")
            continue
        if examples:
            fail(f"{place}: unknown members: {sorted(examples)}")
        for kind in KINDS:
            count()
            if not instances[kind]:
                fail(f"{place}: there is no {kind} instance")
            for label, value in instances[kind]:
                count()
                totals[kind] += 1
                problem = schemas.problem(name, value)
                if kind == "accepted" and problem:
                    fail(f"{place}: accepted {label}: {problem}")
                if kind == "refused" and problem is None:
                    fail(f"{place}: the schema accepts the refused instance {label!r}")
    return totals


def shown_parts():
    """Up to five objects of each shape from the transcripts and flow definitions."""
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
