"""Many systems beside each other: the numbers of ``compare``, ranks that the tests leave open, and a sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import epicene
from epicene.compare import pairs as comparison
from epicene.compare.entrants import Entrant, make_entrant
from epicene.compare.headline import headline
from epicene.compare.table import Matrix, matrices
from epicene.errors import UnknownNameError

WOMAN, MAN, ODD = "Die Bäckerin", "Der Bäcker", "Xq"


def matrix(entrants: list[Entrant], measure: str = "") -> Matrix:
    """By one measure; by default the first that these sets have."""
    return next(iter(matrices(entrants, [measure] if measure else None).values()))


def own_set(folder: Path, n: int = 240, gender: str = "") -> str:
    """Sentences about women and men in turn, of eight occupations; with a gender, about that one, or "open"."""
    table = folder / "own.tsv"
    rows = ["id\tsource\tfocus\texpected\tgroup\toccupation"]
    for number in range(n):
        expected = gender or ("feminine", "masculine")[number % 2]
        rows.append(f"{number}\tThe baker came {number}.\tbaker\t{expected.removeprefix('open')}\t\to{number // 2 % 8}")
    table.write_text("\n".join(rows) + "\n")
    return f"custom:{table}"


def translate(folder: Path, own: str, system: str, wrong: int, n: int = 240, unread: int = 0) -> Entrant:
    """A system that writes so many of the women as men, and the first of them in a way that nobody can read."""
    women = 0
    lines = []
    for number in range(n):
        woman = number % 2 == 0
        women += woman
        who = ODD if woman and women <= unread else MAN if not woman or n // 2 - women < wrong else WOMAN
        lines.append(f"{who} kam {number}.")
    path = folder / f"{system}.de"
    path.write_text("\n".join(lines) + "\n")
    return make_entrant(epicene.score(own, "en-de", path, anyway=True), system)


def into(entrant: Entrant, langs: str) -> Entrant:
    """The same as if it were another language."""
    signature = entrant.result.signature.replace("en-de", langs)
    return replace(entrant, result=replace(entrant.result, langs=langs, signature=signature))


@pytest.fixture
def three(tmp_path: Path) -> list[Entrant]:
    own = own_set(tmp_path)
    return [translate(tmp_path, own, *each) for each in (("poor", 96), ("good", 24), ("better", 23))]


def test_ties_are_ties_and_ranks_stay_open(three: list[Entrant]) -> None:
    found = matrix(three)
    assert found.measure == "women"
    assert found.systems == ("better", "good", "poor")
    (column,) = found.columns
    assert [(cell.system, cell.rank, cell.ranks, cell.tied) for cell in column.cells.values()] == [
        ("poor", 3, (3, 3), ()),
        ("good", 2, (1, 2), ("better",)),
        ("better", 1, (1, 2), ("good",)),
    ]
    cell = column.cells["poor"]
    assert (cell.value, cell.n, cell.count, cell.undetected) == (80.0, 120, 96, 0)
    assert cell.low is not None and cell.high is not None and cell.low < 80 < cell.high
    said = headline(found)
    assert said == (
        "3 systems misgender 19.2 % (better) to 80.0 % (poor) of the women in your own sentences (into German). "
        "Fewest: better, tied with good."
    )


def test_a_pair_has_the_numbers_of_compare(three: list[Entrant], tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.de" for name in ("poor", "good")]
    (pair,) = comparison.compare(files, f"custom:{tmp_path / 'own.tsv'}", "en-de")
    change = next(each for each in pair.changes if each.group == "all")
    (column,) = matrix(three[:2], "right").columns
    (test,) = column.tests
    assert (test.difference, test.low, test.high, test.p) == pytest.approx(
        (change.difference, change.low, change.high, change.p)
    )


def test_all_pairs_share_the_error(three: list[Entrant]) -> None:
    (column,) = matrix(three).columns
    p = sorted(test.p for test in column.tests if test.p is not None)
    held = sorted(test.p_holm for test in column.tests if test.p_holm is not None)
    assert held == pytest.approx([3 * p[0], max(3 * p[0], 2 * p[1]), p[2]])


def test_the_mean_is_of_systems_that_have_all_languages(three: list[Entrant]) -> None:
    poor, good, better = three
    found = matrix([poor, good, better, into(poor, "en-nl"), into(good, "en-nl")])
    (mean,) = found.means
    assert mean.lacking == ("better",)
    assert mean.cells["poor"].value == pytest.approx(80.0)
    # The same sentences in another language that came out alike are no more evidence.
    (column, _) = found.columns
    assert mean.cells["poor"].low == pytest.approx(column.cells["poor"].low)
    assert found.systems[-1] == "better"
    assert headline(found) == (
        "good misgenders 20.0 % of the women in your own sentences (mean of 2 languages), poor 80.0 %. "
        "Fewest: good into Dutch (20.0 %); better into German (19.2 %), tied with good."
    )


def test_what_could_not_be_read_wins_nothing(three: list[Entrant], tmp_path: Path) -> None:
    mute = translate(tmp_path, f"custom:{tmp_path / 'own.tsv'}", "mute", 0, unread=100)
    found = matrix([*three, mute])
    (column,) = found.columns
    assert column.cells["mute"].doubtful and column.cells["mute"].rank is None
    first = column.first()
    assert first is not None and first.system == "better"
    assert headline(found).endswith("Not named first, since too few genders were detected: mute.")
    (column,) = matrix([three[0], mute]).columns  # of two systems, the one that is left is best of nothing
    assert column.first() is None
    assert headline(matrix([three[0], mute])).startswith("No system can be named first")


def test_open_sentences_have_a_share_and_no_right(tmp_path: Path) -> None:
    own = own_set(tmp_path, gender="open")
    found = matrices([translate(tmp_path, own, *each) for each in (("more", 0), ("fewer", 100))])
    assert list(found) == ["feminine"]
    (column,) = found["feminine"].columns
    assert column.cells["more"].value == 50.0 and column.cells["more"].rank == 1
    assert headline(found["feminine"]) == (
        "more uses the feminine for 50.0 % of the people in your own sentences (into German), fewer 8.3 %. Most: more."
    )
    assert matrices([translate(tmp_path, own, "more", 0)], ["women"]) == {}
    with pytest.raises(UnknownNameError, match="feminine"):
        matrices([], ["womem"])


def test_one_name_twice_is_told_apart(three: list[Entrant]) -> None:
    found: Matrix = matrix([three[0], three[0]])
    assert set(found.systems) == {"poor", "poor #2"}
    assert found.as_dict()["columns"][0]["cells"][0]["signature"].startswith("custom")


def test_a_table_stays_within_the_terminal(three: list[Entrant]) -> None:
    languages = ("de", "es", "fr", "it", "pt", "ru", "uk", "cs", "pl")
    wide = matrix([into(each, f"en-{langs}") for langs in languages for each in three])
    lines = str(wide).splitlines()
    assert max(len(line) for line in lines if "|" not in line) <= 80  # but for signatures
    assert all(any(f"en-{langs}" in line for line in lines) for langs in languages)
