"""Finds the parts of a line and their types."""


class Instances:
    """Walks a value along its schema.

    A type is named as in `$defs`. An object with a nested schema is named by the outer type, a slash and the member's name.
    """

    def __init__(self, schemas):
        self.schemas = schemas

    def of_line(self, family, value):
        """Yields (type, value) for the line and for every part of the line that has a type."""
        yield from self._walk(self.schemas.documents[family], family, value)

    def _walk(self, schema, where, value):
        if not isinstance(schema, dict):
            return
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if self.schemas.meets(name, value):
                yield name, value
                yield from self._walk(self.schemas.type(name), name, value)
            return
        for branch in schema.get("oneOf", []) + schema.get("anyOf", []):
            yield from self._walk(branch, where, value)
        if isinstance(value, dict):
            properties = schema.get("properties", {})
            for key, member in value.items():
                inner = properties.get(key, schema.get("additionalProperties"))
                name = f"{where}/{key}"
                if isinstance(inner, dict) and "properties" in inner and isinstance(member, dict):
                    yield name, member
                yield from self._walk(inner, name, member)
        if isinstance(value, list):
            for member in value:
                yield from self._walk(schema.get("items"), where, member)


def members_by_type(schemas, families):
    """The members of every type in the lines of these families, by the type names of `Instances`. Reserved members are left out."""
    found, seen = {}, set()

    def visit(node, where):
        if not isinstance(node, dict) or node.get("description", "").startswith("Reserved"):
            return
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            if name not in seen:
                seen.add(name)
                visit(schemas.type(name), name)
            return
        for branch in node.get("oneOf", []) + node.get("anyOf", []):
            visit(branch, where)
        for key, inner in node.get("properties", {}).items():
            if not isinstance(inner, dict) or not inner.get("description", "").startswith("Reserved"):
                found.setdefault(where, []).append(key)
                visit(inner, f"{where}/{key}")
        visit(node.get("items"), where)
        visit(node.get("additionalProperties"), where)

    for family in families:
        visit({**schemas.documents[family], "description": ""}, family)
    return found
