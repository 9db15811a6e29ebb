"""Writes programs in TypeScript that compile exactly if the types agree with the schemas.

Usage: typed_values.py FOLDER    writes valid.ts and invalid.ts there, and prints how many values they have

valid.ts has values that the schemas accept: lines of the transcripts, and generated ones. In invalid.ts each value is one that the schemas refuse
because of a member that is missing, unknown or of another type; each is marked as an error that the compiler must find.
"""

import functools
import json
import random
import sys
from pathlib import Path

import jsonschema_rs

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = json.loads((ROOT / "protocol" / "openrpc.json").read_text())
SCHEMAS = DOCUMENT["components"]["schemas"]
DEPTH = 5
#: The most characters of a generated value: long ones show nothing that short ones do not.
LONGEST = 2000
HEADER = 'import type * as wire from "login-engine";\n'
#: Words of schemas for limits of lengths and numbers, and conditions between members. Types cannot express these.
LIMITS = {"minLength", "maxLength", "pattern", "format", "minimum", "maximum", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
          "propertyNames", "if", "then", "else", "not", "dependentRequired"}
#: What no schema accepts where a text, number, boolean, list or object is expected.
WRONG = ["a text that no enumeration has", 1.5, True, [[1]], {"no such member": 1}, None]


def resolved(schema):
    while "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rsplit("/", 1)[1]]
    return schema


@functools.cache
def validator(name, is_relaxed):
    components = relaxed(DOCUMENT["components"]) if is_relaxed else DOCUMENT["components"]
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": components})


def relaxed(schema):
    """Returns a schema without what types cannot express."""
    if isinstance(schema, list):
        return [relaxed(entry) for entry in schema]
    if not isinstance(schema, dict):
        return "number" if schema == "integer" else schema
    left_out = LIMITS | ({"anyOf", "oneOf"} if "properties" in schema else set())
    # The names of members and definitions are no words of the schema.
    return {word: {name: relaxed(inner) for name, inner in value.items()} if word in ("properties", "schemas") else relaxed(value)
            for word, value in schema.items() if word not in left_out}


def is_valid(name, value, is_relaxed=False):
    return validator(name, is_relaxed).is_valid(value)


def generated(schema, choose, depth=0):
    """Returns a value with the structure of a schema. Limits may be exceeded, so `is_valid` decides whether the value counts."""
    schema = resolved(schema)
    for word in ("oneOf", "anyOf"):
        if word in schema and "properties" not in schema:
            return generated(choose.choice(schema[word]), choose, depth + 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return choose.choice(schema["enum"])
    kind = schema.get("type", "null")
    kind = choose.choice(kind) if isinstance(kind, list) else kind
    if kind == "object":
        required = schema.get("required", [])
        members = {name: generated(value, choose, depth + 1) for name, value in schema.get("properties", {}).items()
                   if value is not False and (name in required or (depth < DEPTH and choose.random() < 0.5))}
        others = schema.get("additionalProperties", True)
        return {"name": generated(others, choose, depth + 1)} if isinstance(others, dict) and not members else members
    if kind == "array":
        return [generated(schema["items"], choose, depth + 1)] if depth < DEPTH and schema.get("items") else []
    return {"string": "a", "integer": max(1, schema.get("minimum", 1)), "number": 1, "boolean": True, "null": None}[kind]


def mutations(value, name):
    """Returns variants of an object that lack a member, or have an unknown one or one of another type."""
    if not isinstance(value, dict):
        return
    yield {**value, "noSuchMember": 1}
    for member in value:
        yield {other: inner for other, inner in value.items() if other != member}
        for wrong in WRONG:
            if type(wrong) is not type(value[member]):
                yield {**value, member: wrong}


def transcript_lines():
    """Yields a type and a value for each line that names one: params of methods, and results of the kinds that only one method has."""
    params = {entry["name"]: title(entry["name"]) + "Params" for entry in DOCUMENT["methods"]}
    for entry in DOCUMENT["x-notifications"]:
        inner = SCHEMAS[entry["message"]["$ref"].rsplit("/", 1)[1]]["properties"]["params"]
        params[entry["name"]] = inner["$ref"].rsplit("/", 1)[1] if "$ref" in inner else None
    for file in sorted((ROOT / "protocol" / "transcripts").glob("*/*.jsonl")):
        for line in file.read_text().splitlines():
            message = json.loads(line).get("out") if line.strip() else None
            if isinstance(message, dict) and params.get(message.get("method")) in SCHEMAS:
                yield params[message["method"]], message["params"]
            elif isinstance(message, dict) and "snapshot" in (message.get("result") or {}):
                yield ("SubmitResult" if "outcome" in message["result"] else "SnapshotResult"), message["result"]


def title(method):
    return "".join(part[:1].upper() + part[1:] for part in method.replace("$", "").replace("/", ".").split(".") if part)


def statement(name, value, number):
    return f"export const value{number}: wire.{name} = {json.dumps(value, ensure_ascii=True)};\n"


def main(folder):
    choose = random.Random(1)
    valid, invalid = {}, {}
    for name, value in transcript_lines():
        if is_valid(name, value):
            valid.setdefault((name, structure(value)), value)
    for name in SCHEMAS:
        for _ in range(10):
            value = generated({"$ref": f"#/components/schemas/{name}"}, choose)
            if not is_valid(name, value) or len(json.dumps(value)) > LONGEST:
                continue
            valid.setdefault((name, structure(value)), value)
            for wrong in mutations(value, name):
                if not is_valid(name, wrong, is_relaxed=True):
                    invalid.setdefault((name, structure(wrong)), wrong)
    texts = [HEADER, HEADER]
    for number, ((name, _), value) in enumerate(valid.items()):
        texts[0] += statement(name, value, number)
    for number, ((name, _), value) in enumerate(invalid.items()):
        texts[1] += "// @ts-expect-error\n" + statement(name, value, number)
    for file, text in zip(("valid.ts", "invalid.ts"), texts):
        (Path(folder) / file).write_text(text)
    print(f"{len(valid)} valid and {len(invalid)} invalid values of {len(SCHEMAS)} types")


def structure(value):
    """Returns the value without its texts and numbers, so that lines of one structure count once."""
    if isinstance(value, dict):
        return frozenset((name, inner if name in ("kind", "command", "inputType", "role") and isinstance(inner, str) else structure(inner))
                         for name, inner in value.items())
    if isinstance(value, list):
        return frozenset(map(structure, value))
    return type(value).__name__


main(sys.argv[1])
