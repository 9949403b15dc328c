"""What may be compared: the same measured in the same way, whichever release did it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import epicene
from epicene.compare import pairs as comparison
from epicene.errors import InputError
from epicene.gate import gate as judging
from epicene.options import Limits


def audited(folder: Path, answer: str) -> Path:
    """A run over a set of two sentences."""
    table = folder.parent / "custom.tsv"
    table.write_text(
        "id\tsource\tfocus\texpected\n1\tThe nurse left.\tnurse\tfeminine\n2\tThe baker left.\tbaker\tmasculine\n"
    )
    epicene.audit([f"custom:{table}"], ["en-de"], [f"command:sed 's/.*/{answer}/'"], folder=folder, cached=False)
    return folder


def release(folder: Path, version: str) -> None:
    """The run as another release would have written it."""
    path = folder / "results.json"
    records = json.loads(path.read_text())
    for record in records:
        record["signature"] = "|".join(
            f"v:{version}" if part.startswith("v:") else part for part in record["signature"].split("|")
        )
    path.write_text(json.dumps(records))


def test_runs_of_two_releases_are_compared(tmp_path: Path) -> None:
    before, after = audited(tmp_path / "before", "Der Bäcker."), audited(tmp_path / "after", "Die Bäckerin.")
    release(before, "0.0.1")
    (found,) = comparison.compare([before, after], anyway=True)
    change = next(change for change in found.changes if change.group == "all")
    assert change.n == 2


def test_runs_of_two_detectors_are_not(tmp_path: Path) -> None:
    before, after = audited(tmp_path / "before", "Der Bäcker."), audited(tmp_path / "after", "Die Bäckerin.")
    path = before / "results.json"
    path.write_text(path.read_text().replace("|detector:", "|detector:older-"))
    with pytest.raises(InputError, match="no two entries measure the same thing in the same way"):
        comparison.compare([before, after], anyway=True)


def _set(folder: Path, rows: list[str]) -> str:
    table = folder / "own.tsv"
    table.write_text("\n".join(["id\tsource\tfocus\texpected\tgroup\toccupation", *rows]) + "\n")
    return f"custom:{table}"


def _file(folder: Path, name: str, lines: list[str]) -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


def test_rows_that_expect_nothing_are_not_wrong(tmp_path: Path) -> None:
    rows = [f"{n}\tThe baker came {n}.\tbaker\t{'masculine' if n < 20 else ''}\t\to{n % 5}" for n in range(40)]
    own = _set(tmp_path, rows)
    good = _file(tmp_path, "good.de", [f"Der Bäcker kam {n}." for n in range(40)])
    (found,) = comparison.compare([good, good], own, "en-de")
    assert {change.group: (change.n, change.before) for change in found.changes} == {
        "all": (20, 100.0),
        "masculine": (20, 100.0),
    }


def test_sentences_with_one_id_are_refused(tmp_path: Path) -> None:
    own = _set(tmp_path, ["a\tThe baker came.\tbaker\tmasculine\t\to1"] * 2)
    good = _file(tmp_path, "good.de", ["Der Bäcker kam."] * 2)
    with pytest.raises(InputError, match="id"):
        comparison.compare([good, good], own, "en-de")


def test_a_gate_compares_the_candidate_with_the_baselines_same_system(tmp_path: Path) -> None:
    rows = [f"{n}\tThe baker came {n}.\tbaker\tmasculine\t\to{n % 8}" for n in range(240)]
    own = _set(tmp_path, rows)
    good = _file(tmp_path, "good.de", [f"Der Bäcker kam {n}." for n in range(240)])
    bad = _file(tmp_path, "bad.de", [f"Die Bäckerin kam {n}." for n in range(240)])
    before, after = tmp_path / "before", tmp_path / "after"
    epicene.audit([own], ["en-de"], [f"file:{good}", f"file:{bad}"], folder=before, cached=False)
    epicene.audit([own], ["en-de"], [f"file:{good}"], folder=after, cached=False)
    (found,) = judging.gate(before, after, max_drop=1)
    assert found.answer == "ok"
    assert "good.de" in found.comparison.baseline
    other = _file(tmp_path, "other.de", [f"Der Bäcker kam {n}." for n in range(240)])
    epicene.audit([own], ["en-de"], [f"file:{other}"], folder=tmp_path / "third", cached=False)
    with pytest.raises(InputError, match="several systems"):
        judging.gate(before, tmp_path / "third", max_drop=1)


def test_a_gate_judges_gaps_floors_and_gains(tmp_path: Path) -> None:
    rows = [f"{n}\tThe baker came {n}.\tbaker\tmasculine\t\to{n % 8}" for n in range(240)]
    own = _set(tmp_path, rows)
    good = _file(tmp_path, "good.de", [f"Der Bäcker kam {n}." for n in range(240)])
    half = _file(tmp_path, "half.de", [f"{'Der Bäcker' if n < 120 else 'Die Bäckerin'} kam {n}." for n in range(240)])
    (found,) = judging.gate(half, good, Limits(max_drop=1), own, "en-de", groups=["all"], min_rate=90)
    assert [(each.what, each.answer) for each in found.judgements] == [("drop", "improved"), ("rate", "ok")]
    assert found.answer == "improved"
    (found,) = judging.gate(good, half, Limits(), own, "en-de", groups=["all"], min_rate=90)
    assert found.answer == "regression"
    with pytest.raises(InputError, match="has no gap between groups"):
        judging.gate(good, half, Limits(), own, "en-de", max_gap=5)
    with pytest.raises(InputError, match="nothing to judge by"):
        judging.gate(good, half, Limits(), own, "en-de")


def test_sentences_of_one_occupation_stand_and_fall_together(tmp_path: Path) -> None:
    """Thirty sentences lost in one occupation are one loss; in every occupation they are many."""
    rows = [f"{n}\tThe baker came {n}.\tbaker\tmasculine\t\to{n % 10}" for n in range(300)]
    own = _set(tmp_path, rows)

    def lost(name: str, wrong: Callable[[int], bool]) -> Path:
        return _file(tmp_path, name, [f"{'Die Bäckerin' if wrong(n) else 'Der Bäcker'} kam {n}." for n in range(300)])

    good = lost("good.de", lambda n: False)
    one, every = lost("one.de", lambda n: n % 10 == 0), lost("every.de", lambda n: n < 30)
    for candidate, answer in ((one, "unclear"), (every, "regression")):
        (found,) = judging.gate(good, candidate, Limits(max_drop=2), own, "en-de", groups=["all"], min_rate=75)
        drop, rate = found.judgements
        assert (drop.value, drop.answer) == (pytest.approx(10), answer)
        assert rate.value == 90
        # The floor is judged over the same clusters: 90 of 100 surely reach 75 only where occupations agree.
        assert rate.answer == ("unclear" if candidate == one else "ok")
