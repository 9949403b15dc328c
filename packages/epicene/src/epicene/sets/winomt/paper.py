"""Protocol ``paper`` of WinoMT: the rules of the 2019 scripts, on fast_align's model, quirks included.

- Sentences are cut at blanks, so that punctuation stays on the words; every target word is linked to its likeliest
  source word, and what is linked to the entity or its article is taken for its translation.
- es, fr, it: the majority of the gendered words of that translation, the first on a tie; a translation without any is
  *neutral*, an empty one unknown. The scripts asked spaCy's tagger of the day; here our tables stand in for it.
- de: feminine if a word ends in "in", else by the determiner or pronoun nearest to the entity, wherever it stands,
  masculine if there is none; a nurse is always feminine.
- ru, uk: feminine if any analysis of a word is, else its likeliest gender, else neutral; majority of the words
  (pymorphy3 for the scripts' pymorphy2).
- he: feminine if a word ends in ת or ה, or if nothing was found; else masculine.
- ar: feminine if a word has ة, else masculine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from epicene.errors import InputError, MissingExtraError, UnknownNameError
from epicene.languages.folder import load
from epicene.languages.language import Language
from epicene.languages.lexicon import Reading
from epicene.sets.winomt.aligner import Aligner
from epicene.tables import table
from epicene.types import Evidence, Gender, Output, Verdict

_VERSION = 1
_MODERN = frozenset({"NPRO", "Surn", "Name", "Patr"})
_ARTICLES = ("the", "a", "an")
_WORD = re.compile(r"\w+|[^\w\s]")
_ELISION = re.compile(r"^(?:l|d|un|dell|all|dall|nell|sull|quell|quest|qu)['’]", re.IGNORECASE)

Rule = Callable[[Output, list[str], list[int], list[str]], Gender]


class WinoMTPaper:
    """The scripts' detector for one target language; it learns its alignment from all outputs at once."""

    learns = True  # its aligner learns from all outputs, so that they cannot be shared out

    def __init__(self, target: str) -> None:
        if target not in _RULES:
            hint = "The scripts read these; --protocol epicene reads more languages."
            raise UnknownNameError("language of protocol 'paper'", target, _RULES, hint)
        self.identity = f"mt_gender-rules{_VERSION}"
        self._rule = _RULES[target](target)

    def detect(self, outputs: Iterable[Output]) -> Iterator[Verdict]:
        """One verdict per output, in order."""
        everything = list(outputs)
        pairs = [(output.item.source.split(), output.text.split()) for output in everything]
        full = [place for place, (_, target) in enumerate(pairs) if target]
        numbers = {place: number for number, place in enumerate(full)}
        aligner = Aligner([pairs[place] for place in full]) if full else None
        for place, output in enumerate(everything):
            source, target = pairs[place]
            links = aligner.best(numbers[place]) if aligner and target else []
            wanted = _entity(output, source)
            words = [word for each in wanted for word, link in enumerate(links) if link == each]
            gender = self._rule(output, target, words, [target[word] for word in words])
            yield Verdict(output, gender, "mt_gender", tuple(_evidence(output.text, target, words)))


def _entity(output: Output, source: list[str]) -> list[int]:
    """Positions of the entity and of the article before it."""
    word = len(output.item.source[: output.item.person.start].split())
    return [word - 1, word] if word and source[word - 1].lower() in _ARTICLES else [word]


def _evidence(text: str, words: list[str], chosen: list[int]) -> Iterator[Evidence]:
    position, spans = 0, []
    for word in words:
        start = text.index(word, position)
        position = start + len(word)
        spans.append((start, position))
    for start, end in sorted(spans[word] for word in chosen):
        yield Evidence(text[start:end], start, end)


def _romance(target: str) -> Rule:
    language = load(target)

    def rule(output: Output, target: list[str], places: list[int], words: list[str]) -> Gender:  # noqa: ARG001
        if not words:
            return Gender.UNKNOWN
        found = [gender for word in words for gender in _word_genders(language, word)]
        return Counter(found).most_common()[0][0] if found else Gender.NEUTRAL

    return rule


@cache
def _readings(language: str) -> dict[str, Gender]:
    """Gender of single words, as a tagger that sees no sentence would give it."""
    found: dict[str, Gender] = {}
    genders = {
        Reading.FEMININE: Gender.FEMININE,
        Reading.FEMININE_UNLESS: Gender.FEMININE,
        Reading.MASCULINE: Gender.MASCULINE,
        Reading.MASCULINE_UNLESS: Gender.MASCULINE,
    }
    lexicon = load(language).lexicon
    for first in dict.fromkeys(form.words[0] for form in lexicon.forms()):
        readings = {genders.get(reading) for form in lexicon.find(first) for reading in form.readings.values()}
        if len(readings) == 1 and (gender := readings.pop()) is not None:
            found[first] = gender
    return found


