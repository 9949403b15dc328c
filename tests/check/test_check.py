"""No number from outputs that are shifted, shuffled, repeated, empty, copied or in another language."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

import epicene
from epicene.check.check import findings
from epicene.compare import pairs as compare
from epicene.errors import EvidenceError
from epicene.flow.plan import open_pair, open_set
from epicene.flow.score import outputs_of_file
from epicene.gate import gate as gating
from epicene.result import Result
from epicene.sets import TestSet
from epicene.sets import files as store
from epicene.store.hypotheses import TranslationLines
from epicene.types import Gender, Pair, Verdict
from tests.conftest import by_rote

SIMPLEGEN = [item.source for item in open_set("simplegen").items(open_pair("en-de", open_set("simplegen")))]
GOOD = by_rote(SIMPLEGEN)


def shuffled(lines: list[str]) -> list[str]:
    return random.Random(1).sample(lines, len(lines))


def shifted(lines: list[str], by: int, start: int = 0) -> list[str]:
    """Lines from a place on moved up."""
    return [*lines[:start], *lines[start + by :], *lines[start : start + by]]


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        (shifted(GOOD, 1), "lines 1–2,664 look shifted up by one"),
        (shifted(GOOD, -2), "lines 1–2,664 look shifted down by two"),
        (shifted(GOOD, 1, 1332), "–2,664 look shifted up by one"),
        (shuffled(GOOD), "lines 1–2,664 do not translate the sentences at their places"),
        ([*GOOD[:1000], *shuffled(GOOD[1000:1200]), *GOOD[1200:]], "do not translate the sentences at their places"),
        (["Der Arzt."] * 2664, "one translation answers 2,664 of 2,664 different sentences"),
        (GOOD[:37] * 72, "2,664 different sentences have only 37 different translations"),
        (["", " "] * 1332, "2,664 of 2,664 lines are empty"),
        (SIMPLEGEN, "2,664 of 2,664 lines are the source itself"),
    ],
    ids=["shifted", "down", "half", "shuffled", "part", "one sentence", "few sentences", "empty", "copied"],
)
def test_what_cannot_be_believed_is_refused_with_its_cause(lines: list[str], cause: str) -> None:
    with pytest.raises(EvidenceError, match=cause):
        epicene.score("simplegen", "en-de", lines)


def test_good_lines_pass_without_a_word() -> None:
    result = epicene.score("simplegen", "en-de", GOOD)
    assert (result.warnings, result.notes) == ((), ())


def test_anyway_gives_the_numbers_with_the_warning() -> None:
    result = epicene.score("simplegen", "en-de", shifted(GOOD, 1), anyway=True)
    assert result.as_dict()["warnings"] == ["lines 1–2,664 look shifted up by one"]
    assert result["correct"].value is not None


def custom(folder: Path, lines: int, word: str = "nurse") -> str:
    path = folder / "set.tsv"
    rows = (f"{n}\tThe {word} number {n} left the house early.\t{word}\tfeminine\n" for n in range(lines))
    path.write_text("id\tsource\tfocus\texpected\n" + "".join(rows), encoding="utf-8")
    return f"custom:{path}"


@pytest.mark.parametrize("n", [1, 3, 12, 60])
def test_small_sets_are_not_refused_and_say_what_was_not_judged(tmp_path: Path, n: int) -> None:
    lines = [f"Die Krankenschwester Nummer {each} verließ das Haus sehr früh." for each in range(n)]
    result = epicene.score(custom(tmp_path, n), "en-de", lines)
    assert not result.warnings
    assert any("too few distinctive sentences" in note for note in result.notes) == (n < 30)


def test_a_set_outside_the_lexicon_is_judged_by_lengths(tmp_path: Path) -> None:
    chance = random.Random(3)
    sizes = [chance.randrange(1, 30) for _ in range(300)]
    path = tmp_path / "set.tsv"
    rows = (f"{n}\tThe astronomer {'very ' * size}old {n}.\tastronomer\t\n" for n, size in enumerate(sizes))
    path.write_text("id\tsource\tfocus\texpected\n" + "".join(rows), encoding="utf-8")
    lines = [f"Der Sternkundige ist {'sehr ' * size}alt {n}." for n, size in enumerate(sizes)]
    with pytest.raises(EvidenceError, match="look shifted up by one"):
        epicene.score(f"custom:{path}", "en-de", shifted(lines, 1))
    with pytest.raises(EvidenceError, match="do not translate"):
        epicene.score(f"custom:{path}", "en-de", shuffled(lines))


def test_gate_and_compare_refuse_too_and_show_what_is_unread(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.de", tmp_path / "bad.de"
    good.write_text("\n".join(["Was?", *GOOD[1:]]) + "\n", encoding="utf-8")
    bad.write_text("\n" * 2664, encoding="utf-8")
    with pytest.raises(EvidenceError, match=r"bad\.de: 2,664 of 2,664 lines are empty"):
        gating.gate(good, bad, set_name="simplegen", langs="en-de", max_drop=2)
    (found,) = compare.compare([good, bad], "simplegen", "en-de", anyway=True)
    assert found.warnings
    assert found.undetected[0] == pytest.approx(100 / 2664)
    assert found.undetected[1] == 100


@pytest.mark.data
@pytest.mark.parametrize(
    ("given", "asked"),
    [("ru", "uk"), ("uk", "ru"), ("es", "pt"), ("es", "de"), ("it", "es"), ("de", "pl"), ("ru", "cs"), ("ar", "he")],
)
def test_another_language_is_named(published: Path, given: str, asked: str) -> None:
    """Before anybody's gender matters, so none is read here."""
    store.add("winomt", published / "winomt")
    path = published / "winomt" / "translations" / f"google.en-{given}.txt"
    challenge, pair = open_set("winomt"), Pair("en", asked)
    outputs = outputs_of_file(challenge, pair, TranslationLines(path))
    (refusal,) = findings((Verdict(output, Gender.UNKNOWN, "") for output in outputs), pair).refusals
    assert refusal.startswith("lines 1–3,888 look like ")


