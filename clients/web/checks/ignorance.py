"""Checks that the page and the bridge know nothing about logging in: no id of a flow and no name of a state occurs in their code."""

import json
import re

from processes import ROOT, WEB

BRIDGE = WEB.parent / "python" / "src" / "login_engine" / "web"

#: Ids of flows that are also words of the protocol (a `keyboard`, an `inputType`, ...), of HTML and of HTTP.
SHARED = {"account", "address", "alert", "cancel", "code", "data", "email", "en", "error", "item", "language", "link", "message", "newPassword", "none", "notice",
          "password", "phone", "post", "remember", "screen", "submit", "text", "title", "username", "value"}


def ids(value):
    if isinstance(value, dict):
        yield from ([value["id"]] if isinstance(value.get("id"), str) else [])
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from ids(inner)


async def check(tally, engine, browser):
    flows = [*(ROOT / "protocol" / "flows").glob("*.json"), ROOT / "clients" / "other-flow.json"]
    known = {name for path in flows for name in ids(json.loads(path.read_text()))} - SHARED
    states = {"unvalidated", "validated", "requestPending", "requestFailed", "requestSucceeded"}
    tally.check("the flows have ids to look for", len(known) > 40, str(len(known)))
    for path in [*(WEB / "page").glob("*.js"), WEB / "page" / "index.html", *BRIDGE.glob("*.py")]:
        found = (set(re.findall(r"""["'`]([\w.-]+)["'`]""", path.read_text())) & known) | (set(re.findall(r"\w+", path.read_text())) & states)
        tally.check(f"{path.name} knows nothing about logging in", not found, str(found))
