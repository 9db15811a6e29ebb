"""Scenarios of users in a real browser: from signing up to an engine that is killed during a session."""

import asyncio
import os
import shlex
import signal
import sys
import tempfile

from aiohttp import web

from accounts import Accounts
from processes import HERE, WEB, BridgeProcess, bundled
from user import User

ADA = {"email": "ada@example.com", "password": "correct horse"}


#: Refuses two sessions, as a bridge with too many sessions does.
REFUSE_TWICE = """async () => {
  const { app } = await import(document.querySelector('script[type=module]').src);
  const send = WebSocket.prototype.send;
  let left = 2;
  WebSocket.prototype.send = function (text) {
    const { id, method } = JSON.parse(text);
    const receive = (message) => setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) })));
    if (method === "session/locale") receive({ method: "bridge/restarted" });
    else if (method === "session/open" && left-- > 0) receive({ id, error: { code: 10, message: "busy", data: { code: "limitExceeded" } } });
    else send.call(this, text);
  };
  app.login.setLocale("en");
}"""
#: Returns what a page finds when it is reloaded at the address that it left from, and at another.
RETURNS = "() => {" + bundled(WEB.parent / "typescript" / "src" / "external.ts", "external") + """
  const { takeReturn } = external;
  history.replaceState(null, "", "/?screen=login");
  sessionStorage.setItem("away", JSON.stringify({ item: "redirect", screen: "login", from: location.href }));
  const found = [takeReturn()?.value.url ?? null];
  history.replaceState(null, "", "/?screen=login&code=1");
  return [...found, takeReturn()?.value.url ?? null];
}"""


async def check(tally, engine, browser):
    with tempfile.TemporaryDirectory() as folder:
        accounts = Accounts(engine, folder)
        async with BridgeProcess([], [engine, *accounts.options]) as bridge:
            await with_accounts(tally, browser, bridge, accounts)
    async with BridgeProcess(["--grace", "2"], [engine, "--authenticator", "demo"]) as bridge:
        await with_demo(tally, browser, bridge)
    async with BridgeProcess(["--flow", "coordinators"], [engine, "--authenticator", "demo"]) as bridge:
        await with_alerts(tally, browser, bridge)
    async with BridgeProcess(["--flow", "dynamic"], [engine, "--authenticator", "demo"]) as bridge:
        await with_conditions(tally, browser, bridge)
    async with other_site() as site:
        command = shlex.join([sys.executable, str(HERE / "helper_authenticator.py"), site])
        async with BridgeProcess(["--grace", "0.5"], [engine, "--authenticator", command]) as bridge:
            await with_helper(tally, browser, bridge)


