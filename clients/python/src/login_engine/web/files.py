"""The files of the page, as they are served: compressed, and under a name that changes with their content."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

if TYPE_CHECKING:
    from .brand import Brand

HERE = Path(__file__).resolve().parent
#: In the installed package, or in a source tree.
PAGE = HERE / "page" if (HERE / "page").is_dir() else HERE.parents[3] / "web" / "page"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".woff2": "font/woff2", ".png": "image/png"}
#: Types that are compressed already.
BINARY = {".woff2", ".png"}


@dataclass(frozen=True)
class File:
    content: bytes
    compressed: bytes | None
    type: str
    tag: str


class Files:
    """The files of the page, those of another page, `folder`, which go before them, and those of a brand."""

    def __init__(self, folder: Path | None, prefix: str, brand: Brand) -> None:
        paths = {path.name: path for path in [*PAGE.iterdir(), *(folder.iterdir() if folder else [])] if path.suffix in TYPES}
        contents = {**{name: path.read_bytes() for name, path in paths.items()}, **brand.files}
        # Not in a file of its own, which each visit would have to wait for.
        contents["style.css"] += brand.sheet.encode()
        self._files = {name: file(name, content) for name, content in contents.items()}
        #: Changes with each file. Browsers keep files of a version for good.
        self.version = hashlib.sha256("".join(file.tag for file in self._files.values()).encode()).hexdigest()[:16]
        text = ((folder or PAGE) / "index.html").read_text()
        #: The page, whose base is still that of no path.
        self._shell = brand.index(text).replace('"page/', f'"{prefix}/page/{self.version}/')

    def shell(self, path: str) -> str:
        """The page at a path, from which it finds its WebSocket, without its first screen."""
        return self._shell.replace('<base href="/">', f'<base href="{path}">')

    def index(self, path: str, query: str) -> str:
        """The page for browsers with JavaScript. One without it goes on to the form, with the query of the page's address."""
        form = f"form?{escape(query)}" if query else "form"
        return self.shell(path).replace("<noscript></noscript>", f'<noscript><meta http-equiv="refresh" content="0; url={form}"></noscript>')

    def response(self, request: Request, name: str, version: str | None) -> Response:
        file = self._files.get(name)
        if file is None:
            raise HTTPException(404)
        is_kept = version == self.version
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable" if is_kept else "no-cache",
            "ETag": f'"{file.tag}"',
            "Vary": "Accept-Encoding",
        }
        if request.headers.get("If-None-Match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        content = file.content
        if file.compressed and "gzip" in request.headers.get("Accept-Encoding", ""):
            content = file.compressed
            headers["Content-Encoding"] = "gzip"
        return Response(content, headers=headers, media_type=file.type)


def file(name: str, content: bytes) -> File:
    suffix = Path(name).suffix
    compressed = None if suffix in BINARY else gzip.compress(content, mtime=0)
    return File(content, compressed, TYPES[suffix], hashlib.sha256(content).hexdigest()[:16])
