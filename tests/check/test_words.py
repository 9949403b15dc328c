"""Words of sentences and of translations: shifts, strange lines and strange letters, in any language."""

from __future__ import annotations

import random

import numpy as np
import pytest

from epicene.check.check import limits
from epicene.check.damage import Damage
from epicene.check.order import Order, order
from epicene.check.words import Line, agreement, compare
from epicene.types import Item, Pair, Person

BOUNDS = limits()
_CHANCE = random.Random(5)
_WORDS = [f"{a}{b}" for a in ("ka", "lo", "mi", "ne", "ru", "so", "ta") for b in ("ban", "dor", "fin", "gul", "pet")]
SENTENCES = [" ".join(_CHANCE.sample(_WORDS, 4)) for _ in range(400)]
TRANSLATIONS = [" ".join(f"{word[::-1]}e" for word in reversed(each.split())) for each in SENTENCES]


def lines(translations: list[str], sentences: list[str] = SENTENCES) -> list[Line]:
    items = (Item(str(n), source, Person("I", 0, "i"), None) for n, source in enumerate(sentences))
    return [Line(n + 1, item, text) for n, (item, text) in enumerate(zip(items, translations, strict=True))]


def judged(translations: list[str], target: str = "fi") -> Order | None:
    """The order of lines in a language that has no dictionary here."""
    rows = lines(translations)
    return order(rows, compare(rows, target, BOUNDS["words"]), BOUNDS["order"])


def test_lines_at_their_place_pass() -> None:
    assert judged(TRANSLATIONS) == Order(400, 0, None)


@pytest.mark.parametrize(("lost", "lag"), [(100, 1), (300, 2)])
def test_lost_lines_are_found_where_they_were(lost: int, lag: int) -> None:
    found = judged([*TRANSLATIONS[:lost], *TRANSLATIONS[lost + lag :], *["?"] * lag])
    assert found is not None and found.disorder is not None and found.disorder.lag == lag
    assert abs(found.disorder.first - lost) <= 3 and found.disorder.last > 390


def test_a_block_that_stands_there_twice_is_found() -> None:
    found = judged([*TRANSLATIONS[:60], *TRANSLATIONS[:60], *TRANSLATIONS[120:]])
    assert found is not None and found.disorder is not None and found.disorder.lag is None
    assert abs(found.disorder.first - 61) <= 3 and abs(found.disorder.last - 120) <= 3


def test_neighbours_that_are_exchanged_are_not_called_shifted() -> None:
    found = judged([TRANSLATIONS[place ^ 1] for place in range(400)])
    assert found is not None and found.disorder is not None
    assert (found.disorder.lag, found.elsewhere > 390) == (None, True)


def test_the_dictionary_finds_lines_that_were_shuffled_over_the_whole_file() -> None:
    english = ["dog", "cat", "house", "tree", "water", "bread", "book", "table", "window", "street", "car", "milk"]
    german = ["Hund", "Katze", "Haus", "Baum", "Wasser", "Brot", "Buch", "Tisch", "Fenster", "Straße", "Auto", "Milch"]
    places = [random.Random(number).sample(range(len(english)), 4) for number in range(200)]
    sentences = ["The " + " and the ".join(english[word] for word in four) for four in places]
    translations = [" und ".join(german[word] for word in four) for four in places]
    random.Random(1).shuffle(translations)
    rows = lines(translations, sentences)
    found = order(rows, compare(rows, "de", BOUNDS["words"]), BOUNDS["order"])
    assert found is not None and found.disorder is not None
    assert found.disorder.last - found.disorder.first > 180


def test_few_lines_are_not_judged() -> None:
    rows = lines(TRANSLATIONS)[:29]
    assert order(rows, compare(rows, "fi", BOUNDS["words"]), BOUNDS["order"]) is None


def test_the_dictionary_knows_how_much_of_a_sentence_was_rendered() -> None:
    rows = lines(["Der Hund und die Katze", "Nichts davon"], ["The dog and the cat"] * 2)
    known = compare(rows, "de", BOUNDS["words"]).known
    assert known[0] > 0.7 and known[1] == 0
    assert np.isnan(compare(rows, "fi", BOUNDS["words"]).known).all()


def test_words_in_no_order_are_told_from_sentences() -> None:
    sentences = ["The dog saw the cat in the house and drank water"] * 60
    good = ["Der Hund sah die Katze im Haus und trank Wasser"] * 60
    mixed = [" ".join(random.Random(n).sample(text.split(), len(text.split()))) for n, text in enumerate(good)]

    def told_of(texts: list[str]) -> float | None:
        rows = lines(texts, sentences)
        return agreement(rows, compare(rows, "de", BOUNDS["words"]), "de", BOUNDS["agreement"])

    assert told_of(good) == 1
    told = told_of(mixed)
    assert told is not None and abs(told) < BOUNDS["agreement"]["refuse"]


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
    ((refused, told),) = damage.judge(BOUNDS["damage"])
    assert refused and told.startswith("30 of 30 lines") and damage.counts[kind] == 30


@pytest.mark.parametrize(
    ("text", "target", "refused"),
    [
        ("Доктор је дошао кући.", "hr", True),
        ("Доктор је дошао кући.", "sr", False),
        ("Der \u0410rzt k\u0430m nach H\u0430use.", "de", True),  # with Cyrillic look-alikes
        ("The doctor came home.", "ru", True),
        ("Программист из IBM пришёл на «Файр» в 2020 году.", "ru", False),
        ("2020!", "ru", False),
        ("הרופא בא הביתה", "he", False),
        ("La médica dijo: «¡No!»", "es", False),
    ],
)
def test_letters_of_another_script_are_refused(text: str, target: str, refused: bool) -> None:
    damage = Damage(Pair("en", target))
    for _ in range(30):
        damage.add(text, "The doctor came home in the year 2020, from work.")
    assert (damage.counts["script"] == 30) is refused


@pytest.mark.parametrize("different", [True, False])
@pytest.mark.parametrize(("target", "marked", "refused"), [("es", 0, True), ("es", 6, False), ("nl", 0, False)])
def test_many_words_without_marks_are_refused_where_a_language_has_them(
    target: str, marked: int, refused: bool, different: bool
) -> None:
    damage = Damage(Pair("en", target))
    words = [first + second for first in _WORDS[:13] for second in _WORDS[:13]] if different else ["casa"] * 169
    texts = [f"La {'médica' if number < marked else 'medica'} {word}" for number, word in enumerate(words)]
    for text in texts:
        damage.add(text, "The doctor")
    assert bool(list(damage.judge_letters(BOUNDS["damage"], texts))) is (refused and different)


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
    assert list(damage.judge(BOUNDS["damage"])) == []


@pytest.mark.parametrize(
    ("pair", "share", "said"),
    [
        ("en-de", 0.5, "as if cut off"),
        ("en-de", 0.3, "as if cut off"),
        ("en-de", 1.1, ""),
        ("en-he", 0.6, ""),
        ("en-de", 2.2, "more than 2"),
        ("zh-en", 3, ""),
    ],
)
def test_the_length_of_translations_is_noted_and_refused_where_they_are_cut(pair: str, share: float, said: str) -> None:
    damage = Damage(Pair(*pair.split("-")))
    for _ in range(30):
        damage.add("x" * int(40 * share), "y" * 40)
    findings = list(damage.judge_size(BOUNDS["size"]))
    assert [(refused, said in text) for refused, text in findings] == ([(share < 0.4, True)] if said else [])
