"""Whether the answers of a request are those to its sentences.

Most services give answers no number: they are matched by their order. A wrong count is always seen. Answers in another
order, or one given twice, are seen where the service tells how long each source was, and the sentences of a request
differ in length; therefore the engine mixes lengths. Two swapped answers to sources of one length cannot be seen.
"""

from __future__ import annotations

import html
import json
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Any

from epicene.errors import RefusedError, TryLaterError
from epicene.systems.network.http import malformed_error
from epicene.systems.network.service import Answer
from epicene.text import clean

_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z]+\d*);")
_FIXED, _PER_CHARACTER = 2_000, 20  # characters of an answer: so many, and so many for each of its source
_LONGEST_NAME = 200  # characters of a model's name
_FEW = 3  # sentences whose answers may all be the same
# What ends a line in some program's eyes; other white space, such as French puts before "?", is part of the text.
_BREAKS = re.compile("\\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\\s*")


def mix_lengths(sources: Iterable[str]) -> list[str]:
    """The sources in an order in which neighbours differ in length, as far as they do at all.

    Short and long ones take turns, so that batches of as many sentences have about as many characters.
    """
    by_length: defaultdict[int, deque[str]] = defaultdict(deque)
    for source in sources:
        by_length[len(source)].append(source)
    order = []
    while by_length:
        lengths = deque(sorted(by_length))
        while lengths:
            length = lengths.popleft()
            lengths.reverse()
            order.append(by_length[length].popleft())
            if not by_length[length]:
                del by_length[length]
    return order


def match_answers(who: str, sources: Sequence[str], answers: Sequence[Answer]) -> list[tuple[str, Answer]]:
    """Sources with their answers; raises if they cannot belong to each other."""
    if len(answers) != len(sources):
        raise TryLaterError(f"{who} gave {len(answers)} answers to {len(sources)} sentences", billed=True)
    if _are_moved(sources, answers):
        raise TryLaterError(f"{who} gave answers in another order than that of the sentences", billed=True)
    known = all(answer.characters is not None for answer in answers)
    if (
        len(sources) > _FEW
        and len({answer.text for answer in answers}) == 1
        and not (known and answers[0].text.strip())
    ):
        raise TryLaterError(f"{who} gave one answer to {len(sources)} different sentences", billed=True)
    for source, answer in zip(sources, answers, strict=True):
        if len(answer.text) > _FIXED + _PER_CHARACTER * len(source):
            raise RefusedError(f"{who} answered {len(answer.text):,} characters to {len(source):,}", billed=True)
    return [(source, _clean_answer(source, answer)) for source, answer in zip(sources, answers, strict=True)]


def _are_moved(sources: Sequence[str], answers: Sequence[Answer]) -> bool:
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


def _clean_answer(source: str, answer: Answer) -> Answer:
    """The answer with HTML's escapes undone where the source had none, and the model's name fit to be shown."""
    text = answer.text
    if _ENTITY.search(text) and not _ENTITY.search(source):
        text = html.unescape(text)
    return answer._replace(text=text, model=clean(answer.model)[:_LONGEST_NAME])


def join_lines(text: str) -> str:
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


def dig_list(body: Any, *path: str | int) -> list[Any]:
    """The list that lies in nested JSON at a path; an empty one where there is none."""
    value = dig(body, *path)
    return value if isinstance(value, list) else []


def dig_text(body: Any, *path: str | int) -> str:
    """The text that lies in nested JSON at a path; an empty one where there is none, or something else."""
    value = dig(body, *path)
    return value if isinstance(value, str) else ""


def read_answers(service: str, body: Any, path: str, model: str = "") -> list[Answer]:
    """The answers that lie in nested JSON at a path, which names keys and indices; ``*`` is each of a list.

    Whether they are as many as the sources is for the engine to see.
    """
    texts = _follow(body, path.split("."))
    texts = texts if isinstance(texts, list) else [texts]
    if not all(isinstance(text, str) for text in texts):
        raise malformed_error(service, json.dumps(body, ensure_ascii=False), path)
    return make_answers(texts, model)


def make_answers(texts: Iterable[str], model: str = "") -> list[Answer]:
    """The texts as answers of one line."""
    return [Answer(join_lines(_mend_surrogates(text)), model) for text in texts]


def _follow(body: Any, path: Sequence[str]) -> Any:
    """What lies at the end of a path; after a ``*`` it is a list."""
    if not path:
        return body
    step, *rest = path
    if step == "*":
        return [_follow(part, rest) for part in body] if isinstance(body, list) else None
    return _follow(dig(body, int(step) if step.isdecimal() else step), rest)


def _mend_surrogates(text: str) -> str:
    """The text with a mark in place of half a character, which JSON can write but no file can keep."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
