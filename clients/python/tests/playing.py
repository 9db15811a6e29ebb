"""Plays transcripts to a view, and drives it at random. This is the part that all views share; `tk_view.py` and `textual_view.py` drive each view.

After each drawing, the content of the widgets is compared with the session. The session checks each update's commands against its snapshot.
"""

from __future__ import annotations

import abc
import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from patience import PATIENCE
from person import EMPTIED, Act, Performance, Shown, Unplayable, performance

from login_engine import model, view
from login_engine.engine import Engine, Session
from login_engine.errors import EngineEnded
from login_engine.external import Handler
from login_engine.form import Form
from login_engine.wire import Action, Item, Message, Snapshot

Drawing = dict[str, Any]
#: The timeout in seconds of a wait for something that may be gone already.
PATIENCE_WITH_WHAT_IS_LATE = 5


class Unwilling(Unplayable):
    """The same for an act that the engine refuses, but that still changes something."""


class Opening(Engine):
    """Opens its session with exactly the params of a transcript, which `login-engine mock` requires."""

    async def open_as(self, params: Mapping[str, Any], *, is_acknowledged: bool) -> Session:
        session = Session(self, "view", Form(strict=True), is_acknowledged=is_acknowledged)
        self._sessions[session.name] = session
        await self._request("session/open", {**params, "session": session.name}, None)
        return session


class View(abc.ABC):
    """A view, driven and read as a person would. Its methods are coroutines, although some views need no event loop of their own: see `tk_view.py`."""

    session: Session
    #: Texts longer than this are pasted.
    longest_typed: int

    def __init__(self) -> None:
        #: Differences between the drawing and the session since the start.
        self.wrong: list[str] = []
        self.drawings = 0
        self.engine: Engine | None = None
        self.externals: dict[str, Handler] = {}
        #: Whether the awaited state may be gone already.
        self.may_be_late: Callable[[], bool] = lambda: False
        self._focus_checked = 0

    # Specific to each view.

    @abc.abstractmethod
    async def show(self, session: Session, locales: list[str], externals: Mapping[str, Handler]) -> None:
        """Creates the form of a session."""

    @abc.abstractmethod
    async def put_away(self) -> None:
        """Closes the form."""

    @abc.abstractmethod
    async def run(self, work: Any) -> Any:
        """Runs a coroutine of the engine, and returns its result."""

    @abc.abstractmethod
    async def until(self, condition: Callable[[], Any], what: Callable[[], str]) -> None:
        """Runs the view until the condition holds and everything is drawn."""

    @abc.abstractmethod
    def drawn(self) -> Drawing:
        """Returns the content of the widgets, in the form of `wanted`."""

    @abc.abstractmethod
    def focused(self) -> str | None:
        """Returns the item or action that has the focus."""

    @abc.abstractmethod
    async def go_to(self, id: str) -> None:
        """Moves the focus to an item or action. Fails if Tab does not lead there."""

    @abc.abstractmethod
    async def key(self, key: str) -> None:
        """Presses a key at the focus: a character, or `tab`, `enter`, `backspace`, `end`, `space`, `escape`, `left`, `clear` (the whole field)."""

    @abc.abstractmethod
    async def paste(self, text: str) -> None:
        """Pastes a text into the focused field, and replaces its content."""

    @abc.abstractmethod
    async def choose(self, item: Item, option: str | None) -> None:
        """Chooses an option in the list of a selection."""

    @abc.abstractmethod
    async def click(self, id: str) -> None:
        """Clicks an item's field, an action of the form or of its alert."""

    @abc.abstractmethod
    async def choose_locale(self, locale: str) -> None:
        """Chooses a language in the menu."""

    # Common to all views.

    async def start(self, engine: Engine, session: Callable[[], Any], externals: Mapping[str, Handler], flow: str | None = None) -> None:
        """Shows a session of a flow; by default of the flow with the most languages."""
        self.wrong, self.drawings, self._focus_checked, self.engine = [], 0, 0, engine
        await self.run(engine.start())
        self.session = await self.run(session())
        flows = (await self.run(engine.describe()))["flows"]
        # The engine never shows a language of the menu that the flow does not have.
        self.locales: list[str] = max((known["locales"] for known in flows if flow in (None, known["flow"])), key=len)
        await self.show(self.session, self.locales, externals)

    def go_on_waiting(self, since: float, what: Callable[[], str]) -> None:
        """Fails if a wait has taken too long."""
        if time.monotonic() > since + (PATIENCE_WITH_WHAT_IS_LATE if self.may_be_late() else PATIENCE):
            raise AssertionError(f"timed out: {what()}")

    async def close(self, *, closes: bool = True) -> int:
        """Closes the session, or only ends the engine's input. Returns the engine's status."""
        assert self.engine is not None
        try:
            await self.put_away()
            if closes and self.engine.is_running and not self.engine.ended and not self.session.closed:
                self.session.on_change = None
                with contextlib.suppress(EngineEnded):  # The earlier failure is the one to report.
                    await self.run(self.session.close())
        finally:
            status: int = await self.run(self.engine.close(PATIENCE))
        return status

    def compare(self) -> None:
        """Compares the drawing with the session."""
        self.drawings += 1
        try:
            got, right = self.drawn(), wanted(self.session, self.locales, self.externals)
        except Exception as error:  # The event loop would only log it.
            self.wrong.append(f"revision {self.session.form.revision}: cannot be read: {error!r}")
            return
        if self.session.is_acknowledged:
            # A menu shows the choice at once, even while the update in that language is pending.
            got["locale"] = right["locale"]
        if not self.session.form.is_level:
            # The fields are ahead of the engine.
            for drawing in (got, right):
                for _, items in drawing["sections"]:
                    for item in items:
                        item.pop("value", None)
                        item.pop("ghost", None)
        if got != right:
            self.wrong.append(f"revision {self.session.form.revision}: {difference(got, right)}")

    def has_acted(self) -> None:
        """Records that the person moves the focus, so that the engine's last focus no longer applies."""
        focus = self.session.snapshot["focus"]
        self._focus_checked = focus["since"] if focus else self._focus_checked

    def compare_focus(self) -> None:
        """Checks that the focus is where the engine put it, unless the person has moved it since."""
        focus, alert = self.session.snapshot["focus"], self.session.snapshot["alert"]
        if focus is None or focus["since"] <= self._focus_checked:
            return
        self._focus_checked = focus["since"]
        item = model.find_item(self.session.snapshot, focus["on"])
        action = find_action(self.session.snapshot, focus["on"])
        takes_keys = (item is not None and item.get("editable", False) and (item["kind"] != "external" or item["type"] in self.externals)) or (
            action is not None and action["enabled"]
        )
        if takes_keys and alert is None and self.focused() != focus["on"]:
            self.wrong.append(f"revision {self.session.form.revision}: the focus is at {self.focused()} and not at {focus['on']}")

    def check(self) -> None:
        assert not self.wrong, self.wrong[0]


