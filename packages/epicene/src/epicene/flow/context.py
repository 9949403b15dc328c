"""The sentences before the one that is measured: who is given them, and what they are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from epicene import sets
from epicene.errors import InputError, UnknownNameError
from epicene.flow import plan
from epicene.result import Result
from epicene.sets import TestSet
from epicene.types import ContextSystem, Item, Measure, Request, System

GIVEN, NONE = "given", "none"
_GIVEN = re.compile(r"(?:\+context|[?&]context=\w+)$")  # ends the identity of a system that is given context


def expand_contexts(
    names: Sequence[tuple[str | TestSet, str]], contexts: Sequence[str]
) -> list[tuple[str | TestSet, str]]:
    """Sets with pairs of languages, each set that has contexts once for every one that was asked for."""
    if not contexts:
        return list(names)
    expanded: list[tuple[str | TestSet, str]] = []
    for name, langs in names:
        known = plan.open_set(name).about.contexts
        if unknown := next((context for context in contexts if known and context not in known), None):
            raise UnknownNameError(f"context of {name}", unknown, known)
        expanded += [(f"{name}:{context}", langs) for context in dict.fromkeys(contexts)] if known else [(name, langs)]
    if expanded == list(names):
        asked = ", ".join(dict.fromkeys(plan.open_set(name).name for name, _ in names))
        raise InputError(f"--context {contexts[0]}: {asked} has no sentence before; leave it out")
    return expanded


def name_in_context(set_name: str | TestSet, context: str) -> str | TestSet:
    """The name of a set with one context."""
    return expand_contexts([(set_name, "")], [context] if context else [])[0][0]


def is_given(items: Sequence[Item]) -> bool:
    """Whether a system is to be given what stands before each sentence, apart from the sentence."""
    return any(item.labels.get("context") == GIVEN for item in items)


def write_source(item: Item) -> str:
    """What a system is asked: the sentence, with what stands before it where that is given."""
    return Request(item.source, " ".join(item.context)).line if is_given([item]) else item.source


def give_context(system: System, spec: str) -> System:
    """A system that is given what stands before a sentence, if it can take that."""
    if isinstance(system, ContextSystem):
        return system.with_context()
    raise InputError(
        f"{spec} takes no context; --context joined gives it both sentences as one, and command:, deepl and openai: "
        "take --context given"
    )


def add_worth(results: Sequence[Result], by_system: bool = True) -> list[Result]:
    """The results, those with context with what it is worth: their accuracy less that of the same set without."""
    plain = [result for result in results if _mode(result) == NONE]
    return [
        replace(result, measures=(*result.measures, *_worth(before, result)))
        if _mode(result) not in ("", NONE) and (before := _without(result, plain, by_system))
        else result
        for result in results
    ]


def _mode(result: Result) -> str:
    """The context of a result's set, nothing where it has none."""
    mode = result.set.partition(":")[2]
    return mode if mode in sets.plain(result.set).about.contexts else ""


def _without(result: Result, plain: Sequence[Result], by_system: bool) -> Result | None:
    def key(one: Result) -> tuple[str, ...]:
        task = one.set.partition(":")[0], one.langs, one.protocol
        return (*task, _GIVEN.sub("", one.system)) if by_system else task

    same = [result_without for result_without in plain if key(result_without) == key(result)]
    return same[0] if len(same) == 1 else None


def _worth(before: Result, after: Result) -> list[Measure]:
    from epicene.measures.outcomes import Outcomes
    from epicene.measures.paired import compare_groups

    measures = sets.of_result(after.set).measures
    sides = (Outcomes.of(measures, result.verdicts, paired=True) for result in (before, after))
    return [
        Measure(
            "context",
            f"{_mode(after)}-{NONE}" + ("" if test.group == "all" else f", {test.group}"),
            test.difference,
            "points",
            test.n,
            low=test.low,
            high=test.high,
            p=test.p,
            why=test.why or None,
        )
        for test in compare_groups(*sides)
    ]
