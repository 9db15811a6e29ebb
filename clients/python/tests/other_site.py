"""Another site to which a redirect leads, and a browser that goes there and back without a person."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

ADDED = "code=abc&state=xyz"
BROWSER = """#!{python}
import sys, urllib.request
sys.exit(b"You can close this page" not in urllib.request.urlopen(sys.argv[1]).read())
"""


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(302)
        self.send_header("Location", parse_qs(urlsplit(self.path).query)["back"][0] + "?" + ADDED)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def other_site() -> Iterator[str]:
    """Starts the site, and yields its address."""
    with HTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def browser(folder: Path) -> str:
    """Writes a browser, and returns a value for $BROWSER."""
    path = folder / "browser"
    path.write_text(BROWSER.format(python=sys.executable))
    path.chmod(0o755)
    return f"{path} %s"
