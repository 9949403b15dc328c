"""Reads what services answer: nested JSON of which nothing is taken for granted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from epicene.systems.network.http import garbled
from epicene.systems.network.service import Answer

# What ends a line in some program's eyes; other white space, such as French puts before "?", is part of the text.
_BREAKS = re.compile("\\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\\s*")


def one_line(text: str) -> str:
    """The text with spaces in place of line breaks."""
    return _BREAKS.sub(" ", text).strip()


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


def word(body: Any, *path: str | int) -> str:
    """The text that lies in nested JSON at a path; an empty one where there is none, or something else."""
    found = dig(body, *path)
    return found if isinstance(found, str) else ""


def answers(service: str, texts: Iterable[Any], model: str = "") -> list[Answer]:
    """The texts as answers of one line; whether they are as many as the sources is for the engine to see."""
    found = []
    for text in texts:
        if not isinstance(text, str):
            raise garbled(service, f"{text!r} in place of a translation")
        found.append(Answer(one_line(_whole(text)), model))
    return found


def _whole(text: str) -> str:
    """The text with a mark in place of half a character, which JSON can write but no file can keep."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
