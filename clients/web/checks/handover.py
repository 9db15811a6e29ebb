"""From a success to the application: behind nginx and Caddy, beside Flask, inside FastAPI and Django; targets, cookies, limits, logging out."""

import asyncio
import contextlib
import http.client
import http.server
import sys
import tempfile
import threading
from pathlib import Path

from forms import PlainUser
from processes import ENVIRONMENT, WEB, BridgeProcess, free_port
from user import User

RECIPES = WEB / "recipes"
HEADERS = ["X-Login-Principal", "X-Login-Account", "X-Login-Name", "X-Login-Factors", "X-Login-Proved-At"]
DEMO = ["--authenticator", "demo"]

sys.path.append(ENVIRONMENT["PYTHONPATH"])

#: Where `?next=` leads, with no option and with two.
TARGETS = [
    ("/app/", "/app/", "/app/"), ("/app/a?b=1&c=/d", "/app/a?b=1&c=/d", "/app/a?b=1&c=/d"), ("/other", "/other", None), ("/application", "/application", None),
    ("https://www.example.com/other", "https://www.example.com/other", None), ("https://app.example.com/x", None, "https://app.example.com/x"),
    ("https://app.example.com.evil.example/x", None, None), ("https://app.example.com:444/x", None, None), ("http://app.example.com/x", None, None),
    ("//evil.example", None, None), ("/\\evil.example", None, None), ("https:evil.example", None, None), ("///evil.example", None, None),
    ("javascript:alert(1)", None, None), ("data:text/html,x", None, None), ("https://www.example.com@evil.example/", None, None), ("", None, None),
    ("/app/../other", None, None), ("/app/%2e%2e/other", None, None), ("/app\n/x", None, None), ("app", None, None), ("https://[", None, None), ("/app/\u202e", None, None),
]  # fmt: skip


async def check(tally, engine, browser):
    targets(tally)
    documented(tally)
    await in_browser(tally, engine, browser)


async def in_browser(tally, engine, browser):
    await behind(tally, engine, browser, "nginx", nginx)
    await behind(tally, engine, browser, "Caddy", caddy)
    await flask(tally, engine, browser)
    for name in ("fastapi", "django"):
        await mounted(tally, engine, browser, name)
    await limits(tally, engine, browser)
    await misconfigured(tally, engine)


def targets(tally):
    from login_engine.web.options import Options

    free = Options("https://www.example.com")
    narrow = Options("https://www.example.com", next=["/app", "https://app.example.com"])
    for wanted, anywhere, somewhere in TARGETS:
        tally.check(f"?next={wanted!r} leads to {anywhere} by default", free.target(wanted) == anywhere, free.target(wanted))
        tally.check(f"?next={wanted!r} leads to {somewhere} with a list", narrow.target(wanted) == somewhere, narrow.target(wanted))


def documented(tally):
    """The guide shows the recipe for nginx."""
    guide = (WEB.parent.parent / "protocol" / "guides" / "web-page.md").read_text()
    recipe = "".join(f"    {line}\n" if line else "\n" for line in (RECIPES / "nginx.conf").read_text().splitlines()[1:])
    tally.check("the guide shows the recipe for nginx", recipe in guide)


class Application(http.server.BaseHTTPRequestHandler):
    """An application that trusts its proxy's headers."""

    def do_GET(self):
        self.server.requests.append(self.path)
        text = "\n".join([self.path, *(f"{name}: {self.headers.get(name)}" for name in HEADERS)])
        body = f'<h1>{self.headers.get("X-Login-Principal")}</h1><pre>{text}</pre><form method="post" action="/login/leave"><button>Leave</button></form>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A browser that goes elsewhere meanwhile is no error."""


@contextlib.contextmanager
def application():
    served = Server(("127.0.0.1", 0), Application)
    served.requests = []
    threading.Thread(target=served.serve_forever, daemon=True).start()
    yield served
    served.shutdown()


@contextlib.asynccontextmanager
async def nginx(port, page, served):
    recipe = (RECIPES / "nginx.conf").read_text().replace("127.0.0.1:8080", f"127.0.0.1:{page}").replace("127.0.0.1:3000", f"127.0.0.1:{served}")
    with tempfile.TemporaryDirectory() as folder:
        paths = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        Path(folder, "nginx.conf").write_text(f"daemon off; pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {paths} "
                                              f"server {{ listen 127.0.0.1:{port}; server_name localhost; {recipe} }} }}")
        async with running("nginx", "-c", f"{folder}/nginx.conf", "-p", folder, port=port):
            yield


@contextlib.asynccontextmanager
async def caddy(port, page, served):
    recipe = (RECIPES / "Caddyfile").read_text().replace(":8080", f":{page}").replace(":3000", f":{served}").replace(":8000", f":{port}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n}\n" + recipe)
        async with running("caddy", "run", "--config", f"{folder}/Caddyfile", port=port, HOME=folder):
            yield


@contextlib.asynccontextmanager
async def running(*command, port, **environment):
    """Runs a server until the end of the block."""
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE, env={**ENVIRONMENT, **environment})
    said = asyncio.create_task(process.stderr.read())
    try:
        while not await answers(port):
            if process.returncode is not None:
                raise RuntimeError((await said).decode(errors="replace")[-800:])
            await asyncio.sleep(0.05)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        await said


