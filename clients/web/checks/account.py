"""The account page: a person who has logged in changes the account, and nobody else's; what ends the page; with JavaScript and without."""

import asyncio
import base64
import hmac
import json
import os
import re
import shlex
import signal
import tempfile
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp

from accounts import Accounts
from forms import PlainUser
from looks import AXE, faultless
from passkeys import add_key
from processes import ROOT, BridgeProcess, free_port
from raw import RawTab
from user import User

PASSWORD, NEW_PASSWORD = "correct horse battery", "correct horse staples"
COLOURS = [("light", 1000), ("dark", 1000), ("light", 320)]


async def check(tally, engine, browser):
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        accounts = Accounts(engine, folder)
        command = f"login-accounts --file '{accounts.file}' --hash-cost 1 --rp-id localhost --origin http://localhost:{port}"
        async with BridgeProcess(["--port", str(port), "--prefix", "/login"], [engine, "--authenticator", command]) as bridge:
            await addresses(tally, bridge)
            await changes(tally, browser, bridge, accounts)
            await foreign(tally, browser, bridge, accounts)
            await ends(tally, browser, bridge, accounts)
            await without_script(tally, browser, bridge, accounts)
        async with BridgeProcess(["--idle", "0.0012"], [engine, "--authenticator", command]) as bridge:
            await idle(tally, browser, bridge, accounts)
        await restarted(tally, browser, [engine, "--authenticator", command], folder, accounts)
    await other_flow(tally, engine, browser)


async def person(browser, bridge, accounts, name, **options):
    """A new account, and a browser in which its owner is at the account page."""
    accounts.add(name, PASSWORD)
    return await at_account(browser, bridge, name, **options)


async def at_account(browser, bridge, name, **options):
    user = await User.of(await browser.new_context(**options), bridge.address + "/account", "Log in")
    await log_in(user, name)
    await user.sees("Your account")
    return user


async def log_in(user, name, password=PASSWORD):
    await user.enter(email=f"{name}@example.com", password=password)
    await user.page.locator("#primary").press("Enter")
    await user.page.wait_for_function("() => !['Log in', ''].includes(document.title)")
    # The accounts that have passkeys offer one.
    if await user.page.title() == "Log in more easily":
        await user.press("Not now")


async def status(bridge, path, **headers):
    address = bridge.address.replace("/login", "") + path
    async with aiohttp.ClientSession() as client, client.get(address, headers=headers, allow_redirects=False) as response:
        return response.status, response.headers.get("Location")


async def addresses(tally, bridge):
    for path, wanted in [
        ("/login/account/", (303, "/login/?next=/login/account/")), ("/login/account/?screen=x", (303, "/login/?next=/login/account/%3Fscreen%3Dx")),
        ("/login/account", (303, "/login/account/")), ("/login/account/form", (303, "/login/?next=/login/account/")),
        ("/login/account/form/x", (303, "/login/?next=/login/account/")), ("/.well-known/change-password", (303, "/login/account/")),
        ("/login/.well-known/change-password", (303, "/login/account/")), ("/login/.well-known/something-else", (404, None)),
    ]:
        found = await status(bridge, path)
        tally.check(f"{path} without a login is answered with {wanted}", found == wanted, found)


