"""Every answer in every format: all of it is shown, and text from outside is no mark-up, no formula and no command."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from collections.abc import Iterable

import pytest

from epicene import result as results
from epicene.act.alternatives import Alternatives
from epicene.act.control import Control
from epicene.act.rerank import Reranked
from epicene.compare.pairs import Comparison
from epicene.compare.table import Cell, Column, Matrix
from epicene.embeddings.genderscore import Coverage, GenderScores, WordGender
from epicene.embeddings.weat import Weat
from epicene.embeddings.wefat import JobScore, Wefat
from epicene.flow.explain import explain
from epicene.gate.config import Check
from epicene.gate.gate import Gate
from epicene.gate.rules import Judgement
from epicene.options import Limits
from epicene.output import table
from epicene.output.render import Format, render
from epicene.output.table import Answer, Listing, Table
from epicene.studies import Study
from epicene.text import hide
from epicene.types import Measure
from epicene_lab.embeddings.ceat import Ceat
from epicene_lab.embeddings.debias import Debiasing
from epicene_lab.embeddings.panel import MetricResult, Panel

KEY = "sk-not-to-be-seen"
EVIL = f"=1+1|<b>\x1b[31m\u202e\x9b[x](u)&`%$_{{\\}}\ud800 http://me:word@host {KEY}"
MEASURE = Measure("accuracy", EVIL, 50.0, "%", 4, 2, 10.0, 90.0)
COMPARISON = Comparison(EVIL, EVIL, EVIL, (), (1.0, 2.0), (EVIL,))
CELL = Cell(EVIL, 5.0, 1.0, 9.0, 40, 2, 0, 1, (1, 2), (EVIL,), EVIL, warnings=(EVIL,), doubtful=True)
WORD = WordGender(EVIL, 0.1, 0.0, 0.2, 1, 1, 2, {(EVIL, EVIL): 0.1})
ANSWERS: tuple[Answer, ...] = (
    results.Result(
        EVIL, "en-de", EVIL, "epicene", EVIL, 4, {EVIL: 4}, 0, (MEASURE,), (f"check: {EVIL}",), warnings=(EVIL,)
    ),
    Study("own", EVIL, (Table(EVIL, (table.Column("a", EVIL),), ((EVIL,), (1.5,)), (EVIL,)),), {EVIL: EVIL}, (EVIL,)),
    COMPARISON,
    Gate(
        Check(EVIL, "en-de", Limits(max_drop=1.0)),
        COMPARISON,
        (Judgement("drop", EVIL, 1.0, 0.0, 2.0, 1.0, "ok", 4, 0.5, EVIL),),
    ),
    Matrix("women", (EVIL,), (Column(EVIL, "en-de", {EVIL: CELL}, (), (EVIL,)),), ()),
    Reranked("en-de", EVIL, EVIL, False, (), notes=(EVIL,)),
    Alternatives("en-de", EVIL, EVIL, ()),
    Control((), ()),
    Panel((EVIL,), (MetricResult("rnd", EVIL, EVIL, EVIL, EVIL, 0.1, 0.0, 0.2, 0.5, 4, {EVIL: 0.1}, EVIL),)),
    Wefat(EVIL, "en", EVIL, (JobScore(EVIL, (EVIL,), 0.1, 0.5, 50.0),), (EVIL,), 0.1, 0.0, 0.2, 0.5, None, EVIL),
    GenderScores((WORD,), ((EVIL, EVIL),), (Coverage(EVIL, 3, (EVIL,), {(EVIL, "feminine"): (1, 2)}),), (), EVIL),
    Weat((EVIL,), ()),
    Debiasing(EVIL, EVIL, ()),
    Ceat(EVIL, ()),
    explain("The doctor slept.", "en-de", f"Die Ärztin schlief. {EVIL}"),
    Listing((Table(EVIL),), ({"set": EVIL, "path": EVIL},)),
    Listing((Table(EVIL, (table.Column("a"), table.Column("b", wraps=True)), ((EVIL, EVIL * 20),)),)),
)
hide(KEY)


@pytest.mark.parametrize("how", Format)
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_every_answer_in_every_format_is_harmless(answer: Answer, how: Format) -> None:
    text = render([answer], how)
    text.encode()
    assert KEY not in text and "word@" not in text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    if how is Format.JSON:
        assert isinstance(json.loads(text), list)
    if how is Format.CSV:
        for row in csv.reader(io.StringIO(text)):
            assert not any(cell.startswith("=") for cell in row[:1])
    if how is Format.MARKDOWN:
        for line in text.splitlines():
            if line.startswith("|"):
                assert len(re.findall(r"(?<!\\)\|", line)) == len(re.findall(r"(?<!\\)\|", text_header(text, line)))
    if how is Format.LATEX:
        body = [line for line in text.splitlines() if not line.startswith("%")]
        assert not any(re.search(r"(?<!\\)[$#_]", line) for line in body)
    if how is Format.TEXT:
        words = [line for line in text.splitlines() if " " in line.strip() and "|" not in line]
        assert all(len(line) <= 80 for line in words)


def text_header(text: str, line: str) -> str:
    """The first line of the table that a line is of."""
    lines = text.splitlines()
    index = lines.index(line)
    while index and lines[index - 1].startswith("|"):
        index -= 1
    return lines[index]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_notebooks_and_print_show_what_the_terminal_shows(answer: Answer) -> None:
    assert str(answer) == render([answer], Format.TEXT)
    page = answer._repr_html_()
    assert "<b>" not in page and KEY not in page
    assert len(answer.to_frame().columns) == len(dict.fromkeys(name for row in answer.rows() for name in row))


def test_every_answer_of_the_package_is_tried() -> None:
    def below(kind: type) -> Iterable[type]:
        for child in kind.__subclasses__():
            yield child
            yield from below(child)

    tried = {type(answer).__name__ for answer in ANSWERS}
    apart = {"Run", "Checked", "Record", "Explanation", "Estimates"}  # made of those that are tried
    kinds = {kind.__name__ for kind in below(Answer) if dataclasses.is_dataclass(kind) and kind.__name__[0] != "_"}
    assert kinds <= tried | apart
