"""What a gate says: tables, one line for all checks, JUnit's XML and GitHub's annotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from epicene.compare.tables import comparison_tables
from epicene.gate.rules import FLOORS, NAMES, PERCENT
from epicene.output.table import Column, Table, format_number, format_p
from epicene.text import clean

if TYPE_CHECKING:
    from epicene.gate.gate import Gate
    from epicene.gate.rules import Judgement

_LEVELS = {"regression": "error", "unclear": "warning"}


def summary(gates: Sequence[Gate]) -> str:
    """All checks in one line: pass, fail or unclear."""
    checks = f"{len(gates)} check{'s' if len(gates) != 1 else ''}"
    for answer, verdict in (("regression", "fail"), ("unclear", "unclear")):
        if titles := [gate.check.title for gate in gates if gate.answer == answer and gate.exit_code]:
            return f"gate: {verdict} ({len(titles)} of {checks}: {', '.join(titles)})"
    if titles := [gate.check.title for gate in gates if gate.answer == "unclear"]:
        return f"gate: pass ({checks}; unclear, which epicene.toml lets pass: {', '.join(titles)})"
    return f"gate: pass ({checks})"


def gate_tables(gate: Gate) -> Iterator[Table]:
    """The changes, then what was asked of each group or gap, with the answer."""
    if gate.comparison:
        yield from comparison_tables(gate.comparison)
    yield judgement_table(gate)


def judgement_table(gate: Gate) -> Table:
    """What was asked of each group or gap, with the answer."""
    if gate.comparison is None:
        return Table(f"{gate.check.title}: unclear: {gate.why}")
    columns = tuple(Column(name, wraps=True) for name in ("group", "answer", "judgement"))
    return Table(gate.check.title, columns, tuple((one.group, one.answer, _cell(one)) for one in gate.judgements))


def _cell(judgement: Judgement) -> str:
    p = "" if judgement.p is None else f", p = {format_p(judgement.p)}".replace("= <", "< ")
    numbers = _numbers(judgement, f" (n = {judgement.n}{p})", points="")
    return f"{NAMES[judgement.what]} {numbers}"


def _numbers(judgement: Judgement, evidence: str = "", points: str = " points") -> str:
    """The value with its interval, the limit, and why there is no interval."""
    unit = " %" if judgement.what in PERCENT else "" if judgement.what == "quality" else points
    low, high = format_number(judgement.low), format_number(judgement.high)
    interval = "" if judgement.low is None else f" [{low}, {high}]"
    limit = "at least" if judgement.what in FLOORS else "allowed"
    why = f"; {judgement.why}" if judgement.why else ""
    return f"{format_number(judgement.value)}{unit}{interval}, {limit} {judgement.allowed:g}{evidence}{why}"


def name_question(judgement: Judgement) -> str:
    """What was asked of a group, such as ``drop of MOFC``."""
    what = {"drop": "drop of", "rate": "rate of", "rarer": "drop of the rarer gender,"}.get(
        judgement.what, NAMES[judgement.what]
    )
    if judgement.what == "half":
        return f"women of {judgement.group}, from 50 %"
    return (
        what if what in (NAMES["undetected"], judgement.group) else f"{what} {judgement.group}"
    )  # a gap may be called gap


def describe(judgement: Judgement) -> str:
    """A judgement in a sentence."""
    return f"{name_question(judgement)}: {_numbers(judgement)}"


def as_junit(gates: Sequence[Gate]) -> str:
    """A suite for each check, a case for each judgement; what is unclear is an error, not a failure."""
    suites = ElementTree.Element("testsuites", name="epicene gate")
    for gate in gates:
        suite = ElementTree.SubElement(suites, "testsuite", name=clean(gate.check.title))
        if gate.comparison:
            properties = ElementTree.SubElement(suite, "properties")
            for name in ("signature", "system", "baseline"):
                value = clean(getattr(gate.comparison, name))
                ElementTree.SubElement(properties, "property", name=name, value=value)
        else:
            _add_case(suite, gate, "evidence", "unclear", gate.why)
        for judgement in gate.judgements:
            _add_case(suite, gate, name_question(judgement), judgement.answer, describe(judgement))
        for attribute, path in (("tests", ""), ("failures", "/failure"), ("errors", "/error"), ("skipped", "/skipped")):
            suite.set(attribute, str(len(suite.findall(f"testcase{path}"))))
    ElementTree.indent(suites, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode")


def _add_case(suite: ElementTree.Element, gate: Gate, name: str, answer: str, text: str) -> None:
    title = clean(gate.check.title)
    case = ElementTree.SubElement(suite, "testcase", classname=f"epicene.{title}", name=clean(name))
    file, line = gate.check.where
    if file:
        case.set("file", clean(file))
        case.set("line", str(line))
    kind = {"regression": "failure", "unclear": "skipped" if gate.check.unclear_passes else "error"}.get(answer)
    if kind:
        outcome = ElementTree.SubElement(case, kind, message=clean(text))
        if kind != "skipped":
            outcome.set("type", answer)


def as_github(gates: Sequence[Gate]) -> str:
    """Workflow commands: an error for what failed, a warning for what is unclear, at the lines that ask it."""
    return "\n".join([*_annotations(gates), clean(summary(gates))])


def _annotations(gates: Sequence[Gate]) -> Iterator[str]:
    for gate in gates:
        if gate.comparison is None:
            yield _annotation(gate, "unclear", gate.why)
        for judgement in gate.judgements:
            if judgement.answer in _LEVELS:
                yield _annotation(gate, judgement.answer, describe(judgement))


def _annotation(gate: Gate, answer: str, text: str) -> str:
    file, line = gate.check.where
    place = f"file={_escape_property(file)},line={line}," if file else ""
    level = "notice" if answer == "unclear" and gate.check.unclear_passes else _LEVELS[answer]
    title = _escape_property(f"epicene: {gate.check.title} {answer}")
    return f"::{level} {place}title={title}::{_escape_data(text)}"


def _escape_data(text: str) -> str:
    """A text that ends no workflow command, whatever comes from outside."""
    return clean(text).replace("%", "%25")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