async def changes(tally, browser, bridge, accounts):
    async with tally.case("account: the page comes after the login that it asks for, and the welcome page has a link to it"):
        user = await person(browser, bridge, accounts, "ada", reduced_motion="reduce")
        page, context = user.page, user.page.context
        assert page.url == bridge.address + "/account/", page.url
        await user.press("Show details")
        await user.says("notice", "ada, ada@example.com")
        await page.goto(bridge.address + "/welcome")
        await page.get_by_role("link", name="Your account").click()
        await user.sees("Your account")
        await user.is_sound()
    async with tally.case("account: a new password needs the old one"):
        await user.press("Change your password")
        await user.sees("Change your password")
        await user.enter(password="wrong horse", newPassword=NEW_PASSWORD, repetition=NEW_PASSWORD)
        await user.submit()
        await user.says("error", "This is not your password.")
        await user.enter(password=PASSWORD)
        await user.submit()
        await user.says("notice", "password")
        await user.is_sound()
        await log_out(context, bridge)
        user = await User.of(context, bridge.address + "/account", "Log in")
        await log_in(user, "ada", NEW_PASSWORD)
        await user.sees("Your account")
    async with tally.case("account: a passkey is added, listed and removed"):
        tools, key = await add_key(context, user.page)
        await prove(user, "Passkeys", None, NEW_PASSWORD)
        await user.page.locator(".external").click()
        await user.says("notice", "passkey")
        assert len((await tools.send("WebAuthn.getCredentials", {"authenticatorId": key}))["credentials"]) == 1
        await prove(user, "Passkeys", "Your passkeys", NEW_PASSWORD)
        choices = user.page.locator("select option:visible")
        assert await choices.count() == 1 and await choices.nth(0).is_visible()
        await looked_at(user, "passkeys")
        await user.is_sound()
        await choices.nth(0).click()
        await user.press("Remove")
        await user.says("notice", "removed")
    async with tally.case("account: an authenticator app is set up, with its address behind the QR code"):
        await prove(user, "Set up an authenticator app", None, NEW_PASSWORD)
        await user.page.locator(".picture svg").wait_for()
        address = user.page.locator("details code")
        assert not await address.is_visible()
        await user.page.locator("summary").click()
        assert (await address.inner_text()).startswith("otpauth://totp/")
        await user.page.locator("summary").click()
        await looked_at(user, "authenticator-app")
        app = await address.text_content()
        await user.enter(code=one_time_code(app, -1))
        await user.submit()
        await user.says("notice")
        await user.is_sound()
    async with tally.case("account: recovery codes are one block to copy, save and print"):
        await prove(user, "New recovery codes", None, NEW_PASSWORD)
        await user.page.locator(".tools").or_(user.field("code")).first.wait_for()
        await user.enter(code=one_time_code(app, 0))
        await user.submit()
        await user.page.locator(".tools").wait_for()
        codes = await user.page.locator(".items code").all_inner_texts()
        assert len(codes) == 10 and await user.page.locator(".copy:visible").count() == 0, codes
        await looked_at(user, "recovery-codes")
        await context.grant_permissions(["clipboard-read", "clipboard-write"])
        await user.press("Copy all")
        await user.page.get_by_role("button", name="Copied").wait_for()
        assert (await user.page.evaluate("() => navigator.clipboard.readText()")).split() == codes
        async with user.page.expect_download() as download:
            await user.press("Download")
        saved = await download.value
        assert saved.suggested_filename.startswith("localhost ") and saved.suggested_filename.endswith(".txt"), saved.suggested_filename
        lines = Path(await saved.path()).read_text().splitlines()
        assert lines[3:] == codes and lines[1] == urlsplit(bridge.address).netloc, lines
        await user.page.evaluate("() => { window.print = () => { window.printed = true; }; }")
        await user.press("Print")
        assert await user.page.evaluate("() => window.printed")
        await user.page.emulate_media(media="print")
        assert await user.page.locator("button:visible, .links:visible").count() == 0 and await user.page.locator("code:visible").count() == 10
        await user.page.emulate_media(media="screen")
        await user.is_sound()
        await user.page.locator("#primary").click()
        await user.says("notice")
    async with tally.case("account: the menu is accessible"):
        await looked_at(user, "account")
    await context.close()


async def prove(user, link, title, password):
    """Goes to a change, and enters the password."""
    await user.press(link)
    await user.field("password").wait_for()
    await user.enter(password=password)
    await user.submit()
    await (user.sees(title) if title else user.page.locator('[name="value.password"]').wait_for(state="detached"))


def one_time_code(address, step):
    """The code of RFC 6238 that an app shows, now or some steps earlier or later."""
    given = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    secret = base64.b32decode(given["secret"] + "=" * (-len(given["secret"]) % 8))
    count = int(time.time()) // int(given.get("period", 30)) + step
    digest = hmac.digest(secret, count.to_bytes(8, "big"), given.get("algorithm", "SHA1").lower())
    at = digest[-1] & 15
    return str((int.from_bytes(digest[at : at + 4], "big") & 0x7FFFFFFF) % 10 ** int(given.get("digits", 6))).zfill(int(given.get("digits", 6)))


async def looked_at(user, name):
    """axe in all colours and at 320 pixels, and a picture. The session stays where it is."""
    size, folder = user.page.viewport_size, os.environ.get("PICTURES")
    for colours, width in COLOURS:
        await user.page.emulate_media(color_scheme=colours)
        await user.page.set_viewport_size({"width": width, "height": 700})
        if folder:
            await user.page.screenshot(path=f"{folder}/account-{name}-{colours}-{width}.png", full_page=True)
        tools = await user.page.context.new_cdp_session(user.page)
        # The content security policy forbids the page's own scripts to be made of texts, not those of the tools.
        await tools.send("Runtime.evaluate", {"expression": AXE})
        await faultless(user.page, has_axe=True)
    await user.page.emulate_media(color_scheme="light")
    await user.page.set_viewport_size(size)


