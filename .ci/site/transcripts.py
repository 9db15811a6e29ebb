"""A page for each transcript, on which a person can read who says what, and a list of all of them."""

import html
import json
import posixpath
from collections import defaultdict

SPEAKERS = {"in": "frontend → engine", "out": "engine → frontend", "ask": "engine → authenticator", "answer": "authenticator → engine"}


def shown(value):
    return html.escape(json.dumps(value, ensure_ascii=False, indent=2))


def summary(value):
    """A message in a few words."""
    if isinstance(value, list):
        return ", ".join(map(summary, value))
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)[:60]
    if "method" in value:
        params = value.get("params")
        names = [str(params[name]) for name in ("session", "item", "action", "request") if isinstance(params, dict) and name in params]
        return " ".join([str(value["method"]), *names])
    if "error" in value and isinstance(value["error"], dict):
        return f"error: {value['error'].get('message', '')}"
    return "result"


def step(number, line):
    """A step of a transcript as a part of its page."""
    anchor = f'<a id="L{number}"></a>'
    try:
        value = json.loads(line)
    except ValueError:
        return f"{anchor}<pre>{html.escape(line)}</pre>"
    if "note" in value and len(value) == 1:
        return f"<p>{anchor}{html.escape(value['note'])}</p>"
    for kind, speaker in SPEAKERS.items():
        if kind in value:
            message = value[kind]
            head = f"{number}. <b>{speaker}</b> <code>{html.escape(summary(message))}</code>"
            ignored = value.get("ignore")
            note = f"<p>Not compared: {html.escape(', '.join(ignored))}</p>" if ignored else ""
            return f"<details>{anchor}<summary>{head}</summary>{note}<pre>{shown(message)}</pre></details>"
    return f"<p>{anchor}{number}. <code>{html.escape(json.dumps(value, ensure_ascii=False))}</code></p>"


def write(root, folder, files):
    groups = defaultdict(list)
    for file in sorted(files):
        lines = (root / file).read_text(errors="replace").split("\n")
        name = posixpath.relpath(file, "protocol/transcripts").removesuffix(".jsonl")
        note = json.loads(lines[0]).get("note", "")
        groups[posixpath.dirname(name) or "."].append((name, note))
        steps = "\n".join(step(number, line) for number, line in enumerate(lines, 1) if line)
        page = folder / file.replace(".jsonl", ".md")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"---\norphan: true\n---\n# {name}\n\n```{{raw}} html\n{steps}\n```\n")
    text = "# All transcripts\n\nRecorded conversations, each of which the tests play. A step opens to show the whole message.\n"
    for group, pages in sorted(groups.items()):
        text += f"\n## {group}\n\n| transcript | shows |\n|---|---|\n"
        for name, note in pages:
            cell = note.replace("|", "\\|").replace("<", "&lt;")
            text += f'| <a href="{name}.html">{name}</a> | {cell} |\n'
    (folder / "protocol/transcripts/index.md").write_text(text)