async def answers(port):
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def ask(port, path, method="GET", **headers):
    """Returns the status, the headers and the text of a response."""

    def request():
        connection = http.client.HTTPConnection("localhost", port, timeout=20)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.headers, response.read().decode()

    return await asyncio.to_thread(request)


async def log_in(user, email="ada@example.com", remember=False):
    await user.enter(email=email, password="correct horse")
    if remember:
        await user.field("remember").check()
    await user.submit()


async def cookie_of(context):
    return next(cookie for cookie in await context.cookies() if cookie["name"] == "entry")


async def behind(tally, engine, browser, name, proxy):
    """The recipe of a proxy: the whole way, and what a client forges."""
    port, page = free_port(), free_port()
    origin = f"http://localhost:{port}"
    options = ["--port", str(page), "--origin", origin, "--prefix", "/login", "--proxy", "127.0.0.1"]
    with application() as served:
        async with BridgeProcess(options, [engine, *DEMO]) as bridge, proxy(port, page, served.server_port):
            context = await browser.new_context(reduced_motion="reduce")
            async with tally.case(f"{name}: without a login, the application is not reached, whatever name the client sends"):
                status, headers, _ = await ask(port, "/app/?a=1&b=2", X_Login_Principal="root")
                assert (status, headers["Location"].removeprefix(origin)) == (303, "/login/?next=/app/?a=1&b=2"), (status, headers["Location"])
                assert served.requests == [], served.requests
            async with tally.case(f"{name}: a login leads back to the address that was asked for"):
                user = await User.of(context, f"{origin}/app/?a=1&b=2", "Log in")
                assert bridge.address == origin + "/login"
                await log_in(user)
                await user.page.wait_for_url(f"{origin}/app/?a=1&b=2")
                assert await user.page.inner_text("h1") == "ada@example.com"
            async with tally.case(f"{name}: the application gets the name of the login, whatever name the client sends"):
                cookie = (await cookie_of(context))["value"]
                for forged in ("X-Login-Principal", "x-login-principal", "X_Login_Principal", "X-Login-Account", "X-Login-Name"):
                    _, _, text = await ask(port, "/app/", **{forged.replace("-", "_") if "_" not in forged else forged: "root", "Cookie": f"entry={cookie}"})
                    assert "X-Login-Principal: ada@example.com" in text and "root" not in text, text
            async with tally.case(f"{name}: logging out needs this site's own page, and ends the login"):
                status, _, _ = await ask(port, "/login/leave", "POST", Cookie=f"entry={cookie}", Origin="https://evil.example")
                assert status == 403, status
                await user.page.get_by_role("button", name="Leave").click()
                await user.sees("Log in")
                assert user.page.url == origin + "/login/"
                assert (await ask(port, "/app/", Cookie=f"entry={cookie}"))[0] == 303
                _, headers, _ = await ask(port, "/login/leave", "POST", Origin=origin)
                assert headers["Clear-Site-Data"] == '"cache", "storage"', headers
            async with tally.case(f"{name}: a login without ?next= leads to the usual page, and one from elsewhere does, too"):
                await log_in(user)
                await user.page.wait_for_url(origin + "/login/welcome")
                await user.page.get_by_role("button", name="Log out").click()
                user = await User.of(context, origin + "/login/?next=https://evil.example/", "Log in")
                await log_in(user)
                await user.page.wait_for_url(origin + "/login/welcome")
                assert any("an address of ?next= was ignored: see --next" in line for line in bridge.log), bridge.log
            async with tally.case(f"{name}: a person who has logged in is led on at once"):
                await user.page.goto(origin + "/login/?next=/app/x")
                await user.page.wait_for_url(origin + "/app/x")
            await context.close()
            async with tally.case(f"{name}: without JavaScript, a login leads back as well"):
                context = await browser.new_context(java_script_enabled=False)
                user = PlainUser(await context.new_page())
                await user.page.goto(f"{origin}/app/?a=1&b=2")
                await user.sees("Log in")
                await user.enter(email="ada@example.com", password="correct horse")
                await user.page.keyboard.press("Enter")
                await user.page.wait_for_url(f"{origin}/app/?a=1&b=2")
                await context.close()