async def with_accounts(tally, browser, bridge, accounts):
    context = await browser.new_context()
    async with tally.case("a user signs up, is greeted, and gets a cookie"):
        user = await User.of(context, bridge.address, "Log in")
        await user.press("Create an account")
        await user.sees("Create an account")
        assert await user.focused() == "value.email"
        await user.enter(email=ADA["email"], userName="ada", password=ADA["password"])
        await user.is_sound()
        await user.submit()
        await user.is_in("ada")
        cookies = {cookie["name"]: cookie for cookie in await context.cookies()}
        assert cookies["entry"]["httpOnly"] and cookies["entry"]["sameSite"] == "Lax" and not cookies["entry"]["secure"], cookies
        assert (await user.page.evaluate("async () => (await (await fetch('/session')).json()).principal")) == "ada"
        await user.press("Log out")
        await user.sees("Log in")
        assert await user.page.evaluate("async () => (await fetch('/session')).status") == 401
    async with tally.case("a user corrects a wrong password with only the keyboard"):
        user = await User.of(context, bridge.address, "Log in")
        assert await user.focused() == "value.email"
        keyboard = user.page.keyboard
        await keyboard.type(ADA["email"])
        await keyboard.press("Tab")
        await keyboard.type("wrong horse")
        await keyboard.press("Enter")
        await user.says("error", "The email address or the password is wrong.")
        assert await user.focused() == "value.password"
        assert (await user.page.locator("#primary").inner_text()).strip() == "Try Again"
        await user.is_sound()
        await user.page.keyboard.press("Control+a")
        await keyboard.type(ADA["password"])
        await keyboard.press("Enter")
        await user.is_in("ada")
        await user.page.keyboard.press("Tab")
        await keyboard.press("Enter")
        await user.sees("Log in")
    async with tally.case("Enter in an empty form shows what is missing, and where"):
        user = await User.of(context, bridge.address, "Log in")
        await user.page.focus('[name="value.password"]')
        await user.submit()
        await user.page.wait_for_function("() => document.activeElement.name === 'value.email'")
        assert "email address" in await user.page.inner_text("#item-email-messages")
        assert await user.field("email").get_attribute("aria-invalid") == "true"
        await user.is_sound()
    async with tally.case("a recovery code works after a wrong one"):
        codes = accounts.run("recovery-codes", ADA["email"]).split()
        user = await User.of(context, bridge.address, "Log in")
        await user.enter(**ADA)
        await user.submit()
        await user.sees("Recovery code")
        await user.page.keyboard.type("wrong")
        await user.submit()
        await user.says("error")
        await user.page.keyboard.press("Control+a")
        await user.page.keyboard.type(next(code for code in codes if "-" in code or len(code) > 7))
        await user.submit()
        await user.is_in("ada")
        await user.press("Log out")
        accounts.run("recovery-codes", ADA["email"], "--off")
    async with tally.case("an expired password is replaced, with the user's name in the form for password managers"):
        accounts.run("expire", ADA["email"])
        user = await User.of(context, bridge.address, "Log in")
        await user.enter(**ADA)
        await user.submit()
        await user.sees("Choose a new password")
        assert await user.page.eval_on_selector("#user", "it => [it.autocomplete, it.value, it.form.id]") == ["username", ADA["email"], "form"]
        fields = user.page.locator("input[type=password]")
        assert await fields.evaluate_all("all => all.map((it) => it.autocomplete)") == ["new-password"] * 2
        for index in range(2):
            await fields.nth(index).fill("another horse 7")
        await user.submit()
        await user.is_in("ada")
        await user.press("Log out")
    async with tally.case("another language keeps the input"):
        user = await User.of(context, bridge.address, "Log in")
        await user.enter(email="ada@example.com", password="secret words")
        await user.page.get_by_label("Language").select_option("de")
        await user.sees("Anmelden")
        assert await user.values() == {"value.email": "ada@example.com", "value.password": "secret words", "value.remember": False}
        assert await user.page.get_attribute("html", "lang") == "de"
        await user.is_sound()
        await user.page.reload()
        await user.sees("Anmelden")
    await context.close()


