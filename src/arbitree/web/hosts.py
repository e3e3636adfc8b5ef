"""Host names in requests: the Host header, and the URLs in Origin and Referer."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address
from typing import NamedTuple

_HOST = re.compile(r"(?P<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?")
_LONGEST = 255  # characters of a name
_PORTS = {"http": 80, "https": 443}


class Host(NamedTuple):
    """A host name or address in lower case, and the port; None for the default port."""

    name: str
    port: int | None = None


def parse_host(text: str) -> Host | None:
    """Return the host in a Host header; None if *text* is not exactly a host name and a port.

    Stricter than RFC 3986: no user name, no percent-encoding, no empty port and no dot at the end. Browsers
    send none of these, and a program that reads them in another way than we do would go to another host.

    Example:
        >>> parse_host("LOCALHOST:8765")
        Host(name='localhost', port=8765)
        >>> parse_host("[0:0::1]:80")
        Host(name='[::1]', port=80)
        >>> parse_host("127.0.0.1:8765@evil.example") is None
        True
    """
    found = _HOST.fullmatch(text.lower()) if text.isascii() else None
    if found is None:
        return None
    name, port = found["name"], found["port"]
    if name.startswith("["):
        try:
            name = f"[{IPv6Address(name[1:-1])}]"
        except AddressValueError:
            return None
    if len(name) > _LONGEST or (port is not None and not 0 < int(port) < 65536):
        return None
    return Host(name, None if port is None else int(port))


def parse_url(url: str) -> Host | None:
    """Return the host of an http or https URL, with its port; None for all other texts.

    Example:
        >>> parse_url("https://study.example.org/rounds?page=2")
        Host(name='study.example.org', port=443)
        >>> parse_url("null") is None
        True
    """
    scheme, separator, rest = url.partition("://")
    default = _PORTS.get(scheme.lower())
    host = parse_host(re.split("[/?#]", rest, maxsplit=1)[0]) if separator and default else None
    return host._replace(port=default) if host and host.port is None else host


def belongs(url: str, header: str) -> bool:
    """Return whether a page at *url* was served by the host that the Host header of a request names.

    Example:
        >>> belongs("https://study.example.org", "study.example.org:443")
        True
        >>> belongs("http://127.0.0.1:9999", "127.0.0.1:8765")
        False
    """
    page, host = parse_url(url), parse_host(header)
    if page is None or host is None:
        return False
    return page == host._replace(port=host.port or _PORTS[url.partition(":")[0].lower()])
