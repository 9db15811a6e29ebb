"""protocol/openrpc.json: the schemas in one OpenRPC document, which the engine answers to rpc.discover.

Run as a program, this module writes the file.
"""

import json

from levels import level
from schemas import PROTOCOL, Schemas, parse

VERSION = "1.0"
# method: (purpose, type of params, type of result, errors beside those of JSON-RPC)
METHODS = {
    "engine/describe": ("What this engine is and offers. No handshake is needed.", "EngineDescribeParams", "DescribeResult", []),
    "engine/stats": ("What was counted since the run began, for who draws graphs.", "NoParams", "StatsResult", []),
    "rpc.discover": ("This document.", "NoParams", "DiscoverResult", []),
    "session/open": (
        "Opens a session; its first update comes before the result.",
        "SessionOpenParams",
        "OpenResult",
        ["SessionExists", "UnknownItem", "UnknownFlow", "UnknownScreen", "LimitExceeded"],
    ),
    "session/save": (
        "What goes on of the session in another engine: no secrets, and no success.",
        "OneSessionParams",
        "SaveResult",
        ["UnknownSession", "NotAccepted", "LimitExceeded"],
    ),
    "session/edit": (
        "An item has a new value.",
        "SessionEditParams",
        "RevisionResult",
        ["UnknownSession", "NotAccepted", "StaleRevision", "UnknownItem", "NotEditable", "Presenting", "LimitExceeded"],
    ),
    "session/press": (
        "An action was chosen: the button, a link, or an alert's end.",
        "SessionPressParams",
        "RevisionResult",
        ["UnknownSession", "NotAccepted", "StaleRevision", "UnknownAction", "Presenting"],
    ),
    "session/submit": (
        "Several values and a press in one call, which opens a session if it names none. Answered once the outcome is known.",
        "SessionSubmitParams",
        "SubmitResult",
        [
            "UnknownSession",
            "NotAccepted",
            "StaleRevision",
            "UnknownItem",
            "UnknownAction",
            "UnknownFlow",
            "UnknownScreen",
            "NotEditable",
            "Presenting",
            "LimitExceeded",
        ],
    ),
    "session/presented": (
        "A view that takes its time now shows this revision.",
        "SessionPresentedParams",
        "RevisionResult",
        ["UnknownSession"],
    ),
    "session/snapshot": ("What the session shows.", "OneSessionParams", "SnapshotResult", ["UnknownSession"]),
    "session/options": (
        "All options of a selection that has more than a snapshot shows.",
        "SessionOptionsParams",
        "OptionsResult",
        ["UnknownSession", "StaleRevision", "UnknownItem", "Presenting"],
    ),
    "session/list": ("Which sessions there are, in pages.", "SessionListParams", "ListResult", []),
    "session/locale": (
        "Shows the session in another language.",
        "SessionLocaleParams",
        "RevisionResult",
        ["UnknownSession"],
    ),
    "session/close": (
        "Forgets the session and every secret in it, or all sessions.",
        "SessionCloseParams",
        "CloseResult",
        ["UnknownSession"],
    ),
    "$/cancelRequest": (
        "Gives up a session/submit that waits for its outcome; nothing happens if there is none of that id.",
        "CancelRequestParams",
        "CloseResult",
        [],
    ),
    "clock/advance": (
        "Only with --clock manual: moves the clock on.",
        "ClockAdvanceParams",
        "AdvanceResult",
        [],
    ),
}
JSON_RPC_ERRORS = ["ParseError", "InvalidRequest", "MethodNotFound", "InvalidParams"]
ENGINE, FRONTEND = "from the engine", "to the engine"
# Notifications from the engine, and from a frontend that is the authenticator.
NOTIFICATIONS = [
    ("session/update", ENGINE, "What a view shows from now on.", "SessionUpdate"),
    ("session/refused", ENGINE, "A notification was refused.", "SessionRefused"),
    (
        "session/granted",
        ENGINE,
        "An authenticator gives the application a secret, such as tokens.",
        "SessionGranted",
    ),
    ("session/closed", ENGINE, "The engine itself has ended a session.", "SessionClosed"),
    ("authenticator/cancel", ENGINE, "With --authenticator frontend: nobody waits any more.", "CancelNotification"),
    (
        "authenticator/notify",
        FRONTEND,
        "With --authenticator frontend: something to read while an attempt is under way.",
        "AuthenticatorNotify",
    ),
]
# Requests from the engine, with --authenticator frontend only.
REQUESTS = [
    ("authenticator/submit", "May they come in?", "FrontendSubmitRequest", "Answer"),
    ("authenticator/continue", "The answer of a person to a challenge.", "FrontendContinueRequest", "Answer"),
    ("authenticator/check", "Will this value do? Nobody has submitted it.", "FrontendCheckRequest", "CheckResult"),
]


def name_of(reference):
    return reference.rsplit("/", 1)[1]


