"""The page without JavaScript, and forged forms."""

import asyncio
import re
import shlex
import sys
import tempfile
from urllib.parse import urlsplit

import aiohttp

from accounts import Accounts
from processes import HERE, BridgeProcess
from user import User


class PlainUser(User):
    """A user without JavaScript. Uses only the keyboard, because Playwright's other input needs JavaScript in Firefox."""

    async def enter(self, **values):
        for item, text in values.items():
            await self.type(self.field(item), text)

    async def type(self, field, text):
        await field.press("Control+a")
        await self.page.keyboard.type(text)

    async def press(self, name):
        await self.page.get_by_role("button", name=name, exact=True).press("Enter")

    async def press_primary(self):
        await self.page.locator("#primary").press("Enter")

    async def sees(self, title):
        await self.page.locator("h1", has_text=re.compile(f"^{re.escape(title)}$")).wait_for()

    async def says(self, part, text=None):
        await self.page.locator(f".{part}", has_text=text).wait_for()


async def check(tally, engine, browser):
    with tempfile.TemporaryDirectory() as folder:
        accounts = Accounts(engine, folder)
        async with BridgeProcess([], [engine, *accounts.options]) as bridge:
            await with_accounts(tally, browser, bridge, accounts)
            await as_text(tally, bridge)
            await forged(tally, bridge)
            await unreadable(tally, bridge)
    async with BridgeProcess(["--flow", "dynamic"], [engine, "--authenticator", "demo"]) as bridge:
        async with tally.case("without JavaScript: a choice adds items before anything is submitted"):
            context = await browser.new_context(java_script_enabled=False)
            user = await PlainUser.of(context, bridge.address)
            for _ in ("none", "phone"):
                await user.field("contact").press("ArrowDown")
            await user.enter(userName="ada", email="ada@example.com", password="correct horse")
            await user.press_primary()
            await user.field("phone").wait_for()
            assert (await user.field("userName").input_value(), await user.field("contact").input_value()) == ("ada", "phone")
            await user.enter(phone="123")
            await user.press_primary()
            await user.page.wait_for_url("**/welcome")
            await context.close()
    async with BridgeProcess([], [engine, "--authenticator", "demo"]) as bridge:
        await with_demo(tally, browser, bridge)
        await without_cookies(tally, bridge)
    helper = shlex.join([sys.executable, str(HERE / "helper_authenticator.py"), "http://127.0.0.1:1/"])
    async with BridgeProcess([], [engine, "--authenticator", helper]) as bridge:
        await with_helper(tally, browser, bridge)


async def log_in(context, address, email, password, title="Log in"):
    user = await PlainUser.of(context, address, title)
    await user.enter(email=email, password=password)
    await user.press_primary()
    return user


async def with_accounts(tally, browser, bridge, accounts):
    context = await browser.new_context(java_script_enabled=False)
    async with tally.case("without JavaScript: a user signs up"):
        user = await PlainUser.of(context, bridge.address, "Log in")
        await user.press("Create an account")
        await user.sees("Create an account")
        await user.enter(email="ada@example.com", userName="ada", password="short")
        await user.press_primary()
        await user.says("messages", "9")
        assert await user.field("userName").input_value() == "ada"
        await user.enter(password="correct horse")
        await user.page.keyboard.press("Enter")
        await user.page.wait_for_url("**/welcome")
        await user.press("Log out")
    async with tally.case("without JavaScript: a user corrects a wrong password"):
        user = await log_in(context, bridge.address, "ada@example.com", "wrong horse")
        await user.says("error", "The email address or the password is wrong.")
        await user.enter(password="correct horse")
        await user.page.keyboard.press("Enter")
        await user.page.wait_for_url("**/welcome")
        assert {cookie["name"]: cookie["sameSite"] for cookie in await context.cookies()}["entry"] == "Lax"
        await user.press("Log out")
    async with tally.case("without JavaScript: a recovery code works"):
        codes = accounts.run("recovery-codes", "ada").split()
        user = await log_in(context, bridge.address, "ada@example.com", "correct horse")
        await user.sees("Recovery code")
        await user.type(user.page.locator("input[type=text]"), next(code for code in codes if "-" in code or len(code) > 7))
        await user.page.keyboard.press("Enter")
        await user.page.wait_for_url("**/welcome")
        await user.press("Log out")
        accounts.run("recovery-codes", "ada", "--off")
    await context.close()
    async with tally.case("without JavaScript: the page is in the browser's language"):
        context = await browser.new_context(java_script_enabled=False, locale="de-AT")
        user = await PlainUser.of(context, bridge.address, "Anmelden")
        assert await user.page.get_attribute("html", "lang") == "de"
        await context.close()


async def with_demo(tally, browser, bridge):
    context = await browser.new_context(java_script_enabled=False)
    async with tally.case("without JavaScript: a user can give up a challenge"):
        user = await log_in(context, bridge.address, "challenge@example.com", "x")
        await user.type(user.page.locator("input[type=text]"), "123456")
        await user.page.keyboard.press("Enter")
        await user.page.wait_for_url("**/welcome")
        await user.press("Log out")
    async with tally.case("without JavaScript: a wait ends, and then a button continues"):
        user = await log_in(context, bridge.address, "wait@example.com", "x")
        await user.page.get_by_role("button", name="Continue").press("Enter", timeout=60000)
        await user.page.wait_for_url("**/welcome")
        await user.press("Log out")
    await context.close()


async def without_cookies(tally, bridge):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as client:
        for language, words in [("en", "This form needs a cookie."), ("de-AT", "Dieses Formular braucht ein Cookie.")]:
            async with client.get(bridge.address + "/form", headers={"Accept-Language": language}, max_redirects=3) as response:
                text = await response.text()
                tally.check(f"a browser that refuses cookies gets an explanation ({language})", response.status == 403 and words in text, text)
                tally.check(f"a browser that refused cookies gets a link to a form ({language})", 'href="/form"' in text and "Content-Security-Policy" in response.headers)


