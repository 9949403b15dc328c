"""Prates et al. 2020: what Google Translate answered for 1,019 occupations in 2018, against US statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from epicene.files import checksum
from epicene.labour import codes
from epicene.labour.read import US, open_reference
from epicene.labour.reference import Reference
from epicene.output.table import Cell, Table, make_columns
from epicene.sets.files import entry, read_csv, require
from epicene.sets.occupations import sector_of
from epicene.sets.occupations.against import against
from epicene.sets.occupations.jobs import ALWAYS_HE, Answer
from epicene.sets.occupations.lists import PUBLISHED, read_titles
from epicene.tables import resource
from epicene.types import Gender, Measure
from epicene.version import __version__

REFERENCE = "us-acs-2018"  # of the year of the answers
_LINKS = ("by_hand.tsv", "soc.tsv", "us-acs-2011.csv")  # tables by which jobs and statistics are linked
_SAID = {"Male": Gender.MASCULINE, "Female": Gender.FEMININE, "Neutral": Gender.NEUTRAL, "?": Gender.UNKNOWN}
_RULES = {
    "title": "a US title says just this",
    "part": "one of the occupations that a US title lists",
    "words": "all its words stand in one US title",
    "hand": "by hand: no title, several or the wrong one",
    "none": "not linked: no US title has its words",
}
_BENGALI = "Bengali: the person is here (H), there (T) or elsewhere (E), spoken of formally (F) or familiarly (P)."


@dataclass(frozen=True, slots=True)
class Scored:
    """The answers of one language, and what they amount to against a reference."""

    answers: Sequence[Answer]
    reference: str
    measures: Sequence[Measure]

    def measure(self, name: str, whose: str = "") -> Measure:
        """A measure of all occupations, or of those that one gender dominates."""
        group = f"{self.reference} {whose}".strip()
        return next(measure for measure in self.measures if (measure.name, measure.group) == (name, group))


def answers() -> dict[str, list[Answer]]:
    """The answers by language, for all occupations in the order of the list."""
    path = require(PUBLISHED, "job-genders.tsv")
    rows = list(read_csv(path, "Category", "Occupation", delimiter="\t"))
    labels = [_labels(title.english, title.soc_major) for title in read_titles()]
    names = [name for name in rows[0] if name not in ("Category", "Occupation")]
    return {name: [Answer(label, _SAID[row[name]]) for label, row in zip(labels, rows, strict=True)] for name in names}


def _labels(english: str, major: str) -> dict[str, str]:
    link = codes.of_title(english, major)
    return {
        "occupation": english,
        "english": english,
        "sector": sector_of("soc", link.codes[0] if link.codes else major),
        "feor08": "",
        "isco08": " ".join(codes.isco_of_soc(link.codes)),
        "soc": " ".join(link.codes),
        "link": link.rule,
    }


def scored(given_answers: Sequence[Answer], reference: Reference) -> Scored:
    """One language against one reference."""
    return Scored(given_answers, reference.name, against(reference, given_answers))


def score_baseline(scored_answers: Scored) -> Scored:
    """The same occupations, if he is said of all of them."""
    baseline = [Answer(answer.labels, Gender.MASCULINE) for answer in scored_answers.answers]
    name = f"{scored_answers.reference} {ALWAYS_HE}"
    return Scored(baseline, name, scored_answers.measures)


def signature() -> str:
    """What the tables of 2018 are computed from."""
    published = (file.sha256 for file in entry(PUBLISHED).files)
    answers = checksum(*published, *(resource("labour/tables", name).read_bytes() for name in _LINKS))
    references = "|".join(f"reference:{open_reference(name).identity}" for name in US)
    return f"prates-2018|answers:{answers}|{references}|v:{__version__}"


def links_table(given_answers: Sequence[Answer]) -> Table:
    """How many of the occupations each rule links to a US title."""
    rules = Counter(answer.labels["link"] for answer in given_answers)
    rows: list[tuple[Cell, ...]] = [(rule, what, rules[rule]) for rule, what in _RULES.items()]
    rows.append(("all", "", len(given_answers)))
    columns = make_columns(rule="rule", what="what it says", n="occupations")
    return Table("Prates et al.: occupations linked to US titles", columns, tuple(rows))


def references_table(given_answers: Sequence[Answer]) -> Table:
    """One language against every shipped reference, with what could not be linked and why."""
    rows: list[tuple[Cell, ...]] = []
    reasons: list[str] = []
    for name in US:
        reference = open_reference(name)
        results = scored(given_answers, reference)
        linked, wrong = results.measure("linked"), results.measure("wrong_of_gendered")
        women, median = results.measure("wrong_to_women"), results.measure("bias_median")
        undetected = results.measure("wrong").undetected
        rows.append((name, linked.count, undetected, wrong.n, wrong.value, wrong.interval, women.value, median.value))
        shares = Counter(share for answer in given_answers if isinstance(share := reference.share(answer.labels), str))
        reasons += [f"{name}, not linked: {count}: {why}." for why, count in shares.items()]
    columns = make_columns(
        reference="reference",
        linked="linked",
        undetected="undetected",
        n="he/she",
        wrong=("wrong %", 1),
        interval=("95 %", 1),
        to_women=("to women", 1),
        bias_median=("median B", 2),
    )
    notes = ("Wrong: of the answers he and she. To women: of the wrong ones, those that should be she, %.", *reasons)
    title = f"Prates et al.: Hungarian answers of 2018 ({len(given_answers)} occupations)"
    return Table(title, columns, tuple(rows), notes)


def _with_baseline(languages: Mapping[str, Scored]) -> dict[str, Scored]:
    """The languages, and a translator that says he of all occupations; they are the same in all languages."""
    return {**languages, ALWAYS_HE: score_baseline(languages["Hungarian"])}


def answers_table(languages: Mapping[str, Scored]) -> Table:
    """What was answered in each language, and how much of it is wrong."""
    rows: list[tuple[Cell, ...]] = []
    for name, results in _with_baseline(languages).items():
        pronouns = Counter(answer.said for answer in results.answers)
        wrong = results.measure("wrong")
        gendered = results.measure("wrong_of_gendered")
        rows.append(
            (name, *(pronouns[gender] for gender in _SAID.values()), wrong.value, gendered.value, gendered.interval)
        )
    columns = make_columns(
        language="language",
        he="he",
        she="she",
        neutral="neutral",
        undetected="?",
        wrong=("wrong %", 1),
        wrong_of_gendered=("of he/she", 1),
        interval=("95 %", 1),
    )
    notes = (
        f"Against {REFERENCE}. Wrong: the pronoun of the minority, of all answers and of he and she.",
        _BENGALI,
        "Weak in every language: the words that were translated are Google's own of US titles.",
    )
    return Table("Prates et al.: Google Translate in 2018, all languages", columns, tuple(rows), notes)


def wronged_table(languages: Mapping[str, Scored]) -> Table:
    """Whom the wrong answers wrong, and how far from optimal they are."""
    rows: list[tuple[Cell, ...]] = []
    for name, results in _with_baseline(languages).items():
        female = results.measure("wrong_of_gendered", "female-dominated")
        male = results.measure("wrong_of_gendered", "male-dominated")
        women, median = results.measure("wrong_to_women"), results.measure("bias_median")
        most, apart = results.measure("bias_max"), results.measure("unbounded")
        values = (female.value, male.value, women.value, median.value, median.interval, most.value, apart.value)
        rows.append((name, women.n, *values))
    columns = make_columns(
        language="language",
        wrong="wrong",
        he_for_she=("he:she", 1),
        she_for_he=("she:he", 1),
        to_women=("to women", 1),
        bias_median=("median B", 2),
        interval=("95 %", 2),
        bias_max=("max", 1),
        unbounded="∞",
    )
    notes = (
        f"Against {REFERENCE}. he:she: he where women dominate, %; she:he: she where men dominate, %; of he and she. "
        "To women: of the wrong answers, those that should be she, %. B where biased; ∞: nobody of the gender named "
        "does the job.",
    )
    return Table("Prates et al.: whom the wrong pronouns of 2018 wrong", columns, tuple(rows), notes)
