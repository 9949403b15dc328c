"""Keys of services: from the environment or the keyring, never from the command line, and never shown."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from urllib.parse import quote

from epicene.errors import KeyRefusedError

# The name under which keyrings keep our keys; the account is the name of the variable.
KEYRING = "epicene"
_HIDDEN = "[key]"
_secrets: set[str] = set()


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
    """The key of a service: the first of these variables that is set, else what the keyring keeps under one of them."""
    for variable in variables:
        if found := os.environ.get(variable, "").strip():
            return Secret(found, variable)
    for variable in variables:
        if found := _from_keyring(variable):
            return Secret(found, variable)
    names = " or ".join(variables)
    raise KeyRefusedError(
        f"{service} needs a key: set {names}, or run: keyring set {KEYRING} {variables[0]}. Get one at {where}"
    )


def scrub(text: str) -> str:
    """A message without any key that was given out: services like to repeat what they were sent."""
    for secret in _secrets:
        text = text.replace(secret, _HIDDEN)
    return text


def _from_keyring(variable: str) -> str:
    try:
        import keyring
    except ImportError:
        return ""
    # A machine without a keyring, or with a locked one, raises whatever its backend likes.
    with contextlib.suppress(Exception):
        return (keyring.get_password(KEYRING, variable) or "").strip()
    return ""
