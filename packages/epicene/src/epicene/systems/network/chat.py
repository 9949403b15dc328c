"""What a language model is told, and how its answer is read: without what is surely no part of a translation."""

from __future__ import annotations

import re

from epicene.errors import RefusedError
from epicene.languages.codes import name
from epicene.systems.network.answers import join_lines
from epicene.types import Pair

PROMPT = (
    "You are a translator. Translate what the user writes from {source} into {target}. "
    "Answer with the translation alone: no quotation marks, no notes, no alternatives."
)
# Follows the prompt where what stands before a sentence is given.
CONTEXT = (
    " The user writes what stands before a sentence, an empty line, and the sentence. Translate the sentence alone; "
    "what stands before it only tells what it means."
)

_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCE = re.compile(r"\A```[a-z]*\n(.*?)\n?```\Z", re.DOTALL)
_NOTE = re.compile(r"\n\s*\n\s*[*_(]*(?:Note|Notes|Explanation|N\.B\.)\b.*\Z", re.DOTALL | re.IGNORECASE)
_REFUSAL = re.compile(
    r"(?:I['’]m|I am|Sorry|I apologi[sz]e|Unfortunately)\b.{0,40}?"
    r"\b(?:I|but I)?\s*(?:can['’]?t|cannot|am unable to|am not able to|won['’]t)\b",
    re.IGNORECASE | re.DOTALL,
)
_QUOTES = frozenset(('""', "“”", "„“", "„”", "«»", "»«", "‘’", "''"))
_MARKS = frozenset("".join(_QUOTES))


def fill_prompt(prompt: str, pair: Pair) -> str:
    """The prompt for a pair of languages, which it names in English."""
    return prompt.replace("{source}", name(pair.source)).replace("{target}", name(pair.target))


def clean_answer(answer: str, source: str, pair: Pair) -> str:
    """A translation without what is surely not part of it; whatever is in doubt stays."""
    text = _NOTE.sub("", _strip_wrapping(answer)).strip()
    label = re.compile(rf"(?:Translation|{re.escape(name(pair.target))}(?: translation)?)\s*:\s+", re.IGNORECASE)
    if not label.match(source):
        text = label.sub("", text, count=1) if label.match(text) else text
    text = join_lines(text)
    if source.strip()[:1] not in _MARKS:
        text = _unquote(text)
    if pair.target != "en" and _REFUSAL.match(text) and not _REFUSAL.match(source):
        raise RefusedError(f"the model declined: {text[:80]!r}", billed=True)
    return text


def _unquote(text: str) -> str:
    """The text without one pair of quotation marks around all of it."""
    wrapped = len(text) > 2 and text[0] + text[-1] in _QUOTES and not _MARKS & set(text[1:-1]) - {"'", "’"}
    return text[1:-1].strip() if wrapped else text


def _strip_wrapping(answer: str) -> str:
    """The answer without a reasoning model's thoughts and without a code fence around all of it."""
    text = _THOUGHTS.sub("", answer).strip()
    fence = _FENCE.match(text)
    return fence[1] if fence else text
