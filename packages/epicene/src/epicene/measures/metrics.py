"""Metrics of quality by their own packages: BLEU and chrF by sacreBLEU (extra quality), COMET (extra comet).

Sentences that are drawn again are drawn as sacreBLEU draws them, or by units, such as pairs or occupations.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.errors import MissingExtraError, SystemFailure, UnknownNameError, first_line
from epicene.files import checksum
from epicene.types import Measure

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

USUAL = ("bleu", "chrf")
UNITS = {"bleu": "BLEU", "chrf": "chrF", "comet": "COMET ×100"}
COMET_MODEL = "Unbabel/wmt22-comet-da"
_TOKENS = {"zh": "zh"}  # languages whose words sacreBLEU's usual tokeniser does not part
_RESAMPLES = 1000
_SEED = 12345  # sacreBLEU's own
_MOST = 5_000_000  # sentences that are drawn in all resamples together, since all of them lie in memory
_COMET_BATCH = 16
References = Sequence[Sequence[str]]  # for each sentence, one or more


@dataclass(frozen=True, slots=True)
class QualityChange:
    """How the score of a system differs from the baseline's on the same sentences."""

    metric: str
    unit: str
    n: int
    before: float
    after: float
    p: float | None  # two-sided: sacreBLEU's paired bootstrap; of COMET a clustered t-test
    signature: str
    low: float | None = None  # 95 % interval of the difference, over the set's units as all intervals are
    high: float | None = None

    @property
    def difference(self) -> float:
        """The system's score less the baseline's."""
        return self.after - self.before

    def as_dict(self) -> dict[str, Any]:
        """The change as JSON has it."""
        record = {name: getattr(self, name) for name in QualityChange.__dataclass_fields__}
        return {**record, "difference": self.difference}


def validate_metrics(names: Sequence[str]) -> tuple[str, ...]:
    """Names of metrics, if they are known: ``bleu``, ``chrf``, ``comet`` or ``comet:MODEL``."""
    for name in names:
        if name.partition(":")[0] not in UNITS or (":" in name and not name.startswith("comet:")):
            raise UnknownNameError("metric", name, UNITS, "A model of COMET is named as in comet:PATH.")
    return tuple(dict.fromkeys(names))


def score_corpus(
    metric: str,
    texts: Sequence[str],
    references: References,
    target: str = "",
    group: str = "all",
    interval: bool = True,
) -> Measure:
    """The score of translations against their references, with the interval of sacreBLEU's bootstrap."""
    scorer, n, low, high = _open_sacrebleu(metric, target), len(texts), None, None
    streams = _list_streams(references)
    try:
        draws = {"n_bootstrap": _count_resamples(n)} if interval and n > 1 else {}
        score = scorer.corpus_score(list(texts), streams, **draws)
    except TypeError:  # of draws that score exactly 0, as where all texts are empty, sacreBLEU cannot make a mean
        return score_corpus(metric, texts, references, target, group, interval=False)
    if draws:
        low, high = float(score._mean - score._ci), float(score._mean + score._ci)
    signature = str(scorer.get_signature())
    return Measure(metric, group, float(score.score), UNITS[metric], n, None, low, high, signature=signature)


def score_sentence(metric: str, text: str, references: Sequence[str], target: str = "") -> float:
    """The score of one sentence."""
    return float(_open_sentence_metric(metric, target).sentence_score(text, list(references)).score)


def compare_corpora(
    metric: str, before: Sequence[str], after: Sequence[str], references: References, target: str = ""
) -> QualityChange:
    """Two systems' scores, and whether they differ by more than chance."""
    scorer = _open_sacrebleu(metric, target)  # first of all: it says what to install
    from sacrebleu.significance import PairedTest

    systems = [("before", list(before)), ("after", list(after))]
    resamples = _count_resamples(len(before))
    signatures, scores = PairedTest(systems, {metric: scorer}, _list_streams(references), "bs", resamples)()
    (key,) = signatures
    old, new = scores[key]
    p = 1.0 if before == after else float(new.p_value)
    return QualityChange(
        metric, UNITS[metric], len(before), float(old.score), float(new.score), p, str(signatures[key])
    )


