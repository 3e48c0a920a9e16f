"""Who may talk to the server: the token, one-time links, the cookie they are changed for, the names it answers to.

Browsers send a cookie to every port of a host: the cookie is named after the port, so that two servers do not take each
other's, but another program of this machine that a browser visits can read it.
"""

import ipaddress
import secrets
import socket
import threading
from http.cookies import CookieError, SimpleCookie

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Access:
    """The secrets of one run of the server.

    Programs send the token with every request. A person follows a link that is good for one use and is given a cookie.
    """

    def __init__(self, port: int, *, names: tuple[str, ...] = LOOPBACK, exposed: bool = False) -> None:
        """Answer to these host names; when `exposed`, to this machine's own name and addresses, too."""
        self.token = secrets.token_urlsafe(32)
        self.cookie_name = f"glossator-{port}"
        self.cookie = secrets.token_urlsafe(32)
        self.exposed = exposed
        self._names = {n.lower() for n in names} | ({socket.gethostname().lower()} if exposed else set())
        self._links = {self.token}
        self._lock = threading.Lock()

    def link(self) -> str:
        """Return a new code for a link that works once."""
        code = secrets.token_urlsafe(24)
        with self._lock:
            self._links.add(code)
        return code

    def spend(self, code: str) -> bool:
        """Return whether a link's code is good, which it is once."""
        with self._lock:
            found = next((known for known in self._links if _same(known, code)), None)
            if found is not None:
                self._links.discard(found)
            return found is not None

    def admits(self, authorization: str, cookies: str) -> bool:
        """Return whether the headers of a request hold the token or the cookie."""
        kind, _, value = authorization.partition(" ")
        if kind.lower() == "bearer" and value:
            return _same(value.strip(), self.token)  # a wrong token is refused, whatever cookie comes with it
        try:
            given = SimpleCookie(cookies).get(self.cookie_name)
        except CookieError:
            return False
        return given is not None and _same(given.value, self.cookie)

    def answers_to(self, host: str) -> bool:
        """Return whether a Host header names this server: by a name it knows, or exposed, by any address."""
        name = host_name(host)
        if name is None:
            return False
        return name in self._names or (self.exposed and _is_address(name))


def host_name(host: str) -> str | None:
    """Return the name in a Host header without its port, lower case; None when it is malformed."""
    if host.startswith("["):
        name, bracket, port = host[1:].partition("]")
        if not bracket or not _is_address(name):
            return None
        port = port.removeprefix(":") if port else ""
    else:
        name, _, port = host.partition(":")
    if not name or (port and not (port.isascii() and port.isdigit())):
        return None
    return name.lower().removesuffix(".")


def is_loopback(host: str) -> bool:
    """Return whether an address to bind to is this machine's alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), secret.encode())