# The expected drawing.


def wanted(session: Session, locales: list[str], externals: Mapping[str, Handler]) -> Drawing:
    snapshot, form = session.snapshot, session.form
    is_open, alert = snapshot["alert"] is None, snapshot["alert"]

    def item_drawing(item: Item) -> Drawing:
        title = view.clean(item.get("title")) + (" *" if item.get("title") and item.get("required") else "")
        messages = [view.clean(message["text"]) for message in item.get("messages", [])]
        drawing: Drawing = {"title": title, "hint": view.clean(item.get("hint")), "messages": "\n".join(messages)}
        is_enabled, is_wrong = is_open and item.get("editable", True), item.get("validity") == "invalid"
        value: Any = form.value(item)
        match item["kind"]:
            case "input" if item.get("readOnly"):
                return drawing | {"field": "value", "text": view.clean(item.get("value")) or "–"}
            case "input":
                # Only the view knows the text of a secret.
                ghost = "••••••••" if "filled" in item and value is None else view.clean(item.get("placeholder"))
                is_masked = "filled" in item and item.get("inputType") != "oneTimeCode"
                if item.get("inputType") == "date" and not ghost:
                    ghost = "YYYY-MM-DD"
                drawing |= {"value": value or "", "ghost": "" if value else ghost, "masked": is_masked}
                return drawing | {"field": "input", "enabled": is_enabled, "wrong": is_wrong}
            case "selection":
                titles = {option["id"]: view.clean(option["title"]) for option in session_options(session, item)}
                drawing |= {"value": titles.get(value, "–"), "enabled": is_enabled, "wrong": is_wrong}
                return drawing | {"field": "selection", "options": None if "optionCount" in item else list(titles.values())}
            case "switch":
                return drawing | {"field": "switch", "value": value, "enabled": is_enabled}
            case "link":
                return {"title": view.clean(item["title"]), "field": "link", "messages": drawing["messages"]}
            case "code":
                return drawing | {"field": "code", "text": view.clean(item["text"])}
            case "external" if item["type"] in externals:
                return {"title": title or view.name(item), "field": "external", "done": item["value"] is not None, "enabled": is_enabled}
        text = item.get("text")
        lines = [view.clean(item.get("title")), view.clean(text) if isinstance(text, str) else ""]
        return drawing | {"title": "\n".join(filter(None, lines)), "field": None}

    def message_drawing(message: Message | None, default: str) -> Any:
        return message and (message.get("severity", default), view.clean(message["text"]))

    return {
        "title": view.clean(snapshot["title"]),
        "locale": snapshot["locale"] if len(locales) > 1 else None,
        "isRightToLeft": snapshot["direction"] == "rtl",
        "sections": [
            [view.clean(section.get("title")), [item_drawing(item) for item in section["items"]]]
            for section in snapshot["sections"]
            if section["items"] or section.get("title")
        ],
        "notice": message_drawing(snapshot["notice"], "info"),
        "error": message_drawing(snapshot["error"], "error"),
        "actions": [[action_label(snapshot, action), action["enabled"] and is_open, action["role"] == "primary"] for action in in_order(snapshot)],
        "activity": snapshot["activity"],
        "alert": alert and [view.clean(alert.get("title")), view.clean(alert["text"]), [view.clean(action["title"]) for action in alert["actions"]]],
    }


