"""Whether the answers of a request are those to its sentences.

Most services give answers no number: they are matched by their order. A wrong count is always seen. Answers in another
order, or one given twice, are seen where the service tells how long each source was, and the sentences of a request
differ in length; therefore the engine mixes lengths. Two swapped answers to sources of one length cannot be seen.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Any

from epicene.errors import TryLaterError
from epicene.systems.network.http import garbled
from epicene.systems.network.service import Answer

_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z]+\d*);")
_FEW = 3  # sentences whose answers may all be the same
# What ends a line in some program's eyes; other white space, such as French puts before "?", is part of the text.
_BREAKS = re.compile("\\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\\s*")


def mixed(sources: Iterable[str]) -> list[str]:
    """The sources in an order in which neighbours differ in length, as far as they do at all.

    Short and long ones take turns, so that batches of as many sentences have about as many characters.
    """
    by_length: defaultdict[int, deque[str]] = defaultdict(deque)
    for source in sources:
        by_length[len(source)].append(source)
    found = []
    while by_length:
        lengths = deque(sorted(by_length))
        while lengths:
            length = lengths.popleft()
            lengths.reverse()
            found.append(by_length[length].popleft())
            if not by_length[length]:
                del by_length[length]
    return found


def matched(who: str, sources: Sequence[str], answers: Sequence[Answer]) -> list[tuple[str, Answer]]:
    """Sources with their answers; raises if they cannot belong to each other."""
    if len(answers) != len(sources):
        raise TryLaterError(f"{who} gave {len(answers)} answers to {len(sources)} sentences", billed=True)
    if _moved(sources, answers):
        raise TryLaterError(f"{who} gave answers in another order than that of the sentences", billed=True)
    told = all(answer.characters is not None for answer in answers)
    if len(sources) > _FEW and len({answer.text for answer in answers}) == 1 and not (told and answers[0].text.strip()):
        raise TryLaterError(f"{who} gave one answer to {len(sources)} different sentences", billed=True)
    return [(source, _plain(source, answer)) for source, answer in zip(sources, answers, strict=True)]


def _moved(sources: Sequence[str], answers: Sequence[Answer]) -> bool:
    """Whether every answer that names another length than its source's names that of another source.

    A service that merely counts otherwise than we do is let be, since its longest source fits none.
    """
    lengths = {len(source) for source in sources}
    wrong = [
        answer.characters
        for source, answer in zip(sources, answers, strict=True)
        if answer.characters not in (None, len(source))
    ]
    return bool(wrong) and lengths.issuperset(wrong)


def _plain(source: str, answer: Answer) -> Answer:
    """The answer with HTML's escapes undone where the source had none."""
    if _ENTITY.search(answer.text) and not _ENTITY.search(source):
        return answer._replace(text=html.unescape(answer.text))
    return answer


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
