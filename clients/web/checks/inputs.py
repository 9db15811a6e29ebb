"""Input as people give it: from password managers, with blanks around, with double clicks, without a connection, and with the browser's buttons."""

import asyncio
import json
import os
import shlex
import signal
import sys

from connections import Wire
from looks import REST
from processes import HERE, WEB, BridgeProcess, bundled, free_port
from user import User

#: Sets a field without events, as some password managers do.
FILL = "(field, value) => { field.type === 'checkbox' ? (field.checked = value) : (field.value = value); }"
#: Records the types of the password fields at each press.
RECORD = """() => {
  const send = WebSocket.prototype.send;
  window.seen = [];
  WebSocket.prototype.send = function (text) {
    if (JSON.parse(text).method === "session/press") seen.push(document.querySelector('[name="value.password"]').type);
    return send.call(this, text);
  };
}"""
TIDIED = "(cases) => {" + bundled(WEB / "source" / "fields.ts", "fields") + "; return cases.map(([item, text]) => fields.tidied(item, text)); }"
EMAIL, CODE = {"kind": "input", "inputType": "email"}, {"kind": "input", "inputType": "oneTimeCode"}
#: An item, what people enter, and what is sent.
ENTRIES = [
    (EMAIL, " \tada@example.com\u00a0\n", "ada@example.com"),
    (EMAIL, "\u200bada@example.com\ufeff", "ada@example.com"),
    (EMAIL, "ada lovelace@example.com", "ada lovelace@example.com"),
    ({"kind": "input", "inputType": "text", "autofill": "section-a username webauthn"}, "ada lovelace ", "ada lovelace"),
    ({"kind": "input", "inputType": "text", "autofill": "nickname"}, " ada ", " ada "),
    ({"kind": "input", "inputType": "password", "autofill": "current-password"}, " correct horse ", " correct horse "),
    (CODE, "123 456", "123456"), (CODE, " 123\u00a0456\n", "123456"), (CODE, "123-456", "123456"), (CODE, "1 2 3 \u2013 4 5 6", "123456"),
    (CODE, "\uff11\uff12\uff13 \uff14\uff15\uff16", "\uff11\uff12\uff13\uff14\uff15\uff16"),
    (CODE, " ABCD-EFGH ", "ABCD-EFGH"),
    (CODE, "", ""),
    ({**CODE, "pattern": "[0-9]{6}"}, "123 456", "123456"),
    ({**CODE, "pattern": "[0-9]{3}-[0-9]{3}"}, "123-456 ", "123-456"),
    ({**CODE, "minLength": 7}, "123-456", "123-456"),
    ({"kind": "input", "inputType": "text", "autofill": "one-time-code"}, "123 456", "123456"),
]
#: The tops of the fields and of the button, once nothing moves.
PLACES = "async () => { await (" + REST + ")(); return [...document.querySelectorAll('.field, #primary')].map((it) => Math.round(it.getBoundingClientRect().top)); }"
#: Presses a key with or without caps lock.
KEY = "(field, on) => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', modifierCapsLock: on }))"


async def check(tally, engine, browser):
    helper = shlex.join([sys.executable, str(HERE / "helper_authenticator.py"), "http://127.0.0.1:1/"])
    async with BridgeProcess([], [engine, "--authenticator", helper]) as bridge:
        async with BridgeProcess(["--flow", "dynamic"], [engine, "--authenticator", "demo"]) as dynamic:
            await filled(tally, browser, bridge, dynamic)
        await with_blanks(tally, browser, bridge)
    async with BridgeProcess([], [engine, "--authenticator", "demo"]) as bridge:
        await masked(tally, browser, bridge)
        await double_clicks(tally, browser, bridge)
        await back_and_forward(tally, browser, bridge)
        await notes(tally, browser, bridge)
    port = free_port()
    async with Wire(port) as wire:
        demo = [engine, "--authenticator", "demo"]
        async with BridgeProcess(["--port", str(port), "--origin", wire.address, "--flow", "dynamic"], demo) as bridge:
            await away(tally, browser, bridge, wire)
        async with BridgeProcess(["--port", str(port), "--origin", wire.address], demo):
            await in_another_language(tally, browser, wire)


async def begin(context, address, title=None):
    """Returns a user at a page whose script has taken over."""
    user = await User.of(context, address, title)
    await user.is_level()
    return user


async def filled(tally, browser, bridge, dynamic):
    context = await browser.new_context()
    async with tally.case("values that a password manager sets without events are sent"):
        user = await begin(context, bridge.address, "Log in")
        for item, value in {"email": "values@example.com", "password": "correct horse", "remember": True}.items():
            await user.field(item).evaluate(FILL, value)
        # Playwright waits for a button that is not `aria-disabled`; a user does not.
        await user.page.locator("#primary").click(force=True)
        await user.is_in(json.dumps({"email": "values@example.com", "password": "correct horse", "remember": True}))
        await user.press("Log out")
    async with tally.case("a choice that is set without events is sent"):
        user = await begin(context, dynamic.address)
        await user.field("contact").evaluate(FILL, "phone")
        await user.page.locator("#primary").click(force=True)
        await user.field("phone").wait_for()
        await user.is_sound()
    async with tally.case("a link takes along what was set without events"):
        user = await begin(context, bridge.address, "Log in")
        await user.field("email").evaluate(FILL, "ada@example.com")
        await user.press("Create an account")
        await user.sees("Create an account")
        assert (await user.values())["value.email"] == "ada@example.com"
        await user.is_sound()
    await context.close()


