"""Writes the definitions as Go. One struct has the members of all kinds of items, and one those of all commands."""

from records import Enumeration, Nullable, Record, capitalized, records, wrapped
from schema import Any, List, Map, Primitive, Reference

PRIMITIVES = {"string": "string", "boolean": "bool", "true": "bool", "integer": "int64", "number": "float64", "null": "any"}
INITIALISMS = {"id": "ID", "url": "URL"}
HEADER = """// Code generated from protocol/openrpc.json by clients/types. DO NOT EDIT.

package loginengine

// Method names a request, and binds the types of its params and its result.
type Method[Params, Result any] struct{ Name string }
"""


def write(definitions, methods):
    declared = records(definitions, methods, has_sums=False)
    kinds = {declaration.name: declaration.__class__ for declaration in declared}
    parts = [HEADER]
    requests = [declaration for declaration in declared if isinstance(declaration, Record) and declaration.request]
    rows = [[go_name(one.request[0]), f'= Method[{one.name}, {one.request[1]}]{{"{one.request[0]}"}}'] for one in requests]
    parts.append("// The requests of views and applications.\nvar (\n" + "".join(f"\t{line}\n" for line in columns(rows)) + ")\n")
    for declaration in declared:
        text = comment(declaration.name, declaration.description)
        if isinstance(declaration, Enumeration):
            parts.append(text + enumeration(declaration))
        elif declaration.members:
            parts.append(f"{text}type {declaration.name} struct {{\n{fields(declaration, kinds)}}}\n")
        else:
            parts.append(f"{text}type {declaration.name} struct{{}}\n")
    return "\n".join(parts)


def comment(name, description):
    """Go's comments begin with the name of what they describe."""
    if not description:
        return ""
    return "".join(f"// {line}\n" for line in wrapped(f"{name}: {description}", 150))


def enumeration(declaration):
    name = declaration.name
    rows = [[f"{name}{field_name(value)}", f'{name} = "{value}"'] for value in declaration.values]
    return f"type {name} string\n\nconst (\n" + "".join(f"\t{line}\n" for line in columns(rows)) + ")\n"


def fields(record, kinds):
    lines, block = [], []
    for member in record.members:
        if member.description:
            lines += columns(block)
            block = []
            lines += [f"// {line}" for line in wrapped(member.description, 150)]
        tag = f'`json:"{member.name}{"" if member.is_required else ",omitempty"}"`'
        block.append([field_name(member.name), field_type(member, kinds), tag])
    return "".join(f"\t{line}\n" for line in lines + columns(block))


def field_name(name):
    return INITIALISMS.get(name, capitalized(name))


def field_type(member, kinds):
    """Of a boolean that may be false, the zero value does not say whether it is absent."""
    is_record = isinstance(member.type, Reference) and kinds[member.type.name] is Record
    is_pointer = is_record or member.type == Primitive("boolean")
    return "*" * (is_pointer and not member.is_required) + type_text(member.type)


def type_text(type):
    match type:
        case Any():
            return "any"
        case Primitive(name):
            return PRIMITIVES[name]
        case Reference(name):
            return name
        case List(entry):
            return f"[]{type_text(entry)}"
        case Map(value):
            return f"map[string]{type_text(value)}"
        case Nullable(inner):
            return ("" if isinstance(inner, (List, Map)) else "*") + type_text(inner)


def columns(rows):
    """Returns lines whose cells are aligned as gofmt aligns them."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]) - 1)] if rows else []
    return [" ".join([cell.ljust(width) for cell, width in zip(row, widths)] + [row[-1]]) for row in rows]


def go_name(method):
    """`session/open` is `SessionOpen`."""
    return "".join(map(capitalized, method.split("/")))
