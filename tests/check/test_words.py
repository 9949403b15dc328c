"""Shifts and strange lines, told by the words of the file itself: in any language, without a lexicon."""

from __future__ import annotations

import random

import pytest

from epicene.check.check import limits
from epicene.check.damage import Damage
from epicene.check.order import Line
from epicene.check.words import disorder
from epicene.types import Item, Pair, Person

BOUNDS = limits()
_CHANCE = random.Random(5)
_WORDS = [f"{a}{b}" for a in ("ka", "lo", "mi", "ne", "ru", "so", "ta") for b in ("ban", "dor", "fin", "gul", "pet")]
SENTENCES = [" ".join(_CHANCE.sample(_WORDS, 4)) for _ in range(400)]
TRANSLATIONS = [" ".join(f"{word[::-1]}e" for word in reversed(each.split())) for each in SENTENCES]


def lines(translations: list[str]) -> list[Line]:
    items = (Item(str(n), source, Person("I", 0, "i"), None) for n, source in enumerate(SENTENCES))
    return [Line(n + 1, item, text) for n, (item, text) in enumerate(zip(items, translations, strict=True))]


def test_lines_at_their_place_pass() -> None:
    assert disorder(lines(TRANSLATIONS), BOUNDS["words"]) is None


@pytest.mark.parametrize(("lost", "lag"), [(100, 1), (300, 2)])
def test_lost_lines_are_found_where_they_were(lost: int, lag: int) -> None:
    found = disorder(lines([*TRANSLATIONS[:lost], *TRANSLATIONS[lost + lag :], *["?"] * lag]), BOUNDS["words"])
    assert found is not None and found.lag == lag
    assert abs(found.first - lost) <= 3 and found.last > 390


def test_a_block_that_stands_there_twice_is_found() -> None:
    found = disorder(lines([*TRANSLATIONS[:60], *TRANSLATIONS[:60], *TRANSLATIONS[120:]]), BOUNDS["words"])
    assert found is not None and found.lag is None
    assert abs(found.first - 61) <= 3 and abs(found.last - 120) <= 3


def test_few_lines_are_not_judged() -> None:
    assert disorder(lines(TRANSLATIONS)[:40], BOUNDS["words"]) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Die Ã„rztin grÃ¼ÃŸt den KÃ¶nig.", "garbled"),
        ("La m?dica saluda al ni?o.", "lost"),
        ("La m\ufffddica saluda.", "lost"),
        ("Die Ärz@@ tin grüßt.", "pieces"),
        ("\u2581Die \u2581Ärz tin", "pieces"),
        ("The doctor greets the king. Die Ärztin grüßt den König.", "beside"),
    ],
)
def test_damaged_text_is_told_by_its_kind(text: str, kind: str) -> None:
    damage = Damage(Pair("en", "de"))
    for _ in range(30):
        damage.add(text, "The doctor greets the king.")
    ((refused, told),) = damage.told(BOUNDS["damage"])
    assert refused and told.startswith("30 of 30 lines") and damage.counts[kind] == 30


@pytest.mark.parametrize(
    "text",
    [
        "A doutora disse: NÃO!",
        "¿Qué hace la médica? Nada.",
        "Où est l’infirmière ? Là-bas.",
        "La niña dijo: «Ñandú».",
        "Disse: «La dottoressa vive in città».",
        "Ärztin Åsa",
    ],
)
def test_letters_of_the_language_are_no_damage(text: str) -> None:
    damage = Damage(Pair("en", "pt"))
    damage.add(text, "The doctor said no, and went away.")
    assert list(damage.told(BOUNDS["damage"])) == []


@pytest.mark.parametrize(
    ("pair", "share", "said"),
    [
        ("en-de", 0.5, "as if cut off"),
        ("en-de", 1.1, ""),
        ("en-he", 0.6, ""),
        ("en-de", 2.2, "more than 2"),
        ("zh-en", 3, ""),
    ],
)
def test_the_length_of_translations_is_noted(pair: str, share: float, said: str) -> None:
    damage = Damage(Pair(*pair.split("-")))
    for _ in range(30):
        damage.add("x" * int(40 * share), "y" * 40)
    told = damage.size(BOUNDS["size"])
    assert (said in told) if said else told == ""