async def with_blanks(tally, browser, bridge):
    context = await browser.new_context()
    async with tally.case("only blanks that cannot belong to a value are left out"):
        page = await context.new_page()
        found = await page.evaluate(TIDIED, [[item, text] for item, text, _ in ENTRIES])
        wrong = [(text, got) for (_, text, wanted), got in zip(ENTRIES, found) if got != wanted]
        assert not wrong, wrong
    async with tally.case("blanks around an address stay while the user types, and are not sent"):
        user = await begin(context, bridge.address, "Log in")
        await user.enter(email=" values@example.com\u00a0", password=" a secret ")
        await user.is_level()
        assert (await user.shown())["sections"][0]["items"][0]["value"] == " values@example.com\u00a0"
        await user.submit()
        await user.is_in(json.dumps({"email": "values@example.com", "password": " a secret ", "remember": False}))
        await user.press("Log out")
    async with tally.case("a code typed in groups works"):
        user = await begin(context, bridge.address, "Log in")
        await user.enter(email="code@example.com", password="x")
        await user.submit()
        await user.sees("Set up an app")
        await user.enter(code=" 123-456 ")
        await user.submit()
        await user.is_in("code 123456")
        await user.press("Log out")
    await context.close()


async def masked(tally, browser, bridge):
    context = await browser.new_context()
    async with tally.case("a password that is shown is masked before it is submitted"):
        user = await begin(context, bridge.address, "Log in")
        await user.page.evaluate(RECORD)
        await user.enter(email="wrong@example.com", password="shown")
        await user.page.locator(".reveal").click()
        assert await user.field("password").get_attribute("type") == "text"
        await user.field("password").press("Enter")
        await user.says("error")
        assert await user.page.evaluate("() => seen") == ["password"]
        assert await user.page.locator(".reveal").get_attribute("aria-pressed") == "false"
        await user.is_sound()
    await context.close()


async def double_clicks(tally, browser, bridge):
    context = await browser.new_context()
    async with tally.case("the button ignores a press within half a second of becoming another one"):
        user = await begin(context, bridge.address, "Log in")
        await user.enter(email="slow@example.com", password="x")
        primary = user.page.locator("#primary")
        for press in (primary.click, lambda: primary.press("Enter")):
            await press()
            await user.says("activity")
            await press()
            await user.is_level()
            assert (await user.shown())["activity"]
            await asyncio.sleep(0.6)
            await press()
            await user.page.wait_for_selector("#activity", state="hidden")
            await press()
            await user.is_level()
            assert not (await user.shown())["activity"]
            await asyncio.sleep(0.6)
        await user.is_sound()
    await context.close()


async def back_and_forward(tally, browser, bridge):
    context = await browser.new_context()
    user = await begin(context, bridge.address, "Log in")
    page = user.page
    async with tally.case("the browser's buttons lead from screen to screen, and values stay"):
        await user.enter(email="ada@example.com")
        await user.field("remember").check()
        await user.press("Create an account")
        await user.sees("Create an account")
        await user.enter(userName="ada")
        await user.is_level()
        await page.evaluate("() => history.back()")
        await user.sees("Log in")
        assert await user.values() == {"value.email": "ada@example.com", "value.password": "", "value.remember": True}
        assert await page.locator("#connection:visible").count() == 0
        await page.evaluate("() => history.forward()")
        await user.sees("Create an account")
        await page.wait_for_function("() => document.querySelector('[name=\"value.userName\"]').value === 'ada'")
        await user.is_sound()
    async with tally.case("a link back goes back in the browser's history"):
        length = await page.evaluate("() => history.length")
        await user.press("I already have an account")
        await user.sees("Log in")
        await page.wait_for_function("() => history.state.screens.length === 1")
        assert await page.evaluate("() => history.length") == length
        await page.evaluate("() => history.forward()")
        await user.sees("Create an account")
        await page.evaluate("() => history.back()")
        await user.sees("Log in")
        await user.is_sound()
    async with tally.case("the browser's button leads back after a reload"):
        await user.press("Create an account")
        await user.sees("Create an account")
        await page.reload()
        await user.sees("Create an account")
        await user.is_level()
        await page.evaluate("() => history.back()")
        await user.sees("Log in")
        await user.is_sound()
    async with tally.case("the browser's button leads from an authenticator's screen to the form, and its other button does no harm"):
        await user.enter(email="challenge@example.com", password="x")
        await user.submit()
        await user.sees("Enter the code")
        await page.evaluate("() => history.back()")
        await user.sees("Log in")
        await user.enter(email="kept@example.com", password="kept")
        await user.is_level()
        await page.evaluate("() => history.forward()")
        await asyncio.sleep(0.5)
        await user.sees("Log in")
        values = await user.values()
        assert values == {"value.email": "kept@example.com", "value.password": "kept", "value.remember": False}, values
        await user.is_sound()
    async with tally.case("the browser's button gives up a pending request"):
        await user.press("Create an account")
        await user.sees("Create an account")
        await user.enter(email="slow@example.com", userName="ada", password="correct horse")
        await user.submit()
        await user.says("activity")
        await page.evaluate("() => history.back()")
        await user.sees("Log in")
        await user.is_sound()
    await context.close()


