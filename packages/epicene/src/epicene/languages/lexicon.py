"""A language's words for people, from its table of occupations; forms are inflected when a word is looked up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from epicene.errors import InputError
from epicene.languages.language import Writing


class Reading(StrEnum):
    """What a form says of the person it names."""

    FEMININE = "feminine"
    MASCULINE = "masculine"
    NEUTRAL = "neutral"  # names no gender, whatever its article: Pflegekraft, persona
    EITHER = "either"  # one form for both: its article, adjective or verb tells
    FEMININE_UNLESS = "feminine?"  # feminine unless a cue says masculine: die Nanny
    MASCULINE_UNLESS = "masculine?"  # masculine unless a cue says feminine: presidente, врач


class Form(NamedTuple):
    """A word or phrase that names people, and what it says of each concept that it can translate."""

    words: tuple[str, ...]
    readings: Mapping[str, Reading]
    ranks: Mapping[str, int]  # by concept: how far from the first, most usual word the form is listed
    capital: bool = False  # listed with a capital, as nouns are where nouns have one


class _Paradigm(NamedTuple):
    cut: int  # letters that a word loses
    endings: tuple[str, ...]  # that it gets
    plain: bool  # all of letters, so that a form is one word


class _Entry(NamedTuple):
    number: int  # in the order of the table
    concept: str
    reading: Reading
    rank: int
    capital: bool
    endings: tuple[str, ...] = ()  # of the first word
    rest: tuple[tuple[str, ...], ...] = ()  # forms of each further word
    words: tuple[str, ...] = ()  # the whole form, where it is listed as it is


_BARE = _Paradigm(0, ("",), True)


class Lexicon:
    """The entries of a table of occupations, found by the first word of any of their forms."""

    def __init__(
        self, rows: Iterable[Mapping[str, str]], paradigms: Mapping[str, str], writing: Writing, where: str
    ) -> None:
        self._writing, self._where = writing, where
        self._paradigms = {name: _read_paradigm(endings, writing) for name, endings in paradigms.items()}
        self._stems: dict[str, list[_Entry]] = {}  # by what the first word of an entry keeps in all its forms
        self._whole: dict[str, list[_Entry]] = {}  # by first word, what is cut in another way than at blanks
        self._found: dict[str, tuple[Form, ...]] = {}
        self._longest = 0  # characters of the first word of a form
        concepts = set()
        number = 0
        for row in rows:
            concepts.add(row["concept"])
            for rank, entry in enumerate(map(str.strip, row["forms"].split(","))):
                number += 1
                head = _Entry(number, row["concept"], Reading(row["gender"]), rank, entry[0].isupper())
                self._add(head, entry)
        self.concepts = frozenset(concepts)

    def find(self, word: str) -> tuple[Form, ...]:
        """The forms that begin with a word, the longest first."""
        if len(word) > self._longest:  # as a broken output may hold, whose every end is asked for
            return ()
        forms = self._found.get(word)
        if forms is None:
            forms = self._found[word] = self._forms(word)
        return forms

    def forms(self) -> Iterator[Form]:
        """Every form, in the order of the table."""
        stems = ((stem, entry) for stem, entries in self._stems.items() for entry in entries)
        whole = (("", entry) for entries in self._whole.values() for entry in entries)
        listed = sorted((*stems, *whole), key=lambda each: each[1].number)
        words = (word for stem, entry in listed for word in entry.words[:1] or [stem + end for end in entry.endings])
        return (form for word in dict.fromkeys(words) for form in self.find(word))

    def _add(self, head: _Entry, entry: str) -> None:
        """Put an entry such as ``ama/s de llaves`` where its first word is looked up."""
        pieces = [self._piece(word) for word in entry.split(" ")]
        forms = [tuple(stem + ending for ending in paradigm.endings) for stem, paradigm in pieces]
        first = tuple(choice[0] for choice in forms)
        plain = all(paradigm.plain for _, paradigm in pieces) and all(word.isalpha() for word in first)
        if (len(forms) == 1 and first[0].isalpha()) or (plain and not self._writing.joins_words):
            stem, paradigm = pieces[0]
            regular = head._replace(endings=paradigm.endings, rest=tuple(forms[1:]))
            self._stems.setdefault(stem, []).append(regular)
            self._longest = max(self._longest, len(stem) + max(map(len, paradigm.endings)))
            return
        for phrase in map(" ".join, product(*forms)):
            words = tuple(map(self._writing.fold, self._writing.word.findall(phrase)))
            if not words:
                raise InputError(f"{self._where}: {entry!r} is no word")
            self._whole.setdefault(words[0], []).append(head._replace(words=words))
            self._longest = max(self._longest, len(words[0]))

    def _piece(self, word: str) -> tuple[str, _Paradigm]:
        """What a word of an entry keeps, and the endings that it gets."""
        stem, slash, name = word.partition("/")
        if slash and name not in self._paradigms:
            known = ", ".join(sorted(self._paradigms))
            raise InputError(f"{self._where}: {word!r} names the paradigm {name!r}; known: {known}")
        paradigm = self._paradigms[name] if slash else _BARE
        stem = self._writing.fold(stem)
        return stem[: len(stem) - paradigm.cut], paradigm

    def _forms(self, word: str) -> tuple[Form, ...]:
        entries = list(self._whole.get(word, ()))
        for cut in range(len(word) + 1):
            if stems := self._stems.get(word[:cut]):
                entries += [entry for entry in stems if word[cut:] in entry.endings]
        forms: dict[tuple[str, ...], Form] = {}
        for entry in sorted(entries, key=lambda entry: entry.number):
            for words in [entry.words] if entry.words else product((word,), *entry.rest):
                forms[words] = _joined(forms.get(words) or Form(words, {}, {}), entry)
        return tuple(sorted(forms.values(), key=lambda form: -len(form.words)))


def _read_paradigm(listed: str, writing: Writing) -> _Paradigm:
    endings = listed.split()
    cut = int(endings.pop(0)[1:]) if endings[0].startswith("<") else 0
    folded = tuple("" if ending == "-" else writing.fold(ending) for ending in endings)
    return _Paradigm(cut, folded, all(ending.isalpha() for ending in folded if ending))


def _joined(form: Form, entry: _Entry) -> Form:
    """A form with one more entry; under two genders of one concept it is one form for both."""
    known = form.readings.get(entry.concept)
    reading = entry.reading if known in (None, entry.reading) else Reading.EITHER
    rank = min(entry.rank, form.ranks.get(entry.concept, entry.rank))
    return Form(
        form.words,
        {**form.readings, entry.concept: reading},
        {**form.ranks, entry.concept: rank},
        form.capital or entry.capital,
    )
