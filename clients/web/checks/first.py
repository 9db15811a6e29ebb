"""The first screen, which is in the HTML of the page: before its script, and where a script, a storage or a WebSocket is missing."""

import asyncio
import json
import urllib.request

from processes import BridgeProcess
from user import User

NO_STORAGE = """for (const name of ["sessionStorage", "localStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("no storage", "SecurityError"); } });"""


async def check(tally, engine, browser):
    async with BridgeProcess([], [engine, "--authenticator", "demo"]) as bridge:
        await before_script(tally, browser, bridge)
        await without(tally, browser, bridge)
    async with BridgeProcess(["--flow", "loader"], [engine, "--authenticator", "demo"]) as bridge:
        async with tally.case("a first screen that makes a request at once comes with the script"):
            user = await User.of(await browser.new_context(), bridge.address)
            await user.page.wait_for_function("() => document.querySelector('h1').textContent")
            await user.is_sound()


async def before_script(tally, browser, bridge):
    async with tally.case("a visit alone opens no session"):
        for language in ("en", "de", "ar", "x" * 100):
            request = urllib.request.Request(bridge.address, headers={"Accept-Language": language})
            html = (await asyncio.to_thread(lambda: urllib.request.urlopen(request).read())).decode()
            assert 'name="value.email"' in html, html
        health = json.loads(await asyncio.to_thread(lambda: urllib.request.urlopen(bridge.address + "/healthz").read()))
        assert health["tabs"] == 0, health
    async with tally.case("what is typed before the script is there stays, with the focus, and the screen does not fade in again"):
        context = await browser.new_context()
        user, arrives = User(await context.new_page()), asyncio.Event()

        async def late(route):
            await arrives.wait()
            await route.continue_()

        await user.page.route("**/page.js", late)
        await user.page.goto(bridge.address, wait_until="commit")
        await user.enter(email="ada@example.com", password="correct")
        await user.field("remember").check()
        await user.field("password").focus()
        arrives.set()
        await user.sees("Log in")
        await user.page.keyboard.type(" horse")
        await user.is_sound()
        assert await user.values() == {"value.email": "ada@example.com", "value.password": "correct horse", "value.remember": True}, await user.values()
        assert await user.page.evaluate("() => document.querySelector('#card').classList.contains('enter')") is False
        await user.submit()
        await user.is_in("ada@example.com")
        await context.close()


async def without(tally, browser, bridge):
    async def script(page):
        await page.route("**/page.js", lambda route: route.abort())

    async def words(page):
        await page.route("**/words.json", lambda route: route.abort())

    async def storage(page):
        await page.add_init_script(NO_STORAGE)

    async def websocket(page):
        await page.route_web_socket("**/link", lambda socket: socket.close())

    for what, remove in [("the script", script), ("its words", words), ("a storage", storage), ("a WebSocket", websocket)]:
        async with tally.case(f"without {what}, the form goes on by posts"):
            context = await browser.new_context()
            page = await context.new_page()
            await remove(page)
            await page.goto(bridge.address)
            if what == "a WebSocket":
                await page.locator("#connection", has_text="There is no live connection. The form works without it.").wait_for()
            await page.locator('[name="value.email"]').fill("wrong@example.com")
            await page.locator('[name="value.password"]').fill("x")
            await page.keyboard.press("Enter")
            await page.wait_for_url("**/form/*")
            await page.locator(".message.error").wait_for()
            await page.locator('[name="value.email"]').fill("ada@example.com")
            await page.locator('[name="value.password"]').fill("correct horse")
            await page.keyboard.press("Enter")
            await page.wait_for_url("**/welcome")
            await context.close()
        async with tally.case(f"without {what}, a link of the first screen leads to its screen"):
            context = await browser.new_context()
            page = await context.new_page()
            await remove(page)
            await page.goto(bridge.address)
            await page.get_by_role("button", name="Create an account").click()
            await page.locator("h1", has_text="Create an account").wait_for()
            await context.close()
