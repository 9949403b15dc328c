"""What a gate found, as tables and for machines that build: Markdown, JUnit's XML and annotations of GitHub."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from epicene.compare.tables import comparison_tables
from epicene.gate.rules import FLOORS, NAMES, PERCENT
from epicene.output.render import escape_markdown
from epicene.output.table import Column, Table
from epicene.output.table import format_number as number
from epicene.output.table import format_p as p_value
from epicene.text import clean, visible

if TYPE_CHECKING:
    from epicene.gate.gate import Gate
    from epicene.gate.gating import Checked
    from epicene.gate.rules import Judgement

_SIGNS = {"ok": "✅", "improved": "✅", "regression": "❌", "unclear": "❓"}
_LEVELS = {"regression": "error", "unclear": "warning"}


def summary(found: Sequence[Checked]) -> str:
    """All checks in one line."""
    bad = [each for each in found if each.answer == "regression"]
    unclear = [each for each in found if each.answer == "unclear"]
    counted = f"{len(found)} check{'s' if len(found) != 1 else ''}"
    if bad:
        return f"gate: regression in {len(bad)} of {counted} ({', '.join(each.check.title for each in bad)})"
    if unclear:
        passes = " (which passes, as the file says)" if all(each.check.unclear_passes for each in unclear) else ""
        titles = ", ".join(each.check.title for each in unclear)
        return f"gate: cannot be told in {len(unclear)} of {counted}{passes} ({titles})"
    return f"gate: {counted} passed"


def gate_tables(gate: Gate) -> Iterator[Table]:
    """The changes, then what was asked of each group or gap, with the answer."""
    yield from comparison_tables(gate.comparison)
    yield judgement_table(gate)


def judgement_table(gate: Gate) -> Table:
    """What was asked of each group or gap, with the answer."""
    columns = tuple(Column(name, wraps=True) for name in ("group", "answer", "judgement"))
    return Table("", columns, tuple((one.group, one.answer, _say(one)) for one in gate.judgements))


def _say(judgement: Judgement) -> str:
    """What a gate says of one group or gap."""
    allowed = "at least" if judgement.what in FLOORS else "allowed"
    unit = " %" if judgement.what in PERCENT else ""
    interval = "" if judgement.low is None else f" [{number(judgement.low)}, {number(judgement.high)}]"
    p = "" if judgement.p is None else f", p = {p_value(judgement.p)}".replace("= <", "< ")
    why = f"; {judgement.why}" if judgement.why else ""
    value = f"{NAMES[judgement.what]} {number(judgement.value)}{unit}{interval}"
    return f"{value}, {allowed} {judgement.allowed:g} (n = {judgement.n}{p}){why}"


def asked(judgement: Judgement) -> str:
    """What was asked of a group, such as ``drop of MOFC``."""
    what = {"drop": "drop of", "rate": "rate of", "rarer": "drop of the rarer gender,"}.get(
        judgement.what, NAMES[judgement.what]
    )
    if judgement.what == "half":
        return f"women of {judgement.group}, from 50 %"
    return what if what in ("unread", judgement.group) else f"{what} {judgement.group}"  # a gap may be called gap


def told(judgement: Judgement) -> str:
    """A judgement in a sentence."""
    unit = " %" if judgement.what in PERCENT else "" if judgement.what == "quality" else " points"
    interval = "" if judgement.low is None else f" [{number(judgement.low)}, {number(judgement.high)}]"
    limit = "at least" if judgement.what in FLOORS else "allowed"
    why = f"; {judgement.why}" if judgement.why else ""
    return f"{asked(judgement)}: {number(judgement.value)}{interval}{unit}, {limit} {judgement.allowed:g}{why}"


def as_markdown(found: Sequence[Checked]) -> str:
    """A heading, and a table for each check."""
    lines = [f"## {_SIGNS[_worst(found)]} epicene {summary(found)}", ""]
    for each in found:
        lines += [f"### {_SIGNS[each.answer]} {_cell(each.check.title)}: {each.answer}", ""]
        if each.gate is None:
            lines += [_cell(each.why), ""]
            continue
        compared = each.gate.comparison
        against = f" against {_cell(compared.baseline)}" if compared.baseline else ""
        lines += [f"{_cell(compared.system)}{against}", ""]
        lines += ["| | asked | value | 95 % interval | limit | n | p |", "|---|---|---:|---:|---:|---:|---:|"]
        for one in each.gate.judgements:
            interval = "–" if one.low is None else f"[{number(one.low)}, {number(one.high)}]"
            limit = f"{'≥' if one.what in FLOORS else '≤'} {one.allowed:g}"
            p = "" if one.p is None else p_value(one.p)
            cells = (
                f"{_SIGNS[one.answer]} {one.answer}",
                asked(one),
                number(one.value),
                interval,
                limit,
                str(one.n),
                p,
            )
            lines.append(f"| {' | '.join(map(_cell, cells))} |")
        lines += ["", f"unread: {compared.unread[0]:.1f} % → {compared.unread[1]:.1f} %"] if compared.baseline else [""]
        lines += [*(f"warning: not to be believed: {_cell(warning)}" for warning in compared.warnings), ""]
        lines += [f"`{compared.signature}`", ""]
    return "\n".join(lines).rstrip()


def as_junit(found: Sequence[Checked]) -> str:
    """A suite for each check, a case for each judgement; what cannot be told is an error, not a failure."""
    suites = ElementTree.Element("testsuites", name="epicene gate")
    for each in found:
        judgements = each.gate.judgements if each.gate else ()
        suite = ElementTree.SubElement(suites, "testsuite", name=_xml(each.check.title))
        if each.gate is None:
            _case(suite, each, "evidence", "unclear", each.why)
        for judgement in judgements:
            _case(suite, each, asked(judgement), judgement.answer, told(judgement))
        counted = {kind: len(suite.findall(f"testcase/{kind}")) for kind in ("failure", "error", "skipped")}
        suite.set("tests", str(len(suite)))
        for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            suite.set(attribute, str(counted[kind]))
        if each.gate:
            properties = ElementTree.Element("properties")
            compared = each.gate.comparison
            told_by = {"signature": compared.signature, "system": compared.system, "baseline": compared.baseline}
            for name, value in told_by.items():
                ElementTree.SubElement(properties, "property", name=name, value=_xml(value))
            suite.insert(0, properties)
    ElementTree.indent(suites, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode")


def _case(suite: ElementTree.Element, each: Checked, name: str, answer: str, text: str) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=f"epicene.{_xml(each.check.title)}", name=_xml(name))
    if each.check.where[0]:
        case.set("file", each.check.where[0])
        case.set("line", str(each.check.where[1]))
    kind = {"regression": "failure", "unclear": "skipped" if each.check.unclear_passes else "error"}.get(answer)
    if kind:
        told_why = ElementTree.SubElement(case, kind, message=_xml(text))
        if kind != "skipped":
            told_why.set("type", answer)


def as_github(found: Sequence[Checked]) -> str:
    """Workflow commands: an error for what failed, a warning for what cannot be told, at the lines that ask it."""
    return "\n".join([*_annotations(found), summary(found)])


def _annotations(found: Sequence[Checked]) -> Iterator[str]:
    for each in found:
        if each.gate is None:
            yield _annotation(each, "unclear", each.why)
        for judgement in each.gate.judgements if each.gate else ():
            if judgement.answer in _LEVELS:
                yield _annotation(each, judgement.answer, told(judgement))


def _annotation(each: Checked, answer: str, text: str) -> str:
    file, line = each.check.where
    place = f"file={_property(file)},line={line}," if file else ""
    level = "notice" if answer == "unclear" and each.check.unclear_passes else _LEVELS[answer]
    return f"::{level} {place}title={_property(f'epicene: {each.check.title} {answer}')}::{_data(text)}"


def _worst(found: Sequence[Checked]) -> str:
    answers = [each.answer for each in found]
    return next((answer for answer in ("regression", "unclear") if answer in answers), "ok")


def _data(text: str) -> str:
    """A text that ends no workflow command, whatever comes from outside."""
    return clean(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _cell(text: str) -> str:
    """A text that stays in its cell and is no mark-up: names of systems and files come from outside."""
    return escape_markdown(text)


def _xml(text: str) -> str:
    """A text that XML can hold."""
    return visible(text)
