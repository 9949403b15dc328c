"""Every model in every precision with every beam, by one engine on one machine: times that compare, and quality."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from epicene.errors import InputError, MissingExtraError
from epicene.flow import plan
from epicene.flow.score import outputs_of_file
from epicene.flow.score import score_outputs as scored
from epicene.measures.metrics import score_corpus
from epicene.options import Flag
from epicene.store.hypotheses import TranslationLines
from epicene_lab import corpus, pieces, points, store
from epicene_lab.corpus import SentencePair
from epicene_lab.points import GROUPS, MODES, PROTOCOLS, Key, Point, Quality, Scores, Timing
from epicene_lab.timing import Work, name_machine, write_today


def measure_bleu(translations: Sequence[str], references: Sequence[str]) -> tuple[float, str]:
    """Corpus BLEU and its signature."""
    score = score_corpus("bleu", translations, [(reference,) for reference in references], interval=False)
    return score.value or 0.0, score.signature or ""


def measure_quality(tested: Sequence[str], references: Sequence[str], simplegen: Sequence[str], langs: str) -> Quality:
    """All that is measured of translations: of a test with references, and of SimpleGEN."""
    score, signature = measure_bleu(tested, references)
    challenge = plan.open_set("simplegen")
    pair = plan.open_pair(langs, challenge)
    scores, n = {}, {}
    for protocol in PROTOCOLS:
        outputs = outputs_of_file(challenge, pair, TranslationLines(simplegen))
        # A model that is trained by half is measured as well.
        result = scored(plan.open_task(challenge, pair, protocol), outputs, "lab", anyway=True)
        correct = {group: result["correct", group] for group in GROUPS}
        n = {group: measure.n for group, measure in correct.items()}
        counts = {group: measure.count or 0 for group, measure in correct.items()}
        unread = {group: measure.undetected or 0 for group, measure in correct.items()}
        scores[protocol] = Scores(counts, unread, result.signature)
    return Quality(round(score, 2), len(tested), signature, n, scores)


LEAST_REPEATS = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured of each model."""

    test: Annotated[Path, Flag("Sentences with references.", "PAIRS.tsv")]
    sentences: Annotated[int, Flag("How many are timed.", least=1)] = 100
    baseline: Annotated[Path | None, Flag("Timed in every turn, as 100 %. Default: the first.", "MODEL")] = None
    repeats: Annotated[int, Flag("How often; at least 5.")] = LEAST_REPEATS
    lines: int = corpus.TEST_LINES  # of the test, for BLEU
    times_only: Annotated[bool, Flag("Measure no BLEU and no SimpleGEN.")] = False


def measure_speed(folders: Sequence[Path], plan: Plan, results: Path) -> Iterator[Point]:
    """Measure what the results file does not hold yet; each point is written there before it is yielded."""
    if plan.repeats < LEAST_REPEATS:
        raise InputError(f"--repeats {plan.repeats}: at least {LEAST_REPEATS}, or the spread means nothing")
    _torch()
    described = {folder: _described(folder) for folder in folders}
    test = corpus.read_test_pairs(plan.test, plan.lines)
    if not test:
        raise InputError(f"{plan.test} holds no pair to test on")
    finished = {point.key for point in points.read([results]) if _whole(point, plan)} if results.is_file() else set()
    baseline = _baseline(plan.baseline or folders[0], test, plan)
    for folder, record in described.items():
        for point in _measure(folder, record, baseline, test, plan, finished):
            points.append(results, point)
            yield point


def _torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError:
        raise MissingExtraError("the lab", "train", "epicene-lab") from None


def _described(folder: Path) -> dict[str, Any]:
    record = store.read_record(folder)
    if "pair" not in record or "seed" not in record:
        raise InputError(f"{folder / store.MODEL} names no pair and seed; it was not made by epicene lab")
    return record


def _whole(point: Point, plan: Plan) -> bool:
    return bool(point.time and (point.quality or plan.times_only or point.key.engine != points.LAB))


def _baseline(folder: Path, test: Sequence[SentencePair], plan: Plan) -> Work:
    from epicene_lab import timing

    sources = _encode(pieces.open_processor(folder / store.PIECES), _pick_timed(test, plan))
    with timing.use_one_thread():
        return timing.lab_work(store.load(folder), sources, [("float", 5)])["float", 5]


def _pick_timed(test: Sequence[SentencePair], plan: Plan) -> list[str]:
    return [pair[0] for pair in corpus.sample_lines(test, plan.sentences)]


def _measure(
    folder: Path,
    record: dict[str, Any],
    baseline: Work,
    test: Sequence[SentencePair],
    plan: Plan,
    finished: set[Key],
) -> Iterator[Point]:
    from epicene_lab import timing

    shape, langs, seed = record["shape"], record["pair"], record["seed"]
    tool = pieces.open_processor(folder / store.PIECES)
    timed = _pick_timed(test, plan)
    here, now = name_machine(), write_today()

    def key(precision: str, beam: int, engine: str = points.LAB) -> Key:
        return Key(langs, shape.name, seed, precision, beam, engine)

    todo = [mode for mode in MODES if key(*mode) not in finished]
    with timing.use_one_thread():
        if todo:
            model = store.load(folder)
            sources = _encode(tool, timed)
            times = timing.interleave(baseline, timing.lab_work(model, sources, todo), plan.repeats, len(timed))
            for mode in todo:
                quality = None if plan.times_only else _quality(model, tool, mode, test, record)
                yield Point(key(*mode), quality, times[mode], here, now)
        beams = [beam for beam in (1, 5) if key("int8", beam, points.CTRANSLATE2) not in finished]
        if beams and not shape.aan:
            for beam, time in _time_exported(folder, tool, timed, beams, baseline, plan.repeats).items():
                yield Point(key("int8", beam, points.CTRANSLATE2), None, time, here, now)


def _encode(tool: Any, lines: Sequence[str]) -> list[Any]:
    import numpy as np

    return [np.array(encoded) for encoded in pieces.encode(tool, lines)]


def _time_exported(
    folder: Path, tool: Any, lines: Sequence[str], beams: Sequence[int], baseline: Work, repeats: int
) -> dict[int, Timing]:
    from epicene_lab import timing
    from epicene_lab.export import export

    with tempfile.TemporaryDirectory() as place:
        export(folder, Path(place))
        sources = tool.encode(list(lines), out_type=str)
        work = timing.ctranslate2_work(Path(place), sources, beams)
        return timing.interleave(baseline, work, repeats, len(lines))


def _quality(
    model: Any, tool: Any, mode: tuple[str, int], test: Sequence[SentencePair], record: dict[str, Any]
) -> points.Quality:
    """Decoded in batches: a sentence is translated alike in a batch and alone."""
    from epicene_lab.export import copy_quantised
    from epicene_lab.search import decode

    precision, beams = mode
    model = copy_quantised(model) if precision == "int8" else model

    def translated(lines: Sequence[str]) -> list[str]:
        said = decode(model, _encode(tool, lines), beams)
        return [tool.decode(each.tolist()) for each in said]

    tested = translated([pair[0] for pair in test])
    people = translated(corpus.read_challenge_sentences("simplegen"))
    return measure_quality(tested, [pair[1] for pair in test], people, record["pair"])
