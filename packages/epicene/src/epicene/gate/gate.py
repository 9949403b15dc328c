"""Whether a candidate may be released: by two files or runs, or by all that an ``epicene.toml`` checks.

Each candidate is held against a baseline, which the caller names or ``gate --update`` stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epicene.compare import pairs
from epicene.compare.entrants import Entrant, Scorer
from epicene.compare.pairs import Comparison
from epicene.compare.sources import collect_entrants
from epicene.errors import EvidenceError, InputError
from epicene.flow import plan
from epicene.flow.translate import Asker, open_asker, translate_set
from epicene.gate import rules
from epicene.gate.baseline import RENEW, BaselineEntry, Key, read_baseline, read_replaceable, write_baseline
from epicene.gate.config import FILE, Check, GateFile, parse_quality, read_config
from epicene.gate.rules import Judgement
from epicene.measures.paired import adjust_tests
from epicene.options import Asking, Limits, Scoring, apply_options
from epicene.output.table import Answer, Row, Table
from epicene.sets import TestSet
from epicene.store import runs
from epicene.store.hypotheses import TranslationLines

if TYPE_CHECKING:
    from epicene.flow.ask import Progress

Translations = str | Path | Iterable[str]
EXIT = {"ok": 0, "improved": 0, "regression": 1, "unclear": 3}


@dataclass(frozen=True, slots=True, repr=False)
class Gate(Answer):
    """A check with a judgement for each thing that was asked, or why nothing could be judged."""

    check: Check
    comparison: Comparison | None
    judgements: tuple[Judgement, ...] = ()
    why: str = ""

    @property
    def answer(self) -> str:
        """``regression`` if anything failed, else ``unclear`` if anything might, else ``improved`` or ``ok``."""
        return rules.worst(self.judgements)

    @property
    def exit_code(self) -> int:
        """What the command ends with, were there no other check."""
        return 0 if self.answer == "unclear" and self.check.unclear_passes else EXIT[self.answer]

    def tables(self) -> Iterable[Table]:
        """The changes, then what was asked and the answers."""
        from epicene.gate.formats import gate_tables

        return gate_tables(self)

    def rows(self) -> list[Row]:
        """One row per judgement."""
        check = {"name": self.check.name, "set": self.check.set, "langs": self.check.langs}
        return [{**check, **judgement.as_dict()} for judgement in self.judgements]

    def as_dict(self) -> dict[str, Any]:
        """The gate as JSON has it."""
        return {
            "set": self.check.set,
            "langs": self.check.langs,
            "name": self.check.name,
            **(self.comparison.as_dict() if self.comparison else {"why": self.why}),
            **self.check.limits.as_dict(),
            "judgements": [judgement.as_dict() for judgement in self.judgements],
            "answer": self.answer,
        }


def exit_code(gates: Iterable[Gate]) -> int:
    """What the command ends with: a regression anywhere, else doubt anywhere, else 0."""
    failed = [gate for gate in gates if gate.exit_code]
    worst = min(failed, key=lambda gate: rules.ORDER.index(gate.answer), default=None)
    return worst.exit_code if worst else 0


def gate(
    baseline: Translations | None,
    candidate: Translations,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    set_name: str | TestSet | None = None,
    langs: str | None = None,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
    groups: Sequence[str] = (),
    **options: Any,
) -> list[Gate]:
    """Check whether a candidate stays within limits, on its own and against a baseline.

    Each is a run folder, or translations of ``set_name`` as ``score`` accepts them: a path or a list of lines.
    ``options`` are fields of ``Limits`` and ``Scoring``, such as ``max_drop=2``. Without a baseline (None), drops are
    not checked. ``groups`` selects drops, gaps and rates by name. Quality is measured with BLEU and chrF, or with
    ``metrics``, against the set's references or ``reference_text``.
    """
    if not isinstance(limits, Limits):
        raise InputError(f"limits {limits!r} is no Limits; say which: max_drop={limits!r}")
    limits, scoring = apply_options(options, limits, scoring)
    limits.demand_any()
    if baseline is None and limits.relative:
        which = "max-drop" if limits.max_drop is not None else "max-quality-drop"
        raise InputError(f"{which} is a loss against something; name it with --baseline RUN_OR_HYP")
    wanted = parse_quality(limits, scoring.metrics, scoring.reference_text)
    scorer = Scorer(scoring.protocol, scoring.anyway, wanted)
    after = _open_judged("candidate", candidate, set_name, langs, scorer)
    before = after if baseline is None else _open_judged("baseline", baseline, set_name, langs, scorer)
    gates = []
    for new in after:
        if old := new if baseline is None else _find_baseline(new, before, baseline):
            check = Check(new.result.set, new.result.langs, limits, groups=tuple(groups), wanted=wanted)
            gates.append(judge_check(check, old, new))
    if not gates:
        raise pairs.nothing_shared([*before, *after])
    return gates


def _open_judged(
    name: str, source: Translations, set_name: str | TestSet | None, langs: str | None, scorer: Scorer
) -> list[Entrant]:
    """What a run or a file holds, if a release can be judged by it."""
    if set_name is not None and not (isinstance(source, str | Path) and runs.is_run(source)):
        _demand_answers(set_name)
    if isinstance(source, str | Path):
        if Path(source).is_dir():
            runs.read_record(Path(source))
        sets, pairs_of_files = [set_name] if set_name else [], [langs] if langs else []
        entrants = collect_entrants([source], sets, pairs_of_files, scorer, strict=True).entrants
    elif set_name is None or langs is None:
        raise InputError("translations in memory need set_name and langs, to say what they translate")
    else:
        entrants = [scorer.score(scorer.open_task(set_name, langs), source, name)]
    for entrant in entrants:
        if entrant.result.set.rpartition(":")[2] != "custom":  # a user's own set need not be there any more
            _demand_answers(entrant.result.set)
    return entrants


def _demand_answers(set_name: str | TestSet) -> None:
    """Refuse a set that counts neither right answers nor who is written as a woman."""
    challenge = plan.open_set(set_name)
    if challenge.references and challenge.measures.right is None:
        raise InputError(
            f"set {challenge.name} has no right answers to count; score each system with: epicene score "
            f"-t {challenge.name} -l PAIR -i HYP -i HYP2 --reference {challenge.references[0]}"
        )


def _find_baseline(candidate: Entrant, before: Sequence[Entrant], baseline: Translations) -> Entrant | None:
    """What a candidate is measured by: the baseline's system on the same set and pair, by name if there are two."""
    same = [entrant for entrant in before if entrant.task == candidate.task]
    named = [entrant for entrant in same if entrant.result.system == candidate.result.system] or same
    if len(named) > 1:
        systems = ", ".join(entrant.result.system for entrant in named)
        raise InputError(
            f"--baseline {baseline} holds several systems ({systems}) and none is called {candidate.result.system}; "
            "give a run of one system"
        )
    return named[0] if named else None


