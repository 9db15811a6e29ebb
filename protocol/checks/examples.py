"""Examples: of every type some that meet its schema, and some that do not."""

from schemas import PROTOCOL, parse


def check(schemas, count, fail):
    folder = PROTOCOL / "examples"
    for entry in sorted(folder.iterdir()):
        if entry.name not in schemas.family_of_type:
            fail(f"examples/{entry.name}: there is no such type")
    for name in schemas.concrete_types():
        found = {"accepted": 0, "refused": 0}
        for path in sorted((folder / name).glob("*.json")):
            count()
            place = path.relative_to(PROTOCOL)
            kind = path.name.split("-")[0]
            if kind not in found:
                fail(f"{place}: it is neither accepted-NAME nor refused-NAME")
                continue
            found[kind] += 1
            problem = schemas.problem(name, parse(path.read_text()))
            if kind == "accepted" and problem:
                fail(f"{place}: {problem}")
            if kind == "refused" and problem is None:
                fail(f"{place}: the schema accepts it")
        for kind, number in found.items():
            count()
            if number == 0:
                fail(f"examples/{name}: there is none that is {kind}")


def check_flows(schemas, count, fail):
    for path in sorted((PROTOCOL / "flows").glob("*.json")):
        count()
        problem = schemas.problem("flow", parse(path.read_text()))
        if problem:
            fail(f"{path.relative_to(PROTOCOL)}: {problem}")
