"""What is shown of tests on word vectors: WEAT, other metrics, WEFAT, debiasing, CEAT and gender scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from epicene.output.table import Cell, Column, Table, format_number

if TYPE_CHECKING:
    from epicene.embeddings.ceat import Ceat
    from epicene.embeddings.debias import Debiasing
    from epicene.embeddings.genderscore import GenderScores, WordGender
    from epicene.embeddings.panel import Panel
    from epicene.embeddings.weat import Association, Refusal, Weat
    from epicene.embeddings.wefat import Wefat

T = TypeVar("T")
_WEAT_LEGEND = (
    "d: effect size. p two: share of the partitions at least as far from zero as the observed one. paper: whether p "
    "two is below the level, as the papers judge. Holm: p two, adjusted for all tests of the embedding that are no "
    "near-copies. s: test statistic, with the partitions above it, as far from zero, and counted in all. p one: share "
    "of those above."
)
_PANEL_LEGEND = (
    "rnd: mean distance to the first group less that to the second; below zero, the words are nearer to the first. "
    "ect: rank correlation of the closeness to both; 1 is no bias. ripa: inner product with the difference of pairs; "
    "above zero, the words lean to the first. mac: mean cosine distance to both lists; 1 is none. rnsb: divergence of "
    "the chances to belong to the second list; 0 is no bias. p: how often chance groups, labels (rnsb) or turned pairs "
    "(ripa) reach as far."
)
_CHANGE_LEGEND = (
    "d: effect size before and after; Δd with its interval over words, p: how often chance, swapping before and after "
    "word by word, changes d as much. Δs: change of the association in mean cosines, with its own p. d is scaled by "
    "the spread of all words: it can stay while the association itself all but goes."
)
_JOBS = 24  # occupations that are printed, half of them from each end
_WORDS = 50  # words that are printed, half of them from each end
_NAMED = 20  # words that a note names


def format_small_p(p: float | None) -> str:
    """A p-value however small."""
    if p is None:
        return "–"
    if p == 0:
        return "0"
    return f"{p:.4f}".removeprefix("0") if p >= 0.0001 else f"{p:.1e}"


def _short(p: float | None) -> str:
    """A p-value as a narrow column has it; the counts below say how small it is."""
    return "<.0001" if p is not None and 0 < p < 0.0001 else format_small_p(p)


def _columns(*titles: str) -> tuple[Column, ...]:
    return tuple(Column(title, title) for title in titles)


def _interval(low: float | None, high: float | None, digits: int) -> str:
    if low is None or high is None:
        return "–"
    return f"[{format_number(low, digits)}, {format_number(high, digits)}]"


def _both_ends(items: Sequence[T], most: int) -> list[T | None]:
    """A list, or its two ends with a gap between them."""
    return list(items) if len(items) <= most else [*items[: most // 2], None, *items[-(most // 2) :]]


def _number_embeddings(names: Sequence[str]) -> list[str]:
    return [f"{number}  {name}" for number, name in enumerate(names, 1)]


def _refusals(refused: Sequence[Refusal]) -> tuple[str, ...]:
    return tuple(f"not run on {each.embedding}: {each.test.name}, {each.reason}" for each in refused)


def _signatures(parts: Sequence[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.signature for part in parts))


def weat_tables(answer: Weat) -> Iterator[Table]:
    """Effect sizes, p-values and verdicts, then what stands behind each p-value."""
    level = f"{answer.settings.alpha:g}"
    how = f"paper: p two < {level} · bias: Holm ≤ {level} · ddof {answer.settings.ddof}"
    how += f" · case {answer.settings.case} · missing {answer.settings.missing}"
    yield Table("\n".join([*_number_embeddings(answer.embeddings), how]))
    numbers = {name: str(number) for number, name in enumerate(answer.embeddings, 1)}
    effects: list[tuple[Cell, ...]] = []
    counted: list[tuple[Cell, ...]] = []
    for each in answer:
        effect, counts = each["effect_size"], each.counts
        place = (each.test.name, numbers[each.embedding])
        bounds = f"[{format_number(effect.low, 2)}, {format_number(effect.high, 2)}]"
        judged = ("yes" if each.significant else "no", _short(each.p_holm), "yes" if each.biased else "no")
        sizes = "+".join(map(str, each.sizes))
        p = _short(each["p_two_sided"].value)
        effects.append((*place, sizes, format_number(effect.value, 2), bounds, p, *judged))
        partitions = f"{counts.partitions:,}" if counts.exact else f"{counts.partitions:,} drawn"
        far = (f"{counts.greater:,}", f"{counts.extreme:,}", partitions, _short(each["p_one_sided"].value))
        counted.append((*place, format_number(each.statistic, 4), *far))
    columns = _columns("test", "e", "n", "d", "95 % interval", "p two", "paper", "Holm", "bias")
    yield Table("", columns, tuple(effects))
    columns = _columns("test", "e", "s", "above", "as far", "partitions", "p one")
    yield Table("", columns, tuple(counted), (_WEAT_LEGEND,) if counted else ())
    yield Table(notes=tuple(_weat_notes(answer, numbers)), signatures=_signatures(list(answer)))


def _weat_notes(answer: Weat, numbers: dict[str, str]) -> Iterator[str]:
    """Intervals of sampled p-values, words that were missing, and tests that could not be run."""
    for each in answer:
        yield from (f"{each.test.name} ({numbers[each.embedding]}) {line}" for line in _association_notes(each))
    for name, number in numbers.items():
        refused = [each for each in answer.refused if each.embedding == name]
        short = [f"{each.test.name} ({each.short})" for each in refused if not each.why]
        if short:
            yield f"not run on {number}, too few words found: {', '.join(short)}"
        yield from (f"not run on {number}: {each.test.name}, {each.why}" for each in refused if each.why)


def _association_notes(each: Association) -> Iterator[str]:
    if each.doubt:
        yield f"is {each.doubt}"
    if not each.counts.exact:
        intervals = (
            f"{name} in [{format_small_p(p.low)}, {format_small_p(p.high)}]"
            for name, p in (("p one", each["p_one_sided"]), ("p two", each["p_two_sided"]))
        )
        yield f"p is sampled, with 95 % {', '.join(intervals)}"
    yield from (f"missing in {letter}: {', '.join(words)}" for letter, words in each.missing.items())
    for letter, words in each.dropped.items():
        yield f"left out of {letter} to keep sizes equal: {', '.join(words)}"
    if each.test.excluded:
        yield f"on both sides of the published lists, so left out: {', '.join(each.test.excluded)}"
    if each.alike:
        yield f"have one vector: {'; '.join(', '.join(group) for group in each.alike)}"
    if each.copy_of:
        yield f"is a near-copy of {each.copy_of}: Holm counts one of them"
    if each.shared:
        yield f"both target and attribute: {', '.join(each.shared)}"
    if each.spelled:
        yield f"spelled otherwise: {', '.join(f'{word} as {form}' for word, form in each.spelled.items())}"
    twice = [word for word, times in Counter(score.word for score in each.scores).items() if times > 1]
    if twice:
        yield f"more than once in the list, as published: {', '.join(twice)}"


def word_tables(answer: Weat) -> Iterator[Table]:
    """Which words carry each association: all targets, the closest to A first."""
    for each in answer:
        test = each.test
        columns = _columns("word", "list", f"closer to {test.a.name} (+) or {test.b.name} (-)")
        scores = sorted(each.scores, key=lambda score: -score.score)
        rows = tuple((score.word, test.lists[score.side].name, f"{score.score:+.4f}") for score in scores)
        yield Table(f"{test.name} on {each.embedding}: {test.title}", columns, rows)


def panel_tables(answer: Panel) -> Iterator[Table]:
    """One row a metric, test and list of words."""
    groups = dict.fromkeys(f"{each.test}: {each.groups}" for each in answer.results if each.metric != "mac")
    several = len(answer.embeddings) > 1
    rows: list[tuple[Cell, ...]] = []
    for each in answer.results:
        number = f" ({answer.embeddings.index(each.embedding) + 1})" if several else ""
        words = (each.test + number, each.metric, each.words)
        bounds = _interval(each.low, each.high, 3)
        rows.append((*words, format_number(each.value, 3), bounds, format_small_p(each.p), each.n))
    columns = _columns("test", "metric", "words", "value", "95 % interval", "p", "n")
    title = "\n".join([*_number_embeddings(answer.embeddings), *groups])
    notes = (_PANEL_LEGEND, *_refusals(answer.refused))
    yield Table(title, columns, tuple(rows), notes, _signatures(answer.results))


def wefat_tables(answer: Wefat) -> Iterator[Table]:
    """What the vectors know of who does the job, and the occupations, the most feminine first."""
    lines = [f"{answer.embedding} · {answer.language} · share of women: {answer.reference}"]
    bounds = _interval(answer.low, answer.high, 2)
    p = format_small_p(answer.p)
    lines.append(f"r = {format_number(answer.r, 2)} {bounds}, p = {p}, n = {len(answer.jobs)} occupations")
    if mweat := answer.mweat:
        lean = f"mean lean {mweat.mean:+.4f} {_interval(mweat.low, mweat.high, 4)}"
        lines.append(f"MWEAT {mweat.value:.3f}: {lean}, p = {format_small_p(mweat.p)}, {mweat.pairs} pairs")
        side = "masculine forms lean further" if mweat.mean > 0 else "feminine forms lean further"
        lines.append(f"({side} to their side where the interval leaves out zero)")
    if answer.missing:
        lines.append(f"without a vector: {', '.join(answer.missing)}")
    rows: list[tuple[Cell, ...]] = []
    for job in _both_ends(answer.jobs, _JOBS):
        if job is None:
            rows.append(("…",) * 5)
        else:
            p, women = format_small_p(job.p), format_number(job.women, 1)
            rows.append((job.name, " / ".join(job.words), f"{job.score:+.2f}", p, women))
    columns = _columns("occupation", "words", "score", "p", "women %")
    yield Table("\n".join(lines), columns, tuple(rows), signatures=(answer.signature,))


def change_tables(answer: Debiasing) -> Iterator[Table]:
    """One row a test, before and after."""
    rows: list[tuple[Cell, ...]] = []
    for each in answer.results:
        effects = (each.before["effect_size"].value, each.after["effect_size"].value, each.change)
        rows.append(
            (
                each.before.test.name,
                "+".join(map(str, each.before.sizes)),
                *(format_number(effect, 2) for effect in effects),
                _interval(each.low, each.high, 2),
                format_small_p(each.p),
                f"{each.shift:+.3f}",
                format_small_p(each.p_shift),
            )
        )
    columns = _columns("test", "n", "d before", "d after", "Δd", "95 % interval", "p", "Δs", "p of Δs")
    signatures = _signatures([side for each in answer.results for side in (each.before, each.after)])
    title = f"before  {answer.before}\nafter   {answer.after}"
    yield Table(title, columns, tuple(rows), (_CHANGE_LEGEND, *_refusals(answer.refused)), signatures)


def ceat_tables(answer: Ceat) -> Iterator[Table]:
    """One row a test."""
    rows: list[tuple[Cell, ...]] = []
    for each in answer.results:
        uses = sorted(each.uses.values())
        rows.append(
            (
                each.test.name,
                format_number(each.effect.value, 2),
                _interval(each.effect.low, each.effect.high, 2),
                format_small_p(each.effect.p),
                format_small_p(each.p_words),
                _interval(*each.spread, 2),
                f"{each.samples:,}",
                f"{uses[0]}–{uses[-1]}",
            )
        )
    columns = _columns("test", "effect", "95 % interval", "p", "p of words", "single samples", "samples", "uses a word")
    doubts = tuple(f"{each.test.name} is {each.doubt}" for each in answer.results if each.doubt)
    notes = (*doubts, *_refusals(answer.refused))
    yield Table(answer.embedding, columns, tuple(rows), notes, _signatures(answer.results))


def score_tables(answer: GenderScores) -> Iterator[Table]:
    """Words, the most feminine first; of a long list both ends."""
    total = len(answer.words) + len(answer.unscored)
    lines = []
    for each in answer.coverage:
        lines.append(f"{each.embedding}: {total - len(each.missing)} of {total} words, {each.width} numbers each")
        seeds = (f"{there}/{of} {side} {name}" for (name, side), (there, of) in each.seeds.items())
        lines.append(f"  seeds: {', '.join(seeds)}")
    words = _both_ends(answer.words, _WORDS)
    rows = tuple(_score_cells(word, len(answer.columns)) if word else ("…",) * 6 for word in words)
    columns = _columns("word", "score", "95 % interval", "rank", "ranks", "parts")
    yield Table("\n".join(lines), columns, rows, tuple(_score_notes(answer)), (answer.signature,))


def _score_cells(word: WordGender, columns: int) -> tuple[Cell, ...]:
    bounds = f"[{word.low:+.3f}, {word.high:+.3f}]"
    ranks = f"[{word.rank_low}, {word.rank_high}]"
    return word.word, f"{word.score:+.3f}", bounds, word.rank, ranks, f"{len(word.scores)}/{columns}"


def _score_notes(answer: GenderScores) -> Iterator[str]:
    """What is left out of the table, and the words that have no vector."""
    if len(answer.words) > _WORDS:
        yield f"{len(answer.words)} words scored; -o TSV writes them all"
    for each in answer.unscored[:_NAMED]:
        why = "a phrase; embeddings hold words" if " " in each.word else "in no embedding"
        yield f"not scored: {each.where}: {each.word} ({why})"
    if len(answer.unscored) > _NAMED:
        yield f"not scored: {len(answer.unscored) - _NAMED} more, see -f json"
    unscored = {each.word for each in answer.unscored}
    for embedding in answer.coverage:
        partly = [word for word in embedding.missing if word not in unscored]
        if partly:
            more = f" and {len(partly) - _NAMED} more" if len(partly) > _NAMED else ""
            yield f"not in {embedding.embedding}: {', '.join(partly[:_NAMED])}{more}"
