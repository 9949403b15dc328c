"""Addresses of servers: checked, and shown without what only their owner should read."""

from __future__ import annotations

import ipaddress
import logging
import os
import re
from contextlib import suppress
from functools import cache
from urllib.parse import urlsplit, urlunsplit

from epicene.errors import InputError
from epicene.systems.network.keys import Secret

_log = logging.getLogger(__name__)


def address(kind: str, url: str, example: str) -> str:
    """An http address without a slash at its end; a password in it is kept out of every message."""
    with suppress(ValueError):  # a port that is no number, brackets that do not close
        parts = urlsplit(url)
        if parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0:
            if owner := parts.password or parts.username:
                Secret(owner, "the address")
            return url.rstrip("/")
    raise InputError(f"{kind}: {url.rpartition('@')[2]!r} is no http address; write it as in {example}")


def endpoint(service: str, variable: str, usual: str) -> str:
    """The address of a service that charges: the usual one, or that which a variable names, if a key is safe there."""
    given = os.environ.get(variable)
    if not given:
        return usual
    url = address(service, given, f"{variable}={usual}")
    if in_the_clear(url):
        raise InputError(
            f"{service}: {variable}={without_password(url)} would send the key over the network for all to read; "
            "write https:// in place of http://"
        )
    return url


def elsewhere(service: str, variable: str, own: str) -> dict[str, str]:
    """What an identity says of the address in a variable: nothing where a pattern of the vendor's own hosts fits it.

    So the answers of a server that plays the vendor are never taken for the vendor's.
    """
    given = os.environ.get(variable)
    if not given:
        return {}
    url = address(service, given, f"{variable}=https://…")
    parts = urlsplit(url)
    if parts.scheme == "https" and re.fullmatch(own, parts.hostname or ""):
        return {}
    return {"at": without_password(url)}


@cache
def warn_in_the_clear(service: str, url: str, variable: str) -> None:
    """Say once that a key goes over the network unencrypted, to a server that one runs oneself or was told of."""
    if in_the_clear(url):
        shown = without_password(url)
        _log.warning("%s: the key in %s is sent to %s for all to read; https would hide it", service, variable, shown)


def in_the_clear(url: str) -> bool:
    """Whether what is sent to a server can be read on its way."""
    return urlsplit(url).scheme == "http" and not is_own(url)


def is_own(url: str) -> bool:
    """Whether a server is on this machine or in this house, so that nobody charges for it.

    A name without a dot, such as a container's, is one of the house.
    """
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".internal"))


def without_password(url: str) -> str:
    """The address as others may see it."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
