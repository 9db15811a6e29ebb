"""Serves the login page for browsers: `python -m login_engine.web [OPTION ...] [ENGINE [ARGUMENT ...]]`; see `--help`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from login_engine.programs import find
from login_engine.web import missing

#: The command that users type, for the help.
NAME = os.environ.get("LOGIN_PAGE_COMMAND", "python -m login_engine.web")


def checked(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Turns the errors of a reader of options into messages for users."""

    def reader(text: str) -> Any:
        try:
            read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return text

    return reader


def port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port")
    return int(text)


def parse() -> argparse.Namespace:
    from login_engine.web.options import read_origin, read_prefix, read_target

    parser = argparse.ArgumentParser(prog=NAME, allow_abbrev=False, description="A login page for browsers, from one login-engine.")
    add = parser.add_argument
    origin = checked(read_origin)
    add("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    add("--port", type=port, default=8080, help="the port to listen on; 0: any free port (default: %(default)s)")
    add("--origin", type=origin, metavar="URL", help="the page's address for browsers, such as https://login.example.com (default: http://localhost:PORT)")
    add("--more-origin", type=origin, action="append", default=[], metavar="URL", help="another address whose pages may use this one, such as that of "
        "a development server; may be repeated")
    add("--prefix", type=checked(read_prefix), default="", metavar="PATH", help="the path below which the page is, such as /login")
    add("--after", metavar="PATH", help="where a browser goes after a login without ?next= (default: /welcome below --prefix)")
    add("--next", type=checked(read_target), action="append", default=[], metavar="TARGET", help="a path, or the address of another site, to which ?next= "
        "may lead; may be repeated (default: every path of --origin)")
    add("--cookie-domain", metavar="NAME", help="send the login's cookie also to sibling hosts, such as example.com")
    add("--remember", dest="remember_days", type=float, default=30, metavar="DAYS", help="how long browsers keep the cookie of a person who chose 'Keep me "
        "logged in', after its last use; others lose it with the browser's end; 0: all do (default: %(default)g)")
    add("--remember-item", default="remember", metavar="ID", help="the id of the flow's switch 'Keep me logged in' (default: %(default)s)")
    add("--idle", dest="idle_hours", type=float, default=12, metavar="HOURS", help="end other logins after so long without use (default: %(default)g)")
    add("--absolute", dest="absolute_days", type=float, default=90, metavar="DAYS", help="end every login after this time (default: %(default)g)")
    add("--page", type=Path, metavar="FOLDER", help="serve this page instead: its index.html at /, and its other files below /page/")
    add("--brand", type=Path, metavar="FILE", help="show the brand of this JSON file: name, logo, colours, font, and links such as terms and help")
    add("--certificate", metavar="FILE", help="serve TLS with this certificate chain (PEM) and --key")
    add("--key", metavar="FILE", help="the key of the certificate (PEM)")
    add("--proxy", action="append", default=[], metavar="NETWORK", help="trust proxies at this address or network, such as 10.0.0.0/8, to name "
        "the client's address (X-Forwarded-For); may be repeated")
    add("--flow", metavar="NAME", help="the flow to show (default: the engine's first)")
    add("--account-flow", default="account", metavar="NAME", help="the flow in which people change their accounts, at /account/; '': none "
        "(default: %(default)s)")
    add("--grace", type=float, default=60, metavar="SECONDS", help="how long to keep a tab without a connection (default: %(default)g)")
    add("--tabs", type=int, default=50000, metavar="N", help="the number of concurrent tabs (default: %(default)s)")
    add("--tabs-of-address", type=int, default=200, metavar="N", help="the number of concurrent tabs from one address (default: %(default)s)")
    add("--rate", type=float, default=100, metavar="N", help="messages per second from one connection, after a burst of twice as many; "
        "further ones wait; 0: no limit (default: %(default)g)")
    add("engine", nargs=argparse.REMAINDER, metavar="ENGINE [ARGUMENT ...]", help="the engine and its options, such as --accounts FILE "
        "(default: $LOGIN_ENGINE, or login-engine on the path; -- is followed by options for that engine)")
    own = parser.parse_args()
    if own.engine[:1] in ([], ["--"]):
        own.engine = [find("login-engine"), *own.engine[1:]]
    if bool(own.certificate) != bool(own.key):
        parser.error("--certificate and --key require each other")
    return own


def listen(own: argparse.Namespace) -> socket.socket:
    """Opens the socket, and determines the origins of its pages."""
    bound = socket.create_server((own.host, own.port), family=socket.AF_INET6 if ":" in own.host else socket.AF_INET, backlog=1024)
    # asyncio sets this only for sockets that were made with the protocol's number; accepted ones inherit it. Without it, each response waits for 40 ms.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    number = bound.getsockname()[1]
    scheme = "https" if own.certificate else "http"
    if not own.origin:
        own.more_origin.append(f"{scheme}://127.0.0.1:{number}")
        own.origin = f"{scheme}://localhost:{number}"
    return bound


def allow_files() -> None:
    """Raises the limit of open files to the system's maximum: the usual limit is 1,024, and each tab needs one."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # The reported maximum may not be allowed.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def serve(own: argparse.Namespace) -> None:
    import uvicorn

    from login_engine.web.connection import MAXIMUM_MESSAGE
    from login_engine.web.page import LoginPage

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            # uvicorn would end the process by the signal, before the engine has saved its sessions.
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self.handle_exit, number, None)
            yield

    allow_files()
    bound = listen(own)
    names = ["origin", "prefix", "after", "next", "cookie_domain", "remember_days", "remember_item", "idle_hours", "absolute_days", "page", "brand",
             "proxy", "flow", "account_flow", "grace", "tabs", "tabs_of_address", "rate"]
    page = LoginPage(own.engine, more_origins=own.more_origin, **{name: getattr(own, name) for name in names})
    await page.start()
    config = uvicorn.Config(
        page, lifespan="on", log_level="warning", access_log=False, proxy_headers=False, server_header=False, timeout_graceful_shutdown=2,
        ws_max_size=MAXIMUM_MESSAGE, ws_ping_interval=30, ws_per_message_deflate=False, ssl_certfile=own.certificate, ssl_keyfile=own.key, backlog=1024,
    )
    server = Server(config)
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    print(page.options.origin + page.options.prefix, flush=True)
    await serving


def main() -> None:
    if lack := missing():
        sys.exit(f"login_engine.web needs {lack}")
    own = parse()
    try:
        # Twice as fast as the standard loop, where it is installed.
        loop = importlib.import_module("uvloop").new_event_loop if importlib.util.find_spec("uvloop") else None
        with asyncio.Runner(loop_factory=loop) as runner:
            runner.run(serve(own))
    except (OSError, ValueError) as error:
        # A file may have several faults.
        sys.exit("\n".join(f"{NAME}: {line}" for line in str(error).splitlines()))


if __name__ == "__main__":
    main()