def session_options(session: Session, item: Item) -> Any:
    """Returns the options shown: of a long list, those that the view has received, which only the view knows."""
    return item["options"]


def in_order(snapshot: Snapshot) -> list[Action]:
    """Returns the actions in the order in which the views draw them: the button, then the links."""
    return sorted(snapshot["actions"], key=lambda action: action["role"] != "primary")


def action_label(snapshot: Snapshot, action: Action) -> str:
    """Returns the title, with `#` for the seconds that count down."""
    retry = snapshot["retryAt"] if action["role"] == "primary" else action.get("retryAt")
    return view.clean(action["title"]) + (" (#)" if retry else "")


def find_action(snapshot: Snapshot, id: str) -> Action | None:
    return next((action for action in snapshot["actions"] if action["id"] == id), None)


def difference(got: Any, right: Any, place: str = "") -> str:
    """Returns the first place where two drawings differ."""
    if isinstance(got, dict) and isinstance(right, dict) and got.keys() == right.keys():
        return next(difference(got[name], right[name], f"{place}/{name}") for name in got if got[name] != right[name])
    if isinstance(got, list) and isinstance(right, list) and len(got) == len(right):
        return next(difference(one, other, f"{place}/{n}") for n, (one, other) in enumerate(zip(got, right, strict=True)) if one != other)
    return f"{place} is drawn as {got!r} and not as {right!r}"


# Playing.


async def play(shown_in: View, transcript: Path) -> None:
    """Plays a transcript to a view. Raises `Unplayable` if a person cannot do it there."""
    await Player(shown_in, transcript, performance(transcript)).play()