async def log_out(context, bridge):
    page = await context.new_page()
    await page.goto(bridge.address + "/welcome")
    await page.get_by_role("button", name="Log out").click()
    await page.wait_for_url("**/")
    await page.close()


async def is_told(user, text):
    """Waits until the page says that it has ended; then nothing of the account is left on it."""
    await user.page.locator("#connection:visible").filter(has_text=text).wait_for()
    assert not await user.page.locator("#card").is_visible()
    left = await user.page.evaluate("() => document.querySelector('#sections').textContent + document.querySelector('#links').textContent")
    assert left == "" and not user.errors, (left, user.errors)


async def session_status(context, bridge):
    return (await context.request.get(bridge.address + "/session")).status




async def foreign(tally, browser, bridge, accounts):
    """Whose account a page changes is the bridge's decision alone."""
    origin = bridge.address.removesuffix("/login")
    bob = await person(browser, bridge, accounts, "bob")
    eve = await person(browser, bridge, accounts, "eve")
    cookies = {cookie["name"]: cookie["value"] for cookie in await eve.page.context.cookies()}
    secret = await bob.page.evaluate("() => sessionStorage.getItem('secret')")

    async def open_tab(client, params, secret=None, path="/account/link"):
        """Returns the answer to an opening, and the close code if the bridge closes the connection instead."""
        socket = await client.ws_connect(bridge.address + path, origin=origin)
        await socket.send_json({"jsonrpc": "2.0", "id": "begin", "method": "bridge/begin", "params": {"secret": secret}})
        await socket.send_json({"jsonrpc": "2.0", "id": "open", "method": "session/open", "params": params})
        received = []
        while (frame := await asyncio.wait_for(socket.receive(), 20)).type is aiohttp.WSMsgType.TEXT:
            received.append(json.loads(frame.data))
            if received[-1].get("id") == "open":
                break
        await socket.close()
        return received, socket.close_code

    async with aiohttp.ClientSession(cookies=cookies) as client:
        for what, params in [("a principal", {"principal": "bob"}), ("a flow", {"flow": "standard"}), ("a context", {"context": {}}), ("a saved session", {"saved": {}})]:
            for path in ("/account/link", "/link"):
                async with tally.case(f"account: a browser that names {what} at {path} is refused"):
                    received, code = await open_tab(client, params, path=path)
                    assert code == 1008 and not any("snapshot" in json.dumps(it) for it in received), (code, received)
        async with tally.case("account: the secret of another person's tab is of no use"):
            received, _ = await open_tab(client, {}, secret)
            begun = next(it for it in received if it.get("id") == "begin")
            assert begun["result"]["resumed"] is False, begun
    bobs = {cookie["name"]: cookie["value"] for cookie in await bob.page.context.cookies()}
    async with aiohttp.ClientSession(cookies={**bobs, "entry": cookies["entry"]}) as client:
        async with tally.case("account: nor is it with that person's browser, for another login"):
            received, _ = await open_tab(client, {}, secret)
            assert next(it for it in received if it.get("id") == "begin")["result"]["resumed"] is False, received
        async with tally.case("account: nor is it at the page where people log in"):
            received, _ = await open_tab(client, {}, secret, "/link")
            assert next(it for it in received if it.get("id") == "begin")["result"]["resumed"] is False, received
            assert any(it.get("params", {}).get("snapshot", {}).get("title") == "Log in" for it in received), received
    async with aiohttp.ClientSession(cookies={"browser": cookies["browser"]}) as client:
        async with tally.case("account: a browser without a login gets no session"):
            received, code = await open_tab(client, {})
            assert received == [] and code == 4002, (received, code)
    async with tally.case("account: two people in two browsers do not see each other's"):
        for user, own, other in [(bob, "bob", "eve"), (eve, "eve", "bob")]:
            await user.press("Show details")
            said = await user.says("notice", own)
            assert other not in said, said
            await user.is_sound()
    await bob.page.context.close()
    await eve.page.context.close()


