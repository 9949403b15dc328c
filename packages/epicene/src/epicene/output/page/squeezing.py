"""Bytes as a page holds them: deflated, and in letters that neither HTML nor JSON has to write in more."""

from __future__ import annotations

import base64
import zlib

_SAFE = str.maketrans("&<>", "[]:")  # what HTML would have to write in more letters


def squeezed(raw: bytes) -> str:
    """Bytes as the page's script unpacks them: deflated, four in five letters (RFC 1924, but for three letters).

    The first letter says how many bytes were put behind them to fill up the last five letters.
    """
    packed = zlib.compress(raw, 9)
    fill = -len(packed) % 4
    return str(fill) + base64.b85encode(packed + bytes(fill)).decode("ascii").translate(_SAFE)


def unsqueezed(text: str) -> bytes:
    """The bytes again."""
    packed = base64.b85decode(text[1:].translate(str.maketrans("[]:", "&<>")))
    return zlib.decompress(packed[: len(packed) - int(text[0])])
