"""``bundled``: the compact translator that ships with epicene."""

from __future__ import annotations

from typing import NoReturn

from epicene.errors import InputError
from epicene.systems._spec import Options


def build(argument: str, options: Options) -> NoReturn:  # noqa: ARG001
    """The bundled system."""
    raise InputError(
        "this version carries no translator of its own yet; name one with -s, "
        "for example -s ctranslate2:DIR or -s 'command:my-translator'"
    )
