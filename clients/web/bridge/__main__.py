"""Serves the login page, with one engine for all browsers.

Started by `clients/web/run` and `python -m login_engine.web`.
"""

import argparse
import asyncio
import contextlib
import os
import resource
import signal
import socket
import ssl
import sys
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

from engine import Refused
from server import Bridge

#: The command that users type, for the help.
NAME = os.environ.get("LOGIN_PAGE_COMMAND", "clients/web/run")


def port(text):
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port")
    return int(text)


def origin(text):
    """Checks that an origin is written as browsers write it: in any other form, all requests would seem to come from another site."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.path.strip("/") or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(f"{text} is no origin, such as https://login.example.com")
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix({'http': ':80', 'https': ':443'}[parts.scheme])}"


def parse():
    parser = argparse.ArgumentParser(prog=NAME, allow_abbrev=False, description="A login page for browsers, from one login-engine.")
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    add("--port", type=port, default=8080, help="the port to listen on; 0: any free port (default: %(default)s)")
    add("--origin", type=origin, metavar="URL", help="the page's address for browsers, such as https://login.example.com (default: http://localhost:PORT)")
    add("--more-origin", type=origin, action="append", default=[], metavar="URL", help="another address whose pages may use this bridge, such as that of "
        "a development server; may be repeated")
    add("--page", type=Path, metavar="FOLDER", help="serve this page instead: its index.html at /, and its other files below /page/")
    add("--certificate", metavar="FILE", help="serve TLS with this certificate chain (PEM) and --key")
    add("--key", metavar="FILE", help="the key of the certificate (PEM)")
    add("--proxy", action="append", default=[], metavar="NETWORK", help="trust proxies at this address or network, such as 10.0.0.0/8, to name "
        "the client's address (X-Forwarded-For); may be repeated")
    add("--flow", metavar="NAME", help="the flow to show (default: the engine's first)")
    add("--grace", type=float, default=60, metavar="SECONDS", help="how long to keep a tab without a connection (default: %(default)g)")
    add("--tabs", type=int, default=50000, metavar="N", help="the number of concurrent tabs (default: %(default)s)")
    add("--tabs-of-address", type=int, default=200, metavar="N", help="the number of concurrent tabs from one address (default: %(default)s)")
    add("--rate", type=float, default=100, metavar="N", help="messages per second from one connection, after a burst of twice as many; "
        "further ones wait; 0: no limit (default: %(default)g)")
    add("engine", nargs=argparse.REMAINDER, metavar="ENGINE [ARGUMENT ...]", help="the engine and its options, such as --accounts FILE "
        "(default: $LOGIN_ENGINE, or login-engine on the path; -- is followed by options for that engine)")
    own = parser.parse_args()
    if own.engine[:1] in ([], ["--"]):
        own.engine = [os.environ.get("LOGIN_ENGINE") or "login-engine", *own.engine[1:]]
    if bool(own.certificate) != bool(own.key):
        parser.error("--certificate and --key require each other")
    return own


def listen(own):
    """Opens the socket, and returns it with the origins of its pages."""
    bound = socket.create_server((own.host, own.port), family=socket.AF_INET6 if ":" in own.host else socket.AF_INET, backlog=1024)
    port = bound.getsockname()[1]
    scheme = "https" if own.certificate else "http"
    own.more_origins = own.more_origin + ([] if own.origin else [f"{scheme}://127.0.0.1:{port}"])
    own.origin = own.origin or f"{scheme}://localhost:{port}"
    return bound


def allow_files():
    """Raises the limit of open files to the system's maximum: the usual limit is 1,024, and each tab needs one."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # The reported maximum may not be allowed.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def serve(own):
    tls = None
    if own.certificate:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(own.certificate, own.key)
    allow_files()
    bound = listen(own)
    bridge = Bridge(own, own.engine)
    await bridge.engine.start()
    reading = asyncio.create_task(bridge.engine.run())
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    try:
        await bridge.describe()
        runner = web.AppRunner(bridge.application(), access_log=None, shutdown_timeout=1)
        await runner.setup()
        await web.SockSite(runner, bound, ssl_context=tls).start()
        print(own.origin, flush=True)
        await asyncio.wait([asyncio.create_task(ended.wait()), reading], return_when=asyncio.FIRST_COMPLETED)
        await runner.cleanup()
    finally:
        await bridge.engine.close()
        await reading


if __name__ == "__main__":
    try:
        asyncio.run(serve(parse()))
    except (OSError, Refused, ValueError) as error:
        sys.exit(f"{NAME}: {error}")