async def flask(tally, engine, browser):
    """A Flask application, to whose port a proxy of the check passes everything that is not the page's."""
    port, page, served = free_port(), free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        source = (RECIPES / "flask_application.py").read_text().replace(":8080", f":{page}")
        Path(folder, "flask_application.py").write_text(source + f'\n\nif __name__ == "__main__":\n    app.run(port={served})\n')
        config = Path(folder, "Caddyfile")
        config.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\nhttp://localhost:{port} {{\n\treverse_proxy /login/* 127.0.0.1:{page}\n\treverse_proxy 127.0.0.1:{served}\n}}\n")
        options = ["--port", str(page), "--origin", f"http://localhost:{port}", "--prefix", "/login", "--proxy", "127.0.0.1"]
        async with BridgeProcess(options, [engine, *DEMO]) as bridge:
            async with running(sys.executable, str(Path(folder, "flask_application.py")), port=served), running("caddy", "run", "--config", str(config), port=port, HOME=folder):
                async with tally.case("Flask: the application knows its user, and no other name"):
                    context = await browser.new_context()
                    user = await User.of(context, f"http://localhost:{port}/", "Log in")
                    await log_in(user)
                    await user.page.wait_for_url(f"http://localhost:{port}/")
                    assert await user.page.inner_text("body") == "Hello ada@example.com"
                    status, headers, _ = await ask(port, "/", Remote_User="root", Cookie="entry=forged")
                    assert status == 303 and headers["Location"].endswith("/login/?next=/"), (status, headers["Location"])
                    await context.close()
                bridge.process.terminate()
                await bridge.process.wait()
                async with tally.case("Flask: while the page does not answer, nobody is taken for logged out"):
                    assert (await ask(port, "/", Cookie="entry=x"))[0] == 503


async def mounted(tally, engine, browser, name):
    """The page in an application's process, in which it gets no lifespan of its own under Django."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        source = (RECIPES / f"{name}_application.py").read_text()
        changed = source.replace("http://localhost:8000", f"http://localhost:{port}").replace('["login-engine", "--accounts", "accounts.sqlite3"]', repr([engine, *DEMO]))
        assert source != changed
        Path(folder, "served.py").write_text(changed)
        attribute = "app" if name == "fastapi" else "application"
        async with running(sys.executable, "-m", "uvicorn", "--app-dir", folder, "--port", str(port), f"served:{attribute}", port=port):
            async with tally.case(f"{name}: the application knows its user"):
                context = await browser.new_context()
                user = await User.of(context, f"http://localhost:{port}/", "Log in")
                await log_in(user)
                await user.page.wait_for_url(f"http://localhost:{port}/")
                assert "ada@example.com" in await user.page.inner_text("body")
                assert (await ask(port, "/", Cookie="entry=forged"))[0] in (302, 303)
                await context.close()


async def misconfigured(tally, engine):
    """What a proxy does wrong is in the log, with the setting that mends it."""
    async with BridgeProcess(["--prefix", "/login"], [engine, *DEMO]) as bridge:
        port = int(bridge.address.removesuffix("/login").rsplit(":", 1)[1])
        for what, path, headers, wanted, said in [
            ("Upgrade", "/login/link", {}, 426, "the proxy has to pass on Upgrade"),
            ("the origin", "/login/leave", {"Origin": "https://other.example"}, 403, "a form from https://other.example was refused: see --origin"),
        ]:
            async with tally.case(f"a proxy that loses {what} gets {wanted}, and the log says what to do"):
                status, _, _ = await ask(port, path, "POST" if path.endswith("leave") else "GET", **headers)
                await asyncio.sleep(0.2)
                assert status == wanted and any(said in line for line in bridge.log), (status, bridge.log)
        async with tally.case("a proxy may remove the prefix, which the page's addresses keep"):
            status, _, text = await ask(port, "/")
            assert status == 200 and '<base href="/login/">' in text, text
            _, headers, _ = await ask(port, "/form")
            assert headers["Location"].startswith("/login/form/"), headers
        async with tally.case("the page says whether it is ready"):
            status, _, text = await ask(port, "/login/healthz")
            assert status == 200 and '"ready"' in text, text


async def limits(tally, engine, browser):
    """How long a login lasts."""
    async with BridgeProcess(["--idle", "0.0006", "--remember", "0.0001", "--after", "/session"], [engine, *DEMO]) as bridge:
        port = int(bridge.address.rsplit(":", 1)[1])
        for remember, seconds in [(False, 2.2), (True, 8.7)]:
            async with tally.case(f"a login {'with' if remember else 'without'} Keep me logged in lasts as long as the options say, from its last use"):
                context = await browser.new_context()
                user = await User.of(context, bridge.address, "Log in")
                await log_in(user, remember=remember)
                await user.page.wait_for_url("**/session")
                cookie = await cookie_of(context)
                assert (cookie["expires"] > 0) == remember, cookie
                value = f"entry={cookie['value']}"
                for _ in range(3):
                    await asyncio.sleep(seconds / 3)
                    assert (await ask(port, "/session", Cookie=value))[0] == 200
                await asyncio.sleep(seconds + 0.5)
                assert (await ask(port, "/session", Cookie=value))[0] == 401
                await context.close()
    async with BridgeProcess(["--absolute", "0.00004"], [engine, *DEMO]) as bridge:
        async with tally.case("a login ends at its absolute limit, however often it is used"):
            port = int(bridge.address.rsplit(":", 1)[1])
            context = await browser.new_context()
            user = await User.of(context, bridge.address, "Log in")
            await log_in(user)
            await user.page.wait_for_url("**/welcome")
            value = f"entry={(await cookie_of(context))['value']}"
            found = []
            for _ in range(10):
                found.append((await ask(port, "/session", Cookie=value))[0])
                await asyncio.sleep(0.5)
            assert found[0] == 200 and found[-1] == 401, found
            await context.close()