async def ends(tally, browser, bridge, accounts):
    async with tally.case("account: logging out in one tab ends the account page in the other"):
        user = await person(browser, bridge, accounts, "cyd", reduced_motion="reduce")
        context = user.page.context
        await user.press("Change your password")
        await user.sees("Change your password")
        await user.enter(newPassword="not yet saved")
        await log_out(context, bridge)
        await is_told(user, "You are logged out.")
        await looked_at(user, "logged-out")
        await user.press("Log in")
        await user.sees("Log in")
        await log_in(user, "cyd")
        await user.sees("Your account")
    async with tally.case("account: a login of another person in the same browser ends it"):
        first = await User.of(context, bridge.address + "/account", "Your account")
        cookies = await context.cookies()
        await context.clear_cookies(name="entry")
        other = await User.of(context, bridge.address, "Log in")
        await context.add_cookies(cookies)
        await log_in(other, "bob")
        await other.is_in("bob")
        await is_told(first, "You are logged out.")
        await is_told(user, "You are logged out.")
        await context.close()
    async with tally.case("account: after the deletion, the person is told, and no login of the account is left"):
        user = await person(browser, bridge, accounts, "dan")
        elsewhere = await at_account(browser, bridge, "dan")
        await prove(user, "Delete your account", None, PASSWORD)
        await is_told(user, "This account was deleted.")
        await is_told(elsewhere, "This account was deleted.")
        for there in (user, elsewhere):
            assert await session_status(there.page.context, bridge) == 401
        await user.press("Log in")
        await user.sees("Log in")
        await user.page.context.close()
        await elsewhere.page.context.close()
    async with tally.case("account: the deletion takes effect even if the page is closed at once"):
        user = await person(browser, bridge, accounts, "eli")
        context = user.page.context
        await user.press("Delete your account")
        await user.sees("Delete your account")
        await user.enter(password=PASSWORD)
        await user.is_level()
        await user.page.evaluate("""async () => {
          const { app } = await import(document.querySelector('script[type=module]').src);
          app.session.press();
        }""")
        await user.page.close()
        async with asyncio.timeout(20):
            while await session_status(context, bridge) == 200:
                await asyncio.sleep(0.1)
        await context.close()
    async with tally.case("account: a disabled account ends its logins at the next change"):
        user = await person(browser, bridge, accounts, "flo")
        accounts.run("disable", "flo")
        await user.press("Forget remembered devices")
        await user.sees("Forget remembered devices")
        await user.enter(password=PASSWORD)
        await user.submit()
        await is_told(user, "This account is disabled.")
        assert await session_status(user.page.context, bridge) == 401
        await user.page.context.close()
    async with tally.case("account: an account that was removed elsewhere ends its logins"):
        user = await person(browser, bridge, accounts, "gus")
        accounts.run("remove", "gus")
        await user.press("Show details")
        await is_told(user, "This account was deleted.")
        await user.page.context.close()
    async with tally.case("account: the next account with a removed one's name does not get its pages"):
        user = await person(browser, bridge, accounts, "hal")
        accounts.run("remove", "hal")
        other = await person(browser, bridge, accounts, "hal")
        await is_told(user, "This account was deleted.")
        assert (await session_status(user.page.context, bridge), await session_status(other.page.context, bridge)) == (401, 200)
        await user.page.context.close()
        await other.page.context.close()


async def idle(tally, browser, bridge, accounts):
    async with tally.case("account: the page ends when the login has not been used for too long, and counts as its use"):
        user = await person(browser, bridge, accounts, "ida")
        await user.press("Change your password")
        await user.sees("Change your password")
        for index in range(4):
            await asyncio.sleep(2)
            await user.enter(newPassword=f"typed {index}")
        assert await user.page.locator("#card").is_visible()
        begun = time.monotonic()
        await is_told(user, "You are logged out.")
        assert 2 < time.monotonic() - begun < 8, time.monotonic() - begun
        await user.page.context.close()


async def restarted(tally, browser, command, folder, accounts):
    saving = [*command, "--save-on-exit", f"{folder}/saved.jsonl", "--restore", f"{folder}/saved.jsonl"]
    port = str(free_port())
    async with BridgeProcess(["--port", port], saving) as bridge:
        async with tally.case("account: the page goes on with another engine, for the same person"):
            user = await person(browser, bridge, accounts, "jan")
            for end in (signal.SIGTERM, signal.SIGKILL):
                before = bridge.engine()
                os.kill(before, end)
                async with asyncio.timeout(20):
                    while not await engine_is_new(bridge, before):
                        await asyncio.sleep(0.05)
                # What is pressed before the page has heard of the other engine is lost.
                await asyncio.sleep(1)
                await user.press("Show details")
                await user.says("notice", "jan, jan@example.com")
                await user.press("Passkeys")
                await user.press("Back to your account")
                await user.sees("Your account")
        user_page = user
    async with BridgeProcess(["--port", port], saving) as bridge:
        async with tally.case("account: a restart of the bridge ends the login, and the saved session"):
            await is_told(user_page, "You are logged out.")
            bridge.process.terminate()
            await bridge.process.wait()
            assert '"account-' not in Path(folder, "saved.jsonl").read_text()
            await user_page.page.context.close()