async def with_demo(tally, browser, bridge):
    context = await browser.new_context()
    address = bridge.address
    async with tally.case("a throttle counts down, and then the button works"):
        user = await User.of(context, address, "Log in")
        await user.enter(email="throttled@example.com", password="x")
        await user.submit()
        await user.says("error")
        await user.page.wait_for_function("() => /^[1-5]s$/.test(document.querySelector('#left').textContent)")
        first = int((await user.page.inner_text("#left"))[:-1])
        assert await user.page.get_attribute("#primary", "aria-disabled") == "true"
        await user.page.wait_for_function("first => parseInt(document.querySelector('#left').textContent) < first", arg=first)
        await user.page.reload()
        await user.says("left")
        await user.page.wait_for_selector("#primary:not([aria-disabled])", timeout=60000)
        await user.is_sound()
    for word, wait_for in [("", None), ("typed", None), ("wrong", "error"), ("slow", "activity"), ("challenge", "Enter the code"), ("notice", "notice")]:
        async with tally.case(f"reload with {word or 'nothing entered'}"):
            await reload(context, address, word, wait_for)
    async with tally.case("a secret survives a reload"):
        user = await User.of(context, address, "Log in")
        await user.enter(email="ada@example.com", password="kept")
        await user.is_level()
        await user.page.reload()
        await user.sees("Log in")
        assert await user.values() == {"value.email": "ada@example.com", "value.password": "", "value.remember": False}
        assert "•" in await user.field("password").get_attribute("placeholder")
        await user.press("Login")
        await user.is_in("ada@example.com")
        await user.press("Log out")
    async with tally.case("two tabs have two sessions"):
        one, other = await User.of(context, address, "Log in"), await User.of(context, address, "Log in")
        await one.enter(email="one@example.com")
        await other.press("Create an account")
        await other.sees("Create an account")
        await other.enter(email="other@example.com")
        assert (await one.values())["value.email"] == "one@example.com"
        await one.is_sound()
        await other.is_sound()
    async with tally.case("a copied tab takes over the session, and the other starts again with the values that are not secret"):
        user = await User.of(context, address, "Log in")
        await user.enter(email="copied@example.com")
        await user.is_level()
        copy = await context.new_page()
        await copy.goto(address + "/page/words.json")
        await copy.evaluate("secret => sessionStorage.setItem('secret', secret)", await user.page.evaluate("() => sessionStorage.getItem('secret')"))
        await copy.goto(address)
        copied = User(copy)
        await copied.sees("Log in")
        await copied.page.wait_for_function("() => document.querySelector('[name=\"value.email\"]').value === 'copied@example.com'")
        await user.says("connection", "This form is open in another tab.")
        await user.page.evaluate("() => dispatchEvent(new Event('online'))")
        await asyncio.sleep(0.5)
        assert await copied.page.locator("#connection:visible").count() == 0
        await user.press("Start here")
        await user.says("connection", "The form was restarted.")
        await user.enter(email="mine@example.com")
        await user.is_sound()
        await copied.is_sound()
    async with tally.case("a double click on the button presses once"):
        user = await User.of(context, address, "Log in")
        await user.enter(email="slow@example.com", password="x")
        await user.is_level()
        await user.page.locator("#primary").dblclick()
        await user.says("activity")
        await asyncio.sleep(0.4)
        await user.says("activity")
        await user.page.locator("#primary").click()
        await user.page.wait_for_selector("#activity", state="hidden")
        await user.is_sound()
    async with tally.case("an engine that is killed is restarted, and the form keeps the values that are not secret"):
        user = await User.of(context, address, "Log in")
        await user.enter(email="ada@example.com", password="lost")
        await user.is_level()
        os.kill(bridge.engine(), signal.SIGKILL)
        await user.says("connection", "The form was restarted.")
        assert await user.values() == {"value.email": "ada@example.com", "value.password": "", "value.remember": False}
        await user.enter(password="typed again")
        await user.is_sound()
        await user.submit()
        await user.is_in("ada@example.com")
        await user.press("Log out")
    async with tally.case("values that are not secret survive two sessions that cannot be opened"):
        user = await User.of(context, address, "Log in")
        await user.enter(email="ada@example.com", password="lost")
        await user.is_level()
        await user.page.evaluate(REFUSE_TWICE)
        await user.says("connection", "The form was restarted.")
        assert await user.values() == {"value.email": "ada@example.com", "value.password": "", "value.remember": False}
        await user.is_sound()
        await user.page.close()
    async with tally.case("a closed tab is discarded after its grace period"):
        user = await User.of(context, address, "Log in")
        secret = await user.page.evaluate("() => sessionStorage.getItem('secret')")
        await user.page.close()
        await asyncio.sleep(3)
        page = await context.new_page()
        await page.goto(address + "/page/words.json")
        await page.evaluate("secret => sessionStorage.setItem('secret', secret)", secret)
        user = User(page)
        await page.goto(address)
        await user.sees("Log in")
        assert await page.evaluate("() => sessionStorage.getItem('secret')") != secret
    await context.close()


async def reload(context, address, word, wait_for):
    """A reloaded page shows the same as before."""
    user = await User.of(context, address, "Log in")
    if word:
        await user.enter(email=f"{word}@example.com")
    if wait_for:
        await user.enter(password="x")
        await user.submit()
        if wait_for in ("error", "activity", "notice"):
            await user.says(wait_for)
        else:
            await user.page.wait_for_function("() => document.querySelector('h1').textContent !== 'Log in'")
    await user.is_level()
    before = await user.shown()
    await user.page.reload()
    await user.sees(before["title"])
    await user.is_sound()
    after = await user.shown()
    if word != "slow":
        assert after == before, f"{before} became {after}"
    await user.page.close()


