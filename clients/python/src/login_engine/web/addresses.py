"""Determines the address of a client, also behind proxies that name it."""

import ipaddress
import re

#: The forms of an address with a port: in brackets or not.
WITH_PORT = re.compile(r"\[([^\[\]]*)\](?::\d{1,5})?|([^:\[\]]*):\d{1,5}", re.ASCII)


def read(text):
    """Parses an address that a proxy names, with or without a port, and IPv6 with or without brackets. Returns None for anything else. IPv4 addresses
    mapped to IPv6 are returned as IPv4."""
    text = text.strip(" \t")
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1]
    if known := WITH_PORT.fullmatch(text):
        text = known[1] or known[2] or ""
    try:
        # The zone after the percent sign is local to the proxy.
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def of_client(remote, forwarded, proxies):
    """Returns the client's address as text. Each proxy appends the address of its peer to the header. If a trusted proxy (`proxies` are networks)
    names no valid address, the client is that proxy itself. `forwarded` are the values of X-Forwarded-For."""
    address = read(remote or "")
    if address is None:
        return remote or ""
    for text in reversed([text for text in ",".join(forwarded).split(",") if text.strip(" \t")]):
        known = read(text)
        if known is None or not any(address in network for network in proxies):
            break
        address = known
    return str(address)
