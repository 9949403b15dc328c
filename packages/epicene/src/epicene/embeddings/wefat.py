"""Do vectors know who does the job? The association of occupations with gender, against the share of women in them.

WEFAT (Caliskan et al. 2017), also called SC-WEAT: each word's mean cosine to female terms less that to male terms, over
the standard deviation of its cosines to all of them; then the correlation of that with labour statistics. In gendered
languages an occupation has two words, one for women and one for men: its association is the mean of both, and their
imbalance is MWEAT (Zhou et al. 2019).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from epicene.embeddings import wordlists
from epicene.embeddings.association import Array, share_of, sign_p, unit_rows
from epicene.embeddings.tables import both_ends, columns, format_interval, format_small_p
from epicene.embeddings.vectors import Case, Embedding, Vectors, named_sources, open_all
from epicene.errors import EvidenceError, InputError
from epicene.files import read_lines
from epicene.output.table import Answer, Cell, Row, Table, format_number
from epicene.stats.exact import partitions
from epicene.stats.means import fisher, pearson, students
from epicene.stats.student import student_cdf
from epicene.tables import rows, table
from epicene.version import __version__

DRAWS = 20_000
SEED = 20170414
# The terms for men and women of a language: those of its WEAT 7.
TERMS = {"en": "weat7", "de": "weat7-ger", "fr": "weat7-fr", "es": "xweat7-es", "it": "xweat7-it"}
_LEAST = 5  # occupations that a correlation is made of
_PRINTED = 24  # occupations, half of them from each end


@dataclass(frozen=True, slots=True)
class Job:
    """An occupation's words, masculine first, and the share of women in it in per cent."""

    name: str
    words: tuple[str, ...]
    women: float


@dataclass(frozen=True, slots=True)
class JobScore:
    """How female an occupation's words are to the vectors."""

    name: str
    words: tuple[str, ...]
    women: float
    score: float  # positive: closer to female terms
    p: float | None  # two-sided, over all ways to part the terms; of one word

    def cells(self) -> tuple[Cell, ...]:
        """Its row of the table."""
        score, women = f"{self.score:+.2f}", format_number(self.women, 1)
        return self.name, " / ".join(self.words), score, format_small_p(self.p), women


@dataclass(frozen=True, slots=True)
class Mweat:
    """Whether masculine words are more masculine than feminine ones are feminine."""

    value: float  # the authors': the difference of the two sums' sizes
    mean: float  # by pair: above zero where the masculine form leans further
    low: float | None
    high: float | None
    p: float
    pairs: int


@dataclass(frozen=True, slots=True, repr=False)
class Wefat(Answer):
    """One embedding against the shares of women."""

    embedding: str
    language: str
    reference: str
    jobs: tuple[JobScore, ...]  # the most feminine first
    missing: tuple[str, ...]
    r: float | None
    low: float | None
    high: float | None
    p: float | None
    mweat: Mweat | None
    signature: str

    def tables(self) -> Iterable[Table]:
        """What the vectors know of who does the job, and the occupations, the most feminine first."""
        lines = [f"{self.embedding} · {self.language} · share of women: {self.reference}"]
        r = f"r = {format_number(self.r, 2)} {format_interval(self.low, self.high, 2)}, p = {format_small_p(self.p)}"
        lines.append(f"{r}, n = {len(self.jobs)} occupations")
        if mweat := self.mweat:
            lean = f"mean lean {mweat.mean:+.4f} {format_interval(mweat.low, mweat.high, 4)}"
            lines.append(f"MWEAT {mweat.value:.3f}: {lean}, p = {format_small_p(mweat.p)}, {mweat.pairs} pairs")
            side = "masculine forms lean further" if mweat.mean > 0 else "feminine forms lean further"
            lines.append(f"({side} to their side where the interval leaves out zero)")
        if self.missing:
            lines.append(f"without a vector: {', '.join(self.missing)}")
        cells = tuple(job.cells() if job else ("…",) * 5 for job in both_ends(self.jobs, _PRINTED))
        titles = columns("occupation", "words", "score", "p", "women %")
        yield Table("\n".join(lines), titles, cells, signatures=(self.signature,))

    def rows(self) -> list[Row]:
        """One row per occupation."""
        return [{"embedding": self.embedding, **asdict(job), "words": " / ".join(job.words)} for job in self.jobs]

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        return {"epicene": __version__, "metric": "wefat", **asdict(self), "n": len(self.jobs)}


def wefat(
    embeddings: Embedding | Sequence[Embedding],
    language: str = "en",
    reference: str | Path | None = None,
    case: Case | str = Case.ANY,
) -> list[Wefat]:
    """Compare the gender of occupations in each embedding with the share of women who work in them.

    ``reference`` is a table of word and women_pct, tab-separated (two words of an occupation joined by " / "); without
    it, the shares of the US Bureau of Labor Statistics for 2020, with words in English, German, French, Spanish or
    Italian.
    """
    if language not in TERMS:
        raise InputError(f"no terms for women and men in {language!r}; known: {', '.join(TERMS)}")
    test = wordlists.shipped()[TERMS[language]]
    terms = {"female": test.b.words, "male": test.a.words}
    jobs = read_jobs(reference) if reference else shipped_jobs(language)
    named = Path(reference).name if reference else "us-bls-2020"
    wanted = [word for job in jobs for word in job.words] + [word for words in terms.values() for word in words]
    sources = named_sources(embeddings)
    return [_measure(vectors, language, named, jobs, terms) for vectors in open_all(sources, wanted, case)]


