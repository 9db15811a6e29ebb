#!/usr/bin/env python3
"""A view for login-engine, in lines of text. Usage: view.py [ENGINE [ARGUMENT ...]]"""

import json, re, select, subprocess, sys  # noqa: E401


def say(*texts):
    """Prints texts, all but the first indented, without what could command the terminal or reorder a line."""
    text = "\n".join(filter(None, texts))
    print(re.sub("[\0-\t\v-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", " ", text).replace("\n", "\n   "))


def look(part):
    """An item or an action as text."""
    title, value = (part["title"] or "") + (" *" if part.get("required") else ""), part.get("value")
    if "role" in part:
        title = title if part["enabled"] else f"({title})"
        return f"[ {title} ]" if part["role"] in ("primary", "dismiss", "destructive") else f"-> {title}"
    if part["kind"] == "switch":
        return f"[{'-' if value is None else 'x' if value else ' '}] {title}"
    if part["kind"] == "selection":
        value = next((option["title"] for option in part["options"] if option["id"] == value), "(–)")
    elif part["kind"] == "input":
        empty = part["placeholder"] or ("YYYY-MM-DD" if part["inputType"] == "date" else "–")
        value = "********" if part.get("filled") else value or f"({empty})"
    else:
        value = part.get("url") or part.get("text")
    return ": ".join(filter(None, [title, value]))


def draw(screen):
    """Prints a screen, and returns what can be chosen, in the order of the numbers."""
    alert, scene, choices = screen["alert"], screen["scene"], []
    print()
    if scene:
        say(f"== scene: {scene['id']}", f"principal: {scene['principal'] or '–'}", f"data: {json.dumps(scene['data'])}")
    else:
        say(f"== {screen['title']}")
    if alert:
        say("alert:", alert["title"], alert["text"])
    sections = [] if alert or scene else screen["sections"]
    actions = [action for action in (alert or screen)["actions"] if action["enabled"] or not scene]
    for section in [*sections, {"items": actions}]:
        if section.get("title"):
            say(f"-- {section['title']}")
        for part in section["items"]:
            number = ""
            if "role" in part or part["kind"] in ("input", "selection", "switch") and not part.get("readOnly"):
                choices.append(part)
                number = f"{len(choices)}. "
            say(number + look(part), part.get("hint"), *(f"! {message['text']}" for message in part.get("messages", [])))
    for kind in ("notice", "error"):
        if screen[kind]:
            say(f"{kind}: {screen[kind]['text']}")
    if screen["activity"]:
        say("working ...")
    return choices


def pick(choices, number):
    """The choice that has this number, or None."""
    return choices[int(number) - 1] if re.fullmatch("0*[1-9][0-9]{0,3}", number) and int(number) <= len(choices) else None


class View:
    """A session of an engine that this program starts, and the person who types."""

    def __init__(self, command):
        # Without buffers, so that `select` tells of every line.
        self.engine = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.person = open(0, "rb", buffering=0)
        self.screen, self.revision = None, 0

    def receive(self):
        """Takes the engine's next line."""
        message = json.loads(self.engine.stdout.readline() or sys.exit("the engine has stopped"))
        content = message.get("params") or message.get("result") or {}
        if "snapshot" in content:
            self.screen, self.revision = content["snapshot"], content["revision"]
        if message.get("method") == "session/closed":
            sys.exit(f"the session has ended: {content['reason']}")
        return message

    def call(self, method, **params):
        """Makes a request, and returns its result. What the engine refuses stays as the engine has it."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"session": "view", **params}}
        self.engine.stdin.write(json.dumps(request).encode() + b"\n")
        while "method" in (message := self.receive()):  # an update that came first
            pass
        if "error" in message:
            say(f"({message['error']['message']})")
            self.call("session/snapshot") if self.screen else sys.exit(1)
        return message.get("result", {})

    def prompt(self, text, echo="echo"):
        if self.person.isatty():
            subprocess.run(["stty", echo])
        print(text, end="", flush=True)

    def read(self):
        """The line that the person types; the view ends at the end of the input."""
        line = self.person.readline() or sys.exit(0 if self.screen["scene"] else 1)
        return line.decode(errors="replace").rstrip("\n")

    def choose(self, part):
        """Presses an action, or changes an item."""
        if "role" in part:
            return self.call("session/perform", action=part["id"], revision=self.revision)
        if part["kind"] == "switch":
            value = not part["value"]
        elif part["kind"] == "selection":
            options = self.call("session/options", item=part["id"]).get("options", [])
            say("options:", *(f"{number} {option['title']}" for number, option in enumerate(options, 1)))
            self.prompt("number, or nothing for none: ")
            value = (pick(options, self.read()) or {"id": None})["id"]
        else:
            is_masked = "filled" in part and part["inputType"] != "oneTimeCode"
            self.prompt("value (not shown): " if is_masked else "value: ", "-echo" if is_masked else "echo")
            value = self.read()
        self.call("session/change", item=part["id"], value=value, revision=self.revision)

    def run(self):
        self.call("session/open", transitions="instant", supports=["restoreSecret"])
        while choices := draw(self.screen):
            self.prompt("> ")
            # A person may choose while something is under way; a script waits.
            may_choose = self.person.isatty() or not self.screen["activity"]
            ready, _, _ = select.select([self.engine.stdout] + [self.person] * may_choose, [], [])
            if self.person not in ready:
                self.receive()
            elif part := pick(choices, self.read()):
                self.choose(part)


if __name__ == "__main__":
    try:
        view = View(sys.argv[1:] or ["login-engine"])
    except OSError as error:
        sys.exit(str(error))
    try:
        view.run()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit("the engine has stopped")
    finally:
        view.prompt("\n")
        view.engine.terminate()
        view.engine.communicate()
