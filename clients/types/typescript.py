"""Writes the definitions as TypeScript."""

import json

from schema import Any, List, Literal, Map, Object, Primitive, Reference, Union

PRIMITIVES = {"string": "string", "boolean": "boolean", "integer": "number", "number": "number", "null": "null"}
HEADER = """// Generated from protocol/openrpc.json by clients/types. Do not edit.

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
"""


def write(definitions, methods):
    parts = [HEADER]
    for definition in definitions:
        text = comment(definition.description, definition.level, "")
        if isinstance(definition.type, Object) and definition.type.members:
            parts.append(f"{text}export interface {definition.name} {body(definition.type, '')}\n")
        else:
            parts.append(f"{text}export type {definition.name} = {type_text(definition.type, '')};\n")
    parts.append(table("Methods", "The methods that a client calls, with their params and results.",
                       [method for method in methods if not method.is_from_engine and method.result]))
    parts.append(table("ClientNotifications", "The notifications that a client sends.",
                       [method for method in methods if not method.is_from_engine and not method.result]))
    parts.append(table("EngineNotifications", "The notifications that the engine sends.",
                       [method for method in methods if method.is_from_engine and not method.result]))
    parts.append(table("EngineRequests", "The requests that the engine sends with `--authenticator frontend`.",
                       [method for method in methods if method.is_from_engine and method.result]))
    return "\n".join(parts)


def table(name, description, methods):
    lines = [comment(description, "", "") + f"export interface {name} {{"]
    for method in methods:
        value = f"{{ params: {method.params}; result: {method.result} }}" if method.result else method.params
        lines.append(comment(method.description, "", "  ") + f'  "{method.name}": {value};')
    return "\n".join(lines) + "\n}\n"


def comment(description, level, indent):
    words = " ".join(filter(None, [description, level and f"Level: {level}."])).split()
    if not words:
        return ""
    lines, line = [], ""
    for word in words:
        if line and len(indent) + len(line) + len(word) + 5 > 150:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    lines.append(line)
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def body(type, indent):
    if not type.members:
        return "{ [name: string]: never }"
    inner = indent + "  "
    lines = [comment(member.description, "", inner) + f"{inner}{key(member.name)}{'' if member.is_required else '?'}: {type_text(member.type, inner)};\n"
             for member in type.members]
    return "{\n" + "".join(lines) + indent + "}"


def key(name):
    return name if name.isidentifier() else json.dumps(name)


def type_text(type, indent):
    match type:
        case Any():
            return "Json"
        case Primitive(name):
            return PRIMITIVES[name]
        case Literal(values):
            return " | ".join(json.dumps(value) for value in values)
        case Reference(name):
            return name
        case List(entry):
            text = type_text(entry, indent)
            return f"({text})[]" if " | " in text else f"{text}[]"
        case Map(value):
            return f"{{ [name: string]: {type_text(value, indent)} }}"
        case Object():
            return body(type, indent)
        case Union(options):
            return " | ".join(dict.fromkeys(type_text(option, indent) for option in options))