@cache
def shipped_jobs(language: str) -> tuple[Job, ...]:
    """Occupations with the share of women among those employed in the US."""
    women = {row["concept"]: float(row["women"]) for row in table("labour/tables/us_women.tsv")}
    if language == "en":
        return tuple(Job(name, (name.replace(" ", "_"),), share) for name, share in women.items())
    return tuple(
        Job(row["concept"], tuple(row[language].split(" / ")), women[row["concept"]])
        for row in table("embeddings/tables", "jobs.tsv")
        if row[language]
    )


def read_jobs(path: str | Path) -> tuple[Job, ...]:
    """A user's table: word and women_pct; every row is looked at, and a share is said in per cent."""
    jobs: list[Job] = []
    for number, row in enumerate(rows("\n".join(read_lines(path)) or "word", str(path)), 2):
        word, text = row.get("word", "").strip(), row.get("women_pct", "").strip().replace(",", ".")
        try:
            share = float(text)
        except ValueError:
            share = math.nan
        if not word or not 0 <= share <= 100:
            raise InputError(
                f"{path}:{number}: word {word!r} with women_pct {text!r}; expected a word and a share from 0 to 100"
            )
        jobs.append(Job(word, tuple(word.split(" / ")), share))
    if len(jobs) < _LEAST:
        raise InputError(f"{path}: {len(jobs)} rows; expected the columns word and women_pct, and at least {_LEAST}")
    if max(job.women for job in jobs) <= 1:
        raise InputError(
            f"{path}: no women_pct is above 1; these look like fractions, expected per cent (62, not 0.62)"
        )
    return tuple(jobs)


def _measure(
    vectors: Vectors, language: str, reference: str, jobs: Sequence[Job], terms: Mapping[str, Sequence[str]]
) -> Wefat:
    there = {side: [word for word in words if word in vectors] for side, words in terms.items()}
    for side, words in there.items():
        if len(words) < 2:
            raise EvidenceError(
                f"{vectors.name}: {len(words)} of the {len(terms[side])} {side} terms are there; is it {language}?"
            )
    female, male = (unit_rows(np.array([vectors[word] for word in there[side]])) for side in ("female", "male"))
    known = [job for job in jobs if all(word in vectors for word in job.words)]
    scored = [_score(job, vectors, female, male) for job in known]
    r = pearson([job.score for job in scored], [job.women for job in scored]) if len(scored) >= _LEAST else None
    low, high = (fisher(r, len(scored)) if r is not None else None) or (None, None)
    digest = vectors.digest([word for job in known for word in job.words] + there["female"] + there["male"])
    return Wefat(
        embedding=vectors.name,
        language=language,
        reference=reference,
        jobs=tuple(sorted(scored, key=lambda job: -job.score)),
        missing=tuple(job.name for job in jobs if job not in known),
        r=r,
        low=low,
        high=high,
        p=_p_of(r, len(scored)),
        mweat=_mweat([job for job in known if len(job.words) == 2], vectors, female, male),
        signature=f"wefat|{language}|reference:{reference}|vectors:{digest}|v:{__version__}",
    )


def _score(job: Job, vectors: Vectors, female: Array, male: Array) -> JobScore:
    cosines = [(female @ row, male @ row) for row in unit_rows(np.array([vectors[word] for word in job.words]))]
    effects = [float((f.mean() - m.mean()) / np.concatenate([f, m]).std(ddof=1)) for f, m in cosines]
    p = _parted(*cosines[0]) if len(cosines) == 1 else None
    return JobScore(job.name, job.words, job.women, math.fsum(effects) / len(effects), p)


def _parted(female: Array, male: Array) -> float:
    """The share of ways to part the terms in which the word is as far from the middle."""
    everything = np.concatenate([female, male])
    chosen, exact = partitions(len(everything), len(female), DRAWS, SEED)
    gaps = chosen @ everything / len(female) - (1 - chosen) @ everything / len(male)
    return share_of(np.abs(gaps) >= abs(female.mean() - male.mean()) - 1e-12, exact)


def _p_of(r: float | None, n: int) -> float | None:
    """The two-sided p of a correlation, by Student's distribution."""
    if r is None or n < 3 or abs(r) >= 1:
        return None
    return float(2 * student_cdf(n - 2, -abs(r) * math.sqrt((n - 2) / (1 - r * r))))


def _mweat(jobs: Sequence[Job], vectors: Vectors, female: Array, male: Array) -> Mweat | None:
    if len(jobs) < _LEAST:
        return None
    direction = male.mean(axis=0) - female.mean(axis=0)
    forms = [unit_rows(np.array([vectors[job.words[side]] for job in jobs])) @ direction for side in (0, 1)]
    leaning = forms[0] + forms[1]  # above zero where the masculine form is more masculine than the other is feminine
    p = sign_p(leaning, DRAWS, SEED)
    low, high = students(leaning.tolist())
    value = abs(abs(float(forms[0].sum())) - abs(float(forms[1].sum())))
    return Mweat(value, float(leaning.mean()), low, high, p, len(jobs))
