"""Flow definitions in addition to those of clients/ and protocol/, and a fake engine that sends given snapshots."""

import json

ACTIONS = {"submit": {"id": "do", "title": "do"}, "cancel": {"title": "stop"}, "retry": {"title": "again"}}


def flow(items, strings=None, links=None, locale="en", **members):
    """A flow of one screen with these items. The titles are texts, for which keys are generated."""
    screen = {"id": "only", "title": "heading", "request": "login", "sections": [{"id": "all", "items": items}]}
    screen |= {"actions": ACTIONS, "success": {"scene": "end"}} | ({"links": links} if links else {})
    texts = {"heading": "Heading", "do": "Do it", "stop": "Stop", "again": "Once more"} | (strings or {})
    options = [option for item in items for option in item.get("options", [])]
    for titled in [*items, *options, *(links or [])]:
        if titled["title"] not in texts:
            key = f"text{len(texts)}"
            texts[key], titled["title"] = titled["title"], key
    return {"flow": "drawn", "screens": [screen], "defaultLocale": locale, "strings": {locale: texts}} | members


def code(name, text, form="qr"):
    return {"id": name, "kind": "code", "title": name, "text": text, "format": form}


def field(name, **members):
    return {"id": name, "apiKey": name, "kind": "input", "inputType": "text", "title": name} | members


def saying(folder, *snapshots):
    """The command of a fake engine that sends one of these snapshots after each line that it reads."""
    script = folder / f"engine-{len(list(folder.glob('engine-*')))}"
    lines = [
        {"session": "terminal-1", "revision": number, "events": number - 1, "snapshot": snapshot, "commands": []}
        for number, snapshot in enumerate(snapshots, 1)
    ]
    texts = [json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": line}) for line in lines]
    says = "".join(f"read -r _\ncat <<'END'\n{text}\nEND\n" for text in texts)
    script.write_text(f"#!/bin/bash\n{says}while read -r _; do :; done\n")
    script.chmod(0o755)
    return script


def snapshot(items=(), **members):
    """A snapshot of a screen with these items."""
    button = {"id": "do", "title": "Do it", "role": "primary", "enabled": True}
    nothing = dict.fromkeys(("error", "notice", "alert", "scene", "retryAt", "focus"))
    return {
        "screen": "only", "state": "initial", "title": "Heading", "locale": "en", "direction": "ltr",
        "sections": [{"id": "all", "items": list(items)}], "actions": [button], "activity": False,
    } | nothing | members  # fmt: skip
