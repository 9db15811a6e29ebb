"""Loads the schemas and validates values."""

import json
from pathlib import Path

import jsonschema_rs

PROTOCOL = Path(__file__).parent.parent
FAMILIES = [
    "common",
    "engine-to-frontend",
    "frontend-to-engine",
    "engine-to-authenticator",
    "authenticator-to-engine",
    "flow",
    "transcript-step",
    "audit-line",
]


def parse(text):
    """Parses JSON strictly: duplicate keys and NaN are errors. A number out of range becomes 1.5, which is not an integer."""

    def number(digits):
        value = float(digits)
        return value if abs(value) < 1e300 else 1.5

    def members(pairs):
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            raise ValueError("a duplicate key")
        return dict(pairs)

    def constant(name):
        raise ValueError(name)

    def integer(digits):
        value = int(digits)
        return value if abs(value) < 1 << 63 else 1.5

    return json.loads(
        text,
        parse_float=number,
        parse_int=integer,
        parse_constant=constant,
        object_pairs_hook=members,
    )


class Schemas:
    """All schemas by family, with validators for families and types."""

    def __init__(self, folder=PROTOCOL / "schema"):
        self.documents = {
            family: parse((folder / f"{family}.json").read_text()) for family in FAMILIES
        }
        files = sorted(path.stem for path in folder.glob("*.json"))
        if files != sorted(FAMILIES):
            raise ValueError(f"unexpected schema files: {files}")
        resources = [(document["$id"], document) for document in self.documents.values()]
        self._registry = jsonschema_rs.Registry(resources)
        self._validators = {}
        self.family_of_type = {}
        for family, document in self.documents.items():
            jsonschema_rs.meta.validate(document)
            for name in document.get("$defs", {}):
                if name in self.family_of_type:
                    raise ValueError(f"two types have the name {name}")
                self.family_of_type[name] = family

    def validator(self, reference):
        """The validator of a family ("flow") or of a type ("Message")."""
        if reference not in self._validators:
            if reference in self.documents:
                target = self.documents[reference]["$id"]
            else:
                family = self.family_of_type[reference]
                target = f"{self.documents[family]['$id']}#/$defs/{reference}"
            self._validators[reference] = jsonschema_rs.Draft202012Validator(
                {"$ref": target}, registry=self._registry
            )
        return self._validators[reference]

    def type(self, name):
        """The schema of a type."""
        return self.documents[self.family_of_type[name]]["$defs"][name]

    def meets(self, reference, value):
        return self.validator(reference).is_valid(value)

    def problem(self, reference, value):
        """A short description of a value's problem, or None."""
        validator = self.validator(reference)
        if validator.is_valid(value):
            return None
        error = next(iter(validator.iter_errors(value)))
        deepest = _deepest(error)
        place = "".join(f"/{step}" for step in deepest.instance_path) or "the root"
        return f"at {place}: {deepest.message[:300]}"

    def concrete_types(self):
        """The names of the types with members, in order."""
        return [
            name
            for name in self.family_of_type
            if "properties" in self.type(name)
        ]


def _deepest(error):
    """The error deepest in the value, among the branches of a oneOf or anyOf."""
    branches = getattr(error.kind, "context", None) or []
    errors = [_deepest(inner) for branch in branches for inner in branch]
    errors = [inner for inner in errors if len(inner.instance_path) > len(error.instance_path)]
    # A mismatched constant means that the branch is for another kind of value, so that error helps least.
    return max(
        errors,
        key=lambda inner: (len(inner.instance_path), "was expected" not in inner.message),
        default=error,
    )
