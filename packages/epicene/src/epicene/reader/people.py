"""Finds the people of an English sentence: nouns, pronouns and probable names."""

from __future__ import annotations

import gzip
import re
from functools import cache, lru_cache, partial

from epicene.errors import InputError
from epicene.languages.english import CODE, concept, word_lists
from epicene.reader.align import base
from epicene.reader.english_names import find_names, is_organisation, is_thing
from epicene.reader.forms import Show, forms
from epicene.reader.words import Sentence, Word, cut
from epicene.tables import resource
from epicene.types import Kind, Person

_words = partial(word_lists, "mentions")
_FORMER = "ex"  # before a hyphen no person besides the one behind it
_VERY_SURE = 0.9
_MONEY = frozenset("$€£¥")
_SURE = 0.6  # least confidence in an unlisted word that its ending takes for a person's
_COMPARED = re.compile(r"(?P<stem>\w\w+?)(?P<last>\w)(?P=last)?(?:er|est)")


@cache
def _person_words() -> tuple[frozenset[str], frozenset[str]]:
    data = resource(f"languages/{CODE}", "people.txt.gz").read_bytes()
    first, _, other = gzip.decompress(data).decode("utf-8").partition("\n\n")
    return frozenset(first.split("\n")), frozenset(other.split("\n"))


def names_person(word: str) -> bool:
    """Whether a noun means a person first of all."""
    return base(word) in _person_words()[0]


@lru_cache(maxsize=1 << 14)
def may_name_person(word: str) -> bool:
    """Whether a noun can mean a person."""
    return any(base(word) in words for words in _person_words())


@lru_cache(4096)  # a set asks of each sentence several times, and a training loop of the same ones again
def people(source: str) -> tuple[Person, ...]:
    """The people of an English sentence, in order."""
    sentence = cut(source, forms(CODE).shows)
    names = find_names(sentence)
    found: list[Person] = []
    place = 0
    while place < len(sentence.words):
        person, place = _person(sentence, place, names)
        if person is not None:
            found.append(person)
    return tuple(found)


def person_at(source: str, words: str, start: int | None = None) -> Person:
    """The person whom words of a sentence name, at an offset or where they stand first."""
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", source)] if words else []
    if not places or start not in (None, *places):
        where = f" at {start}" if places and start is not None else ""
        raise InputError(f"{words!r} does not stand in the source{where}: {source!r}")
    begin = places[0] if start is None else start
    known = next((each for each in people(source) if each.start <= begin < each.end), None)
    if known is not None and known.text == words:
        return known
    kind = Kind.PRONOUN if words.lower() in _words()["pronouns"] else known.kind if known else Kind.NOUN
    return _named(words, begin, kind, known.plural if known else False)


def others_than(person: Person, source: str) -> tuple[Person, ...]:
    """The other people of an English sentence whom nouns name."""
    found = (each for each in people(source) if each.kind is Kind.NOUN)
    return tuple(each for each in found if each.end <= person.start or person.end <= each.start)


def _named(text: str, start: int, kind: Kind, plural: bool) -> Person:
    name, several = concept(text) if kind is Kind.NOUN else (text.lower(), plural)
    return Person(text, start, name, plural or several, kind)


def _person(sentence: Sentence, place: int, names: dict[int, int]) -> tuple[Person | None, int]:
    """The person who begins at a word, if any, and the word to go on with."""
    words = _words()
    word = sentence.words[place]
    if word.lower in words["pronouns"]:
        return _named(word.text, word.start, Kind.PRONOUN, word.lower in words["plural_pronouns"]), place + 1
    if word.lower in words["indefinites"] or (word.lower in words["standing"] and _stands(sentence, place)):
        return _named(word.text, word.start, Kind.NOUN, word.lower not in words["single"]), place + 1
    if last := names.get(place):
        text = sentence.text[word.start : sentence.words[last - 1].end]
        return _named(text, word.start, Kind.NAME, False), last
    if _noun(sentence, place):
        first = _phrase(sentence, place)
        begin = sentence.words[first].start
        plural = any(show.pos == "noun" and show.number == "plural" for show in word.shows)
        return _named(sentence.text[begin : word.end], begin, Kind.NOUN, plural), place + 1
    return None, place + 1


def _thing(word: Word) -> bool:
    """Whether a word is a noun that names no person."""
    nouns = [show for show in word.shows if show.pos == "noun"]
    if word.capital or word.shows[:1] == () or word.lower in _words()["function_words"] | _words()["pronouns"]:
        return False
    return bool(nouns) and all(show.person is False for show in nouns) and nouns[0].confidence > _SURE


