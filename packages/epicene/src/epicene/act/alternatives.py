"""Where the source leaves a gender open: a feminine and a masculine translation that differ in nothing else.

Candidates come from the system's n-best list, from the words of its best translation turned to the other gender, and
from the system itself, which goes on from the first word that was turned. The reader says which of them show the
people as women or as men, the system how likely each is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

from epicene.act.candidates import Readings, ask_for_lists, open_guided, open_task
from epicene.act.rewrite import languages, rewriter
from epicene.act.stated import find_stated, gender_of
from epicene.errors import UnknownNameError
from epicene.flow.sample import open_sample
from epicene.flow.translate import open_asker
from epicene.measures.rates import OPPOSITE
from epicene.options import Asking, apply_options
from epicene.output.table import Answer, Row, Table
from epicene.reader.people import people
from epicene.reader.words import Sentence, cut
from epicene.types import Candidate, Gender, GuidedSystem, Kind, Pair, Person, Verdict

GENDERS = (Gender.FEMININE, Gender.MASCULINE)
_BASES = 2  # candidates whose words are turned
_BRANCHES = 2  # words from which the system goes on
_ENDINGS = 3  # translations that it gives from each
_TRIED = 16  # of each gender, when two are matched
_ARTICLE = 4  # words that do not agree, for which an article of the wrong gender counts
_OPEN = frozenset(("i", "me", "you", "we", "us", "they", "them", "myself", "yourself"))


class Alternative(NamedTuple):
    """The versions of one sentence."""

    source: str
    people: tuple[Person, ...]  # whose gender the source leaves open
    first: str  # the system's own translation
    versions: dict[Gender, Candidate]
    differ: tuple[tuple[str, str], ...] = ()  # words of the feminine version, and of the masculine one
    alike: bool = False  # whether the versions differ in nothing but gender
    agrees: bool = True  # whether all that is said of the people agrees with them, as far as can be told

    @property
    def both(self) -> bool:
        """Whether there is a version of each gender, and nothing but gender differs."""
        return self.alike and self.agrees and len(self.versions) == len(GENDERS)

    @property
    def why(self) -> str:
        """What became of the sentence."""
        if not self.people:
            return "nobody's gender is open"
        if self.both:
            return "both"
        if len(self.versions) == len(GENDERS):
            return "both, but more than gender differs" if not self.alike else "both, but a word does not agree"
        return f"{next(iter(self.versions))} only" if self.versions else "no gender shown"

    def as_dict(self) -> dict[str, Any]:
        """The versions as JSON has them."""
        return {
            "source": self.source,
            "people": [person.text for person in self.people],
            "why": self.why,
            "first": self.first,
            **{gender.value: version.text for gender, version in self.versions.items()},
            "scores": {gender.value: version.score for gender, version in self.versions.items()},
            "differ": [list(pair) for pair in self.differ],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Alternatives(Answer):
    """Both versions of sentences whose gender is open."""

    langs: str
    system: str
    set: str
    sentences: tuple[Alternative, ...] = field(repr=False)

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences have both versions, and what became of the others."""
        return dict(Counter(sentence.why for sentence in self.sentences).most_common())

    @property
    def open(self) -> int:
        """Sentences in which somebody's gender is open."""
        return sum(bool(sentence.people) for sentence in self.sentences)

    @property
    def both(self) -> int:
        """Sentences with both versions that differ in nothing but gender."""
        return sum(sentence.both for sentence in self.sentences)

    def tables(self) -> Iterator[Table]:
        """The versions of a text's sentences, then how many have both; of a set only how many."""
        if not self.set:
            yield Table("\n\n".join(map(_describe_versions, self.sentences)) + "\n")
        share = f"{100 * self.both / self.open:.1f} %" if self.open else "–"
        lines = (
            f"{self.set or 'text'} {self.langs} · {self.system}",
            f"both versions, differing only in gender: {self.both:,} of {self.open:,} sentences ({share})",
            ", ".join(f"{count:,} {why}" for why, count in self.counts.items()),
        )
        yield Table("\n".join(lines))

    def rows(self) -> Iterator[Row]:
        """One row per sentence with its versions."""
        for sentence in self.sentences:
            record = sentence.as_dict()
            plain = {name: value for name, value in record.items() if name not in ("people", "scores", "differ")}
            yield {**plain, "people": ", ".join(record["people"])}

    def as_dict(self) -> dict[str, Any]:
        """Counts and versions as JSON has them."""
        return {
            "langs": self.langs,
            "system": self.system,
            "set": self.set,
            "n": len(self.sentences),
            "open": self.open,
            "both": self.both,
            "counts": self.counts,
            "sentences": [sentence.as_dict() for sentence in self.sentences],
        }


