"""What a word can be to a reader who asks whom a sentence means: a language's table of pronouns, verbs and endings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from epicene.languages.folder import find_table, load
from epicene.languages.language import Language, Lists
from epicene.reader.forms import Show, forms_of
from epicene.types import Gender

PERSONS = ("1s", "2s", "3s", "1p", "2p", "3p")
GENDERS = (Gender.FEMININE, Gender.MASCULINE)
_NOBODY: frozenset[str] = frozenset()
_LISTS = (
    "bare", "have", "prepositions", "skipped", "opens", "relative", "joins", "plain", "no_past", "no_predicate",
    "doubtful", "own", "impersonal", "indirect", "partial", "as", "dative", "neuter", "passive", "common", "hard",
    "demonstratives",
)  # fmt: skip
_LISTED = 0.9  # confidence from which the table of forms lists a word
_WHOLE = 0.98  # confidence in a word that the table lists as it stands
_VERBAL = frozenset(("verb", "participle"))
_SURE = 0.5  # confidence from which the table of forms overrules endings

Persons = frozenset[str]
Shows = Callable[[str], tuple[Show, ...]]
_STEM = 1  # letters that have to stand before an ending


class Agreement(NamedTuple):
    """A gender that a form shows, with the number and the persons it can agree with."""

    gender: Gender
    number: str  # "s", "p", or "" for either
    persons: Persons = _NOBODY  # empty where the form does not say


@dataclass(frozen=True, slots=True)
class Entry:
    """All that a table says about a word."""

    subject: Persons = _NOBODY  # a pronoun that is the subject, or stands for the person after a preposition
    object: Persons = _NOBODY
    possessive: Persons = _NOBODY
    name: Gender | None = None  # of a noun that names a speaker: hombre, mujer
    only: Persons = _NOBODY  # the persons of whom it shows a gender, all where empty
    shown: Gender | None = None  # of a pronoun that shows a gender by itself
    unlisted: bool = False  # the table of forms lists no noun or adjective of this form: a verb, where one can stand
    unsure: bool = False  # a masculine pronoun that means things as well
    copula: Persons = _NOBODY  # a finite verb that takes a predicate, or an auxiliary
    reflexive: bool = False  # takes a predicate only with a reflexive pronoun: me siento
    finite: Persons = _NOBODY  # any other finite verb
    bare: bool = False  # infinitive, gerund or participle of a verb that takes a predicate
    makes: bool = False  # a verb whose object has a predicate: made me happy
    have: bool = False  # an auxiliary whose participle agrees with the object before it
    past: tuple[Agreement, ...] = ()
    predicate: tuple[Agreement, ...] = ()
    oblique: tuple[Agreement, ...] = ()  # a predicate in the instrumental
    floating: tuple[Agreement, ...] = ()  # all, both, alone, self
    role: tuple[Agreement, ...] = ()  # a noun in the case of a role, behind as
    listener: tuple[Agreement, ...] = ()  # in the case of the one who is spoken to
    article: Agreement | None = None
    preposition: bool = False
    skipped: bool = False  # may stand between a verb and its predicate
    opens: bool = False  # begins a clause
    relative: bool = False  # begins a clause about somebody else
    joins: bool = False  # and, or, but
    doubtful: bool = False  # a copula only where the piece has no other: Slovak si
    own: bool = False  # a possessive that means the subject: свой
    impersonal: bool = False  # after it, il means nobody
    dative: bool = False  # a pronoun before a verb whose subject is something else: le fu conferito il titolo
    passive: bool = False  # a participle behind which a verb agrees with what is done: किया गया
    neuter: bool = False  # said of a thing where nobody is named: es necesario
    as_: bool = False  # as, in the role of
    becomes: bool = False  # the word behind it is no more than as: convertirse en, en tant que
    partial: bool = False  # some: of somebody only before "of"
    one: Agreement | None = None  # one of several, before "of": una de las mejores, jedna z nich
    fixed: bool = False  # a noun whose gender says nothing of the person: persona, Mitglied
    indirect: bool = False  # a participle whose object is something said or given: m'a dit
    demonstrative: bool = False  # a pronoun that also stands before an article: αυτή τη ζωή
    clitic: bool = False  # a pronoun written together with its verb
    adjective: tuple[Agreement, ...] = ()  # nothing but an adjective or a participle
    person: Agreement | None = None  # a noun that names a person and shows a gender
    thing: frozenset[Gender | None] = frozenset()  # the genders of a noun that names no person
    epicene: bool = False  # a noun with one form for women and men, whose article tells: una artista
    plain: bool = False  # shows nothing whatever its ending: words of fixed gender, epicene words


@dataclass(frozen=True)
class Grammar:
    """A language's table, asked word by word."""

    ergative: Lists  # words by which verbs are told that agree with he and she, and not with an object
    entry: Callable[[str], Entry]
    zero_copula: bool  # я рада: the predicate follows the pronoun
    fronted: bool  # unavená jsem: the predicate may stand before its verb
    capitals: bool  # nouns are written with capitals
    nouns: bool  # verbs agree with nouns too, and nothing but their gender tells who these are
    drops: bool  # a pronoun can be left out, so that its verb renders it
    polite: Mapping[str, Persons]  # persons that also stand for the listener: usted está
    indefinite: frozenset[str]  # someone
    votes: Mapping[str, float]  # how much forms say of she, where any of them may mean a thing


