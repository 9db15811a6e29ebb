"""Reads protocol/openrpc.json: its methods, and its schemas as the few shapes that languages have types for."""

import json
from dataclasses import dataclass, field
from pathlib import Path

OPENRPC = Path(__file__).resolve().parents[2] / "protocol" / "openrpc.json"


@dataclass
class Any:
    """Any JSON value."""


@dataclass
class Primitive:
    """`string`, `boolean`, `integer`, `number` or `null`."""

    name: str


@dataclass
class Literal:
    """One of these JSON values, such as the names of an enumeration."""

    values: list


@dataclass
class Reference:
    name: str


@dataclass
class List:
    entry: object


@dataclass
class Map:
    """An object whose members are not known by name."""

    value: object


@dataclass
class Member:
    name: str
    type: object
    is_required: bool
    description: str = ""


@dataclass
class Object:
    members: list[Member] = field(default_factory=list)


@dataclass
class Union:
    options: list


@dataclass
class Definition:
    """A named type. `level` is the least level of conformance at which a view needs it (protocol/README.md)."""

    name: str
    type: object
    description: str = ""
    level: str = ""


@dataclass
class Method:
    """A request or notification. `params` and `result` name definitions; a notification has no result."""

    name: str
    params: str
    result: str | None
    description: str = ""
    is_from_engine: bool = False


def read():
    """Returns all definitions, in the order of the schemas, and all methods that clients call or receive."""
    document = json.loads(OPENRPC.read_text())
    schemas = document["components"]["schemas"]
    definitions = [Definition(name, type_of(schema), schema.get("description", ""), schema.get("x-level", "")) for name, schema in schemas.items()]
    methods = []
    for entry in document["methods"]:
        params = title(entry["name"]) + "Params"
        members = [Member(param["name"], type_of(param["schema"]), param["required"], param.get("description", "")) for param in entry["params"]]
        definitions.append(Definition(params, Object(members), f"The params of `{entry['name']}`.", entry.get("x-level", "")))
        result = entry.get("result", {}).get("schema", {}).get("$ref")
        methods.append(Method(entry["name"], params, result and name_of(result), entry["summary"]))
    for entry in document["x-notifications"] + document["x-requests"]:
        params = schemas[name_of(entry["message"]["$ref"])]["properties"]["params"]
        name = name_of(params["$ref"]) if "$ref" in params else title(entry["name"]) + "Params"
        if "$ref" not in params:
            definitions.append(Definition(name, type_of(params), f"The params of `{entry['name']}`."))
        result = entry.get("result", {}).get("$ref")
        methods.append(Method(entry["name"], name, result and name_of(result), entry["summary"], entry["direction"] == "from the engine"))
    return definitions, methods


def type_of(schema):
    """Returns the shape of a schema. Limits of lengths and numbers, and conditions between members, have no types."""
    if "$ref" in schema:
        return Reference(name_of(schema["$ref"]))
    if "const" in schema:
        return Literal([schema["const"]])
    if "enum" in schema:
        return Literal(schema["enum"])
    kind = schema.get("type")
    for word in ("oneOf", "anyOf"):
        if word in schema and kind != "object":
            return union([type_of(option) for option in schema[word]])
    if isinstance(kind, list):
        return union([type_of({**schema, "type": one}) for one in kind])
    if kind == "object":
        return object_of(schema)
    if kind == "array":
        return List(type_of(schema.get("items", {})))
    return Primitive(kind) if kind else Any()


def object_of(schema):
    members = [Member(name, type_of(value), name in schema.get("required", []), value.get("description", ""))
               for name, value in schema.get("properties", {}).items() if value is not False]
    if members:
        return Object(members)
    others = schema.get("additionalProperties", True)
    return Object() if others is False else Map(Any() if others is True else type_of(others))


def union(options):
    flat = [inner for option in options for inner in (option.options if isinstance(option, Union) else [option])]
    return flat[0] if len(flat) == 1 else Union(flat)


def name_of(reference):
    return reference.rsplit("/", 1)[1]


def title(method):
    """`session/open` is `SessionOpen`."""
    return "".join(part[:1].upper() + part[1:] for part in method.replace("$", "").replace("/", ".").split(".") if part)
