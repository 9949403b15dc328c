"""Keys and addresses of services: checked, never on the command line, and never shown."""

from __future__ import annotations

import ipaddress
import logging
import os
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple
from urllib.parse import quote, urlsplit, urlunsplit

from epicene.errors import EpiceneError, InputError, KeyRefusedError
from epicene.text import hide, scrub

# The name under which keyrings keep our keys; the account is the name of the variable.
KEYRING = "epicene"
_UNFIT = re.compile(r"[^!-~]")  # for a header: blanks, line breaks, letters beyond ASCII


_log = logging.getLogger(__name__)


class Secret:
    """A key that shows itself only when asked by ``reveal``; from then on ``scrub`` knows it."""

    __slots__ = ("_text", "variable")

    def __init__(self, text: str, variable: str) -> None:
        self._text = text
        self.variable = variable
        hide(text)
        hide(quote(text, safe=""))

    def reveal(self) -> str:
        """The key itself, for the request's header and nothing else."""
        return self._text

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    __str__ = __repr__


class ServiceKey(NamedTuple):
    """Where a service's key is kept, and where one gets it."""

    service: str
    variables: Sequence[str]
    get: str  # ends "get one …": "at https://…"
    in_files: bool = False  # whether the vendor's own library may have found it in a file, where we cannot see it

    def find(self) -> Secret | None:
        """The first of the variables that is set, else what the keyring keeps under one of them, else nothing."""
        for look_up in (lambda variable: os.environ.get(variable, ""), _from_keyring):
            for variable in self.variables:
                if text := look_up(variable).strip():
                    return check_key(Secret(text, variable))
        return None

    def require(self) -> Secret:
        """The key of a service that cannot be asked without one."""
        if key := self.find():
            return key
        raise self._missing()

    def refused(self, why: str) -> KeyRefusedError:
        """The error for a key that the service does not accept, or wants and did not get."""
        if self.in_files:
            variable = self.variables[0]
        elif key := self.find():
            variable = key.variable
        else:
            return self._missing(f" ({why})")
        return KeyRefusedError(f"{self.service} does not accept the key in {variable} ({why}); get one {self.get}")

    def _missing(self, why: str = "") -> KeyRefusedError:
        return KeyRefusedError(
            f"{self.service} needs a key{why}: set {' or '.join(self.variables)}, or run: keyring set {KEYRING} "
            f"{self.variables[0]}; get one {self.get}"
        )


def check_key(secret: Secret) -> Secret:
    """The key, if a header can carry it; libraries quote one that they cannot send, in spellings of their own."""
    if unfit := _UNFIT.search(secret.reveal()):
        raise KeyRefusedError(
            f"the key in {secret.variable} is not as it was given out: character {unfit.start() + 1} of "
            f"{len(secret.reveal())} is {unicodedata.name(unfit[0], 'a line break or the like').lower()}; copy it again"
        )
    return secret


def scrub_error(error: EpiceneError, more: str = "") -> EpiceneError:
    """The error without a key, and with what there is to add; its kind tells the command how to end."""
    error.args = (scrub(f"{error}{more}"),)
    return error


def _from_keyring(variable: str) -> str:
    try:
        import keyring
    except ImportError:
        return ""
    # A machine without a keyring, or with a locked one, raises whatever its backend likes.
    with suppress(Exception):
        return keyring.get_password(KEYRING, variable) or ""
    return ""


def address(kind: str, url: str, example: str) -> str:
    """An http address without a slash at its end; a password in it is kept out of every message."""
    with suppress(ValueError):  # a port that is no number, brackets that do not close
        parts = urlsplit(url)
        if parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0:
            if owner := parts.password or parts.username:
                Secret(owner, "the address")
            return url.rstrip("/")
    raise InputError(f"{kind}: {url.rpartition('@')[2]!r} is no http address; write it as in {example}")


class Endpoint(NamedTuple):
    """The address of a service that charges, and the variable that may name another."""

    service: str
    variable: str
    usual: str
    hosts: str  # a pattern of the vendor's own

    def url(self) -> str:
        """The usual address, or that which the variable names, if a key is safe there."""
        named = os.environ.get(self.variable)
        if not named:
            return self.usual
        url = address(self.service, named, f"{self.variable}={self.usual}")
        if in_the_clear(url):
            raise InputError(
                f"{self.service}: {self.variable}={without_password(url)} would send the key over the network for all "
                "to read; write https:// in place of http://"
            )
        return url

    def identify(self) -> dict[str, str]:
        """What an identity says of the address: nothing where a pattern of the vendor's own hosts fits it.

        So the answers of a server that plays the vendor are never taken for the vendor's.
        """
        named = os.environ.get(self.variable)
        if not named:
            return {}
        url = address(self.service, named, f"{self.variable}=https://…")
        parts = urlsplit(url)
        if parts.scheme == "https" and re.fullmatch(self.hosts, parts.hostname or ""):
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
