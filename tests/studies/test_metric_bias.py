"""The study of metrics: a man in place of a woman, and a woman in place of a man."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.metric_bias import INPUTS, Twin, _sacre, row, run, twins_of_pairs
from epicene.sets import files as store

pytest.importorskip("sacrebleu")


def test_a_longer_feminine_form_costs_chrf_more_where_it_is_missing_than_where_it_is_too_much() -> None:
    twins = [
        Twin(f"unit {n}", ("", f"Satz {n}: die Lehrerinnen sind da"), ("", f"Satz {n}: die Lehrer sind da"))
        for n in range(8)
    ]
    name, langs, metric, n, own, man, woman, preference, *_ = row("set", "de", "chrF", twins, _sacre("chrf"))
    assert (name, langs, metric, n, own) == ("set", "en-de", "chrF", 8, 0)
    assert isinstance(man, float)
    assert isinstance(woman, float)
    assert man < woman  # recall weighs more in chrF
    assert preference == pytest.approx(man - woman)
    turned = [Twin(each.unit, each.masculine, each.feminine) for each in twins]
    assert row("set", "de", "chrF", turned, _sacre("chrf"))[7] == pytest.approx(woman - man)


def test_sets_that_are_not_here_are_named_with_the_command_that_gets_them() -> None:
    found = run({})
    assert found.missing["gate"].endswith("epicene data get gate")
    assert found.missing["mt-geneval:dev"].endswith("epicene data get mt-geneval-dev")
    assert (found.signatures, INPUTS.keys()) == ((), {"comet"})


@pytest.mark.data
def test_chrf_takes_off_more_for_a_woman_written_as_a_man(published: Path) -> None:
    store.add("mt-geneval", published / "mt-geneval.tar.gz")
    found = row("mt-geneval", "de", "chrF", twins_of_pairs("mt-geneval", "de"), _sacre("chrf"))
    assert found[3] == 300
    assert [round(each, 2) for each in found[5:8]] == [87.25, 88.08, -0.82]  # as docs/numbers.md has them
    low, high = found[8]
    assert (round(low, 2), round(high, 2)) == (-0.98, -0.67)
