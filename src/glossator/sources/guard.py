"""Which web addresses may be asked for: the checks against server-side request forgery.

A link in a document, or one that a model proposes, must not reach the router, a cloud's metadata service or another
program of this machine. `checked_url` looks at the address as written, `checked_addresses` at what its host is today.
"""

import ipaddress
import socket
from urllib.parse import SplitResult, quote, urlsplit

from glossator.errors import SourceError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address
_PATH = "/%:@!$&'()*+,;=~-._"  # what RFC 3986 lets stand in a path as it is
_QUERY = _PATH + "?[]"


def checked_url(url: str) -> SplitResult:
    """Return a URL in the form in which it is sent: without fragment, other characters percent-encoded.

    Raises:
        SourceError: it is no http or https URL, or holds a user name or a password.
    """
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise SourceError(f"{url}: not a web address ({error})", hint="check the address") from error
    if parts.scheme not in ("http", "https") or not host:
        raise SourceError(f"{url}: not an http or https address", hint="give a full address, https://host/page")
    if parts.username is not None or parts.password is not None:
        raise SourceError(
            f"{parts.scheme}://…@{host}: the address holds a user name or password",
            hint="leave them out; download what needs a login and add the file",
        )
    return parts._replace(path=quote(parts.path or "/", safe=_PATH), query=quote(parts.query, safe=_QUERY), fragment="")


def checked_addresses(host: str, port: int, *, name: str, allow_loopback: bool = False) -> list[Address]:
    """Return the addresses of a host, all of them public (or, if allowed, this machine's own).

    `name` is what was asked for, for the messages.

    Raises:
        SourceError: there is no such host, or one of its addresses is not public.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise SourceError(
            f"{name}: there is no host {host!r} ({error})", hint="check the address and the network"
        ) from error
    addresses = list(dict.fromkeys(ipaddress.ip_address(str(entry[4][0]).split("%")[0]) for entry in found))
    for address in addresses:
        if not (is_public(address) or (allow_loopback and address.is_loopback)):
            raise SourceError(
                f"{name}: {host} is at {address}, which is not a public address",
                hint="pages of private networks are not fetched; save the page and add the file",
            )
    return addresses


def is_public(address: Address) -> bool:
    """Tell whether an address is on the public internet, looking into IPv6 addresses that carry an IPv4 one."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_loopback or address.is_link_local
    )
