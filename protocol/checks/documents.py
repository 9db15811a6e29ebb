"""Checks the JSON in the documents: each block, whole or line by line, is a line of the protocol or a part of a flow definition."""

import re

from schemas import PROTOCOL, parse

FAMILIES = ["engine-to-frontend", "frontend-to-engine", "engine-to-authenticator", "flow"]


def values(block):
    try:
        return [parse(block)]
    except ValueError:
        return [parse(line) for line in block.splitlines() if line.strip()]


def references(schemas, value):
    """The families and types that a value can belong to."""
    method = value.get("method") if isinstance(value, dict) else None
    if method:
        # The authenticators' schema accepts every unknown call, so only the known one is tried.
        return FAMILIES + ["AuthenticatorNotify"]
    parts = [name for name in schemas.concrete_types() if schemas.family_of_type[name] == "flow"]
    return FAMILIES + ["authenticator-to-engine", "Message"] + parts


def check(schemas, count, fail):
    for path in sorted([*PROTOCOL.glob("*.md"), *PROTOCOL.glob("guides/**/*.md")]):
        for block in re.findall(r"```json\n(.*?)```", path.read_text(), re.DOTALL):
            place = f"{path.relative_to(PROTOCOL)}: {block[:60]!r}"
            try:
                found = values(block)
            except ValueError as error:
                fail(f"{place}: {error}")
                continue
            for value in found:
                count()
                if not any(schemas.meets(reference, value) for reference in references(schemas, value)):
                    fail(f"{place}: no schema accepts this value")
