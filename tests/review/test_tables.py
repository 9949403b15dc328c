"""Tables of decisions survive the way there and back, also through a spreadsheet; anything odd is refused by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epicene.errors import InputError
from epicene.review.store import Decision, Key
from epicene.review.tables import HEADER, export_tsv, import_tsv
from epicene.types import Gender

AT = "2026-01-31T12:00:00.000+00:00"
KEY, OTHER = Key("set", "en-de", "system", "1"), Key("set", "en-de", "system", "2")
OUTPUTS = {KEY: "Die Ärztin kam.", OTHER: '"Der Arzt"\tkam.\r\n=SUM(A1)'}
DECISIONS = [
    Decision(KEY, OUTPUTS[KEY], "anna", Gender.FEMININE, 'she said "yes"', AT),
    Decision(KEY, OUTPUTS[KEY], "ben", None, "", AT),
    Decision(OTHER, OUTPUTS[OTHER], "anna", Gender.MASCULINE, "=HYPERLINK(1)", AT),
]


def read(path: Path, *lines: str) -> list[Decision]:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return import_tsv(path, OUTPUTS)


def row(**cells: str) -> str:
    """A line that can be read, but for the cells given."""
    usual = {"set": "set", "langs": "en-de", "system": "system", "id": "1", "reviewer": "anna", "gender": "feminine"}
    return "\t".join({**dict.fromkeys(HEADER, ""), **usual, "output": OUTPUTS[KEY], **cells}[name] for name in HEADER)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "decisions.tsv"


def test_what_is_written_is_read_again(path: Path) -> None:
    export_tsv(DECISIONS, path)
    assert import_tsv(path, OUTPUTS) == DECISIONS


def test_no_cell_is_a_formula_and_every_decision_is_a_line(path: Path) -> None:
    export_tsv(DECISIONS, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(DECISIONS)
    assert not any(cell.strip('"').startswith(("=", "+", "-", "@")) for line in lines for cell in line.split("\t"))


@given(st.text(st.characters(blacklist_categories=["Cs"]), max_size=40))
def test_any_comment_comes_back_but_for_breaks(tmp_path_factory: pytest.TempPathFactory, comment: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.tsv"
    export_tsv([DECISIONS[0]._replace(comment=comment)], path)
    (found,) = import_tsv(path, OUTPUTS)
    assert found.comment == comment.translate(str.maketrans("\t\r\n\0", "    "))


def test_a_table_as_spreadsheets_write_it_is_read(path: Path) -> None:
    # A byte order mark, CRLF, quotation marks round cells, and trailing cells left out.
    lines = (
        "\t".join(HEADER[:6]),
        'set\ten-de\tsystem\t1\t"anna"\tfeminine',
        '"set"\ten-de\tsystem\t2\tben',
        "\t\t\t\t\t",
    )
    path.write_bytes("\ufeff".encode() + "".join(f"{line}\r\n" for line in lines).encode())
    assert [(each.key, each.reviewer, each.gender) for each in import_tsv(path, OUTPUTS)] == [
        (KEY, "anna", Gender.FEMININE),
        (OTHER, "ben", None),
    ]


def test_a_comment_of_two_lines_is_read(path: Path) -> None:
    (found,) = read(path, "\t".join(HEADER), row(comment='"one\ntwo ""three"""'))
    assert found.comment == 'one\ntwo "three"'


def test_times_are_turned_into_utc(path: Path) -> None:
    (found,) = read(path, "\t".join(HEADER), row(at="2026-01-31T13:00:00+01:00"))
    assert found.at == AT


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (row(id="77"), "no sentence '77' of set en-de by 'system'"),
        (row(gender="female"), "gender 'female'; expected feminine, masculine, neutral, unknown, or nothing"),
        (row(reviewer=" "), "no reviewer"),
        (row(reviewer="x" * 81), "1 to 80 characters"),
        (row(at="yesterday"), "time 'yesterday'; expected one such as"),
        (row(output="Der Arzt kam."), "the translation is not the run's"),
        (row() + "\tmore", "11 cells; the header has 10"),
        (row(comment='"open'), "quotation mark"),
        (f"{row()}\n{row(gender='masculine')}", "anna decides on '1' a second time, first in line 2"),
    ],
)
def test_what_does_not_fit_is_refused_by_line(path: Path, line: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read(path, "\t".join(HEADER), line)
    assert complaint in str(caught.value)
    assert str(caught.value).startswith(f"{path}:{2 + line.count(chr(10)) if 'second' in complaint else 2}:")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"id\tgender\n1\tfeminine\n", b"set,langs,system,id,reviewer,gender\n"])
def test_a_table_without_its_columns_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=r":1: no column .*expected set, langs"):
        import_tsv(path, OUTPUTS)


def test_broken_utf_8_is_refused_by_line(path: Path) -> None:
    path.write_bytes(("\t".join(HEADER) + "\n" + row()).encode() + b"\n" + row(comment="né").encode("latin-1"))
    with pytest.raises(InputError, match=r":3: not UTF-8"):
        import_tsv(path, OUTPUTS)
