"""protocol/openrpc.json: the schemas as one OpenRPC document, which the engine returns for rpc.discover.

As a program, this module writes the file.
"""

import json

from levels import level
from schemas import PROTOCOL, Schemas, parse

VERSION = "1.0"
# method: (summary, type of params, type of result, errors in addition to those of JSON-RPC)
METHODS = {
    "engine/describe": ("Describes the engine and its capabilities. Optional; no handshake is needed.", "EngineDescribeParams", "DescribeResult", []),
    "engine/stats": ("Counters since the start of the run.", "NoParams", "StatsResult", []),
    "rpc.discover": ("Returns this document.", "NoParams", "DiscoverResult", []),
    "session/open": (
        "Opens a session. The first update precedes the result.",
        "SessionOpenParams",
        "OpenResult",
        ["SessionExists", "UnknownItem", "UnknownFlow", "UnknownScreen", "LimitExceeded"],
    ),
    "session/save": (
        "Returns a session for another engine to continue, without secrets. A session at its scene is refused.",
        "OneSessionParams",
        "SaveResult",
        ["UnknownSession", "NotAccepted", "LimitExceeded"],
    ),
    "session/edit": (
        "Reports the new value of an item.",
        "SessionEditParams",
        "RevisionResult",
        ["UnknownSession", "NotAccepted", "StaleRevision", "UnknownItem", "NotEditable", "Presenting", "LimitExceeded"],
    ),
    "session/press": (
        "Reports that the user chose an action: the button, a link, or an alert's action.",
        "SessionPressParams",
        "RevisionResult",
        ["UnknownSession", "NotAccepted", "StaleRevision", "UnknownAction", "Presenting"],
    ),
    "session/submit": (
        "Sets several values and presses an action in one call. Opens a session if it names none. The response comes once the outcome is known.",
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
        "Reports that an acknowledged view now shows this revision.",
        "SessionPresentedParams",
        "RevisionResult",
        ["UnknownSession"],
    ),
    "session/snapshot": ("Returns what the session shows.", "OneSessionParams", "SnapshotResult", ["UnknownSession"]),
    "session/options": (
        "Returns all options of a selection that has more than a snapshot contains.",
        "SessionOptionsParams",
        "OptionsResult",
        ["UnknownSession", "StaleRevision", "UnknownItem", "Presenting"],
    ),
    "session/list": ("Lists the open sessions, in pages.", "SessionListParams", "ListResult", []),
    "session/locale": (
        "Shows the session in another language.",
        "SessionLocaleParams",
        "RevisionResult",
        ["UnknownSession"],
    ),
    "session/close": (
        "Closes one session or all, and forgets their secrets.",
        "SessionCloseParams",
        "CloseResult",
        ["UnknownSession"],
    ),
    "$/cancelRequest": (
        "Cancels a session/submit that waits for its outcome. Has no effect if no such call has this id.",
        "CancelRequestParams",
        "CloseResult",
        [],
    ),
    "clock/advance": (
        "Only with --clock manual: advances the clock.",
        "ClockAdvanceParams",
        "AdvanceResult",
        [],
    ),
}
JSON_RPC_ERRORS = ["ParseError", "InvalidRequest", "MethodNotFound", "InvalidParams"]
ENGINE, FRONTEND = "from the engine", "to the engine"
# Notifications from the engine, and from a frontend that acts as the authenticator.
NOTIFICATIONS = [
    ("session/update", ENGINE, "What the view shows from now on.", "SessionUpdate"),
    ("session/refused", ENGINE, "The engine has refused a notification.", "SessionRefused"),
    (
        "session/granted",
        ENGINE,
        "An authenticator gives the application a secret, such as tokens.",
        "SessionGranted",
    ),
    ("session/closed", ENGINE, "The engine has ended a session.", "SessionClosed"),
    ("authenticator/cancel", ENGINE, "With --authenticator frontend: the answer is no longer needed.", "CancelNotification"),
    (
        "authenticator/notify",
        FRONTEND,
        "With --authenticator frontend: shows a message while an attempt is pending.",
        "AuthenticatorNotify",
    ),
]
# Requests from the engine, with --authenticator frontend only.
REQUESTS = [
    ("authenticator/submit", "asks the frontend to decide a request.", "FrontendSubmitRequest", "Answer"),
    ("authenticator/continue", "passes on the user's answer to a challenge.", "FrontendContinueRequest", "Answer"),
    ("authenticator/check", "asks about a value that the user has not submitted yet.", "FrontendCheckRequest", "CheckResult"),
]


def name_of(reference):
    return reference.rsplit("/", 1)[1]


def rewritten(node):
    """A schema in the form of the document: references point to the document's components."""
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
        # OpenRPC requires optional params to come last.
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
    """The document's text. Each method and each keyword of a type has its own line, which keeps diffs readable."""

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
        fail("openrpc.json differs from the output of protocol/checks/openrpc.py; run protocol/check --write")
    count()
    if parse(path.read_text()) != document:
        fail("openrpc.json does not parse to the generated document")
    for name in set(references(document["components"]["schemas"])):
        count()
        if name not in document["components"]["schemas"]:
            fail(f"openrpc.json: a reference names the missing type {name}")
    count()
    documented = set(schemas.documents["engine-to-frontend"]["$defs"]["MethodName"]["enum"])
    if documented != set(METHODS):
        fail(f"openrpc.json: the methods differ from those of the schemas: {documented ^ set(METHODS)}")


if __name__ == "__main__":
    (PROTOCOL / "openrpc.json").write_text(text(build(Schemas())))
