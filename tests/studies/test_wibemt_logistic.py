"""The logistic model against one that is fitted row by row, with the sandwich computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from epicene.errors import EvidenceError
from epicene_lab.studies.wibemt.readings import logistic


def counted() -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    chance = np.random.default_rng(5)
    rows = np.column_stack([np.tile([0.0, 1.0], 30), np.repeat(chance.normal(size=30), 2)])
    trials = chance.integers(5, 60, size=60).astype(float)
    share = 1 / (1 + np.exp(-(-1 + 0.7 * rows[:, 0] - 0.9 * rows[:, 1])))
    return rows, chance.binomial(trials.astype(int), share).astype(float), trials, [f"o{n // 2}" for n in range(60)]


def test_counts_give_what_single_sentences_give() -> None:
    rows, successes, trials, clusters = counted()
    terms = logistic(["verb", "score"], rows, successes, trials, clusters)
    x = sm.add_constant(np.repeat(rows, trials.astype(int), axis=0))
    y = np.concatenate([np.repeat([1.0, 0.0], [int(s), int(t - s)]) for s, t in zip(successes, trials, strict=True)])
    groups = np.repeat([int(name[1:]) for name in clusters], trials.astype(int))
    wanted = sm.Logit(y, x).fit(disp=0)
    assert [term.odds for term in terms] == pytest.approx(np.exp(wanted.params[1:]), rel=1e-6)
    residuals = x * (y - wanted.predict())[:, None]
    sums = np.array([residuals[groups == name].sum(axis=0) for name in np.unique(groups)])
    bread = np.linalg.inv(-wanted.model.hessian(wanted.params))
    n = len(sums)
    errors = np.sqrt(np.diag(bread @ (sums.T @ sums) @ bread) * n / (n - 1))
    lows = np.exp(wanted.params - 1.959964 * errors)[1:]
    # statsmodels also corrects for the number of rows, which differs: by less than 3 % of the interval's half here.
    assert np.log([term.low for term in terms]) == pytest.approx(np.log(lows), abs=0.03 * 1.96 * errors[1:].max())


def test_a_column_that_tells_without_fail_is_refused() -> None:
    rows = np.array([[0.0], [0.0], [1.0], [1.0]])
    with pytest.raises(EvidenceError, match="no logistic model fits"):
        logistic(["x"], rows, np.array([0.0, 0.0, 9.0, 8.0]), np.array([9.0, 8.0, 9.0, 8.0]), ["a", "b", "c", "d"])
