"""BLEU and chrF by sacreBLEU: of a corpus, of a sentence, and of two systems on the same sentences (extra quality)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from epicene.errors import MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

NAMES = ("bleu", "chrf")
UNITS = {"bleu": "BLEU", "chrf": "chrF"}
_TOKENS = {"zh": "zh"}  # languages whose words sacreBLEU's usual tokeniser does not part
_RESAMPLES = 1000
_SEED = 12345  # sacreBLEU's own
_MOST = 5_000_000  # sentences that are drawn in all resamples together, since all of them lie in memory
References = Sequence[Sequence[str]]  # for each sentence, one or more


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a corpus, with the interval of sacreBLEU's bootstrap over sentences."""

    value: float
    low: float | None
    high: float | None
    n: int
    signature: str


@dataclass(frozen=True, slots=True)
class Paired:
    """Two scores on the same sentences, with the p-value of sacreBLEU's paired bootstrap."""

    before: float
    after: float
    p: float
    n: int
    signature: str


class Drawn(NamedTuple):
    """The score of a corpus, and its scores over units of sentences that were drawn again."""

    value: float
    scores: npt.NDArray[np.float64]


def corpus(name: str, texts: Sequence[str], references: References, target: str = "", interval: bool = True) -> Score:
    """The score of translations against their references."""
    metric, n = _metric(name, target), len(texts)
    if n < 2 or not interval:
        found = metric.corpus_score(list(texts), _streams(references))
        return Score(float(found.score), None, None, n, str(metric.get_signature()))
    try:
        found = metric.corpus_score(list(texts), _streams(references), n_bootstrap=_resamples(n))
    except TypeError:  # of draws that score exactly 0, as where all texts are empty, sacreBLEU cannot make a mean
        return corpus(name, texts, references, target, interval=False)
    low, high = found._mean - found._ci, found._mean + found._ci
    return Score(float(found.score), float(low), float(high), n, str(metric.get_signature()))


def sentence(name: str, text: str, references: Sequence[str], target: str = "") -> float:
    """The score of one sentence."""
    return float(_kept(name, target).sentence_score(text, list(references)).score)


def paired(name: str, before: Sequence[str], after: Sequence[str], references: References, target: str = "") -> Paired:
    """Two systems' scores, and whether they differ by more than chance."""
    metric = _metric(name, target)  # first of all: it says what to install
    from sacrebleu.significance import PairedTest

    systems = [("before", list(before)), ("after", list(after))]
    tested = PairedTest(systems, {name: metric}, _streams(references), "bs", _resamples(len(before)))
    signatures, scores = tested()
    (key,) = signatures
    old, new = scores[key]
    return Paired(float(old.score), float(new.score), float(new.p_value), len(before), str(signatures[key]))


def drawn(
    name: str, systems: Sequence[Sequence[str]], references: References, units: Sequence[str], target: str = ""
) -> list[Drawn]:
    """Systems' scores over the same draws of units, such as pairs or occupations, so that they can be subtracted.

    sacreBLEU counts each sentence and makes a score of sums, as it does for its own tests, which draw sentences.
    """
    import numpy as np

    metric = _metric(name, target)
    rows = {unit: row for row, unit in enumerate(dict.fromkeys(units))}
    of = [rows[unit] for unit in units]
    times = np.random.default_rng(_SEED).multinomial(len(rows), np.full(len(rows), 1 / len(rows)), _resamples(len(of)))
    found = []
    for texts in systems:
        counts = np.array(metric._extract_corpus_statistics(list(texts), _streams(references)))
        summed = np.zeros((len(rows), counts.shape[1]))
        np.add.at(summed, of, counts)
        scores = [metric._compute_score_from_stats(list(row)).score for row in times @ summed]
        value = float(metric._compute_score_from_stats(list(counts.sum(0))).score)
        found.append(Drawn(value, np.array(scores)))
    return found


def _resamples(n: int) -> int:
    return max(100, min(_RESAMPLES, _MOST // n))


def _streams(references: References) -> list[list[str | None]]:
    """One stream a reference, as sacreBLEU has them; sentences that have fewer are filled up with nothing."""
    most = max(map(len, references))
    return [[own[place] if place < len(own) else None for own in references] for place in range(most)]


@cache
def _kept(name: str, target: str) -> Any:
    return _metric(name, target, effective_order=True)


def _metric(name: str, target: str, effective_order: bool = False) -> Any:
    try:
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.metrics.chrf import CHRF
    except ImportError:
        raise MissingExtraError(f"{UNITS[name]} against references", "quality") from None
    if name == "chrf":
        return CHRF()
    # BLEU of a single sentence needs orders of which there are n-grams; that of a corpus has them all.
    return BLEU(tokenize=_TOKENS.get(target, "13a"), effective_order=effective_order)