@dataclass(frozen=True, slots=True)
class Endings:
    """Words and endings with what they mean; a whole word beats an ending, a longer ending a shorter one."""

    words: Mapping[str, tuple[Any, ...]]
    tails: Mapping[str, tuple[Any, ...]]
    heads: Mapping[str, tuple[Any, ...]]
    longest: int

    def of(self, word: str) -> tuple[Any, ...]:
        """What a word means, nothing where no ending fits."""
        if word in self.words:
            return self.words[word]
        for size in range(min(self.longest, len(word) - _STEM), 0, -1):
            found = self.tails.get(word[-size:])
            if found is not None:
                return found
        for head, meaning in self.heads.items():
            if word.startswith(head) and len(word) > len(head) + _STEM:
                return meaning
        return ()


def endings(rows: Iterable[tuple[str, Any]]) -> Endings:
    """Endings from pairs of a spelling and its meaning: "-ла" is an ending, "ي-" a beginning, "была" a word."""
    words: dict[str, tuple[Any, ...]] = {}
    tails: dict[str, tuple[Any, ...]] = {}
    heads: dict[str, tuple[Any, ...]] = {}
    for spelling, meaning in rows:
        table = tails if spelling.startswith("-") else heads if spelling.endswith("-") else words
        key = spelling.strip("-") if table is not words else spelling
        table[key] = (*table.get(key, ()), meaning)
    return Endings(words, tails, heads, max(map(len, tails), default=0))


class WordList:
    """Words and endings: "muy", "-mente"; "!lista" and "!-kyně" are none of them, whatever ending fits."""

    def __init__(self, text: str) -> None:
        kept = [word for word in text.split() if not word.startswith("!")]
        left = [word[1:] for word in text.split() if word.startswith("!")]
        self.words = frozenset(word for word in kept if not word.startswith("-"))
        self.tails = tuple(word[1:] for word in kept if word.startswith("-"))
        self.left = frozenset(word for word in left if not word.startswith("-"))
        self.left_tails = tuple(word[1:] for word in left if word.startswith("-"))

    def __contains__(self, word: str) -> bool:
        if word in self.words:
            return True
        return word.endswith(self.tails) and word not in self.left and not word.endswith(self.left_tails)


