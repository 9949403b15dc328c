"""Occupations: "ő egy orvos", he or she is a doctor, in 14 languages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from epicene.errors import InputError, UnknownNameError
from epicene.labour import crosswalk
from epicene.sets import SetBuilder
from epicene.tables import resource, table
from epicene.types import ChallengeSet, Item, Pair, Person

ADJECTIVES = ("good", "very-good", "bad", "very-bad")
# Which sentences a set has: occupations, occupations:adjectives, …
SELECTIONS = {
    "": ("plain",),
    "adjectives": ("plain", *ADJECTIVES),
    "wording": ("plain", "capital", "bare"),
    "all": ("plain", "capital", "bare", *ADJECTIVES),
}
_TABLES = (
    "hungarian.tsv", "titles.tsv", "templates.tsv", "endings.tsv", "left_out.tsv", "loans.tsv", "sectors.tsv",
    "feor.tsv", "isco.tsv", "soc.tsv", "by_hand.tsv", "us-acs-2011.csv", "us-acs-2018.csv",
)  # fmt: skip
_SLOT = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Occupation:
    """A word of a language, and the codes under which statistics count it."""

    word: str
    english: str
    feor08: str
    isco08: tuple[str, ...]
    soc: tuple[str, ...]
    rule: str  # how the SOC codes were found
    sector: str


def languages() -> tuple[str, ...]:
    """The languages that have a sentence, in the order of the table."""
    return tuple(dict.fromkeys(row["language"] for row in table("occupations", "templates.tsv")))


@cache
def occupations(language: str) -> tuple[Occupation, ...]:
    """The occupations of a language that no rule leaves out."""
    return tuple(_hungarian() if language == "hu" else _translated(language))


def _hungarian() -> Iterator[Occupation]:
    for row in table("occupations", "hungarian.tsv"):
        if left_out("hu", row["occupation"]) is None:
            code = row["feor08"]
            link = crosswalk.of_feor(code, row["english"], tuple(row["soc"].split()))
            isco = crosswalk.isco_of_feor(code)
            sector = sector_of("feor", code)
            yield Occupation(row["occupation"], row["english"], code, isco, link.codes, link.rule, sector)


def _translated(language: str) -> Iterator[Occupation]:
    """A word that translates several titles stands once, with the codes of all."""
    titles: dict[str, list[dict[str, str]]] = {}
    for row in table("occupations", "titles.tsv"):
        if left_out(language, row[language], row["english"]) is None:
            titles.setdefault(row[language], []).append(row)
    for word, rows in titles.items():
        links = [crosswalk.of_title(row["english"], row["soc_major"]) for row in rows]
        codes = tuple(dict.fromkeys(code for link in links for code in link.codes))
        rule = links[0].rule if len({link.codes for link in links}) == 1 else "several"
        isco = crosswalk.isco_of_soc(codes)
        sector = sector_of("soc", codes[0] if codes else rows[0]["soc_major"])
        yield Occupation(word, rows[0]["english"].lower(), "", isco, codes, rule, sector)


def left_out(language: str, word: str, english: str = "") -> str | None:
    """Why a word is left out, or None: it names a gender or a religious office, or was not or wrongly translated."""
    for row, pattern in _left_out(language):
        if pattern.search(word if row["column"] == "word" else english):
            return row["reason"]
    unchanged = set(_WORD.findall(word.lower())) & set(_WORD.findall(english.lower()))
    return "untranslated" if unchanged - _loans(language) else None


@cache
def _left_out(language: str) -> tuple[tuple[dict[str, str], re.Pattern[str]], ...]:
    rows = (row for row in table("occupations", "left_out.tsv") if row["language"] in (language, "*"))
    return tuple((row, re.compile(row["pattern"], re.IGNORECASE)) for row in rows)


@cache
def _loans(language: str) -> frozenset[str]:
    rows = table("occupations", "loans.tsv")
    return frozenset(word for row in rows if row["language"] == language for word in row["words"].split())


@cache
def sector_of(scheme: str, code: str) -> str:
    """The employment sector of a code: that of the longest prefix listed."""
    rows = [row for row in table("occupations", "sectors.tsv") if row["scheme"] == scheme]
    fitting = [row for row in rows if code.startswith(row["prefix"])]
    return max(fitting, key=lambda row: len(row["prefix"]))["sector"]


@cache
def _endings(language: str, form: str) -> tuple[tuple[str, str], ...]:
    rows = table("occupations", "endings.tsv")
    return tuple((row["ending"], row["becomes"]) for row in rows if (row["language"], row["form"]) == (language, form))


def _form(language: str, form: str, word: str) -> str:
    """The word as it stands in a sentence."""
    if form == "stem":
        word = _form(language, "o", word)
    for ending, becomes in _endings(language, form):
        if word.endswith(ending):
            return word.removesuffix(ending) + becomes
    return word


def _items(language: str, variants: tuple[str, ...]) -> Iterator[Item]:
    templates = {
        row["variant"]: row["template"] for row in table("occupations", "templates.tsv") if row["language"] == language
    }
    for variant in variants:
        if variant not in templates:
            continue
        before, form, after = _SLOT.split(templates[variant])
        for each in occupations(language):
            shown = _form(language, form, each.word)
            labels = {
                "occupation": each.word,
                "variant": variant,
                "english": each.english,
                "sector": each.sector,
                "feor08": each.feor08,
                "isco08": " ".join(each.isco08),
                "soc": " ".join(each.soc),
                "link": each.rule,
            }
            focus = Person(shown, len(before), each.english)
            yield Item(f"{each.word}/{variant}", before + shown + after, focus, None, labels)


def _version() -> str:
    digest = hashlib.sha256()
    for name in _TABLES:
        digest.update(resource("occupations", name).read_bytes())
    return digest.hexdigest()[:8]


def build(argument: str) -> ChallengeSet:
    """The set of a selection: the plain sentences, or those of several wordings."""
    if argument not in SELECTIONS:
        known = [name for name in SELECTIONS if name]
        raise UnknownNameError("selection of occupations", argument, known, "Without one, the plain sentences.")
    variants = SELECTIONS[argument]

    def items(pair: Pair) -> list[Item]:
        if pair.target != "en":
            raise InputError(f"set occupations is read from English pronouns; the pair {pair} translates into another")
        return list(_items(pair.source, variants))

    return ChallengeSet(
        name=f"occupations:{argument}" if argument else "occupations",
        title="Occupations in languages without gendered pronouns",
        sources=languages(),
        family="occupations",
        paper_detector="",
        items=items,
        version=_version,
        licence="facts: word lists of public offices and of Prates et al.; selection, templates and links Apache-2.0",
        citation=_CITATION,
        card=_CARD,
        references=("us-acs-2018",),
    )


_CITATION = """@article{farkas-nemeth-2022-measure,
  title = {How to measure gender bias in machine translation: Real-world oriented machine translators, multiple
    reference points},
  author = {Farkas, Anna and N\\'{e}meth, Ren\\'{a}ta},
  journal = {Social Sciences \\& Humanities Open},
  year = {2022}
}
@article{prates-etal-2020-assessing,
  title = {Assessing gender bias in machine translation: a case study with Google Translate},
  author = {Prates, Marcelo O. R. and Avelar, Pedro H. and Lamb, Lu\\'{i}s C.},
  journal = {Neural Computing and Applications},
  year = {2020}
}"""
_CARD = """"ő egy orvos" (he or she is a doctor) for over a thousand Hungarian occupations by FEOR-08 category, and
the same in thirteen other languages for the occupations of Prates et al. Nothing in a sentence tells the gender, so
there is no right answer; --reference names the statistics or the survey that the pronouns are compared with.
Selections: occupations (plain), occupations:adjectives (good, very good, bad, very bad), occupations:wording (capital
letter, without the article), occupations:all. Labels: occupation, variant, english, sector (18), feor08, isco08, soc,
link (the rule that found the SOC codes).
Known faults: except for Hungarian, the words are what Google Translate made of the English titles in 2018; those that
rules can tell to be wrong are left out (docs/occupations.md), others are not."""
_PLAIN = build("")
SET = SetBuilder(_PLAIN.title, build, lambda _: _PLAIN.family, _PLAIN)