@cache
def _endings(code: str) -> tuple[tuple[str, Gender], ...]:
    """Endings of nouns outside the lexicon with their gender."""
    fold, rows = load(code).writing.fold, table("sets/winomt/tables", "endings.tsv")
    return tuple(
        (fold(ending), Gender(row["gender"]))
        for row in rows
        if row["language"] == code
        for ending in row["endings"].split()
    )


def _word_genders(language: Language, word: str) -> list[Gender]:
    found: list[Gender] = []
    for part in _WORD.findall(_ELISION.sub("", word)):
        part = language.writing.fold(part)
        cues = [cue.gender for cue in language.cues.get(part, ()) if cue.place == "before" and not cue.lexical]
        gender = cues[0] if cues else _readings(language.code).get(part)
        if gender is None and len(part) > 3:
            gender = next((gender for ending, gender in _endings(language.code) if part.endswith(ending)), None)
        if gender is Gender.FEMININE or gender is Gender.MASCULINE:
            found.append(gender)
    return found


def _german(target: str) -> Rule:  # noqa: ARG001
    determiners = {row["word"]: Gender(row["gender"]) for row in table("sets/winomt/tables", "determiners.de.tsv")}

    def rule(output: Output, target: list[str], places: list[int], words: list[str]) -> Gender:
        if output.item.person.concept == "nurse":
            return Gender.FEMININE
        if not places:
            return Gender.MASCULINE
        if any(part.endswith("in") for word in words for part in _WORD.findall(word)):
            return Gender.FEMININE
        entity = min(places)
        near = [
            (abs(place - entity), determiners[word.strip(".,;:!?").lower()])
            for place, word in enumerate(target)
            if word.strip(".,;:!?").lower() in determiners
        ]
        return min(near, key=lambda each: each[0])[1] if near else Gender.MASCULINE

    return rule


def _slavic(target: str) -> Rule:
    try:
        import pymorphy3
        from pymorphy3.tokenizers import simple_word_tokenize
    except ImportError:
        raise MissingExtraError(f"protocol 'paper' for {target}", "morphology") from None
    try:
        analyser = pymorphy3.MorphAnalyzer(lang=target)
    except ValueError:
        raise InputError(
            f"protocol 'paper' for {target} needs pymorphy3's dictionary of it, under the GPL, so that epicene "
            f"does not install it. Run: pip install pymorphy3-dicts-{target}"
        ) from None

    @cache
    def gender_of(word: str) -> Gender:
        names = {"masc": Gender.MASCULINE, "femn": Gender.FEMININE, "neut": Gender.NEUTRAL}
        found = [names[gender] for parse in analyser.parse(word) if (gender := _gender(parse, target)) in names]
        if not found:
            return Gender.NEUTRAL
        return Gender.FEMININE if Gender.FEMININE in found else Counter(found).most_common()[0][0]

    def rule(output: Output, target: list[str], places: list[int], words: list[str]) -> Gender:  # noqa: ARG001
        found = [gender_of(part) for part in simple_word_tokenize(" ".join(words))]
        return Counter(found).most_common()[0][0] if found else Gender.UNKNOWN

    return rule


def _gender(parse: Any, target: str) -> str:
    """The gender of an analysis; the dictionaries of 2019 had none for Ukrainian pronouns and knew no surnames."""
    modern = target == "uk" and not _MODERN.isdisjoint(parse.tag.grammemes)
    return "" if modern else str(parse.tag.gender)


def _hebrew(target: str) -> Rule:  # noqa: ARG001
    def rule(output: Output, target: list[str], places: list[int], words: list[str]) -> Gender:  # noqa: ARG001
        parts = [part for word in words for part in _WORD.findall(word) if part != "את"]
        feminine = not words or any(part.endswith(("ת", "ה")) for part in parts)
        return Gender.FEMININE if feminine else Gender.MASCULINE

    return rule


def _arabic(target: str) -> Rule:  # noqa: ARG001
    def rule(output: Output, target: list[str], places: list[int], words: list[str]) -> Gender:  # noqa: ARG001
        return Gender.FEMININE if any("ة" in word or "ﺔ" in word for word in words) else Gender.MASCULINE

    return rule


_RULES: dict[str, Callable[[str], Rule]] = {
    "es": _romance,
    "fr": _romance,
    "it": _romance,
    "de": _german,
    "ru": _slavic,
    "uk": _slavic,
    "he": _hebrew,
    "ar": _arabic,
}