def alternatives(
    text: str | Iterable[str],
    langs: str,
    system: str = "bundled",
    n: int = 12,
    asking: Asking = Asking(),  # noqa: B008 - frozen
    **options: Any,
) -> Alternatives:
    """Offer feminine and masculine versions of sentences that leave a gender open, for a test set or any lines.

    ``n`` is the number of candidates per sentence. ``options`` are fields of ``Asking``.
    """
    (asking,) = apply_options(options, asking)
    task = open_task(text, langs)
    test_set, pair, groups, sources = task.test_set, task.pair, task.groups, task.sources
    if test_set and (sample := open_sample(asking)):
        drawn = {item.id for item in sample.of([group[0] for group in groups], test_set.measures)}
        groups = [group for group in groups if group[0].id in drawn]
        sources = [group[0].source for group in groups]
    guided = open_guided(system)
    people = (
        [tuple(dict.fromkeys(item.person for item in group)) for group in groups]
        if test_set and test_set.open_gender
        else [open_people(source) for source in sources]
    )
    with open_asker(asking) as asker:
        lists = ask_for_lists(system, sources, pair, n, asker)
    sentences = find_alternatives(guided, sources, people, lists, pair)
    return Alternatives(str(pair), system, task.name, tuple(sentences))


def _describe_versions(sentence: Alternative) -> str:
    if not sentence.both:
        return f"{sentence.first}\n  one version: {sentence.why}"
    return "\n".join(f"{gender:<9} {version.text}" for gender, version in sentence.versions.items())


@dataclass(slots=True)
class _Case:
    """A sentence on its way: candidates by the gender that they shall show."""

    source: str
    people: tuple[Person, ...]
    listed: list[Candidate]
    pool: dict[Gender, dict[str, None]] = field(default_factory=lambda: {gender: {} for gender in GENDERS})
    begun: list[tuple[Gender, str]] = field(default_factory=list)


def open_people(source: str) -> tuple[Person, ...]:
    """The people of an English sentence whose gender it leaves open: nouns, I, you, they; no names."""
    known = {person for statement in find_stated(source) for person in statement.people}
    return tuple(
        person
        for person in people(source)
        if person not in known
        and gender_of(person.text.lower().rpartition(" ")[2]) is None
        and (person.kind is Kind.NOUN or (person.kind is Kind.PRONOUN and person.text.lower() in _OPEN))
    )


def find_alternatives(
    system: GuidedSystem,
    sources: Sequence[str],
    people: Sequence[tuple[Person, ...]],
    lists: Sequence[Sequence[Candidate]],
    pair: Pair,
) -> list[Alternative]:
    """The versions of every sentence, as far as they were found."""
    cases = [_Case(*parts) for parts in zip(sources, people, map(list, lists), strict=True)]
    if pair.target not in languages():
        raise UnknownNameError("language with both forms", pair.target, languages())
    reader = _Reader(pair.target)
    reader.read_cases((case, listed.text) for case in cases for listed in case.listed)
    for case in cases:
        _propose(case, reader)
    _complete(system, cases, pair)
    reader.read_cases((case, text) for case in cases for pool in case.pool.values() for text in pool)
    scores = _score_pools(system, cases, reader, pair)
    return [_match(case, reader, scores) for case in cases]


class _Reader(Readings):
    """Reads the people of cases in candidates, each once."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.rewriter = rewriter(language)

    def read_cases(self, wanted: Iterable[tuple[_Case, str]]) -> None:
        """Read everybody in translations of their sentences."""
        self.read((case.source, person, text) for case, text in wanted for person in case.people)

    def verdicts(self, case: _Case, text: str) -> list[Verdict]:
        """What was read of the people of a case."""
        return [self.find(case.source, person, text) for person in case.people]

    def shows(self, case: _Case, text: str, gender: Gender) -> bool:
        """Whether everybody whose gender shows in a text has this one, somebody's does, and no word speaks against."""
        verdicts = self.verdicts(case, text)
        genders = {verdict.gender for verdict in verdicts}
        if gender not in genders or OPPOSITE[gender] in genders:
            return False
        return not any(verdict.against or self._has_wrong_article(verdict, gender) for verdict in verdicts)

    def count_disagreeing(self, case: _Case, text: str, gender: Gender) -> int:
        """How many words in a text do not agree with the people of a case; the more, the worse it reads."""
        sentence = cut(text)
        heads = _find_heads(sentence, self.verdicts(case, text))
        # The system's own translation may have wrong articles as well, which is no matter of gender.
        count = self.rewriter.count_wrong_articles
        articles = max(0, count(sentence) - count(cut(case.listed[0].text)))
        return _ARTICLE * articles + len(self.rewriter.find_disagreeing(sentence, heads, gender))

    def _has_wrong_article(self, verdict: Verdict, gender: Gender) -> bool:
        """Whether an article of one gender stands with a noun of the other: las padres."""
        return any(self.rewriter.is_noun_of_other(span.text, gender) for span in verdict.evidence)