def rewritten(node):
    """A schema as the document has it: references lead to the document's components."""
    if isinstance(node, list):
        return [rewritten(child) for child in node]
    if not isinstance(node, dict):
        return node
    return {
        key: f"#/components/schemas/{name_of(child)}" if key == "$ref" and isinstance(child, str) else rewritten(child)
        for key, child in node.items()
    }


def references(node):
    if isinstance(node, list):
        for child in node:
            yield from references(child)
    elif isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield name_of(node["$ref"])
        for child in node.values():
            yield from references(child)


def build(schemas):
    """The document."""

    def pointer(name):
        return {"$ref": f"#/components/schemas/{name}"}

    def descriptors(name):
        required = schemas.type(name).get("required", [])
        descriptors = []
        for member, schema in schemas.type(name).get("properties", {}).items():
            descriptor = {
                "name": member,
                "required": member in required,
                "x-level": level(schemas.type(name), member),
                "schema": rewritten(schema),
            }
            if "description" in schema:
                descriptor = {"name": member, "description": schema["description"], **descriptor}
            descriptors.append(descriptor)
        # OpenRPC wants optional params last.
        return sorted(descriptors, key=lambda descriptor: not descriptor["required"])

    message_types = {
        schema["properties"]["method"]["const"]: schema
        for schema in schemas.documents["frontend-to-engine"]["$defs"].values()
        if "const" in (schema.get("properties", {}).get("method") or {})
    }
    methods = []
    for method, (summary, params, result, errors) in METHODS.items():
        methods.append(
            {
                "name": method,
                "summary": summary,
                "x-level": message_types[method]["x-level"],
                "paramStructure": "by-name",
                "params": descriptors(params),
                "result": {"name": result, "schema": pointer(result)},
                "errors": [error(schemas.type(name)) for name in JSON_RPC_ERRORS + errors],
            }
        )
    used, left = set(), {result for _, _, result, _ in METHODS.values()} | {"Response", "ErrorResponse"}
    left |= {params for _, params, _, _ in METHODS.values()}
    left |= {name for *_, name in NOTIFICATIONS} | {name for _, _, name, _ in REQUESTS} | {"AuthenticatorResponse"}
    while left:
        name = left.pop()
        used.add(name)
        left |= set(references(schemas.type(name))) - used
    return {
        "openrpc": "1.3.2",
        "info": {
            "title": "login-engine",
            "version": VERSION,
            "description": "Newline-delimited JSON-RPC 2.0 over standard input and output. See protocol/README.md.",
        },
        "methods": methods,
        "x-notifications": [
            {"name": name, "direction": direction, "summary": summary, "message": pointer(message)}
            for name, direction, summary, message in NOTIFICATIONS
        ],
        "x-requests": [
            {
                "name": name,
                "direction": ENGINE,
                "summary": f"With --authenticator frontend: {summary}",
                "message": pointer(message),
                "result": pointer(result),
            }
            for name, summary, message, result in REQUESTS
        ],
        "components": {
            "schemas": {name: rewritten(schemas.type(name)) for name in schemas.family_of_type if name in used}
        },
    }


def error(definition):
    code = definition["properties"]["data"]["properties"]["code"]["const"]
    return {
        "code": definition["properties"]["code"]["const"],
        "message": code,
        "data": {"code": code},
        "x-level": definition["x-level"],
    }


def text(document):
    """The document's text, with one line for each method and each keyword of a type, so that diffs are readable."""

    def line(value):
        return json.dumps(value, ensure_ascii=False)

    def rows(values):
        return "[\n" + ",\n".join(f"    {line(value)}" for value in values) + "\n  ]"

    def table(values):
        return "{\n" + ",\n".join(f"      {line(key)}: {line(value)}" for key, value in values.items()) + "\n    }"

    components = ",\n".join(f"    {line(key)}: {table(value)}" for key, value in document["components"].items())
    members = [f'  "openrpc": {line(document["openrpc"])}', f'  "info": {line(document["info"])}']
    members += [f"  {line(key)}: {rows(document[key])}" for key in ("methods", "x-notifications", "x-requests")]
    members.append('  "components": {\n' + components + "\n  }")
    return "{\n" + ",\n".join(members) + "\n}\n"


def check(schemas, count, fail):
    path = PROTOCOL / "openrpc.json"
    document = build(schemas)
    count()
    if path.read_text() != text(document):
        fail("openrpc.json is not what protocol/checks/openrpc.py makes of the schemas")
    count()
    if parse(path.read_text()) != document:
        fail("openrpc.json cannot be read back")
    for name in set(references(document["components"]["schemas"])):
        count()
        if name not in document["components"]["schemas"]:
            fail(f"openrpc.json: there is no type {name}")
    count()
    documented = set(schemas.documents["engine-to-frontend"]["$defs"]["MethodName"]["enum"])
    if documented != set(METHODS):
        fail(f"openrpc.json: not the methods of the schemas: {documented ^ set(METHODS)}")


if __name__ == "__main__":
    (PROTOCOL / "openrpc.json").write_text(text(build(Schemas())))
