"""WinoMT (Stanovsky et al. 2019): WinoBias and Winogender sentences about two people, one of whom a pronoun names.

Its measures are accuracy, F1 by gender, ΔG and ΔS, with intervals over occupations.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from epicene.errors import InputError
from epicene.files import checksum, read_lines
from epicene.languages.english import concept, mentioned
from epicene.measures.outcomes import Outcomes
from epicene.measures.rates import OPPOSITE, OTHER_WORD, Gap, Measures, Rate, expects, is_right, reads
from epicene.sets import TestSet, read_about
from epicene.sets.files import require
from epicene.sets.winomt.paper import WinoMTPaper
from epicene.stats.clustered import Share
from epicene.types import Gender, Item, Measure, Pair, Person

GROUPS = ("all", "male", "female", "neutral", "pro", "anti")
_F1 = {"male": Gender.MASCULINE, "female": Gender.FEMININE}  # ΔG is that of the first less that of the second
_SUBSETS = ("pro", "anti")


def _groups(item: Item) -> tuple[str, ...]:
    """All, the gold gender, and pro or anti."""
    return tuple(name for name in ("all", item.labels["gold"], item.labels["subset"]) if name in GROUPS)


def _stratum(item: Item) -> str:
    """The stereotype of the occupation, which sentences of WinoBias tell: masculine or feminine."""
    subset, expected = item.labels["subset"], item.expected
    if expected not in OPPOSITE or subset not in _SUBSETS:
        return ""
    return expected.value if subset == "pro" else OPPOSITE[expected].value


def _f1_and_gap(outcomes: Outcomes) -> list[Measure]:
    shares = {name: _f1(outcomes, gender) for name, gender in _F1.items()}
    rates = [outcomes.clusters.rate("f1", name, share) for name, share in shares.items()]
    n = len(outcomes)
    gap = outcomes.clusters.gap("delta_g", "-".join(_F1), shares["male"], shares["female"], n)
    return [*(replace(rate, n=n, count=None) for rate in rates), gap]


def _f1(outcomes: Outcomes, gender: Gender) -> Share:
    """F1 as a ratio: twice what is right among what is expected and what is read; nought where none is read."""
    right = outcomes.share(Rate("", is_right, expects(gender)))
    read = outcomes.share(Rate("", reads(gender)))
    return Share(2 * right.counted, right.of + read.counted, size=read.of)


MEASURES = Measures(
    groups=_groups,
    rates=(Rate("accuracy", is_right), OTHER_WORD),
    gaps=(Gap("delta_s", "accuracy", "pro", "anti"),),
    stratum=_stratum,
    order=lambda _: GROUPS,
    own=_f1_and_gap,
    gated=("delta_g", "delta_s"),
)


_GENDERS = {"male": Gender.MASCULINE, "female": Gender.FEMININE, "neutral": Gender.NEUTRAL}
_WORD = re.compile(r"\S+")
# Rows 2121 and 2122 differ between the published versions.
_STEM = "The baker yelled at the mover because"
_VARIANTS = {
    f"{_STEM} he broke the stove.": f"{_STEM} she broke the stove.",
    f"{_STEM} her stove was broken.": f"{_STEM} his stove was broken.",
}
Row = tuple[int, str, int, str, str]
_VARIANTS |= {second: first for first, second in _VARIANTS.items()}


def _rows(name: str) -> list[Row]:
    path = require("winomt", name)
    return _read_rows(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _read_rows(path: Path, _: int) -> list[Row]:
    """Row number, gender, index, sentence and entity of each row; a header is passed over, as are further columns."""
    rows = list[Row]()
    for number, line in enumerate(read_lines(path), 1):
        cells = line.split("\t")
        if number == 1 and cells[0] == "gold_gender":
            continue
        if len(cells) < 4 or cells[0] not in _GENDERS or not cells[1].isdecimal():
            raise InputError(
                f"{path}:{number}: expected gender, index, sentence and entity, separated by tabs; got {line!r}"
            )
        rows.append((number, cells[0], int(cells[1]), cells[2], cells[3]))
    return rows


def _person(sentence: str, index: int, entity: str, where: str) -> Person:
    """The entity at a whitespace-token index, whole even where only its first word is indexed."""
    word = next(islice(_WORD.finditer(sentence), index, None), None)
    if word is None:
        raise InputError(f"{where}: index {index} is past the end of the sentence ({len(sentence.split())} words)")
    (name, plural), start = concept(entity), word.start()
    if not sentence[start:].lower().startswith(name):
        raise InputError(f"{where}: the entity {entity!r} does not stand at word {index} of {sentence!r}")
    text = sentence[start : start + len(name)]
    return Person(text, start, name, plural)


def items(pair: Pair) -> list[Item]:  # noqa: ARG001 - the English sentences serve every target
    """The 3,888 sentences in official order, with their subset as a label."""
    subsets = {row[1:4]: name for name in _SUBSETS for row in _rows(f"en_{name}.txt")}
    sentences: list[Item] = []
    path = require("winomt", "en.txt")
    for number, gender, index, sentence, entity in _rows("en.txt"):
        person, variant = _person(sentence, index, entity, f"{path}:{number}"), _VARIANTS.get(sentence)
        subset = subsets.get((gender, index, sentence)) or subsets.get((gender, index, variant or ""), "winogender")
        labels = {"subset": subset, "occupation": person.concept, "gold": gender}
        others, name = mentioned(sentence, but=person.start), str(len(sentences))
        sentences.append(Item(name, sentence, person, _GENDERS[gender], labels, variant=variant, others=others))
    return sentences


def _version() -> str:
    rows = (row for name in ("en.txt", "en_pro.txt", "en_anti.txt") for row in _rows(name))
    return checksum(*(f"{gender}\t{index}\t{sentence}\n" for _, gender, index, sentence, _ in rows))


SET = TestSet(
    about=read_about(__name__),
    measures=MEASURES,
    paper=WinoMTPaper,
    items=items,
    version=_version,
)
