"""Lines that engines wrote during the tests, in files `FAMILY-ANYTHING.jsonl`."""

from schemas import parse

FAMILIES = ["engine-to-frontend", "engine-to-authenticator", "authenticator-to-engine"]
# How many failures are reported for each file.
REPORTED = 3


def problem(schemas, family, text):
    """The problem of a line, or None."""
    try:
        value = parse(text)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if family == "authenticator-to-engine" and "error" in value and not isinstance(value.get("id"), int):
        # The accounts answer so to a line that no engine writes.
        return None
    return schemas.problem(family, value)


def check(schemas, folder, count, fail):
    paths = sorted(folder.glob("*.jsonl"))
    lines = 0
    for path in paths:
        family = next((name for name in FAMILIES if path.name.startswith(name)), None)
        if family is None:
            fail(f"{path.name}: the file name names no family of lines")
            continue
        reported = 0
        with open(path, "rb") as file:
            for number, text in enumerate(file, 1):
                count()
                lines += 1
                found = problem(schemas, family, text)
                if found and reported < REPORTED:
                    reported += 1
                    fail(f"{path.name}:{number}: {found}")
    if lines == 0:
        fail(f"{folder}: no lines were written there")
    return len(paths), lines


def check_planted(schemas, folder, count, fail):
    """Proves that wrong lines are found: plants each kind of mistake in a real line."""
    line = next(updates(folder), None)
    if line is None:
        return fail(f"{folder}: no update to plant a mistake in")
    for what, wrong in planted(line):
        count()
        if problem(schemas, "engine-to-frontend", wrong) is None:
            fail(f"a planted mistake is not found: {what}")


def updates(folder):
    """The updates among the lines. Other lines may contain the word too, such as the answer to rpc.discover."""
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
    yield "an unknown state", line.replace(b'"state":"', b'"state":"no', 1)
    yield "a member too many", line.replace(b'"activity":', b'"password":"hunter2","activity":', 1)
    yield "a member twice", line.replace(b'"activity":', b'"activity":false,"activity":', 1)
    yield "a number that is a string", line.replace(b'"events":', b'"events":"1","was":', 1)
