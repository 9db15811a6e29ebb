"""Checks the MCP server with the client from PyPI in both eras of the protocol, and with a client that supports only forms."""

import asyncio
import contextlib
import http.client
import json
import os
import subprocess
import sys
from pathlib import Path

import aiohttp
import mcp_types as types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from playwright.async_api import async_playwright

from person import LONG, PASSWORD, WRONG, Browser, Page, add_account, origin_of

SERVER = Path(__file__).resolve().parent.parent / "mcp_server.py"
CHROMIUM = "/usr/bin/chromium"
#: A user other than the one that runs the server.
ANOTHER = 65534


class Model:
    """A client with the SDK's own transport, which keeps everything that the server sends, and so everything that the model could see."""

    def __init__(self, engine, accounts, person, mode="legacy", lifetime=300, decider="--accounts"):
        self._person, self.completed, self.links, self.sent = person, [], [], []
        command = StdioServerParameters(command=sys.executable, args=[str(SERVER), "--lifetime", str(lifetime), str(engine), decider, str(accounts)])
        self.client = Client(command, mode=mode, elicitation_callback=self._elicited, message_handler=self._received)

    async def __aenter__(self):
        await self.client.__aenter__()
        return self

    async def __aexit__(self, *what):
        await self.client.__aexit__(*what)

    async def whoami(self):
        """Calls the tool. Returns the text, and whether it is an error."""
        result = await asyncio.wait_for(self.client.call_tool("whoami", {}), LONG)
        self.sent.append(result.model_dump_json())
        return result.content[0].text, bool(result.is_error)

    async def _elicited(self, _, params):
        self.sent.append(params.model_dump_json())
        if not isinstance(params, types.ElicitRequestURLParams):
            return types.ElicitResult(action="accept", content={})
        self.links.append(params)
        return types.ElicitResult(action=await self._person(params.url))

    async def _received(self, message):
        if isinstance(message, types.ElicitCompleteNotification):
            self.completed.append(message.params.elicitation_id)


async def check_mcp(check, engine, folder):
    accounts = folder / "mcp.sqlite3"
    for name in ("ada", "bob"):
        add_account(engine, accounts, name)
    for about in (
        logs_in, refuses_other_browsers, refuses_other_users, is_declined, expires, asks_twice_at_once, has_no_account, has_no_urls, is_killed,
        works_in_a_browser,
    ):
        try:
            await about(check, engine, accounts)
        except Exception as error:  # The other cases still run.
            check(f"{about.__name__}: {type(error).__name__}: {error}", False)


async def logs_in(check, engine, accounts):
    for mode, version in (("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")):
        async with Browser() as browser:
            seen = {}

            async def person(url):
                status, shown = await browser.open(url)
                seen["login page"] = status == 200 and shown.title
                _, seen["wrong"] = await browser.log_in(url, "ada", WRONG)
                seen["status"], seen["done"] = await browser.log_in(url, "ada")
                return "accept"

            async with Model(engine, accounts, person, mode) as model:
                answer = await model.whoami()
                with_it = f" ({version})"
                check("the client has agreed on the version" + with_it, model.client.protocol_version == version)
                check(f"the tool knows the person who logs in{with_it}: {answer}", answer == ("The account is ada.", False))
                check("the link leads to the login page" + with_it, bool(seen.get("login page")))
                check("a wrong password leads back to the form" + with_it, seen["wrong"].action is not None)
                check("the page says who is logged in" + with_it, seen["done"].title == "You are logged in as ada")
                check("the tool does not ask a second time" + with_it, await model.whoami() == answer and len(model.links) == 1)
                check("the link is a web address of this machine" + with_it, origin_of(model.links[0].url) is not None)
                ids = [link.elicitation_id for link in model.links] if mode == "legacy" else []
                check(f"the client is notified that its own elicitation is complete{with_it}", model.completed == ids)
                check("the browser is left without a cookie" + with_it, browser.cookies == {})
                leaked = [secret for secret in (PASSWORD, "ada@example.com") if any(secret in line for line in model.sent)]
                check(f"neither password nor address reaches the client{with_it}: {leaked}", not leaked)