@pytest.mark.data
@pytest.mark.parametrize("name", ["google.en-de", "bing.en-uk", "sota.en-de", "sota.en-fr"])
def test_published_outputs_pass_weak_ones_too(published: Path, name: str) -> None:
    store.add("winomt", published / "winomt")
    path = published / "winomt" / "translations" / f"{name}.txt"
    result = epicene.score("winomt", name.partition(".")[2], path)
    assert not result.warnings


@pytest.fixture(scope="module")
def plain(published: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[TestSet, Result]:
    """A fifth of WinoMT, women and men in turn, in French as it is usually spelt."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EPICENE_HOME", str(tmp_path_factory.mktemp("home")))
        store.add("winomt", published / "winomt")
        lines = (published / "winomt" / "translations" / "google.en-fr.txt").read_text(encoding="utf-8").splitlines()
        challenge = open_set("winomt")
        part = challenge.subset(item.id for item in list(challenge.items(Pair("en", "fr")))[::5])
        return part, epicene.score(part, "en-fr", lines[::5])


@pytest.mark.data
@pytest.mark.parametrize(
    "spelling",
    [
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace("'", "\u02bc").replace("’", "\u02bc"),
        "\u00ad".join,
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text.replace("'", "&#39;").replace("é", "&eacute;"),
    ],
    ids=["NFD", "apostrophes", "soft hyphens", "blanks", "entities"],
)
def test_the_spelling_of_the_same_text_changes_nothing(
    published: Path, plain: tuple[TestSet, Result], spelling: Callable[[str], str]
) -> None:
    store.add("winomt", published / "winomt")
    part, usual = plain
    other = epicene.score(part, "en-fr", [spelling(verdict.output.text) for verdict in usual.verdicts])
    assert [verdict.gender for verdict in usual.verdicts] == [verdict.gender for verdict in other.verdicts]
    evidence = [(each, verdict.output.text) for verdict in other.verdicts for each in verdict.evidence]
    assert all(text[each.start : each.end] == each.text for each, text in evidence)