def _capital_at(sentence: Sentence, place: int) -> bool:
    return place < len(sentence.words) and sentence.words[place].capital


def _describes(sentence: Sentence, place: int) -> bool:
    """Whether a word says what sort of thing the next is: heavy rain, the Canadian Press, folk music, peer-reviewed."""
    word, after = sentence.words[place], sentence.beside(place, 1)
    gap = sentence.between(place, place + 1) if after else ""
    if after is not None and word.capital and gap.strip() in _MONEY:
        return True
    if after is None or gap not in (" ", "-") or word.lower.endswith("s"):
        return False
    if gap == "-":
        person = names_person(after.lower) or after.capital or after.lower in _words()["joined"]
        return not person or word.lower == _FORMER
    if word.capital:
        return after.capital or _thing(after)
    return any(show.pos == "adjective" for show in word.shows) and _thing(after)


def _stands(sentence: Sentence, place: int) -> bool:
    """Whether a word such as ``those`` or ``few`` stands for people by itself, no noun following."""
    after, before = sentence.beside(place, 1), sentence.beside(place, -1)
    word = sentence.words[place].lower
    if after is not None and after.lower == "of":
        whose = sentence.beside(place, 2)
        return whose is not None and (whose.lower in ("us", "you", "them") or _people_in(sentence, place + 2))
    if before is not None and before.lower in ("at", "in", "by", "for", "on"):
        return False
    if word == "all" and before is not None and before.lower in ("above", "after", "of"):
        return False
    if word == "one" and before is not None and before.lower in ("any", "every", "no", "each", "the"):
        return after is None or not _thing(after) or _may_act(sentence, place)  # not at any one time
    if word in ("those", "others") and after is not None and not _begins_noun(sentence, place + 1):
        return True
    if word == "few" and before is not None and before.lower == "a" and after is not None:
        return not after.lower.endswith("s") and any(show.pos == "verb" for show in after.shows)
    if word in _words()["quantifiers"]:
        if after is None:
            return word not in ("one", "each")  # a European one, $14 each
        return after.lower in ("who", "whom", "whose") or _verb(after)
    return after is not None and after.lower in ("who", "whose")


def _people_in(sentence: Sentence, first: int) -> bool:
    """Whether one of three words is a noun for people, and no adjective: the guests, not his favourite places."""
    return any(
        _human(word.shows)
        and word.lower not in _words()["pronouns"]
        and all(show.pos != "adjective" for show in word.shows)
        and not (place + 1 < len(sentence.words) and _thing(sentence.words[place + 1]))
        for place, word in enumerate(sentence.words[first : first + 3], first)
    )


def _begins_noun(sentence: Sentence, place: int) -> bool:
    """Whether a word is a noun, or an adjective before one: those reports, those clever people."""
    word, after = sentence.words[place], sentence.beside(place, 1)
    if word.lower == "that":
        return True  # of people, who
    small = _words()["auxiliaries"] | _words()["function_words"] | _words()["pronouns"]
    if word.lower in small:
        return False
    after = None if after is None or after.lower in small else after
    kinds, next_kinds = ({show.pos for show in each.shows} if each else set() for each in (word, after))
    return (
        kinds == {"noun"}
        or ("noun" in kinds and word.lower.endswith("s"))
        or ("adjective" in kinds and "noun" in next_kinds)
    )


def _verb(word: Word) -> bool:
    return word.lower in _words()["auxiliaries"] or (
        bool(word.shows) and all(show.pos == "verb" for show in word.shows)
    )


def _human(shows: tuple[Show, ...]) -> bool | None:
    """Whether a word names a person: first of all, among others (None), or never."""
    nouns = [show for show in shows if show.pos == "noun"]
    if not nouns:
        return False
    if any(show.person for show in nouns):
        return True
    return None if any(show.person is None for show in nouns) else False


