"""The options of a login page, checked when the page is made."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit


def read_origin(text: str) -> str:
    """Returns an origin as browsers write it: in any other form, all requests would seem to come from another site. Raises `ValueError`."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError(f"{text} is no origin, such as https://login.example.com")
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix({'http': ':80', 'https': ':443'}[parts.scheme])}"


def read_prefix(text: str) -> str:
    """Returns the path below which the page is, without a slash at its end. Raises `ValueError`."""
    prefix = text.rstrip("/")
    if prefix and not prefix.startswith("/") or "//" in prefix or any(character in prefix for character in "?#\\ "):
        raise ValueError(f"{text} is no path, such as /login")
    return prefix


@dataclass(frozen=True)
class Options:
    """See `LoginPage`."""

    origin: str
    more_origins: Sequence[str] = ()
    prefix: str = ""
    after: str | None = None
    next: Sequence[str] = ()
    proxy: Sequence[str] = ()
    flow: str | None = None
    account_flow: str = "account"
    page: Path | None = None
    brand: Path | None = None
    cookie_domain: str | None = None
    remember_days: float = 30
    remember_item: str = "remember"
    idle_hours: float = 12
    absolute_days: float = 90
    grace: float = 60
    tabs: int = 50000
    tabs_of_address: int = 200
    rate: float = 100
    origins: frozenset[str] = field(init=False)
    networks: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network] = field(init=False)

    def __post_init__(self) -> None:
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731
        put("origin", read_origin(self.origin))
        put("origins", frozenset({self.origin, *map(read_origin, self.more_origins)}))
        put("prefix", read_prefix(self.prefix))
        put("networks", [ipaddress.ip_network(network) for network in self.proxy])
        put("after", self.after or f"{self.prefix}/welcome")
        own = [f"{self.prefix}/account"] if self.account_flow else []
        put("next", [*(read_target(target) for target in self.next or ["/"]), *own])

    @property
    def is_secure(self) -> bool:
        return self.origin.startswith("https:")

    def target(self, wanted: str) -> str | None:
        """Returns the address to which a login leads, if `wanted` (of `?next=`) is one that `next` allows; otherwise None."""
        # Browsers take a backslash for a slash, and ignore control characters.
        if not wanted or "\\" in wanted or not wanted.isprintable() or " " in wanted:
            return None
        try:
            parts = urlsplit(wanted)
            origin = read_origin(f"{parts.scheme}://{parts.netloc}") if parts.scheme else ""
        except ValueError:
            return None
        if parts.scheme:
            here = origin + (parts.path or "/")
            return wanted if any(is_below(here, target if "://" in target else self.origin + target) for target in self.next) else None
        if parts.netloc or not wanted.startswith("/") or wanted.startswith("//"):
            return None
        return wanted if any(is_below(parts.path, target) for target in self.next if "://" not in target) else None


def read_target(text: str) -> str:
    """Reads an allowed target of logins: a path, or an origin, perhaps with a path. Raises `ValueError`."""
    if text.startswith("/") and not text.startswith("//"):
        return text
    parts = urlsplit(text)
    return read_origin(f"{parts.scheme}://{parts.netloc}") + (parts.path or "/")


def is_below(path: str, allowed: str) -> bool:
    """Whether a path is the allowed one or below it. Dots could lead out of it."""
    if "/../" in f"{path}/" or "/./" in f"{path}/" or "%2e" in path.lower():
        return False
    return path == allowed or path.startswith(allowed if allowed.endswith("/") else allowed + "/")
