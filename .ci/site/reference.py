"""A reference of the protocol, made from openrpc.json: each method with its params and result, and each type with its members."""

import json

MARK = "#/components/schemas/"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def anchor(name):
    return "type-" + name.lower()


class Reference:
    def __init__(self, document):
        self.types = document["components"]["schemas"]
        self.lines = []

    def kind(self, schema):
        """What a value may be, in one line, with links to the types."""
        if schema is True:
            return "anything"
        if "$ref" in schema:
            name = schema["$ref"].removeprefix(MARK)
            return f"[{name}](#{anchor(name)})" if name in self.types else f"`{name}`"
        if "const" in schema:
            return f"`{json.dumps(schema['const'], ensure_ascii=False)}`"
        if "enum" in schema:
            return " or ".join(f"`{json.dumps(value, ensure_ascii=False)}`" for value in schema["enum"])
        for word in ("oneOf", "anyOf"):
            if word in schema:
                return " or ".join(self.kind(part) for part in schema[word])
        if schema.get("type") == "array":
            return f"array of {self.kind(schema.get('items', True))}"
        if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict) and "properties" not in schema:
            return f"object of {self.kind(schema['additionalProperties'])}"
        kinds = schema.get("type", "anything")
        limits = [f"{word} {schema[word]}" for word in ("minimum", "maximum", "minLength", "maxLength", "pattern") if word in schema]
        text = " or ".join(kinds) if isinstance(kinds, list) else kinds
        return text + (f" (`{', '.join(limits)}`)" if limits else "")

    def table(self, rows):
        self.lines += ["", "| member | value | level | meaning |", "|---|---|---|---|"]
        for name, schema, required, level in rows:
            description = schema.get("description", "") if isinstance(schema, dict) else ""
            self.lines.append(f"| `{name}`{'' if required else ' (optional)'} | {cell(self.kind(schema))} | {level or ''} | {cell(description)} |")

    def method(self, method):
        self.lines += ["", f"### `{method['name']}`", "", method.get("summary", "")]
        if method.get("params"):
            self.table((p["name"], p["schema"] | ({"description": p["description"]} if "description" in p else {}), p.get("required"), p.get("x-level")) for p in method["params"])
        if "message" in method:
            self.lines += ["", f"Message, {method['direction']}: {self.kind(method['message'])}"]
        if "result" in method:
            # Of a method OpenRPC names the result.
            self.lines += ["", f"Result: {self.kind(method['result'].get('schema', method['result']))}"]
        names = ", ".join(f"`{error['message']}`" for error in method.get("errors", []))
        if names:
            self.lines += ["", f"Errors: {names}. See [errors](errors.md)."]

    def type(self, name, schema):
        self.lines += ["", f"({anchor(name)})=", f"### {name}", "", schema.get("description", "")]
        properties = schema.get("properties")
        if properties:
            required = schema.get("required", [])
            self.table((key, value, key in required, value.get("x-level") if isinstance(value, dict) else None) for key, value in properties.items() if value is not False)
        elif "$ref" in schema or set(schema) - {"description", "title", "x-level"}:
            self.lines += ["", self.kind(schema)]


def write(root, folder):
    document = json.loads((root / "protocol/openrpc.json").read_text())
    reference = Reference(document)
    reference.lines = ["# Reference", "", "Every call and every type, made from `openrpc.json`. The pages of the protocol explain them.", "", "## What a frontend calls"]
    for method in document["methods"]:
        reference.method(method)
    for key, heading in (("x-notifications", "Notifications"), ("x-requests", "What the engine asks")):
        reference.lines += ["", f"## {heading}"]
        for method in document.get(key, []):
            reference.method(method)
    reference.lines += ["", "## Types"]
    for name, schema in sorted(reference.types.items()):
        reference.type(name, schema)
    page = folder / "protocol/reference.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(reference.lines) + "\n")