def judge_check(check: Check, before: Entrant, after: Entrant) -> Gate:
    """A candidate held against the limits; one that is its own baseline has none."""
    metrics = check.wanted.metrics if check.wanted else ()
    comparison = pairs.compare_two(before, after, metrics if check.limits.max_quality_drop is not None else ())
    if before is after:
        comparison = replace(comparison, baseline="")
    chosen = rules.choose_changes(comparison, after, check.groups)
    judgements = rules.judge(before, after, comparison, chosen, check.limits, check.groups, metrics)
    return Gate(check, replace(comparison, changes=tuple(adjust_tests(chosen))), tuple(judgements))


def gate_file(
    config: str | Path = FILE,
    update: bool = False,
    anyway: bool = False,
    progress: Progress | None = None,
    **overrides: Any,
) -> list[Gate]:
    """Run all checks of an ``epicene.toml``, or store a new baseline with ``update``.

    ``overrides`` replace keys in every check (``system``, ``max_drop`` …); ``set`` and ``langs`` select checks.
    """
    keys = {name.replace("_", "-"): value for name, value in overrides.items() if value not in (None, [])}
    file = read_config(Path(config), keys)
    with open_asker(Asking(progress=progress)) as asker:
        return (update_baseline if update else check_all)(file, asker, anyway)


