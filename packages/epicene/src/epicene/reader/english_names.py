"""Finds the names of people in an English sentence: by capitals, lists of names, and what stands around them."""

from __future__ import annotations

import gzip
import unicodedata
from functools import cache, partial
from typing import NamedTuple

from epicene.languages.english import CODE, word_lists
from epicene.reader.words import Sentence, Word
from epicene.tables import resource

_words = partial(word_lists, "names")
_LISTED = 0.95  # confidence from which the lexicon has an English word


class _Lists(NamedTuple):
    given: frozenset[str]
    surnames: frozenset[str]
    things: frozenset[str]  # places, organisations, peoples, feasts
    words: frozenset[str]  # names that are also English words


@cache
def _lists() -> _Lists:
    data = resource(f"languages/{CODE}", "names.txt.gz").read_bytes()
    parts = gzip.decompress(data).decode("utf-8").split("\n\n")
    given, surnames, things, words = (frozenset(part.split("\n")) for part in parts)
    return _Lists(given, surnames, things | _words()["organisations"], words)


def plain(name: str) -> str:
    """A name as the lists spell it: in small letters, without accents."""
    letters = unicodedata.normalize("NFKD", name.replace("’", "'"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).lower()


def find_names(sentence: Sentence) -> dict[int, int]:
    """Where names of people begin, and the place after their last word."""
    runs = _runs(sentence)
    names = {}
    for run in runs:
        own = _own(sentence, run)
        if own and _is_name(sentence, own):
            names[own.start] = own.stop
    known = {
        sentence.words[place].lower for start, stop in names.items() if stop - start > 1 for place in (start, stop - 1)
    }
    for run in runs:  # Fletcher, after Kelvin Fletcher
        if len(run) == 1 and sentence.words[run.start].lower in known:
            names[run.start] = run.stop
    return names


def _runs(sentence: Sentence) -> list[range]:
    """Stretches of words with capitals that no punctuation parts."""
    runs: list[range] = []
    place, size = 0, len(sentence.words)
    while place < size:
        last = place
        while last < size and _capital(sentence.words[last]) and (last == place or _joined(sentence, last)):
            last += 1
            particles = last
            while particles < size - 1 and sentence.words[particles].text in _words()["particles"]:
                particles += 1
            if (
                last < particles
                and _capital(sentence.words[particles])
                and all(sentence.between(each, each + 1) == " " for each in range(last - 1, particles))
            ):
                last = particles
        if last > place:
            runs.append(range(place, last))
        place = max(last, place + 1)
    return runs


def _capital(word: Word) -> bool:
    return word.capital and word.lower not in _words()["never"]


def _joined(sentence: Sentence, place: int) -> bool:
    gap = sentence.between(place - 1, place)
    before = sentence.words[place - 1]
    return gap in (" ", "-", "") or (gap == ". " and (len(before.text) == 1 or before.lower in _words()["titles"]))


def _own(sentence: Sentence, run: range) -> range:
    """The part of a run that can be a name: without what a person is or belongs to, and what begins the sentence."""
    words = sentence.words
    for place in run[:-1]:
        title = words[place].lower in _words()["titles"] or not _ordinary(words[place + 1])
        if title and _titled(words[place]) and not (place > run.start and _given(words[place - 1])):
            return range(place, run.stop)
    things = [place for place in run if words[place].lower in _words()["things"] or _acronym(words[place])]
    if things:
        rest = range(things[-1] + 1, run.stop)
        return rest if len(rest) > 1 and _given(words[rest.start]) else range(0)
    if len(run) > 1 and _begins(sentence, run.start) and _ordinary(words[run.start]) and not _given(words[run.start]):
        return range(run.start + 1, run.stop)
    return run


def _titled(word: Word) -> bool:
    """Whether a word stands before names: Mr, President, Coach."""
    return word.lower in _words()["titles"] or (_ordinary(word) and any(show.person for show in word.shows[:1]))


def _is_name(sentence: Sentence, own: range) -> bool:
    """Whether a stretch of words with capitals names a person."""
    words = [sentence.words[place] for place in own]
    before, after = sentence.beside(own.start, -1), sentence.beside(own.stop - 1, 1)
    text = plain(sentence.text[words[0].start : words[-1].end])
    if len(words) > 1 and _titled(words[0]):
        place = text.replace("st. ", "saint ").replace("st ", "saint ") in _lists().things
        return not place and not any(word.lower in _words()["things"] for word in words)
    if before is not None and before.lower in _words()["never_before"]:
        return False
    if len(words) > 1:
        return text not in _lists().things and _full(words)
    word = words[0]
    if _acronym(word) or len(word.text) == 1:
        return False
    given, place = _given(word), text in _lists().things
    if place:
        return given and _speaks(sentence, own)
    if before is not None and before.shows[:1] != () and before.shows[0].person and not before.capital:
        return True  # singer Adele
    possessed = sentence.text[word.end : word.end + 2] in ("'s", "’s")
    if possessed and _capital_after(sentence, own.stop + 1):
        return False  # Addenbrooke's Hospital
    if before is not None and before.lower in _words()["places"] and not (given and possessed):
        return False
    acts = _acts(sentence, own)
    known = given or text in _lists().surnames
    if acts or (given and not _ordinary(word)):
        return known or not _ordinary(word)
    if after is not None and _compound(after) and sentence.between(own.start, own.stop) == " ":
        return False
    return (known or possessed) and not _ordinary(word)


def _full(words: list[Word]) -> bool:
    """Whether several words are a full name."""
    first, last = words[0], words[-1]
    if plain(last.text) in _lists().things and not _given(first):
        return False
    if _given(first) or len(first.text) == 1 or first.text.endswith("."):
        return not _ordinary(last) or _surname(last)
    return not any(_ordinary(word) or plain(word.text) in _lists().things for word in words if word.capital)


def _speaks(sentence: Sentence, own: range) -> bool:
    """Whether a name is the subject or the object of a verb of saying, or followed by who."""
    rest = sentence.text[sentence.words[own.stop - 1].end :]
    around = sentence.beside(own.start, -1), sentence.beside(own.stop - 1, 1)
    return rest.startswith((", who ", ", whose ")) or any(word and word.lower in _words()["speech"] for word in around)


def _acts(sentence: Sentence, own: range) -> bool:
    """Whether what stands around a name is said of people: is, was, would; said, told, asked."""
    if _speaks(sentence, own):
        return True
    after = sentence.beside(own.stop - 1, 1)
    if after is None or sentence.between(own.stop - 1, own.stop) != " ":
        return False
    kinds = {show.pos for show in after.shows}
    return (
        after.lower in _words()["deeds"]
        or kinds == {"verb"}
        or (kinds == {"verb", "adjective"} and after.lower.endswith("ed"))
    )


def _capital_after(sentence: Sentence, place: int) -> bool:
    return place < len(sentence.words) and _capital(sentence.words[place])


def _compound(word: Word) -> bool:
    """Whether a word is a noun, before which a name is none of a person."""
    kinds = {show.pos for show in word.shows}
    return (
        kinds <= {"noun", "adjective"} and "noun" in kinds and not word.capital and word.lower not in _words()["never"]
    )


def is_thing(word: Word) -> bool:
    """Whether a word with a capital is listed as a place, a people, an organisation or a language."""
    return plain(word.text) in _lists().things


def is_organisation(word: Word) -> bool:
    """Whether a word with a capital is listed as a company, a party, a club."""
    return word.lower in _words()["organisations"]


def _given(word: Word) -> bool:
    return plain(word.text) in _lists().given


def _surname(word: Word) -> bool:
    return plain(word.text) in _lists().surnames or _given(word)


def _ordinary(word: Word) -> bool:
    """Whether a word is English also without a capital."""
    name = plain(word.text)
    if any(name in names for names in _lists()[:3]):
        return name in _lists().words
    return bool(word.shows) and word.shows[0].confidence > _LISTED


def _acronym(word: Word) -> bool:
    return len(word.text) > 1 and word.text.isupper()


def _begins(sentence: Sentence, place: int) -> bool:
    """Whether a word's capital may be there because the sentence begins."""
    return sentence.text[: sentence.words[place].start].rstrip()[-1:] in (
        "",
        ".",
        "!",
        "?",
        ":",
        '"',
        "“",
        "‘",
        "'",
        "(",
    )