async def with_alerts(tally, browser, bridge):
    context = await browser.new_context()
    async with tally.case("an alert takes the focus, and returns it"):
        user = await User.of(context, bridge.address, "Account Setup")
        await user.press("Back to Login")
        await user.page.wait_for_function("() => document.querySelector('h1').textContent !== 'Account Setup'")
        await user.enter(userName="wrong", password="x")
        await user.submit()
        text = await user.says("dialog")
        shown = await user.shown()
        assert shown["alert"]["text"] in text
        assert await user.focused() == shown["alert"]["actions"][0]["title"]
        await user.is_sound()
        await user.page.reload()
        await user.says("dialog")
        await user.page.keyboard.press("Escape")
        await user.page.wait_for_selector("#dialog", state="hidden")
        await user.is_sound()
        assert (await user.focused()).startswith("value."), await user.focused()
    await context.close()


async def with_conditions(tally, browser, bridge):
    context = await browser.new_context()
    async with tally.case("items appear and disappear with a choice and a switch"):
        user = await User.of(context, bridge.address)
        await user.page.wait_for_selector('[name="value.contact"]')
        await user.field("contact").select_option("phone")
        await user.field("phone").wait_for()
        await user.enter(phone="123")
        await user.field("contact").select_option("post")
        await user.field("address").wait_for()
        assert await user.field("phone").count() == 0
        await user.page.get_by_role("switch").first.check()
        await user.field("nickname").wait_for()
        await user.is_sound()
        await user.page.get_by_role("switch").first.uncheck()
        await user.field("nickname").wait_for(state="detached")
        await user.is_sound()
    await context.close()


class other_site:
    """A site to which a redirect leads, and which sends the browser back. `127.0.0.1` is another site than `localhost`."""

    async def __aenter__(self):
        async def back(request):
            # Longer than the bridge's grace period, because people have to log in there.
            await asyncio.sleep(1.5)
            raise web.HTTPFound(request.query["back"] + "?code=abc&state=xyz")

        made = web.Application()
        made.router.add_get("/", back)
        self._runner = web.AppRunner(made)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}/"

    async def __aexit__(self, *_):
        await self._runner.cleanup()


async def with_helper(tally, browser, bridge):
    context = await browser.new_context(user_agent="Checker/1.0")
    async with tally.case("a redirect goes to another site and back"):
        user = await begin(context, bridge, "redirect")
        await user.sees("Elsewhere")
        await user.press("Go to the site")
        await user.is_in("code=abc&state=xyz")
        await user.press("Log out")
    async with tally.case("going back does not count as a return from the other site"):
        user = await User.of(context, bridge.address, "Log in")
        assert await user.page.evaluate(RETURNS) == [None, bridge.address + "/?screen=login&code=1"]
    async with tally.case("a code is shown as a QR code and as a text, and can be copied"):
        user = await begin(context, bridge, "code")
        await user.sees("Set up an app")
        await user.page.wait_for_selector(".picture svg path")
        await user.page.locator(".code summary").click()
        assert (await user.page.inner_text(".code code")).startswith("otpauth://totp/")
        assert await user.field("code").get_attribute("autocomplete") == "one-time-code"
        await user.is_sound()
    async with tally.case("the end of a wait is shown without a press"):
        user = await begin(context, bridge, "wait")
        await user.sees("Look at your phone")
        await user.says("activity")
        await user.is_in("ada")
        await user.press("Log out")
    async with tally.case("texts are never HTML"):
        user = await begin(context, bridge, "markup")
        await user.says("error")
        await user.is_sound()
        assert await user.page.evaluate("() => [window.hurt, document.querySelectorAll('.card img, .card script').length]") == [None, 0]
    async with tally.case("authenticators get the browser's address and user agent"):
        user = await begin(context, bridge, "context")
        await user.is_in(f'{{"address": "127.0.0.1", "agent": "Checker/1.0", "return": "{bridge.address}/"}}')
    await context.close()


async def begin(context, bridge, word):
    user = await User.of(context, bridge.address, "Log in")
    await user.enter(email=f"{word}@example.com", password="x")
    await user.submit()
    return user