async def with_helper(tally, browser, bridge):
    context = await browser.new_context(java_script_enabled=False)
    async with tally.case("without JavaScript: a code is drawn, and texts are never HTML"):
        user = await log_in(context, bridge.address, "code@example.com", "x")
        await user.page.wait_for_selector(".picture svg path")
        user = await log_in(context, bridge.address, "markup@example.com", "x")
        await user.says("error")
        assert await user.page.locator(".card img, .card script").count() == 0
        assert "<script>" in await user.page.inner_text("h1")
    await context.close()


async def as_text(tally, bridge):
    async with aiohttp.ClientSession() as client, client.get(bridge.address + "/form") as response:
        text = re.sub("<[^>]*>", "", await response.text())
        tally.check("a browser without CSS separates links", "Create an account Forgot your password?" in text, text)


async def forged(tally, bridge):
    """Another site cannot make a browser post here, and another browser cannot use a form's token or address."""
    address = bridge.address
    own = {"Origin": address}

    async def form(client):
        async with client.get(address + "/form") as response:
            text = await response.text()
            return str(response.url), re.search(r'name="token" value="([^"]+)"', text)[1], re.search(r'name="revision" value="(\d+)"', text)[1]

    # Python's cookie jar needs a host name, which `localhost` is.
    async with aiohttp.ClientSession() as ada, aiohttp.ClientSession() as eve:
        where, token, revision = await form(ada)
        _, eves_token, _ = await form(eve)
        values = {"token": token, "revision": revision, "value.email": "x@example.com"}
        for what, client, headers, posted, status in [
            ("from another site", ada, {"Origin": "https://evil.example"}, values, 403),
            ("from nowhere", ada, {}, values, 403),
            ("from a page of another site", ada, {"Referer": "https://evil.example/"}, values, 403),
            ("from a page whose address only begins like this site's", ada, {"Referer": f"{address}@evil.example/"}, values, 403),
            ("from a page without an address", ada, {"Referer": "http://["}, values, 403),
            ("from another site and one of this site's pages", ada, {"Origin": "null", "Referer": where}, values, 403),
            ("with another form's token", ada, own, {**values, "token": eves_token}, 403),
            ("from another browser", eve, own, values, 303),
            ("of its own", ada, own, values, 303),
            ("of its own, from a browser that sends only the referrer", ada, {"Referer": where}, values, 303),
        ]:
            async with client.post(where, data=posted, headers=headers, allow_redirects=False) as response:
                tally.check(f"a form {what} is answered with {status}", response.status == status, str(response.status))
        async with ada.get(where) as response:
            tally.check("only the page's own form takes effect", (await response.text()).count("x@example.com") == 1)
        async with eve.get(where, allow_redirects=False) as response:
            tally.check("no browser sees another browser's form", response.headers.get("Location") == "/form")
        async with ada.post(address + "/enter", data={"ticket": "guess"}, headers=own, allow_redirects=False) as response:
            tally.check("an invented ticket does not log in", response.headers["Location"] == "/" and "entry" not in response.cookies)
        async with ada.post(where, data={**values, "value.email": "y" * 200000}, headers=own) as response:
            tally.check("a form that is too long is refused", response.status == 413, str(response.status))
        for method, path in [("get", "/page/../bridge/server.py"), ("get", "/page/%2e%2e/run"), ("get", "/page/nothing.js"), ("post", "/")]:
            async with getattr(ada, method)(address + path) as response:
                tally.check(f"{method} {path} has nothing", response.status in (404, 405), str(response.status))
                tally.check(f"{method} {path} has the policies", "Content-Security-Policy" in response.headers)


async def unreadable(tally, bridge):
    """Requests that no browser sends, and requests that pages of other sites make browsers send."""
    parts = urlsplit(bridge.address)

    async def status(*headers):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(b"\r\n".join([b"GET /form HTTP/1.1", b"Host: localhost", b"Connection: close", *headers, b"", b""]))
        line = await reader.readline()
        writer.close()
        return int(line.split()[1])

    image = b"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image"
    link = b"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document"
    for what, header, wanted in [
        ("with a cookie that is not ASCII", "Cookie: browser=é".encode(), 303),
        ("with a cookie that is not UTF-8", b"Cookie: browser=\xff", 303),
        ("with a language that is not UTF-8", b"Accept-Language: \xff\xfe", 400),
        ("for an image of another site", image, 403),
        ("for a link of another site", link, 303),
        ("after all of these", b"Accept: */*", 303),
    ]:
        found = await status(header)
        tally.check(f"a form {what} is answered with {wanted}", found == wanted, str(found))
    async with aiohttp.ClientSession(headers={"Origin": bridge.address}) as ada:
        async with ada.get(bridge.address + "/form") as response:
            where, token = str(response.url), re.search(r'name="token" value="([^"]+)"', await response.text())[1]
        for what, more, kind, wanted in [
            ("a token that is not ASCII", {"token": "é"}, None, 403),
            ("a lone surrogate", {"value.email": "\\ud800"}, "application/x-www-form-urlencoded; charset=unicode_escape", 400),
            ("an unknown encoding", {}, "application/x-www-form-urlencoded; charset=nothing", 400),
            ("a revision with thousands of digits", {"revision": "9" * 5000}, None, 303),
        ]:
            headers = {"Content-Type": kind} if kind else {}
            async with ada.post(where, data={"token": token, "revision": "1", **more}, headers=headers, allow_redirects=False) as response:
                tally.check(f"a form with {what} is answered with {wanted}", response.status == wanted, str(response.status))