async def engine_is_new(bridge, before):
    try:
        if bridge.engine() == before:
            return False
    except (IndexError, FileNotFoundError):
        return False
    return (await status(bridge, "/healthz"))[0] == 200


async def without_script(tally, browser, bridge, accounts):
    async with tally.case("account, without JavaScript: the password is changed, and the account deleted"):
        accounts.add("kim", PASSWORD)
        user = PlainUser(await (await browser.new_context(java_script_enabled=False)).new_page())
        await user.page.goto(bridge.address + "/account")
        await user.sees("Log in")
        await log_in(user, "kim")
        await user.sees("Your account")
        assert "/login/account/form/" in user.page.url, user.page.url
        await user.press("Change your password")
        await user.sees("Change your password")
        await user.enter(password=PASSWORD, newPassword=NEW_PASSWORD, repetition=NEW_PASSWORD)
        await user.page.locator("#primary").click()
        await user.says("notice")
        await user.press("Set up an authenticator app")
        await user.enter(password=NEW_PASSWORD)
        await user.page.locator("#primary").click()
        await user.page.locator(".picture svg").wait_for()
        assert not await user.page.locator("details code").is_visible()
        await user.press("Back")
        await user.press("Back to your account")
        await user.press("Delete your account")
        await user.enter(password=NEW_PASSWORD)
        await user.page.locator("#primary").click()
        await user.sees("This account was deleted. You are logged out.")
        assert await session_status(user.page.context, bridge) == 401
        await user.page.get_by_role("link", name="Log in").click()
        await user.sees("Log in")
        await user.page.context.close()
    async with tally.case("account, without JavaScript: another login does not get to a form"):
        one, two = await at_account(browser, bridge, "bob"), await at_account(browser, bridge, "eve")
        address = (await one.page.context.request.get(bridge.address + "/account/form")).url
        stolen = [cookie if cookie["name"] != "entry" else next(it for it in await two.page.context.cookies() if it["name"] == "entry")
                  for cookie in await one.page.context.cookies()]
        jar = {cookie["name"]: cookie["value"] for cookie in stolen}
        async with aiohttp.ClientSession(cookies=jar) as client, client.get(address, allow_redirects=False) as response:
            assert (response.status, response.headers.get("Location")) == (303, "/login/account/form"), response.headers
        for user in (one, two):
            await user.page.context.close()


async def other_flow(tally, engine, browser):
    """A flow with another name, whose scene is not the end of the account."""
    flow = json.loads((ROOT / "protocol" / "flows" / "account.json").read_text())
    flow["flow"], flow["screens"][0]["success"] = "settings", {"scene": "settled"}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "settings.json").write_text(json.dumps(flow))
        command = [engine, "--authenticator", "demo", "--flow", f"{folder}/settings.json"]
        async with BridgeProcess(["--flow", "standard", "--account-flow", "settings"], command) as bridge:
            async with tally.case("account: a scene of the flow makes no login, and leads to the application"):
                user = await at_account(browser, bridge, "ada")
                before = await user.page.context.cookies()
                tickets = []
                user.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: tickets.append("bridge/ticket" in str(frame))))
                await user.page.reload()
                await user.sees("Your account")
                await user.press("Show details")
                await user.is_in("ada@example.com")
                assert not any(tickets) and await user.page.context.cookies() == before
                await user.page.context.close()
        async with BridgeProcess(["--account-flow", ""], command) as bridge:
            for path in ("/account/", "/account", "/account/form", "/.well-known/change-password"):
                found = await status(bridge, path)
                tally.check(f"without --account-flow there is no {path}", found[0] == 404, found)
        try:
            async with BridgeProcess(["--account-flow", "none"], command):
                said = ""
        except RuntimeError as error:
            said = str(error)
        tally.check("an unknown --account-flow is refused", "the engine has no flow 'none'" in said, said)
