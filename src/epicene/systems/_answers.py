"""What services' answers are made of, checked before any is believed."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

from epicene.errors import TryLaterError
from epicene.systems._service import Answer

_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|quot|amp|lt|gt|apos|nbsp);")


def dig(body: Any, *path: str | int) -> Any:
    """What lies in nested JSON at a path; None where there is no such place."""
    for step in path:
        try:
            body = body[step]
        except (KeyError, IndexError, TypeError):
            return None
    return body


def every(body: Any, *path: str | int) -> list[Any]:
    """The list that lies in nested JSON at a path; an empty one where there is none."""
    found = dig(body, *path)
    return found if isinstance(found, list) else []


def plain(text: str, source: str) -> str:
    """The text without HTML escapes, unless its source has such escapes itself."""
    return html.unescape(text) if _ENTITY.search(text) and not _ENTITY.search(source) else text


def answers(service: str, sources: Sequence[str], texts: Sequence[Any], model: str = "") -> list[Answer]:
    """One answer per source; another number of them, or nothing for something, is half an answer."""
    if len(texts) != len(sources):
        raise TryLaterError(f"{service} answered {len(texts)} texts for the {len(sources)} it was given", billed=True)
    found = []
    for text, source in zip(texts, sources, strict=True):
        if not isinstance(text, str) or not text.strip():
            raise TryLaterError(f"{service} answered nothing for {source[:40]!r}", billed=True)
        found.append(Answer(plain(text, source).strip(), model))
    return found
