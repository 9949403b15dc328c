"""Do vectors know who does the job? The association of occupations with gender, against the share of women in them.

WEFAT (Caliskan et al. 2017), also called SC-WEAT: each word's mean cosine to female terms less that to male terms, over
the standard deviation of its cosines to all of them; then the correlation of that with labour statistics. In gendered
languages an occupation has two words, one for women and one for men: its association is the mean of both, and their
imbalance is MWEAT (Zhou et al. 2019).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.embeddings import wordlists
from epicene.embeddings.metrics import unit
from epicene.embeddings.tables import wefat_tables
from epicene.embeddings.vectors import Case, Embedding, Vectors, load, named_sources
from epicene.errors import EvidenceError, InputError
from epicene.files import read_lines
from epicene.output.table import Answer, Row, Table
from epicene.stats.exact import partitions, signs
from epicene.stats.means import fisher, pearson, students
from epicene.stats.student import student_cdf
from epicene.tables import rows, table
from epicene.version import __version__

if TYPE_CHECKING:
    from epicene.embeddings.metrics import Array

DRAWS = 20_000
SEED = 20170414
# The terms for men and women of a language: those of its WEAT 7.
TERMS = {"en": "weat7", "de": "weat7-ger", "fr": "weat7-fr", "es": "xweat7-es", "it": "xweat7-it"}
_LEAST = 5  # occupations that a correlation is made of


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
        return wefat_tables(self)

    def rows(self) -> list[Row]:
        """One row per occupation."""
        return [
            {"embedding": self.embedding, **{name: getattr(job, name) for name in JobScore.__slots__}}
            | {"words": " / ".join(job.words)}
            for job in self.jobs
        ]

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON has it."""
        plain = ("embedding", "language", "reference", "r", "low", "high", "p", "signature")
        mweat = {name: getattr(self.mweat, name) for name in Mweat.__slots__} if self.mweat else None
        return {
            "epicene": __version__,
            "metric": "wefat",
            **{name: getattr(self, name) for name in plain},
            "n": len(self.jobs),
            "missing": list(self.missing),
            "mweat": mweat,
            "jobs": [{name: getattr(each, name) for name in JobScore.__slots__} for each in self.jobs],
        }


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
    found = []
    for name, source in named_sources(embeddings).items():
        vectors = load(source, wanted, case)
        found.append(_measured(name, language, named, jobs, terms, vectors))
    return found


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
    found: list[Job] = []
    given = list(rows("\n".join(read_lines(path)) or "word", str(path)))
    for number, row in enumerate(given, 2):
        word, text = row.get("word", "").strip(), row.get("women_pct", "").strip().replace(",", ".")
        try:
            share = float(text)
        except ValueError:
            share = math.nan
        if not word or not 0 <= share <= 100:
            raise InputError(
                f"{path}:{number}: word {word!r} with women_pct {text!r}; expected a word and a share from 0 to 100"
            )
        found.append(Job(word, tuple(word.split(" / ")), share))
    if len(found) < _LEAST:
        raise InputError(f"{path}: {len(found)} rows; expected the columns word and women_pct, and at least {_LEAST}")
    if max(job.women for job in found) <= 1:
        raise InputError(
            f"{path}: no women_pct is above 1; these look like fractions, expected per cent (62, not 0.62)"
        )
    return tuple(found)


def _measured(
    name: str,
    language: str,
    reference: str,
    jobs: Sequence[Job],
    terms: Mapping[str, Sequence[str]],
    vectors: Vectors,
) -> Wefat:
    import numpy as np

    there = {side: [word for word in words if word in vectors] for side, words in terms.items()}
    for side, words in there.items():
        if len(words) < 2:
            raise EvidenceError(
                f"{name}: {len(words)} of the {len(terms[side])} {side} terms are there; is it {language}?"
            )
    female, male = (unit(np.array([vectors[word] for word in there[side]])) for side in ("female", "male"))
    known = [job for job in jobs if all(word in vectors for word in job.words)]
    scored = [_job(job, vectors, female, male) for job in known]
    r = pearson([each.score for each in scored], [each.women for each in scored]) if len(scored) >= _LEAST else None
    interval = (fisher(r, len(scored)) if r is not None else None) or (None, None)
    digest = vectors.digest([word for job in known for word in job.words] + there["female"] + there["male"])
    return Wefat(
        embedding=name,
        language=language,
        reference=reference,
        jobs=tuple(sorted(scored, key=lambda each: -each.score)),
        missing=tuple(job.name for job in jobs if job not in known),
        r=r,
        low=interval[0],
        high=interval[1],
        p=_p_of(r, len(scored)),
        mweat=_mweat([job for job in known if len(job.words) == 2], vectors, female, male),
        signature=f"wefat|{language}|reference:{reference}|vectors:{digest}|v:{__version__}",
    )


def _job(job: Job, vectors: Vectors, female: Array, male: Array) -> JobScore:
    import numpy as np

    cosines = [(female @ row, male @ row) for row in unit(np.array([vectors[word] for word in job.words]))]
    effects = [float((f.mean() - m.mean()) / np.concatenate([f, m]).std(ddof=1)) for f, m in cosines]
    p = _parted(*cosines[0]) if len(cosines) == 1 else None
    return JobScore(job.name, job.words, job.women, math.fsum(effects) / len(effects), p)


def _parted(female: Array, male: Array) -> float:
    """The share of ways to part the terms in which the word is as far from the middle."""
    import numpy as np

    everything = np.concatenate([female, male])
    chosen, exact = partitions(len(everything), len(female), DRAWS, SEED)
    gaps = chosen @ everything / len(female) - (1 - chosen) @ everything / len(male)
    hits = int((np.abs(gaps) >= abs(female.mean() - male.mean()) - 1e-12).sum())
    return hits / len(gaps) if exact else (hits + 1) / (len(gaps) + 1)


def _p_of(r: float | None, n: int) -> float | None:
    """The two-sided p of a correlation, by Student's distribution."""
    if r is None or n < 3 or abs(r) >= 1:
        return None
    return float(2 * student_cdf(n - 2, -abs(r) * math.sqrt((n - 2) / (1 - r * r))))


def _mweat(jobs: Sequence[Job], vectors: Vectors, female: Array, male: Array) -> Mweat | None:
    import numpy as np

    if len(jobs) < _LEAST:
        return None
    direction = male.mean(axis=0) - female.mean(axis=0)
    forms = [unit(np.array([vectors[job.words[side]] for job in jobs])) @ direction for side in (0, 1)]
    leaning = forms[0] + forms[1]  # above zero where the masculine form is more masculine than the other is feminine
    turned = signs(len(jobs), DRAWS, SEED) @ leaning
    hits = int((np.abs(turned) >= abs(leaning.sum()) - 1e-12).sum())
    p = hits / len(turned) if 2 ** len(jobs) == len(turned) else (hits + 1) / (len(turned) + 1)
    low, high = students(leaning.tolist())
    value = abs(abs(float(forms[0].sum())) - abs(float(forms[1].sum())))
    return Mweat(value, float(leaning.mean()), low, high, p, len(jobs))
