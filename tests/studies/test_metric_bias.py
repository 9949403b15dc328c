"""The study of metrics: a man in place of a woman, and a woman in place of a man."""

from __future__ import annotations

import pytest

from epicene.studies.metric_bias import STUDY, Twin, _sacre, row, run

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
    assert (found.signatures, STUDY.inputs.keys()) == ((), {"comet"})
