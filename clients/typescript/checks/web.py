"""The form in React, in Chromium, and middleware in Express, both with a real bridge.

Usage: web.py ENGINE PAGE OTHER SERVER    PAGE is the folder of the built form. OTHER is the same form for another address of the bridge, BRIDGE.
SERVER is examples/server.mjs. Prints `N passed, N failed`
"""

import asyncio
import functools
import http.client
import http.server
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "web" / "checks"))

from playwright.async_api import async_playwright  # noqa: E402
from browsers import started  # noqa: E402
from processes import BridgeProcess, Tally, free_port  # noqa: E402


async def main(engine, page, other, server):
    tally = Tally()
    async with async_playwright() as playwright, started(playwright, "chromium") as browser:
        async with BridgeProcess(["--page", page], [engine, "--authenticator", "demo"]) as bridge:
            await react(tally, browser, bridge.address, bridge.address)
            await express(tally, browser, bridge.address, server)
        await elsewhere(tally, browser, engine, other)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.passed and not tally.failed else 1


async def react(tally, browser, address, bridge):
    """Logs in with the form of the documents at an address."""
    context = await browser.new_context()
    page, errors = await context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    async with tally.case("the form in React shows a field for each item"):
        await page.goto(address)
        await page.get_by_role("heading", name="Log in").wait_for()
        assert await page.locator("label").all_inner_texts() == ["Email ", "Password ", "Keep me logged in "], await page.locator("label").all_inner_texts()
    async with tally.case("typing fast loses no key"):
        await page.get_by_label("Email").press_sequentially("wrong@example.com", delay=0)
        assert await page.get_by_label("Email").input_value() == "wrong@example.com"
    async with tally.case("the form shows why an attempt failed, and keeps what was typed"):
        await page.get_by_label("Password").fill("wrong")
        await page.get_by_role("button", name="Login").click()
        await page.get_by_role("alert").wait_for()
        assert await page.get_by_label("Email").input_value() == "wrong@example.com"
    async with tally.case("a switch is drawn as the engine has it"):
        await page.get_by_label("Keep me logged in").check()
        await page.get_by_label("Keep me logged in").and_(page.locator(":checked")).wait_for()
    async with tally.case("links lead to other screens and back"):
        await page.get_by_role("button", name="Create an account").click()
        await page.get_by_role("heading", name="Create an account").wait_for()
        await page.get_by_role("button", name="I already have an account").click()
        await page.get_by_role("heading", name="Log in").wait_for()
    async with tally.case("the form survives a reload in the middle"):
        await page.get_by_label("Email").fill("ada@example.com")
        await page.reload()
        await page.get_by_role("heading", name="Log in").wait_for()
        await page.wait_for_function("document.querySelector('input').value === 'ada@example.com'")
    async with tally.case("a success leads to the application, with a cookie"):
        await page.get_by_label("Password").fill("correct horse")
        await page.keyboard.press("Enter")
        await page.wait_for_url(bridge + "/welcome")
        assert not errors, errors
    await context.close()


async def elsewhere(tally, browser, engine, other):
    """Serves the form by another server, such as one for development."""
    handler = functools.partial(Quiet, directory=other)
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    own, port = f"http://localhost:{served.server_port}", free_port()
    async with BridgeProcess(["--more-origin", own, "--port", str(port)], [engine, "--authenticator", "demo"]) as bridge:
        script = Path(other) / "page" / "page.js"
        script.write_text(script.read_text().replace("BRIDGE", bridge.address))
        await react(tally, browser, own, bridge.address)
    served.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


async def express(tally, browser, bridge, server):
    port = free_port()
    script = Path(server).with_name("server-at-other-ports.mjs")
    script.write_text(Path(server).read_text().replace("http://127.0.0.1:8080", bridge.replace("localhost", "127.0.0.1")).replace("3000", str(port)))
    process = await asyncio.create_subprocess_exec("node", str(script))
    while not await answers(port):
        await asyncio.sleep(0.05)

    def get(cookie=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/app/", headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        return answer.status, answer.headers.get("Location"), answer.read().decode()

    context = await browser.new_context()
    async with tally.case("a server sends a person without a login to the page"):
        assert (await asyncio.to_thread(get))[:2] == (303, "/")
    async with tally.case("a cookie that the bridge does not know is no login"):
        assert (await asyncio.to_thread(get, "entry=forged"))[:2] == (303, "/")
    async with tally.case("a server knows who has logged in"):
        page = await context.new_page()
        await page.goto(bridge)
        await page.get_by_label("Email").fill("ada@example.com")
        await page.get_by_label("Password").fill("correct horse")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/welcome")
        cookie = next(cookie["value"] for cookie in await context.cookies() if cookie["name"] == "entry")
        assert await asyncio.to_thread(get, f"other=1; entry={cookie}") == (200, None, "Hello ada@example.com")
    process.terminate()
    await process.wait()
    async with tally.case("while the bridge does not answer, nobody is taken for logged out"):
        script.write_text(script.read_text().replace(bridge.replace("localhost", "127.0.0.1"), f"http://127.0.0.1:{free_port()}"))
        process = await asyncio.create_subprocess_exec("node", str(script))
        while not await answers(port):
            await asyncio.sleep(0.05)
        assert (await asyncio.to_thread(get, f"entry={cookie}"))[0] == 503
        process.terminate()
        await process.wait()
    await context.close()


async def answers(port):
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


sys.exit(asyncio.run(main(*sys.argv[1:])))
