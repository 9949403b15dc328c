"""Keys of services: from the environment or the keyring, never from the command line, and never shown."""

from __future__ import annotations

import contextlib
import os
import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import quote

from epicene.errors import KeyRefusedError

# The name under which keyrings keep our keys; the account is the name of the variable.
KEYRING = "epicene"
_HIDDEN = "[key]"
_secrets: set[str] = set()
_UNFIT = re.compile(r"[^!-~]")  # for a header: blanks, line breaks, letters beyond ASCII
_OWNER = re.compile(r"(?<=://)[^\s/]+@")  # the name and the password in an address


class Secret:
    """A key that shows itself only when asked by ``reveal``; from then on ``scrub`` knows it."""

    __slots__ = ("_text", "variable")

    def __init__(self, text: str, variable: str) -> None:
        self._text = text
        self.variable = variable
        _secrets.update((text, quote(text, safe="")))

    def reveal(self) -> str:
        """The key itself, for the request's header and nothing else."""
        return self._text

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    __str__ = __repr__


def key(service: str, variables: Sequence[str], where: str) -> Secret:
    """The key of a service that cannot be asked without one."""
    if found := known(variables):
        return found
    names = " or ".join(variables)
    raise KeyRefusedError(
        f"{service} needs a key: set {names}, or run: keyring set {KEYRING} {variables[0]}. Get one at {where}"
    )


def known(variables: Sequence[str]) -> Secret | None:
    """The first of these variables that is set, else what the keyring keeps under one of them, else nothing."""
    for variable in variables:
        if found := os.environ.get(variable, "").strip():
            return fit(Secret(found, variable))
    for variable in variables:
        if found := _from_keyring(variable):
            return fit(Secret(found, variable))
    return None


def fit(secret: Secret) -> Secret:
    """The key, if a header can carry it; libraries quote one that they cannot send, in spellings of their own."""
    if unfit := _UNFIT.search(secret.reveal()):
        raise KeyRefusedError(
            f"the key in {secret.variable} is not as it was given out: character {unfit.start() + 1} of "
            f"{len(secret.reveal())} is {unicodedata.name(unfit[0], 'a line break or the like').lower()}; copy it again"
        )
    return secret


def scrub(text: str) -> str:
    """A message without any key that was given out, and without the owners of addresses.

    Services like to repeat what they were sent, and libraries the addresses of servers and proxies.
    """
    for secret in _secrets:
        text = text.replace(secret, _HIDDEN)
    return _OWNER.sub("", text)


def _from_keyring(variable: str) -> str:
    try:
        import keyring
    except ImportError:
        return ""
    # A machine without a keyring, or with a locked one, raises whatever its backend likes.
    with contextlib.suppress(Exception):
        return (keyring.get_password(KEYRING, variable) or "").strip()
    return ""
