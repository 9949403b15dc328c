"""For test suites: ``assert_gate`` fails a test of pytest or unittest where ``epicene gate`` would fail a build."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from epicene.errors import InputError
from epicene.gate.formats import describe, summary
from epicene.gate.gate import Gate, Translations, exit_code, gate


def assert_gate(
    baseline: Translations | None, candidate: Translations, *arguments: Any, unclear: str = "fail", **options: Any
) -> list[Gate]:
    """Raise ``AssertionError`` unless the candidate passes; the other arguments are those of ``gate``.

    ``unclear="pass"`` accepts a candidate if the evidence neither shows a regression nor rules one out.
    """
    __tracebackhide__ = True  # pytest shows the caller's line instead of this one
    if unclear not in ("fail", "pass"):
        raise InputError(f"unclear={unclear!r}; expected 'fail' or 'pass'")
    gates = [
        replace(one, check=replace(one.check, unclear_passes=unclear == "pass"))
        for one in gate(baseline, candidate, *arguments, **options)
    ]
    if exit_code(gates):
        raise AssertionError("\n".join((summary(gates), *_explain(gates))))
    return gates


def _explain(gates: Sequence[Gate]) -> Iterator[str]:
    """What did not pass, by check, with the systems that were compared."""
    for one in gates:
        if not one.exit_code:
            continue
        if one.comparison and one.comparison.baseline:
            yield f"{one.check.title}: {one.comparison.baseline} → {one.comparison.system}"
        elif one.comparison:
            yield f"{one.check.title}: {one.comparison.system}"
        for judgement in one.judgements:
            if judgement.answer in ("regression", "unclear"):
                yield f"  {judgement.answer}: {describe(judgement)}"