async def refuses_other_browsers(check, engine, accounts):
    async with Browser() as browser, Browser() as other:
        seen = {}

        async def person(url):
            origin = origin_of(url)
            seen["without"] = await other.open(origin + "/")
            seen["guess"] = await other.open(origin + "/log-in/guess")
            seen["head"], _ = await other.ask("HEAD", url)
            seen["prefetch"], _ = await other.open(url, **{"Sec-Purpose": "prefetch"})
            seen["first"], _ = await browser.open(url)
            seen["cookies"] = browser.cookies
            seen["second"] = await other.open(url)
            seen["again"], _ = await browser.open(url)
            seen["form"], _ = await other.open(origin + "/form")
            with contextlib.suppress(aiohttp.WSServerHandshakeError):
                async with aiohttp.ClientSession() as client, client.ws_connect(origin + "/link", headers={"Origin": origin}):
                    seen["socket"] = True
            _, form = await browser.open(origin + "/form")
            given = {**form.hidden, "value.email": "ada@example.com", "value.password": PASSWORD}
            seen["foreign"], _ = await browser.ask("POST", origin + form.action, data=given, headers={"Origin": "http://127.0.0.1:1"})
            await browser.log_in(url, "ada")
            seen["after"], _ = await browser.open(url)
            return "accept"

        async with Model(engine, accounts, person) as model:
            answer = await model.whoami()
            check("a browser without the link gets no page", seen["without"][0] == 403)
            check("a guessed link is refused", seen["guess"][0] == 410)
            check("neither HEAD nor a prefetch uses up the link", (seen["head"] != 200, seen["prefetch"], seen["first"]) == (True, 503, 200))
            check("the browser has the login's own cookie and none of the bridge's", [name.rstrip("0123456789") for name in seen["cookies"]] == ["agent-login-"])
            check("the cookie is not the link's token", not any(value in model.links[0].url for value in seen["cookies"].values()))
            check("a second browser with the same link is refused with a reason",
                  seen["second"][0] == 410 and seen["second"][1].title == "This link is no longer valid")
            check("the link works only once in the first browser too", seen["again"] == 410)
            check("a second browser reaches neither form nor WebSocket", seen["form"] == 403 and "socket" not in seen)
            check("the form takes no post from another site", seen["foreign"] == 403)
            check("the link is invalid after the login", seen["after"] == 410)
            check("the first browser has logged in", answer == ("The account is ada.", False))


async def refuses_other_users(check, engine, accounts):
    async with Browser() as browser:
        seen = {}

        async def person(url):
            # The system's Python, which another user may run.
            fetch = "import sys; from http.client import *; it = HTTPConnection(sys.argv[1]); it.request('GET', sys.argv[2]); print(it.getresponse().status)"
            as_another = [] if os.getuid() == 0 else ["sudo", "-n", "-u", f"#{ANOTHER}"]
            who = {"user": ANOTHER, "group": ANOTHER, "extra_groups": []} if os.getuid() == 0 else {}
            host, path = origin_of(url).removeprefix("http://"), url.removeprefix(origin_of(url))
            run = [*as_another, "/usr/bin/python3", "-c", fetch, host, path]
            ran = await asyncio.to_thread(subprocess.run, run, stdout=subprocess.PIPE, text=True, cwd="/", timeout=LONG, **who)
            seen["other user"] = ran.stdout.strip()
            seen["IPv6"] = await asyncio.to_thread(over_version_6, host)
            await browser.open(url)
            await browser.log_in(url, "bob")
            return "accept"

        async with Model(engine, accounts, person) as model:
            answer = await model.whoami()
            check(f"another user of the machine is refused: {seen['other user']}", seen["other user"] == "403")
            check(f"this user's program is recognized over IPv6 too: {seen['IPv6']}", "nothing to log in to" in seen["IPv6"])
            check("a request over IPv6 does not use up the link", answer == ("The account is bob.", False))


def over_version_6(host):
    """Requests the page from an IPv6 socket, over IPv4."""
    connection = http.client.HTTPConnection("::ffff:127.0.0.1", int(host.rpartition(":")[2]))
    connection.request("GET", "/")
    return Page(connection.getresponse().read().decode()).title


async def is_declined(check, engine, accounts):
    for mode in ("legacy", "2026-07-28"):
        for action, why in (("decline", "declined"), ("cancel", "closed")):
            async def person(_, action=action):
                return action

            async with Browser() as browser, Model(engine, accounts, person, mode) as model:
                text, is_error = await model.whoami()
                about = f" ({action}, {model.client.protocol_version})"
                check(f"the tool says that it needs a login{about}: {text}", is_error and "needs a login" in text and why in text)
                check("the link is invalid" + about, (await browser.open(model.links[0].url))[0] == 410)
                check("no login is reported as complete" + about, not model.completed)
                await model.whoami()
                check("another call gets another link" + about, len({link.url for link in model.links}) == 2)


async def expires(check, engine, accounts):
    for mode in ("legacy", "2026-07-28"):
        async with Browser() as browser, Browser() as late:
            async def person(url):
                await browser.open(url)
                return "accept"

            async with Model(engine, accounts, person, mode, lifetime=2) as model:
                text, is_error = await model.whoami()
                about = f" ({model.client.protocol_version})"
                check(f"the tool says that the link was not used in time{about}: {text}", is_error and "in time" in text)
                status, _ = await browser.open(origin_of(model.links[0].url) + "/form")
                check("a page that was opened earlier no longer works" + about, status == 403)
                check("an expired link is refused" + about, (await late.open(model.links[0].url))[0] == 410)