async def notes(tally, browser, bridge):
    context = await browser.new_context()
    async with tally.case("a new password's rule is shown before the first key, and messages move nothing"):
        user = await begin(context, bridge.address + "/?screen=setup", "Create an account")
        assert await user.page.locator(".rule:visible").all_inner_texts() == ["At least 9 characters"]
        described = await user.field("password").get_attribute("aria-describedby")
        assert await user.page.evaluate("ids => ids.split(' ').map((id) => document.getElementById(id).textContent).join('')", described) == "At least 9 characters"
        before = await user.page.evaluate(PLACES)
        await user.enter(email="ada@", password="short")
        await user.submit()
        await user.page.locator("#item-password-messages li").wait_for()
        await user.page.locator("#item-userName-messages li").wait_for()
        assert await user.page.evaluate(PLACES) == before, [before, await user.page.evaluate(PLACES)]
        assert await user.page.locator(".rule:visible").count() == 0
        await user.is_sound()
    async with tally.case("the first screen, drawn by the bridge, is as the script draws it"):
        page = await context.new_page()
        await page.route("**/page.js", lambda route: asyncio.sleep(0))
        await page.goto(bridge.address + "/?screen=setup", wait_until="commit")
        await page.wait_for_selector("#primary")
        drawn = [await page.evaluate(PLACES), await page.locator(".rule:visible").all_inner_texts()]
        await page.close()
        assert distances(drawn[0]) == distances(before) and drawn[1] == ["At least 9 characters"], [drawn, before]
    async with tally.case("a hint says that caps lock is on"):
        user = await begin(context, bridge.address, "Log in")
        field, hint = user.field("password"), user.page.locator(".caps:visible")
        before = await user.page.evaluate(PLACES)
        await field.evaluate("(field) => field.dispatchEvent(new Event('keydown'))")
        assert await hint.count() == 0
        await field.focus()
        await field.evaluate(KEY, True)
        assert await hint.inner_text() == "Caps Lock is on."
        assert await user.page.evaluate(PLACES) == before
        await field.evaluate(KEY, False)
        assert await hint.count() == 0
        await field.evaluate(KEY, True)
        await user.page.focus('[name="value.email"]')
        assert await hint.count() == 0
        assert not user.errors, user.errors
    await context.close()


def distances(places):
    return [place - places[0] for place in places]


async def away(tally, browser, bridge, wire):
    context = await browser.new_context()

    async with tally.case("what is entered and pressed without a connection is sent afterwards"):
        user = await cut(context, wire)
        await user.enter(userName="ada", email="after@example.com", password="after the cut")
        await user.field("contact").select_option("none")
        await user.field("extra").check()
        await user.page.locator("#primary").click(force=True)
        wire.is_down = False
        # The switch shows a field that has to be filled in, as the press then says.
        await user.page.locator("#item-nickname-messages li").wait_for()
        values = await user.values()
        wanted = {"userName": "ada", "email": "after@example.com", "password": "after the cut", "contact": "none", "extra": True}
        assert {name: values[f"value.{name}"] for name in wanted} == wanted, values
        await user.is_sound()
        await user.enter(nickname="ada")
        await user.submit()
        await user.page.wait_for_url("**/welcome")
        await user.press("Log out")
    async with tally.case("what is entered without a connection is kept if the session is lost meanwhile"):
        user = await cut(context, wire)
        await user.enter(userName="ada", email="after@example.com")
        await user.field("contact").select_option("none")
        os.kill(bridge.engine(), signal.SIGKILL)
        await asyncio.sleep(0.5)
        wire.is_down = False
        await user.says("connection", "The form was restarted.")
        values = await user.values()
        wanted = {"userName": "ada", "email": "after@example.com", "password": "", "contact": "none"}
        assert {name: values[f"value.{name}"] for name in wanted} == wanted, values
        await user.is_sound()
    await context.close()


async def cut(context, wire):
    """Returns a user who has entered something, and whose page has no connection then."""
    wire.is_down = False
    user = await begin(context, wire.address)
    await user.enter(email="before@example.com", password="before the cut")
    await user.is_level()
    wire.is_down = True
    wire.cut()
    await user.says("connection", "The connection was lost.")
    return user


async def in_another_language(tally, browser, wire):
    context = await browser.new_context()
    async with tally.case("a language that is chosen without a connection is shown afterwards"):
        user = await cut(context, wire)
        await user.page.locator("#locale").select_option("de")
        wire.is_down = False
        await user.sees("Anmelden")
        assert (await user.values())["value.email"] == "before@example.com"
        await user.is_sound()
    await context.close()