def check_all(file: GateFile, asker: Asker, anyway: bool = False) -> list[Gate]:
    """Translate or read every candidate and judge it; one that cannot be believed does not keep others from it."""
    stored = read_baseline(file.baseline)
    _open_candidates(file)
    for check in file.checks:
        if check.limits.relative:
            _get_entry(check, stored, file.baseline)
    return [_run_check(check, stored, file.baseline, asker, anyway) for check in file.checks]


def _run_check(check: Check, stored: Mapping[Key, BaselineEntry], folder: Path, asker: Asker, anyway: bool) -> Gate:
    try:
        system, lines = _translate(check, asker)
        after = before = _score(check, lines, system, anyway)
        if check.limits.relative:
            old = _get_entry(check, stored, folder)
            before = _score(check, old.lines, f"{folder.name}: {old.system} ({old.updated})", anyway)
        return judge_check(check, before, after)
    except EvidenceError as error:
        return Gate(check, None, why=str(error))
    except InputError as error:
        raise InputError(f"{check.place}: {check.title}: {error}") from None


def update_baseline(file: GateFile, asker: Asker, anyway: bool = False) -> list[Gate]:
    """Store what the candidates say now as the baseline, if it can be believed; what each became of the one before."""
    _open_candidates(file)
    before = read_replaceable(file.baseline)
    entries, gates = [], []
    for check in file.checks:
        system, lines = _translate(check, asker)
        after = earlier = _score(check, lines, system, anyway)  # refuses what should not be believed
        old, version = before.get(check.key), plan.open_set(check.set).version()
        if old and old.version == version:
            earlier = _score(check, old.lines, f"{file.baseline.name}: {old.system}", anyway=True)
        gates.append(judge_check(check, earlier, after))
        unchanged = old is not None and old.lines == tuple(lines) and old.system == system
        day = old.updated if old and unchanged else ""
        entries.append(BaselineEntry(*check.key, system, version, updated=day, lines=tuple(lines)))
    write_baseline(file.baseline, entries)
    return gates


def _open_candidates(file: GateFile) -> None:
    """Refuse a system that there is not, or a file that is not there, before the first sentence is translated."""
    for check in file.checks:
        if check.candidate is not None and not check.candidate.is_file():
            raise InputError(f"{check.place}: {check.title}: cannot read {check.candidate}: no such file")
        try:
            if check.candidate is None:
                plan.open_named(check.system)
        except InputError as error:
            raise InputError(f"{check.place}: {check.title}: {error}") from None


def _get_entry(check: Check, stored: Mapping[Key, BaselineEntry], folder: Path) -> BaselineEntry:
    entry = stored.get(check.key)
    if entry is None:
        known = ", ".join(" ".join(filter(None, key)) for key in stored) or "nothing"
        raise InputError(f"{check.place}: the baseline {folder} has no {check.title} (it has {known}); {RENEW}")
    version = plan.open_set(check.set).version()
    if entry.version != version:
        raise InputError(
            f"{check.place}: the baseline of {check.title} translates another version of the set ({entry.version}, now "
            f"{version}); {RENEW}"
        )
    return entry


def _translate(check: Check, asker: Asker) -> tuple[str, list[str]]:
    """Who translated, and one line a sentence of the set."""
    if check.candidate is not None:
        file = TranslationLines(check.candidate)
        return file.name, list(file.lines())
    return translate_set(plan.open_named(check.system), check.set, check.langs, asker)


def _score(check: Check, lines: Sequence[str], name: str, anyway: bool) -> Entrant:
    _demand_answers(check.set)
    scorer = Scorer(check.protocol, anyway, check.wanted)
    return scorer.score(scorer.open_task(check.set, check.langs), lines, name)
