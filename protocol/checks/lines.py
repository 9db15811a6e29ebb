"""Checks the lines that engines wrote during the tests, in files `FAMILY-ANYTHING.jsonl`."""

import collections
import multiprocessing

from schemas import parse

FAMILIES = ["engine-to-frontend", "engine-to-authenticator", "authenticator-to-engine"]
# The maximum number of failures reported per file.
REPORTED = 3
# The size of the part of a file that a process checks at a time.
PART_BYTES = 1 << 23
# The schemas, in each process that checks parts.
part_schemas = []


def problem(schemas, family, text):
    """The problem of a line, or None."""
    try:
        value = parse(text)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if family == "authenticator-to-engine" and "error" in value and not isinstance(value.get("id"), int):
        # The accounts' error for a line that no engine writes.
        return None
    return schemas.problem(family, value)


def check(schemas, folder, count, fail):
    """Checks all lines with one process per processor. Returns the numbers of files and lines."""
    paths = sorted(folder.glob("*.jsonl"))
    for path in paths:
        if family(path) is None:
            fail(f"{path.name}: the file name does not begin with a family of lines")
    parts = [
        (path, start)
        for path in paths
        if family(path)
        for start in range(0, path.stat().st_size, PART_BYTES)
    ]
    lines, reported = 0, collections.Counter()
    # Forked processes inherit the schemas.
    with multiprocessing.get_context("fork").Pool(initializer=part_schemas.append, initargs=[schemas]) as pool:
        for path, number, problems in pool.imap(check_part, parts):
            lines += number
            count(number)
            for found in problems[: REPORTED - reported[path]]:
                reported[path] += 1
                fail(f"{path.name}: {found}")
    if lines == 0:
        fail(f"{folder}: the folder has no lines")
    return len(paths), lines


def family(path):
    return next((name for name in FAMILIES if path.name.startswith(name)), None)


def check_part(part):
    """Checks the lines that start within a part of a file. Returns the file, the number of lines and the first problems."""
    path, start = part
    number, problems = 0, []
    with open(path, "rb") as file:
        # A line that crosses into this part belongs to the part before.
        file.seek(max(start - 1, 0))
        if start > 0:
            file.readline()
        while (begin := file.tell()) < start + PART_BYTES and (text := file.readline()):
            number += 1
            found = problem(part_schemas[0], family(path), text)
            if found and len(problems) < REPORTED:
                problems.append(f"the line at byte {begin}: {found}")
    return path, number, problems


def check_planted(schemas, folder, count, fail):
    """Checks that mistakes are found: plants each kind of mistake in a real line."""
    line = next(updates(folder), None)
    if line is None:
        return fail(f"{folder}: there is no update in which to plant a mistake")
    for what, wrong in planted(line):
        count()
        if problem(schemas, "engine-to-frontend", wrong) is None:
            fail(f"a planted mistake was not found: {what}")


def updates(folder):
    """Yields the updates. Other lines, such as the answer to rpc.discover, can contain the method's name too."""
    for path in sorted(folder.glob("engine-to-frontend*.jsonl")):
        with open(path, "rb") as file:
            for text in file:
                if b'"session/update"' in text:
                    value = parse(text)
                    if isinstance(value, dict) and value.get("method") == "session/update":
                        yield text


def planted(line):
    yield "half a line", line[: len(line) // 2]
    yield "a renamed member", line.replace(b'"snapshot"', b'"snapshots"', 1)
    yield "an unknown state", line.replace(b'"state":"', b'"state":"no', 1)
    yield "an extra member", line.replace(b'"activity":', b'"password":"hunter2","activity":', 1)
    yield "a duplicate member", line.replace(b'"activity":', b'"activity":false,"activity":', 1)
    yield "a number that is a string", line.replace(b'"events":', b'"events":"1","was":', 1)
