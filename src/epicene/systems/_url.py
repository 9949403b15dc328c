"""Addresses of servers: checked, and shown without what only their owner should read."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit, urlunsplit

from epicene.errors import InputError
from epicene.systems._keys import Secret


def address(kind: str, url: str, example: str) -> str:
    """An http address without a slash at its end; a password in it is kept out of every message."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise InputError(f"{kind}: {without_password(url)!r} is no http address; write it as in {example}")
    if parts.password:
        Secret(parts.password, "the address")
    return url.rstrip("/")


def is_own(url: str) -> bool:
    """Whether a server is on this machine or in this house, so that nobody charges for it."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".localhost", ".internal"))


def without_password(url: str) -> str:
    """The address as others may see it."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
