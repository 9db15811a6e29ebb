#!/usr/bin/env python3
"""A line-based view for login-engine. Usage: view.py [--verify] [ENGINE [ARGUMENT ...]]"""

import atexit, contextlib, json, os, re, select, signal, subprocess, sys  # noqa: E401

BARE = {"activity": False} | dict.fromkeys(["error", "notice", "alert", "scene", "retryAt", "focus"])


def find(parts, wanted):
    return next((part for part in parts if part["id"] == wanted), {})


def apply(screen, it):
    """Applies a command to a screen."""
    sections, actions = screen.get("sections"), screen.get("actions")
    match name := it.pop("command"):
        case "showScreen":
            screen.update(BARE | it)
        case "setState" | "setRetryAt" | "setFocus":
            screen.update(it)
        case "showError" | "showNotice" | "showAlert" | "showScene":
            screen.update(it)
        case "hideError" | "hideNotice" | "hideAlert":
            screen[name[4:].lower()] = None
        case "showActivity" | "hideActivity":
            screen["activity"] = name == "showActivity"
        case "setItem":
            find([item for section in sections for item in section["items"]], it.pop("item")).update(it)
        case "setAction":
            find(actions, it.pop("action")).update(it)
        case "replaceAction":
            actions[actions.index(find(actions, it["action"]))] = it["newAction"]
        case "insertSection":
            sections.insert(it["index"], it["newSection"])
        case "removeSection":
            sections.remove(find(sections, it["section"]))
        case "insertItem":
            find(sections, it["section"])["items"].insert(it["index"], it["newItem"])
        case "removeItem":
            for section in sections:
                section["items"] = [item for item in section["items"] if item["id"] != it["item"]]


def say(*texts):
    """Prints texts, all but the first indented. � replaces characters that could control the terminal or reorder a line."""
    text = re.sub("[\0-\t\v-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "�", "\n".join(filter(None, texts)))
    print(text.replace("\n", "\n   "))


def look(part):
    """Formats an item or an action."""
    if "role" in part:
        return f"[{part['title']}]" if part["enabled"] else f"({part['title']})"
    value = part.get("url") or part.get("text")
    if part["kind"] == "switch":
        value = "[x]" if part["value"] else "[ ]"
    elif part["kind"] == "selection":
        value = next((option["title"] for option in part["options"] if option["id"] == part["value"]), "–")
    elif part["kind"] == "input":
        empty = part.get("placeholder") or ("YYYY-MM-DD" if part["inputType"] == "date" else "–")
        value = "********" if part.get("filled") else part.get("value") or f"({empty})"
    return ": ".join(filter(None, [part.get("title"), value]))


def draw(screen):
    """Prints a screen, and returns the choices, by the number to type."""
    alert, scene, choices = screen["alert"], screen["scene"], {}
    print()
    say(f"== scene: {scene['id']}" if scene else f"== {screen['title']}", scene and scene.get("principal"))
    for message in filter(None, [alert, screen["notice"], screen["error"]]):
        say(message.get("title"), f"! {message['text']}")
    sections = [] if alert or scene else screen["sections"]
    actions = [action for action in (alert or screen)["actions"] if action["enabled"] or not scene]
    for section in [*sections, {"items": actions}]:
        if section.get("title"):
            say(f"-- {section['title']}")
        for part in section["items"]:
            number = ""
            if "role" in part or part["kind"] in ("input", "selection", "switch") and not part.get("readOnly"):
                choices[str(len(choices) + 1)] = part
                number = f"{len(choices)}. "
            messages = [f"! {message['text']}" for message in part.get("messages", [])]
            say(number + look(part), part.get("hint"), *messages)
    if screen["activity"]:
        say("...")
    return choices


def set_echo(echo):
    if person.isatty():
        subprocess.run(["stty", echo])


def prompt(text, echo="echo"):
    global prompted
    prompted = text, echo
    set_echo(echo)
    print(text, end="", flush=True)


def suspend(*_):
    """Handles Ctrl-Z: turns the echo on for the shell, and prints the prompt again when the view continues."""
    set_echo("echo")
    signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTSTP)  # the view stops here, if a shell can continue it
    signal.signal(signal.SIGTSTP, suspend)
    set_echo(prompted[1])
    os.write(1, prompted[0].encode())  # `print` may be what the signal has interrupted


