"""Lines that an engine wrote while its tests ran, in files `FAMILY-ANYTHING.jsonl`."""

from schemas import parse

FAMILIES = ["engine-to-frontend", "engine-to-authenticator", "authenticator-to-engine"]
# Of each file, the mistakes that are told.
TOLD = 3


def problem(schemas, family, text):
    """What is wrong with one line; None if nothing is."""
    try:
        value = parse(text)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if family == "authenticator-to-engine" and "error" in value and not isinstance(value.get("id"), int):
        # The accounts' answer to a line that no engine writes.
        return None
    return schemas.problem(family, value)


def check(schemas, folder, count, fail):
    paths = sorted(folder.glob("*.jsonl"))
    lines = 0
    for path in paths:
        family = next((name for name in FAMILIES if path.name.startswith(name)), None)
        if family is None:
            fail(f"{path.name}: its name tells no kind of lines")
            continue
        told = 0
        with open(path, "rb") as file:
            for number, text in enumerate(file, 1):
                count()
                lines += 1
                found = problem(schemas, family, text)
                if found and told < TOLD:
                    told += 1
                    fail(f"{path.name}:{number}: {found}")
    if lines == 0:
        fail(f"{folder}: no lines were written there")
    return len(paths), lines


def check_planted(schemas, folder, count, fail):
    """A wrong line has to be caught. Takes a real line apart in every way and looks whether each is."""
    line = next(updates(folder), None)
    if line is None:
        return fail(f"{folder}: there is no update to plant a mistake in")
    for what, wrong in planted(line):
        count()
        if problem(schemas, "engine-to-frontend", wrong) is None:
            fail(f"a planted line is not caught: {what}")


def updates(folder):
    """The updates among the lines; other lines may hold the word, what the engine says of its methods for one."""
    for path in sorted(folder.glob("engine-to-frontend*.jsonl")):
        with open(path, "rb") as file:
            for text in file:
                if b'"session/update"' in text:
                    value = parse(text)
                    if isinstance(value, dict) and value.get("method") == "session/update":
                        yield text


def planted(line):
    yield "half of it", line[: len(line) // 2]
    yield "a renamed member", line.replace(b'"snapshot"', b'"snapshots"', 1)
    yield "an unknown state", line.replace(b'"state":"', b'"state":"un', 1)
    yield "a member too many", line.replace(b'"activity":', b'"password":"hunter2","activity":', 1)
    yield "a member twice", line.replace(b'"activity":', b'"activity":false,"activity":', 1)
    yield "a number that is a string", line.replace(b'"events":', b'"events":"1","was":', 1)
