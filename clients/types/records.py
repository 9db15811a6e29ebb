"""Turns the shapes of the schemas into what languages without union types declare: records, enumerations, and sums of records.

Only what a view and an application need: the params and results of the session's and the engine's methods, and the engine's notifications.
"""

from dataclasses import dataclass, field

from schema import Any, Definition, List, Literal, Map, Member, Object, Primitive, Reference, Union

#: Values that a client stores and gives back, but does not read.
OPAQUE = {"SavedSession"}


@dataclass
class Nullable:
    type: object


@dataclass
class Record:
    name: str
    members: list[Member]
    description: str = ""
    #: The method and the name of the result, of the params of a request.
    request: tuple[str, str] | None = None


@dataclass
class Enumeration:
    name: str
    values: list[str]
    description: str = ""


@dataclass
class Option:
    """A record of a sum, with the texts of the sum's mark that it has, and a member that tells it from others with these texts."""

    record: str
    texts: list[str]
    member: str | None


@dataclass
class Sum:
    name: str
    #: The member that says which option it is.
    mark: str
    options: list[Option] = field(default_factory=list)
    has_id: bool = False
    description: str = ""


def records(definitions, methods, has_sums):
    """Returns the declarations, in the order of the schemas. Without sums, one record has the members of all its options."""
    return _Reader(definitions, methods, has_sums).declarations()


def is_needed(method):
    return method.name.startswith(("session/", "engine/"))


class _Reader:
    def __init__(self, definitions, methods, has_sums):
        self.definitions = {definition.name: definition for definition in definitions}
        self.methods = [method for method in methods if is_needed(method)]
        self.has_sums = has_sums
        self.found = {}
        #: The members whose enumerations are the same in several records.
        self.shared = {}

    def declarations(self):
        for method in self.methods:
            for name in filter(None, (method.params, method.result)):
                self.refer(name)
            if method.result:
                self.found[method.params].request = (method.name, method.result)
        order = list(self.definitions)
        owners = {name: max((other for other in order if name.startswith(other)), key=len, default="") for name in self.found}
        position = {name: (order.index(owner) if owner else len(order)) for name, owner in owners.items()}
        return sorted(self.found.values(), key=lambda declaration: position[declaration.name])

    def refer(self, name):
        """Returns the type that a name stands for: a reference if it is declared, otherwise the type itself."""
        if name in OPAQUE:
            return Any()
        definition = self.definitions[name]
        match definition.type:
            case Object(members):
                self.declare_record(name, members, definition.description)
            case Literal(values) if is_enumeration(values):
                self.found.setdefault(name, Enumeration(name, values, definition.description))
            case Union(options) if self.objects(options):
                self.declare_union(definition)
            case Map(value):
                return Map(self.read(value, name, "Value"))
            case other:
                return self.read(other, name, "")
        return Reference(name)

    def objects(self, options):
        """Returns the records of a union, or nothing if it has others options."""
        named = [self.definitions[option.name] for option in options if isinstance(option, Reference)]
        return named if len(named) == len(options) and all(isinstance(one.type, Object) for one in named) else []

    def declare_record(self, name, members, description):
        if name not in self.found:
            record = self.found[name] = Record(name, [], description)
            record.members = [Member(one.name, self.read(one.type, name, one.name), one.is_required, one.description) for one in members]

    def declare_union(self, definition: Definition):
        if definition.name in self.found:
            return
        options = self.objects(definition.type.options)
        objects = [option.type for option in options]
        mark = next((name for name in texts_of(objects[0]) if all(name in texts_of(object) for object in objects)), None)
        if self.has_sums and mark:
            has_id = all("id" in required(object) for object in objects)
            found = self.found[definition.name] = Sum(definition.name, mark, [], has_id, definition.description)
            for option in options:
                texts = texts_of(option.type)[mark]
                alike = [object for object in objects if object is not option.type and texts_of(object)[mark] == texts]
                member = next((name for name in required(option.type) if not any(name in required(object) for object in alike)), None) if alike else None
                found.options.append(Option(self.refer(option.name).name, texts, member))
        else:
            self.declare_record(definition.name, merged([option.type for option in options]).members, definition.description)

    def read(self, type, owner, member):
        match type:
            case Reference(name):
                return self.refer(name)
            case List(entry):
                return List(self.read(entry, owner, member))
            case Map(value):
                return Map(self.read(value, owner, member))
            case Object(members):
                name = owner + capitalized(member)
                self.declare_record(name, members, "")
                return Reference(name)
            case Literal(values) if is_enumeration(values):
                return Reference(self.enumeration(values, owner, member))
            case Literal(values):
                # A member that is `true` or absent.
                return Primitive({str: "string", bool: "true", int: "integer"}[values[0].__class__])
            case Union(options):
                return self.read_union(options, owner, member)
        return type

    def read_union(self, options, owner, member):
        types = [self.read(option, owner, member) for option in options if option != Primitive("null")]
        if any(other != types[0] for other in types):
            return Any()
        if len(types) == len(options) or isinstance(types[0], (Any, Nullable)):
            return types[0]
        return Nullable(types[0])

    def enumeration(self, values, owner, member):
        if member in ("transitions", "policy"):
            owner = ""
        owner = owner.removesuffix("Params")
        name = owner + "Name" if capitalized(member) == owner else owner + capitalized(member)
        self.found.setdefault(name, Enumeration(name, values))
        return name


def texts_of(object):
    """Returns the required members that have only certain texts, with the texts."""
    return {member.name: member.type.values for member in object.members
            if member.is_required and isinstance(member.type, Literal) and all(isinstance(value, str) for value in member.type.values)}


def required(object):
    return [member.name for member in object.members if member.is_required]


def merged(objects):
    """Returns an object with the members of all objects. Members that some of them lack are optional."""
    found = {}
    for object in objects:
        for member in object.members:
            found.setdefault(member.name, []).append(member)
    return Object([Member(name, joined([one.type for one in members]), len(members) == len(objects) and all(one.is_required for one in members),
                          next(filter(None, (one.description for one in members)), "")) for name, members in found.items()])


def joined(types):
    if all(isinstance(type, Literal) for type in types):
        return Literal(list(dict.fromkeys(value for type in types for value in type.values)))
    if all(isinstance(type, Object) for type in types):
        return merged(types)
    return types[0] if all(type == types[0] for type in types) else Union(types)


def is_enumeration(values):
    return len(values) > 1 and all(isinstance(value, str) and value.isidentifier() for value in values)


def capitalized(name):
    return name[:1].upper() + name[1:]


def wrapped(text, width):
    """Returns the lines of a comment."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) + 1 > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return lines + [line] * bool(line)
