"""The address of a client, also behind proxies that say it."""

import ipaddress
import re

#: What may stand around an address: quotes, brackets, a port.
WITH_PORT = re.compile(r"\[([^\[\]]*)\](?::\d{1,5})?|([^:\[\]]*):\d{1,5}", re.ASCII)


def read(text):
    """The address that a proxy names: alone or with a port, of IPv6 in brackets or not. None where there is no address. One of IPv4 that is written as one of
    IPv6 is one of IPv4."""
    text = text.strip(" \t")
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1]
    if known := WITH_PORT.fullmatch(text):
        text = known[1] or known[2] or ""
    try:
        # What is behind the percent sign is a network of the proxy's own.
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def of_client(remote, forwarded, proxies):
    """The client's address as a text. Each proxy says of whom it has its connection, behind what the one before has said. Where one that is trusted
    (`proxies` are networks) says what is no address, the client is that proxy itself. `forwarded` are the values of X-Forwarded-For."""
    address = read(remote or "")
    if address is None:
        return remote or ""
    for text in reversed([text for text in ",".join(forwarded).split(",") if text.strip(" \t")]):
        known = read(text)
        if known is None or not any(address in network for network in proxies):
            break
        address = known
    return str(address)