def _spread(table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(word, key) of a table whose values are words in one string."""
    return [(word, key) for key, words in table.items() for word in words.split()]


def _persons(table: Mapping[str, Any]) -> dict[str, Persons]:
    """By word, the persons it can be; a key may name several: "1s 3s"."""
    found: dict[str, Persons] = {}
    for word, key in _spread(table):
        found[word] = found.get(word, _NOBODY) | frozenset(key.split())
    return found


def _agreements(table: Mapping[str, Any]) -> Endings:
    """feminine = {s = "…", 1s = "…"}: the key says number or person."""
    rows = [
        (spelling, Agreement(gender, key[-1], frozenset((key,)) if key in PERSONS else _NOBODY))
        for gender in GENDERS
        for spelling, key in _spread(table.get(gender.value, {}))
    ]
    return endings(rows)


def _thing(show: Show) -> bool:
    """A noun that surely names no person."""
    return show.pos == "noun" and show.person is False and show.confidence > 0.75


def _epicene(show: Show) -> bool:
    """A noun that names a person, with one form for women and men."""
    return show.pos == "noun" and bool(show.person) and show.gender is None and not show.fixed


def _agreeing(shows: Iterable[Show]) -> tuple[Agreement, ...]:
    found = (Agreement(show.gender, show.number[:1]) for show in shows if show.gender in GENDERS)
    return tuple(dict.fromkeys(found))


def _codes(keys: Iterable[str]) -> Persons:
    return frozenset(code for key in keys for code in key.split())


class _Table:
    """A language's table, ready to be asked for words."""

    def __init__(self, table: Mapping[str, Any], shows: Shows | None, fixed: Callable[[str], bool]) -> None:
        self.shows, self.fixed = shows, fixed
        self.forms = table.get("forms")
        self.verbs_listed = table.get("verbs_listed", True)
        self.by_forms = shows is not None and self.forms not in (None, "people")
        self.subject, self.object, self.possessive, self.copula = (
            _persons(table.get(name, {})) for name in ("subject", "object", "possessive", "copula")
        )
        self.finite = endings(_spread(table.get("finite", {})))
        self.conjugation = {word.removeprefix("-"): who for word, who in _persons(table.get("conjugation", {})).items()}
        self.past, self.predicate, self.oblique, self.floating, self.clitic, self.listener, self.role = (
            _agreements(table.get(name, {}))
            for name in ("past", "predicate", "oblique", "floating", "clitic", "listener", "role")
        )
        self.article, self.one = (
            {word: found[0] for word, found in _agreements(table.get(name, {})).words.items()}
            for name in ("article", "one")
        )
        shown = table.get("shown", {})
        self.shown = {word: gender for gender in GENDERS for word in shown.get(gender.value, "").split()}
        self.unsure = frozenset(shown.get("doubtful", "").split())
        self.shown |= dict.fromkeys(self.unsure, Gender.MASCULINE)
        self.only = frozenset(shown.get("persons", "").split())
        names = table.get("names", {})
        self.names = {word: gender for gender in GENDERS for word in names.get(gender.value, "").split()}
        words = table.get("words", {})
        self.lists = {name: WordList(words.get(name, "")) for name in _LISTS}
        self.starts = {name: tuple(words.get(name, "").split()) for name in ("makes", "prefixes", "becomes")}
        self.stems = dict.fromkeys(words.get("stems", "").split(), False)
        self.stems |= dict.fromkeys(words.get("reflexive", "").split(), True)

    def entry(self, word: str) -> Entry:
        """All that the table says about a word."""
        known, lists = self._unprefixed(word), self.lists
        conjugated, reflexive = self._conjugated(word)
        bare = known in lists["bare"]
        quiet = self._function(word) or word in lists["plain"]
        clitic = () if word in lists["plain"] or self._function(word) else self.clitic.of(word)
        predicate, plain = self._predicate(word, quiet)
        return Entry(
            subject=self.subject.get(word, _NOBODY),
            object=frozenset((f"3{clitic[0].number}",)) if clitic else self.object.get(word, _NOBODY),
            possessive=self.possessive.get(word, _NOBODY),
            name=self.names.get(word),
            only=self.only,
            unsure=word in self.unsure,
            unlisted=not quiet and self._unlisted(word),
            shown=clitic[0].gender if clitic else self.shown.get(word),
            copula=self.copula.get(known) or conjugated,
            reflexive=reflexive and known not in self.copula,
            finite=_NOBODY if quiet or not (ends := self.finite.of(word)) or self._noun(word) else _codes(ends),
            bare=bare,
            makes=word.startswith(self.starts["makes"]),
            have=word in lists["have"],
            past=() if quiet or word in lists["no_past"] or self._no_verb(word) else self.past.of(word),
            predicate=predicate,
            oblique=self._oblique(word, quiet),
            floating=self.floating.of(word),
            role=() if quiet else self.role.of(word) or self._role(word),
            listener=() if quiet else self.listener.of(word),
            article=self.article.get(word),
            preposition=word in lists["prepositions"],
            skipped=word in lists["skipped"],
            opens=word in lists["opens"] or word in lists["relative"],
            relative=word in lists["relative"],
            joins=word in lists["joins"],
            plain=plain,
            adjective=self._adjective(word, quiet),
            person=None if quiet else self._person(word),
            epicene=plain and bool(self._said(word)) and all(_epicene(show) for show in self._said(word)),
            thing=self._thing(word, plain),
            doubtful=word in lists["doubtful"],
            own=word in lists["own"],
            impersonal=word in lists["impersonal"],
            clitic=bool(clitic),
            indirect=word in lists["indirect"],
            partial=word in lists["partial"],
            one=self.one.get(word),
            fixed=self.fixed(word.lower()),
            as_=word in lists["as"],
            becomes=word.startswith(self.starts["becomes"]),
            demonstrative=word in lists["demonstratives"],
            neuter=word in lists["neuter"],
            passive=word in lists["passive"],
            dative=word in lists["dative"],
        )

    def _conjugated(self, word: str) -> tuple[Persons, bool]:
        """The persons of a form of a verb that takes a predicate, and whether only its reflexive does."""
        for cut in range(len(word) - 1, 1, -1):
            if word[:cut] in self.stems and word[cut:] in self.conjugation:
                return self.conjugation[word[cut:]], self.stems[word[:cut]]
        return _NOBODY, False

    def _predicate(self, word: str, quiet: bool) -> tuple[tuple[Agreement, ...], bool]:
        """What a word agrees with as a predicate, and whether it shows nothing: epicene, fixed, or a thing."""
        if word in self.lists["prepositions"]:
            return self.predicate.words.get(word, ()), False  # soy bajo
        if quiet or word in self.lists["no_predicate"]:
            return (), word in self.lists["plain"]
        if not self.by_forms or word in self.predicate.words:
            if word not in self.predicate.words and self._impersonal(word):
                return (), False
            return self.predicate.of(word) or self._named(word), False
        shows = self._said(word)
        if not shows:
            return self.predicate.of(word), False
        if word in self.lists["common"] and all(show.pos != "noun" for show in shows):
            return (), True
        if any(show.gender not in GENDERS or show.fixed or _thing(show) for show in shows):
            return (), True
        shaped = {agreement.gender for agreement in self.predicate.of(word)}
        told = [show for show in shows if show.pos != "noun" or show.gender in shaped or show.counterpart]
        return _agreeing(told), not told  # común: a noun in the table, but one form for both

    def _oblique(self, word: str, quiet: bool) -> tuple[Agreement, ...]:
        """What a predicate in the instrumental agrees with; a thing is nobody's."""
        found = () if quiet or word in self.lists["no_predicate"] else self.oblique.of(word)
        return () if found and self._impersonal(word) else found

    def _named(self, word: str) -> tuple[Agreement, ...]:
        """What forms say where no ending does: a noun for a person (slaboch), a mere plural (horliví)."""
        if self.shows is None or self.forms is None:
            return ()
        shows = tuple(show for show in self.shows(word) if show.confidence > _SURE)
        adjectives = [show for show in shows if show.pos == "adjective"]
        if adjectives and word in self.lists["hard"]:
            plural = all(show.number == "plural" and show.gender is not Gender.FEMININE for show in adjectives)
            return (Agreement(Gender.MASCULINE, "p"),) if plural else ()
        if adjectives and all(show.case == "nominative" and show.confidence > _WHOLE for show in shows):
            return _agreeing(adjectives)  # velká: beside verbs in -á only a listed adjective counts
        person = all(show.pos == "noun" and show.person and not show.fixed for show in shows)
        sure = all(show.case == "nominative" and show.confidence > _LISTED for show in shows)
        return _agreeing(shows) if person and sure else ()

    def _noun(self, word: str) -> bool:
        """Whether the table of forms lists nothing but nouns for a word: Polish rozmowę ends like a verb."""
        known = self.by_forms or self.shows is None or self._function(word) or word in self.finite.words
        shows = () if known or self.shows is None else self.shows(word)
        return bool(shows) and all(show.pos == "noun" and show.confidence > _WHOLE for show in shows)

    def _no_verb(self, word: str) -> bool:
        """Whether the table of forms has a word as it stands and no verb: Ukrainian законів ends like a past tense."""
        known = self.shows is None or not self.verbs_listed or word in self.past.words
        shows = () if known or self.shows is None else self.shows(word)
        return bool(shows) and all(show.pos not in _VERBAL and show.confidence > _WHOLE for show in shows)

    def _impersonal(self, word: str) -> bool:
        """Whether all the nouns that a word can be, and it can be nothing else, name no person."""
        return self._noun(word) and self.shows is not None and not any(show.person for show in self.shows(word))

    def _thing(self, word: str, plain: bool) -> frozenset[Gender | None]:
        """The genders of a word that is surely a noun that names no person."""
        if self.by_forms:
            shows = self._said(word) if plain else []
            sure = all(_thing(show) for show in shows)
        else:
            shows = list(self.shows(word)) if self.shows is not None and self._impersonal(word) else []
            sure = all(show.person is False for show in shows) and any(show.case == "nominative" for show in shows)
        return frozenset(show.gender for show in shows) if sure else frozenset()

    def _unlisted(self, word: str) -> bool:
        """Whether the table of forms does not list a word."""
        if not self.by_forms or self.shows is None:
            return False
        return all(show.confidence < _LISTED for show in self.shows(word))

    def _said(self, word: str) -> list[Show]:
        """What the table of forms says of a word as a predicate, where it is sure: adjectives before nouns."""
        shows = (
            []
            if self.shows is None or not self.by_forms
            else [show for show in self.shows(word) if show.confidence > _SURE]
        )
        said = [show for show in shows if show.pos in ("adjective", "participle") and self.forms != "nouns"]
        return said or [show for show in shows if show.pos == "noun"]

    def _person(self, word: str) -> Agreement | None:
        """The gender of a noun that surely names a person."""
        if word in self.names:
            return Agreement(self.names[word], "s")
        shows = () if self.shows is None or self.forms is None else self.shows(word)
        nouns = [show for show in shows if show.pos == "noun" and show.confidence > _SURE + 0.1]
        verb = word in self.copula or word in self.lists["have"] or self.finite.of(word)
        if verb or any(show.pos == "participle" for show in shows):
            return None
        if not nouns or any(show.person is not True or show.fixed or show.gender not in GENDERS for show in nouns):
            return None
        found = _agreeing(nouns)
        return found[0] if len(found) == 1 else None

    def _role(self, word: str) -> tuple[Agreement, ...]:
        """The gender of a noun that may name a person."""
        shows = () if self.shows is None or not self.by_forms else self.shows(word)
        return _agreeing(show for show in shows if show.pos == "noun" and show.person and not show.fixed)

    def _adjective(self, word: str, quiet: bool) -> tuple[Agreement, ...]:
        """What a word agrees with that can be nothing but an adjective."""
        shows = () if self.shows is None or quiet or not self.by_forms else self.shows(word)
        only = bool(shows) and all(show.pos in ("adjective", "participle") and show.confidence > 0.9 for show in shows)
        return _agreeing(shows) if only else ()

    def _unprefixed(self, word: str) -> str:
        """A verb without the negation that is written together with it: nejsem, nebude."""
        for prefix in self.starts["prefixes"]:
            rest = word.removeprefix(prefix)
            if rest != word and (rest in self.copula or rest in self.lists["bare"]):
                return rest
        return word

    def _function(self, word: str) -> bool:
        """Pronouns, articles, particles: whatever their ending, they are no predicate."""
        return (
            word in self.subject
            or word in self.object
            or word in self.article
            or any(word in self.lists[name] for name in ("skipped", "prepositions", "opens", "relative", "joins"))
        )


def build(language: Language, table: Mapping[str, Any], shows: Shows | None = None) -> Grammar:
    """A grammar from a language's table, and from what forms show where the language has a table of these too."""
    asked = _Table(table, shows, language.is_fixed)
    spelt = latin if table.get("cyrillic") else _unpointed if table.get("pointed") else str
    return Grammar(
        language.ergative.get("verbs", {}),
        lru_cache(maxsize=65536)(lambda word: asked.entry(spelt(word))),
        bool(table.get("zero_copula", False)),
        not asked.by_forms or bool(table.get("capitals", False)),
        bool(table.get("capitals", False)),
        bool(table.get("nouns", False)),
        bool(table.get("drops", False)),
        {key: frozenset(value.split()) for key, value in table.get("polite", {}).items()},
        frozenset(table.get("words", {}).get("indefinite", "").split()),
        table.get("votes", {}),
    )


_POINTS = re.compile("[\u064b-\u0652\u0670]")
_CYRILLIC = "а б в г д ђ е ж з и ј к л љ м н њ о п р с т ћ у ф х ц ч џ ш"
_LATIN = str.maketrans(
    dict(zip(_CYRILLIC.split(), "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š".split(), strict=True))  # noqa: SIM905
)


def _unpointed(word: str) -> str:
    """An Arabic word without vowel points."""
    return _POINTS.sub("", word)


def latin(word: str) -> str:
    """A Serbian word in small Latin letters."""
    return word.lower().translate(_LATIN)


@cache
def grammar_of(code: str) -> Grammar | None:
    """The grammar of a language, None where it has no table of persons."""
    file = find_table(code, "persons.toml")
    if file is None:
        return None
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    found = forms_of(code)
    return build(load(code), table, found.shows if found else None)
