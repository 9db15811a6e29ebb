"""The external items of a view: the way to another site and back, and who may not use it."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from login_engine.external import Redirect, page_of, prepare

PATIENCE = 60


def asked(url: str, host: str | None = None, method: str = "GET") -> int:
    """Sends a request, and returns the status of the response."""
    request = urllib.request.Request(url, headers={} if host is None else {"Host": host}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_a_redirect_takes_one_return_at_its_own_address_and_nothing_else() -> None:
    opened: list[str] = []

    async def story() -> None:
        redirect = Redirect(open_url=opened.append)
        await redirect.start()
        try:
            port = redirect.address.rsplit(":", 1)[1].strip("/")
            # No redirect is running yet.
            assert await asyncio.to_thread(asked, redirect.address + "?code=early") == 410
            value = asyncio.create_task(redirect({"url": "https://provider.example/"}))
            await asyncio.sleep(0)
            for url, host, method in [
                (redirect.address, None, "GET"),
                (redirect.address + "favicon.ico", None, "GET"),
                (redirect.address + "?code=x", f"evil.example:{port}", "GET"),
                (redirect.address + "?code=x", None, "POST"),
            ]:
                assert await asyncio.to_thread(asked, url, host, method) == 404, (url, host, method)
            assert not value.done()
            assert await asyncio.to_thread(asked, redirect.address + "?code=abc&state=x%20y") == 200
            assert await value == {"url": redirect.address + "?code=abc&state=x%20y"}
            assert await asyncio.to_thread(asked, redirect.address + "?code=again") == 410
        finally:
            redirect.close()

    asyncio.run(story())
    assert opened == ["https://provider.example/"]


def test_a_malformed_request_gets_no_answer() -> None:
    async def story() -> None:
        redirect = Redirect(open_url=lambda _: None)
        await redirect.start()
        port = int(redirect.address.rsplit(":", 1)[1].strip("/"))
        value = asyncio.create_task(redirect({"url": "https://provider.example/"}))
        for garbage in (b"\r\n\r\n", b"\xff" * 100 + b"\r\n\r\n", b"GET /?" + b"x" * 40_000 + b" HTTP/1.1\r\n\r\n", b"GET"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(garbage)
            writer.write_eof()
            try:
                answer = await asyncio.wait_for(reader.read(), PATIENCE)
            except ConnectionError:
                answer = b""
            assert answer == b"" or answer.startswith(b"HTTP/1.1 404 "), answer
            writer.close()
        assert not value.done()
        value.cancel()
        redirect.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    "url", ["http://provider.example/", "javascript:alert(1)", "file:///etc/passwd", "https:", "", None, 7, "http://[", "http://127.0.0.1.evil/"]
)  # fmt: skip
def test_a_redirect_leads_to_no_page_that_others_could_read(url: Any) -> None:
    assert page_of({"url": url}) is None
    with pytest.raises(ValueError):
        asyncio.run(Redirect()({"url": url}))


@pytest.mark.parametrize("url", ["https://provider.example/a?b=c", "http://localhost:8000/", "http://127.0.0.1/", "http://[::1]:1/"])
def test_a_redirect_leads_to_pages_under_tls_and_on_this_machine(url: str) -> None:
    assert page_of({"url": url}) == url


@pytest.mark.parametrize(
    ("given", "params", "supports", "has_return"),
    [
        (None, {}, ["restoreSecret", "redirect"], True),
        ({}, {}, ["restoreSecret"], False),
        (None, {"supports": ["restoreSecret"]}, ["restoreSecret"], False),
        (None, {"supports": ["redirect"]}, ["redirect"], True),
    ],
)
def test_a_view_declares_what_it_can_do(given: Any, params: dict[str, Any], supports: list[str], has_return: bool) -> None:
    async def story() -> None:
        handlers = await prepare(given, params)
        assert params["supports"] == supports
        assert params.get("context", {}).get("return", "").startswith("http://127.0.0.1:") == has_return
        for handler in handlers.values():
            if isinstance(handler, Redirect):
                handler.close()

    asyncio.run(story())


def test_a_return_address_that_the_caller_passes_is_kept() -> None:
    params: dict[str, Any] = {"context": {"return": "https://app.example/back", "agent": "x"}}

    async def story() -> None:
        for handler in (await prepare(None, params)).values():
            close: Callable[[], None] = handler.close  # type: ignore[attr-defined]
            close()

    asyncio.run(story())
    assert params["context"] == {"return": "https://app.example/back", "agent": "x"}