def _noun(sentence: Sentence, place: int) -> bool:
    """Whether a word is a noun that names a person here."""
    words, word = _words(), sentence.words[place]
    before, after = sentence.beside(place, -1), sentence.beside(place, 1)
    previous = before.lower if before else ""
    if word.lower in words["nouns"]:
        return True
    if (
        word.lower in words["function_words"] | words["no_people"]
        or word.text[0].isdigit()
        or _describes(sentence, place)
    ):
        return False
    if len(word.text) > 1 and word.text.isupper() and not sentence.text.isupper():
        return False
    determined = _determined(sentence, place)
    if word.capital and place and is_thing(word) and (not determined or is_organisation(word)):
        return False  # in Czech, from Kansas
    if word.capital and after is not None and after.lower == "'s" and _capital_at(sentence, place + 2):
        return False  # Children's Hospital
    if word.lower in words["kinds"]:
        of_things = after is not None and after.lower == "of" and not _people_in(sentence, place + 2)
        return previous in words["determiners"] and _ends_noun(after) and not of_things
    if _compared(word.lower):
        return False
    if (
        word.capital
        and place
        and word.lower.endswith(tuple(words["nations"]))
        and (previous == "the" or word.lower.endswith("s"))
    ):
        return True
    human = _human(word.shows)
    if human is False or (word.shows[0].confidence < _SURE and not names_person(word.lower)):
        return False
    other = any(show.pos in ("verb", "adjective") for show in word.shows)
    if any(show.pos == "adjective" for show in word.shows) and not word.lower.endswith("s") and not determined:
        return False  # so desperate
    if other and (previous in words["before_verbs"] or _takes_object(before, after)):
        return False
    if other and after is not None and _human(after.shows) is not False and sentence.between(place, place + 1) == " ":
        return False  # a catholic friend
    if human is None and previous not in words["determiners"] and not (before and _modifier(before)):
        return False
    if after is None or sentence.between(place, place + 1) != " " or word.lower.endswith("s"):
        return True
    return not _thing(after) or _may_act(sentence, place)  # not student council


def _may_act(sentence: Sentence, place: int) -> bool:
    """Whether the word behind a noun may be its verb: the boy runs, let the boy run, not customer service."""
    word, after = sentence.words[place], sentence.words[place + 1]
    if all(show.pos != "verb" for show in after.shows):
        return False
    if after.lower.endswith(("s", "ed", "ing")) or after.lower in word_lists("names")["deeds"]:
        return True
    before = {each.lower for each in sentence.words[max(0, place - 2) : place]}
    plural = any(show.number == "plural" for show in word.shows)
    return plural or not before.isdisjoint(_words()["before_bare_verbs"])


@lru_cache(4096)
def _compared(word: str) -> bool:
    """Whether a word compares an adjective, and names no person besides as foreigner does: longer, prettiest."""
    found, shows = _COMPARED.fullmatch(word), forms(CODE).shows(word)
    if found is None or names_person(word) or any(show.person and show.confidence > _VERY_SURE for show in shows):
        return False
    stem, last = found["stem"], found["last"]
    plain = (f"{stem}{last}", f"{stem}{last}{last}", f"{stem}{last}e", *((f"{stem}y",) if last == "i" else ()))
    positive = (show for each in plain for show in forms(CODE).shows(each))
    return any(show.pos == "adjective" and show.confidence > _VERY_SURE for show in positive)


def _determined(sentence: Sentence, place: int) -> bool:
    """Whether a determiner or an owner stands before a word, or before the adjectives and nouns before it."""
    before = sentence.beside(place, -1)
    while before is not None and before.lower not in _words()["determiners"] | {"'s"} and _modifier(before):
        place -= 1
        before = sentence.beside(place, -1)
    if before is None or before.lower != "'s":
        return before is not None and before.lower in _words()["determiners"]
    owner = sentence.beside(place, -2)
    return owner is None or owner.lower not in _words()["function_words"]  # not it's super


def _takes_object(before: Word | None, after: Word | None) -> bool:
    """Whether a word is a verb by what stands around it: they guide the."""
    words = _words()["determiners"]
    if before is not None and (before.lower in words or any(show.pos == "adjective" for show in before.shows)):
        return False
    return after is not None and after.lower in words


def _ends_noun(after: Word | None) -> bool:
    """Whether a group of words for a person can end before a word."""
    return after is None or _verb(after) or after.lower in _words()["after_nouns"]


def _modifier(word: Word) -> bool:
    """Whether a word can stand between a determiner and a noun."""
    return word.lower not in _words()["function_words"] and any(
        show.pos in ("adjective", "noun") for show in word.shows
    )


def _phrase(sentence: Sentence, place: int) -> int:
    """Where the name of an occupation of two words begins: truck driver."""
    if place == 0 or sentence.between(place - 1, place) not in (" ", "-"):
        return place
    pair = f"{sentence.words[place - 1].lower} {sentence.words[place].lower}"
    return place - 1 if names_person(pair) else place