def draw_scores(
    metric: str, systems: Sequence[Sequence[str]], references: References, units: Sequence[str], target: str = ""
) -> list[npt.NDArray[np.float64]]:
    """Each system's scores over the same draws of units, such as pairs or occupations, so that they can be subtracted.

    sacreBLEU counts each sentence and makes a score of sums, as it does for its own tests, which draw sentences.
    """
    import numpy as np

    scorer = _open_sacrebleu(metric, target)
    rows = {unit: row for row, unit in enumerate(dict.fromkeys(units))}
    sentences = [rows[unit] for unit in units]
    draws = np.random.default_rng(_SEED).multinomial(
        len(rows), np.full(len(rows), 1 / len(rows)), _count_resamples(len(units))
    )
    scores = []
    for texts in systems:
        counts = np.array(scorer._extract_corpus_statistics(list(texts), _list_streams(references)))
        sums = np.zeros((len(rows), counts.shape[1]))
        np.add.at(sums, sentences, counts)
        scores.append(np.array([scorer._compute_score_from_stats(list(row)).score for row in draws @ sums]))
    return scores


def score_comet(
    model: str, sources: Sequence[str], texts: Sequence[str], references: Sequence[Sequence[str]]
) -> list[float]:
    """COMET of each sentence in hundredths, as papers print it; of several references, against the nearest one."""
    loaded = _load_comet(model or COMET_MODEL)
    import torch  # comet brings it

    rows, places = [], []
    for place, (source, text, accepted) in enumerate(zip(sources, texts, references, strict=True)):
        # A model that needs no reference is asked once.
        for reference in accepted if loaded.requires_references() else accepted[:1]:
            rows.append({"src": source, "mt": text, "ref": reference})
            places.append(place)
    gpus = int(torch.cuda.is_available())
    try:
        answers = loaded.predict(rows, batch_size=_COMET_BATCH, gpus=gpus, progress_bar=False)["scores"]
    except (RuntimeError, ValueError) as error:
        raise SystemFailure(f"comet:{model or COMET_MODEL}: {first_line(error)}") from None
    best = [float("-inf")] * len(texts)
    for place, answer in zip(places, answers, strict=True):
        best[place] = max(best[place], 100 * float(answer))
    return best


def sign_comet(model: str) -> str:
    """Which model scored, of which package; a file is known by its content."""
    import importlib.metadata

    path = Path(model)
    name = f"{path.name}@{checksum(path)}" if model and path.is_file() else model or COMET_MODEL
    return f"comet:{name}|version:{importlib.metadata.version('unbabel-comet')}"


def _count_resamples(n: int) -> int:
    return max(100, min(_RESAMPLES, _MOST // n))


def _list_streams(references: References) -> list[list[str | None]]:
    """One stream a reference, as sacreBLEU has them; sentences that have fewer are filled up with nothing."""
    return list(map(list, zip_longest(*references)))


@cache
def _open_sentence_metric(metric: str, target: str) -> Any:
    return _open_sacrebleu(metric, target, effective_order=True)


def _open_sacrebleu(metric: str, target: str, effective_order: bool = False) -> Any:
    try:
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.metrics.chrf import CHRF
    except ImportError:
        raise MissingExtraError(f"{UNITS[metric]} against references", "quality") from None
    if metric == "chrf":
        return CHRF()
    # BLEU of a single sentence needs orders of which there are n-grams; that of a corpus has them all.
    return BLEU(tokenize=_TOKENS.get(target, "13a"), effective_order=effective_order)


@cache
def _load_comet(model: str) -> Any:
    try:
        import comet
    except ImportError:
        raise MissingExtraError("the metric comet", "comet") from None
    logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
    try:
        path = model if Path(model).is_file() else comet.download_model(model)
        return comet.load_from_checkpoint(path)
    except Exception as error:  # noqa: BLE001 - the loaders of many libraries raise what they like
        reason = first_line(error)
        raise SystemFailure(
            f"comet: {model} cannot be loaded: {reason}; name a local checkpoint: --metric comet:PATH/model.ckpt"
        ) from None