def _find_heads(sentence: Sentence, verdicts: Iterable[Verdict]) -> set[int]:
    """The words of a sentence that decided verdicts."""
    return {index for verdict in verdicts for span in verdict.evidence for index in sentence.at(span.start, span.end)}


def _propose(case: _Case, reader: _Reader) -> None:
    """Candidates of the list, and the best ones with their words turned."""
    rewriter = reader.rewriter
    for gender in GENDERS:
        pool = case.pool[gender]
        pool |= {listed.text: None for listed in case.listed if reader.shows(case, listed.text, gender)}
        for base in case.listed[:_BASES]:
            sentence = cut(base.text)
            verdicts = reader.verdicts(case, base.text)
            heads = _find_heads(sentence, (verdict for verdict in verdicts if verdict.gender is not gender))
            if not heads:
                continue
            near = rewriter.find_agreeing(sentence, heads, gender)
            every = rewriter.find_all_agreeing(sentence, heads, gender)
            predicates = near | rewriter.find_disagreeing(sentence, heads | near, gender)
            for indices in (near, predicates, every, near | every):
                pool[rewriter.rewrite(sentence, indices, gender)] = None
            for last in sorted(near)[:_BRANCHES]:
                case.begun.append((gender, rewriter.rewrite(sentence, predicates, gender, last)))


def _complete(system: GuidedSystem, cases: Sequence[_Case], pair: Pair) -> None:
    """Let the system go on from where the first words were turned."""
    begun = [(case, gender, text) for case in cases for gender, text in dict.fromkeys(case.begun)]
    if not begun:
        return
    sources, prefixes = [case.source for case, _, _ in begun], [text for _, _, text in begun]
    for (case, gender, _), completions in zip(
        begun, system.completions(sources, prefixes, pair, _ENDINGS), strict=True
    ):
        case.pool[gender] |= {completion.text: None for completion in completions}


def _score_pools(
    system: GuidedSystem, cases: Sequence[_Case], reader: _Reader, pair: Pair
) -> dict[tuple[str, str], float]:
    wanted = dict.fromkeys(
        (case.source, text)
        for case in cases
        for gender, pool in case.pool.items()
        for text in pool
        if reader.shows(case, text, gender)
    )
    if not wanted:
        return {}
    scores = system.scores([source for source, _ in wanted], [text for _, text in wanted], pair)
    return dict(zip(wanted, scores, strict=True))


def _match(case: _Case, reader: _Reader, scores: dict[tuple[str, str], float]) -> Alternative:
    """The best two versions that differ in nothing but gender, else the likeliest of each."""
    ranked = {
        gender: sorted(
            (Candidate(text, scores[case.source, text]) for text in pool if reader.shows(case, text, gender)),
            key=lambda candidate: -(candidate.score or 0.0),
        )[:_TRIED]
        for gender, pool in case.pool.items()
    }
    first = case.listed[0].text
    disagreeing = {
        (gender, candidate.text): reader.count_disagreeing(case, candidate.text, gender)
        for gender, candidates in ranked.items()
        for candidate in candidates
    }
    first_words = Counter(first.lower().split())

    def rank(versions: Sequence[Candidate], differ: Sequence[tuple[str, str]]) -> tuple[int, int, int, float]:
        """The fewest words that do not agree, that were turned, that are not the system's own; then the likeliest."""
        wrong = sum(disagreeing[gender, version.text] for gender, version in zip(GENDERS, versions, strict=True))
        new = min((Counter(version.text.lower().split()) - first_words).total() for version in versions)
        return wrong, len(differ), new, -sum(version.score or 0.0 for version in versions)

    pairs = [
        (versions, differ)
        for versions in product(*(ranked[gender] for gender in GENDERS))
        if (differ := reader.rewriter.differences(versions[0].text, versions[1].text))
    ]
    if pairs:
        versions, differ = min(pairs, key=lambda pair: rank(*pair))
        agrees = rank(versions, differ)[0] == 0
        by_gender = dict(zip(GENDERS, versions, strict=True))
        return Alternative(case.source, case.people, first, by_gender, tuple(differ), alike=True, agrees=agrees)
    best = {gender: candidates[0] for gender, candidates in ranked.items() if candidates}
    return Alternative(case.source, case.people, first, best)
