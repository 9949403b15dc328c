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
from typing import Any, NamedTuple

from epicene.errors import InputError, MissingExtraError, UnknownNameError
from epicene.languages.folder import load
from epicene.languages.language import Language
from epicene.languages.lexicon import Reading
from epicene.measures.rates import OPPOSITE
from epicene.sets.winomt.aligner import Aligner
from epicene.tables import table
from epicene.types import Evidence, Gender, Output, Verdict

_VERSION = 1
_MODERN = frozenset({"NPRO", "Surn", "Name", "Patr"})
_ARTICLES = ("the", "a", "an")
_WORD = re.compile(r"\w+|[^\w\s]")
_ELISION = re.compile(r"^(?:l|d|un|dell|all|dall|nell|sull|quell|quest|qu)['’]", re.IGNORECASE)


class _Case(NamedTuple):
    """What a rule looks at: the entity in English, the words of a translation, and where the entity stands in them."""

    concept: str
    words: list[str]
    places: list[int]

    @property
    def entity(self) -> list[str]:
        """The words for the entity."""
        return [self.words[place] for place in self.places]


Rule = Callable[[_Case], Gender]


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
        for number, output in enumerate(everything):
            source, target = pairs[number]
            links = aligner.best(numbers[number]) if aligner and target else []
            entity = _entity(output, source)
            places = [place for word in entity for place, link in enumerate(links) if link == word]
            gender = self._rule(_Case(output.item.person.concept, target, places))
            yield Verdict(output, gender, "mt_gender", tuple(_evidence(output.text, target, places)))


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

    def rule(case: _Case) -> Gender:
        if not case.places:
            return Gender.UNKNOWN
        return _majority([gender for word in case.entity for gender in _word_genders(language, word)], Gender.NEUTRAL)

    return rule


def _majority(genders: list[Gender], otherwise: Gender) -> Gender:
    return Counter(genders).most_common()[0][0] if genders else otherwise


@cache
def _readings(language: str) -> dict[str, Gender]:
    """Gender of single words, as a tagger that sees no sentence would give it."""
    by_word: dict[str, Gender] = {}
    genders = {reading: gender for reading in Reading for gender in OPPOSITE if reading.rstrip("?") == gender}
    lexicon = load(language).lexicon
    for first in dict.fromkeys(form.words[0] for form in lexicon.forms()):
        readings = {genders.get(reading) for form in lexicon.find(first) for reading in form.readings.values()}
        if len(readings) == 1 and (gender := readings.pop()) is not None:
            by_word[first] = gender
    return by_word


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
    genders: list[Gender] = []
    for part in _WORD.findall(_ELISION.sub("", word)):
        part = language.writing.fold(part)
        cues = [cue.gender for cue in language.cues.get(part, ()) if cue.place == "before" and not cue.lexical]
        gender = cues[0] if cues else _readings(language.code).get(part)
        if gender is None and len(part) > 3:
            gender = next((gender for ending, gender in _endings(language.code) if part.endswith(ending)), None)
        if gender is Gender.FEMININE or gender is Gender.MASCULINE:
            genders.append(gender)
    return genders


def _german(case: _Case) -> Gender:
    if case.concept == "nurse":
        return Gender.FEMININE
    if not case.places:
        return Gender.MASCULINE
    if any(part.endswith("in") for word in case.entity for part in _WORD.findall(word)):
        return Gender.FEMININE
    determiners = {row["word"]: Gender(row["gender"]) for row in table("sets/winomt/tables", "determiners.de.tsv")}
    words = [word.strip(".,;:!?").lower() for word in case.words]
    near = [
        (abs(place - min(case.places)), determiners[word]) for place, word in enumerate(words) if word in determiners
    ]
    return min(near, key=lambda distance: distance[0])[1] if near else Gender.MASCULINE


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
        genders = [names[gender] for parse in analyser.parse(word) if (gender := _gender(parse, target)) in names]
        return Gender.FEMININE if Gender.FEMININE in genders else _majority(genders, Gender.NEUTRAL)

    return lambda case: _majority(
        [gender_of(part) for part in simple_word_tokenize(" ".join(case.entity))], Gender.UNKNOWN
    )


def _gender(parse: Any, target: str) -> str:
    """The gender of an analysis; the dictionaries of 2019 had none for Ukrainian pronouns and knew no surnames."""
    modern = target == "uk" and not _MODERN.isdisjoint(parse.tag.grammemes)
    return "" if modern else str(parse.tag.gender)


def _hebrew(case: _Case) -> Gender:
    parts = [part for word in case.entity for part in _WORD.findall(word) if part != "את"]
    feminine = not case.entity or any(part.endswith(("ת", "ה")) for part in parts)
    return Gender.FEMININE if feminine else Gender.MASCULINE


def _arabic(case: _Case) -> Gender:
    return Gender.FEMININE if any("ة" in word or "ﺔ" in word for word in case.entity) else Gender.MASCULINE


_RULES: dict[str, Callable[[str], Rule]] = {
    **dict.fromkeys(("es", "fr", "it"), _romance),
    "de": lambda _: _german,
    **dict.fromkeys(("ru", "uk"), _slavic),
    "he": lambda _: _hebrew,
    "ar": lambda _: _arabic,
}