async def asks_twice_at_once(check, engine, accounts):
    async with Browser() as browser:
        async def person(url):
            if len(model.links) == 1:
                await browser.open(url)
                await browser.log_in(url, "ada")
            return "accept"

        async with Model(engine, accounts, person) as model:
            answers = await asyncio.gather(model.whoami(), model.whoami())
            check(f"one login answers all calls: {answers}", answers == [("The account is ada.", False)] * 2)


async def has_no_account(check, engine, accounts):
    """A login that a custom authenticator accepts need not belong to an account."""
    anyone = accounts.with_name("anyone")
    anyone.write_text(f"""#!{sys.executable}
import json, sys
for line in sys.stdin:
    it = json.loads(line)
    if "id" in it:
        print(json.dumps({{"jsonrpc": "2.0", "id": it["id"], "result": {{"outcome": "accepted"}}}}), flush=True)
""")
    anyone.chmod(0o700)
    async with Browser() as browser:
        seen = {}

        async def person(url):
            await browser.open(url)
            seen["status"], _ = await browser.log_in(url, "ada")
            return "decline"

        async with Model(engine, anyone, person, decider="--authenticator") as model:
            text, is_error = await model.whoami()
            check(f"a login without an account is refused: {seen} {text}", seen["status"] == 403 and is_error)


async def is_killed(check, engine, accounts):
    said, server = await by_lines(engine, accounts, {"elicitation": {"url": {}}}, lambda line: line.get("method") == "elicitation/create")
    bridge = int(Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()[0])
    check("the bridge is a separate process", Path(f"/proc/{bridge}").exists())
    server.kill()
    await server.wait()
    for _ in range(LONG * 20):
        if not Path(f"/proc/{bridge}").exists():
            break
        await asyncio.sleep(0.05)
    check("a server that is killed leaves no bridge", not Path(f"/proc/{bridge}").exists())


async def has_no_urls(check, engine, accounts):
    """A client that supports only forms."""
    for what, capability in (("forms only", {"form": {}}), ("forms only, as before 2025-11-25", {}), ("no elicitation", None)):
        capabilities = {} if capability is None else {"elicitation": capability}
        said, server = await by_lines(engine, accounts, capabilities, lambda line: line.get("id") == 2)
        server.stdin.close()
        await server.wait()
        result = said[-1].get("result", {})
        text = result.get("content", [{}])[0].get("text", "")
        check(f"the tool reports that it cannot ask ({what}): {text}", result.get("isError") is True and "URL mode" in text)
        check(f"the server does not ask this client ({what})", [line["method"] for line in said if "method" in line] == [])


async def by_lines(engine, accounts, capabilities, is_last):
    """Calls the tool as a client with these capabilities. Returns the server's lines up to the last one, and the server."""
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "check", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "whoami", "arguments": {}}},
    ]
    pipe, command = asyncio.subprocess.PIPE, [sys.executable, SERVER, engine, "--accounts", accounts]
    server = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
    server.stdin.write("".join(json.dumps(line) + "\n" for line in lines).encode())
    said = []
    while not said or not is_last(said[-1]):
        said.append(json.loads(await asyncio.wait_for(server.stdout.readline(), LONG)))
    return said, server


async def works_in_a_browser(check, engine, accounts):
    """The page with JavaScript, whose messages use a WebSocket."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        tab = await chromium.new_page()
        errors = []
        tab.on("pageerror", lambda error: errors.append(str(error)))

        async def person(url):
            await tab.goto(url)
            # Before its script has taken over, the page works by posting the form.
            await tab.wait_for_function("!document.querySelector('[data-first]')")
            await tab.locator('[name="value.email"]').fill("ada@example.com")
            await tab.locator('[name="value.password"]').fill(WRONG)
            await tab.keyboard.press("Enter")
            await tab.locator("#error:visible").wait_for()
            await tab.locator('[name="value.password"]').fill(PASSWORD)
            await tab.keyboard.press("Enter")
            await tab.wait_for_url("**/welcome")
            return "accept"

        async with Model(engine, accounts, person) as model:
            check("a person logs in at the page in Chromium", await model.whoami() == ("The account is ada.", False))
            check("the page says so", await tab.inner_text("h1") == "You are logged in as ada")
            check("the browser is left without a cookie", await tab.context.cookies() == [])
            check(f"the page has no errors: {errors}", not errors)
        await chromium.close()