def end(*_):
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # in the background, `stty` would otherwise stop the view
    sys.exit(1)


def send(method, **params):
    """Sends a request. Returns `True`: the view waits for the response."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"session": "view", **params}}
    with contextlib.suppress(BrokenPipeError):  # the end of the engine's output is detected below
        engine.stdin.write(json.dumps(request).encode() + b"\n")
    return True


is_verifying = sys.argv[1:2] == ["--verify"]
engine = subprocess.Popen(sys.argv[1 + is_verifying:] or ["login-engine"], bufsize=0, stdin=-1, stdout=-1)
person = open(0, "rb", buffering=0)  # unbuffered, so that `select` reports every line
prompted = "", "echo"
atexit.register(prompt, "\n")
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, end)
signal.signal(signal.SIGTSTP, suspend)
signal.signal(signal.SIGCONT, lambda *_: set_echo(prompted[1]))  # a shell turns the echo on when the view stops
# The state; the item whose value is asked for, and its options; the edit that the engine has not counted yet.
screen, revision, events, asked, options, edit = {}, 0, 0, None, {}, []
is_waiting = send("session/open", detail="full", transitions="instant")
while True:
    if asked and not is_waiting:
        prompt("value: ", "-echo" if "filled" in asked else "echo")
    elif not is_waiting:
        choices = draw(screen) or sys.exit(0)
        prompt("> ")
    # A person may choose during a request; a script waits.
    may_type = not is_waiting and (person.isatty() or not screen["activity"])
    if engine.stdout in select.select([engine.stdout, person][:1 + may_type], [], [])[0]:
        message = json.loads(engine.stdout.readline() or sys.exit("the engine has stopped"))
        content = message.get("params") or message.get("result", {})
        commands = content.get("commands", [])
        if content.get("events", 0) > events:  # the engine has counted the edit; its commands undo one that it refuses
            commands, edit = edit + commands, []
        for command in commands:
            apply(screen, command)
        revision, events = content.get("revision", revision), content.get("events", events)
        if is_verifying and content.get("snapshot", screen) != screen:
            sys.exit(f"the commands do not lead to the snapshot of revision {revision}")
        screen.update(content.get("snapshot", {}))  # includes the effects of commands of later versions
        for number, option in enumerate(content.get("options", []), 1):
            options[str(number)] = option["id"]
            say(f"   {number}. {option['title']}")
        if message.get("method") == "session/closed":
            sys.exit("the session has ended: " + content["reason"])
        if "error" in message:
            say(f"! {message['error']['message']}")
            asked, edit = None, []
        is_waiting = is_waiting and "method" in message
        continue
    line = (person.readline() or sys.exit(0 if screen["scene"] else 1)).decode(errors="replace").rstrip("\n")
    part, value = asked or choices.get(line), line
    if not part:
        say(f"! Type one number from 1 to {len(choices)}.")
        continue
    if "role" in part:
        is_waiting = send("session/press", action=part["id"], revision=revision)
        continue
    if part["kind"] == "switch":
        value = not part["value"]
    elif not asked:
        asked, options = part, {}
        is_waiting = part["kind"] == "selection" and send("session/options", item=part["id"])
        continue
    elif part["kind"] == "selection":
        value = options.get(line)
        if line and not value:
            say(f"! Type one number from 1 to {len(options)}, or nothing for none.")
            continue
    asked, shown = None, {"filled": value != ""} if "filled" in part else {"value": value}
    edit = [{"command": "setItem", "item": part["id"], **shown}]
    is_waiting = send("session/edit", item=part["id"], value=value, revision=revision)