class Player:
    def __init__(self, shown_in: View, transcript: Path, script: Performance) -> None:
        self.view, self.script, self.said = shown_in, script, list[str]()
        self.engine = Opening("mock", "--timeout", str(PATIENCE), "--optional-timeout", "0.2", str(transcript), log=self.said.append, strict=True)
        #: The next value of an external item.
        self.given: Any = None

    async def play(self) -> None:
        types = {type for type in self.script.opening.get("supports", []) if type != "restoreSecret"}

        async def give(_: Any) -> Any:
            return self.given

        self.view.externals = dict.fromkeys(types, give)
        is_whole = False
        try:
            await self.view.start(
                self.engine, lambda: self.engine.open_as(self.script.opening, is_acknowledged=self.script.is_acknowledged), self.view.externals
            )
            acts = list(self.script.acts)
            while acts:
                act = acts.pop(0)
                # An act that may be skipped may also be late: the mock does not wait for it for long.
                later = next((other.before for other in acts if other.has_to_be), self.script.end) if not act.has_to_be else None
                if await self.arrive(act.before, later) and await self.do(act, acts[0] if acts else None):
                    acts.pop(0)
                self.view.check()
            if self.script.is_closed:
                await self.view.until(lambda: self.view.session.closed, lambda: "the session is still open")
            else:
                await self.arrive(self.script.end)
            self.view.check()
            is_whole = True
        finally:
            status = await self.view.close(closes=self.script.closes or not is_whole)
            if is_whole:
                assert (status, self.said) == (0, []), (status, self.said)

    async def arrive(self, shown: Shown | None, later: Shown | None = None) -> bool:
        """Waits until the view shows the state `shown`, or the later state. Returns whether it is the former."""
        form = self.view.session.form

        def is_there(shown: Shown) -> bool:
            return form.is_level and shown.is_shown_by(form.snapshot)

        def has_come() -> bool:
            self.stop_at_end()
            return bool(shown and is_there(shown) or later and is_there(later))

        if shown is None:
            return True
        await self.view.until(has_come, lambda: f"shows {shown.difference(form.snapshot)}")
        self.view.compare()
        self.view.compare_focus()
        return is_there(shown)

    def stop_at_end(self) -> None:
        if self.engine.ended or self.view.session.closed and not self.script.is_closed:
            raise AssertionError(f"the session has ended: {self.said}")

    # MARK: Acts

    async def do(self, act: Act, next_act: Act | None) -> bool:
        """Performs an act, possibly together with the next one. Returns whether it did both."""
        self.view.has_acted()
        try:
            match act.kind:
                case "look":
                    await self.view.run(self.engine.request("session/snapshot", session=self.view.session.name))
                case "locale":
                    await self.speak(act)
                case "press":
                    await self.press(act)
                case "edit":
                    return await self.edit(act, next_act)
        except Unplayable as reason:
            # A refused act may be skipped, unless it has an effect.
            if not act.is_refused or isinstance(reason, Unwilling):
                raise
        return False

    async def speak(self, act: Act) -> None:
        locale = act.params.get("locale")
        if locale not in self.view.locales or len(self.view.locales) < 2:
            raise Unplayable("chooses a language that is not in the menu")
        await self.view.choose_locale(locale)

    def hold_revision(self, act: Act) -> None:
        """Checks the revision of an act: a view acts at the revision that it shows, and a transcript may name an earlier one."""
        shown = act.before or self.script.end
        if "revision" in act.params and (act.is_refused or shown.snapshot is None):
            raise Unplayable("acts on a screen that is gone")

    async def press(self, act: Act) -> None:
        self.hold_revision(act)
        if act.is_refused:
            raise Unplayable("presses an action that is refused")
        snapshot, id = self.view.session.snapshot, act.params.get("action")
        alert = snapshot["alert"]
        if alert:
            if id not in [action["id"] for action in alert["actions"]]:
                raise Unplayable("presses an action that does not exist")
            await (self.view.key("enter") if len(alert["actions"]) == 1 else self.view.click(str(id)))
            return
        action = find_action(snapshot, str(id))
        if action is None:
            raise Unplayable("presses an action that does not exist")
        focused = model.find_item(snapshot, self.view.focused() or "")
        if action["role"] == "primary" and focused and focused["kind"] in ("input", "switch") and focused.get("editable"):
            await self.view.key("enter")
        elif action["enabled"]:
            await self.view.click(action["id"])
        elif action["role"] == "primary" and (field := self.any_field()):
            # A disabled button takes no keys; Enter in a field shows what is missing.
            await self.view.go_to(field)
            await self.view.key("enter")
        else:
            raise Unplayable("presses a button that is not enabled")

    def any_field(self) -> str | None:
        items = model.items(self.view.session.snapshot)
        return next((item["id"] for item in items if item["kind"] in ("input", "switch") and item.get("editable")), None)

    async def edit(self, act: Act, next_act: Act | None) -> bool:
        snapshot, value = self.view.session.snapshot, act.params.get("value")
        item = model.find_item(snapshot, str(act.params.get("item")))
        if item is not None and "filled" in item and act.is_refused:
            # Emptying the field has the same effect, except on a failure or a throttle.
            if not item["filled"]:
                return False
            if snapshot["alert"] or snapshot["error"] or snapshot["retryAt"] or not item.get("editable"):
                raise Unwilling(EMPTIED)
            value = ""
        else:
            self.hold_revision(act)
            if act.is_refused and len(str(value)) <= self.view.longest_typed:
                # Only texts that are too long are refused for certain.
                raise Unplayable("enters a value that is refused")
        if item is None or snapshot["alert"] or not item.get("editable"):
            raise Unplayable("edits an item that does not exist or cannot be edited")
        match item["kind"]:
            case "input" if isinstance(value, str) and all(character.isprintable() for character in value):
                await self.enter(item, value)
            case "selection" if value is None and not item.get("required") or value in await self.options(item):
                await self.view.choose(item, value)
            case "switch" if isinstance(value, bool):
                await self.view.go_to(item["id"])
                for _ in range(1 if (not self.view.session.form.value(item)) == value else 2):
                    await self.view.key("space")
            case "external" if item["type"] in self.view.externals:
                if next_act is None or next_act.kind != "press" or next_act.params.get("action") != self.view.session.primary:
                    raise Unplayable("sets the value of an external item without submitting it")
                self.given = value
                await self.view.click(item["id"])
                return True
            case _:
                raise Unplayable("enters a value that a person cannot enter")
        return False

    async def options(self, item: Item) -> list[str]:
        return [option["id"] for option in await self.view.run(self.view.session.options(item))]

    async def enter(self, item: Item, value: str) -> None:
        """Types a text, or pastes it if it is long or if each key would be checked."""
        await self.view.go_to(item["id"])
        held = self.view.session.form.value(item) or ""
        if value == held:
            # Type a character and delete it again.
            for key in ("end", "x", "backspace"):
                await self.view.key(key)
        elif len(value) > self.view.longest_typed or self.script.is_checked and value:
            await self.view.paste(value)
        else:
            if value.startswith(held):
                await self.view.key("end")
            else:
                await self.view.key("clear")
                held = ""
            for character in value[len(held) :]:
                await self.view.key(character)
