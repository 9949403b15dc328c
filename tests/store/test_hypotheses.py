"""Files of translations: what is accepted, and what is refused with which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Command, by_rote


def sentences(epicene: Command) -> list[str]:
    return epicene("sets", "export", "simplegen", "-l", "en-de").stdout.splitlines()


def score(epicene: Command, path: Path | str, stdin: bytes = b"", target: str = "de") -> tuple[int, str, str]:
    done = epicene("score", "-t", "simplegen", "-l", f"en-{target}", "-i", path, stdin=stdin)
    return done.returncode, done.stdout, done.stderr


def refused(epicene: Command, tmp_path: Path, content: bytes) -> str:
    path = tmp_path / "hyp.de"
    path.write_bytes(content)
    code, stdout, stderr = score(epicene, path)
    assert (code, stdout) == (2, "")
    assert stderr.count("\n") == 1
    return stderr


@pytest.fixture
def good(epicene: Command) -> list[str]:
    return by_rote(sentences(epicene))


def test_a_missing_line_is_found_by_the_people_in_the_sentences(
    epicene: Command, tmp_path: Path, good: list[str]
) -> None:
    message = refused(epicene, tmp_path, "\n".join(good[:1000] + good[1001:]).encode())
    assert "2663 lines, the set has 2664 sentences" in message
    assert "from line 1001 on the lines look shifted, so a line there is missing" in message


def test_a_line_too_many_is_found(epicene: Command, tmp_path: Path, good: list[str]) -> None:
    message = refused(epicene, tmp_path, "\n".join([*good[:500], "Zu viel.", *good[500:]]).encode())
    assert "2665 lines, the set has 2664 sentences" in message
    assert "from line 501 on the lines look shifted, so a line there is too many" in message


def test_an_empty_file(epicene: Command, tmp_path: Path) -> None:
    assert "is empty; expected 2664 lines" in refused(epicene, tmp_path, b"")


def test_broken_utf8_names_file_and_line(epicene: Command, tmp_path: Path) -> None:
    assert "hyp.de:2: not UTF-8 (byte 3: 0xff)" in refused(epicene, tmp_path, b"gut\nab\xff\n")


def test_nul_names_file_and_line(epicene: Command, tmp_path: Path) -> None:
    assert "hyp.de:3: a NUL byte" in refused(epicene, tmp_path, b"a\nb\nc\x00\n")


def test_another_source_before_the_bars(epicene: Command, tmp_path: Path) -> None:
    message = refused(epicene, tmp_path, b"A sentence of another set. ||| Ein Satz.\n")
    assert "hyp.de:1: the source before '|||' is not the set's sentence 0" in message


def test_bars_that_stop(epicene: Command, tmp_path: Path, good: list[str]) -> None:
    first = sentences(epicene)[0]
    assert "hyp.de:2: no '|||' here" in refused(epicene, tmp_path, f"{first} ||| x\ny\n".encode())


def test_a_file_that_is_not_there(epicene: Command, tmp_path: Path) -> None:
    code, _, stderr = score(epicene, tmp_path / "none.de")
    assert code == 2
    assert "cannot read" in stderr
    assert "No such file" in stderr


def test_bom_crlf_bars_and_stdin_give_the_same_numbers(epicene: Command, tmp_path: Path, good: list[str]) -> None:
    sources = sentences(epicene)
    spellings = {
        "plain": "\n".join(good) + "\n",
        "no last line feed": "\n".join(good),
        "crlf": "\r\n".join(good) + "\r\n",
        "bom": "\ufeff" + "\n".join(good) + "\n",
        "bars": "".join(f"{source} ||| {text}\n" for source, text in zip(sources, good, strict=True)),
    }
    tables = set()
    for name, content in spellings.items():
        path = tmp_path / name / "hyp.de"
        path.parent.mkdir()
        path.write_bytes(content.encode())
        tables.add(score(epicene, path)[1])
    tables.add(score(epicene, "-", stdin=spellings["plain"].encode())[1].replace("· - ·", "· hyp ·"))
    assert len(tables) == 1


def test_blank_lines_are_counted_as_empty_not_shifted(epicene: Command, tmp_path: Path, good: list[str]) -> None:
    path = tmp_path / "hyp.de"
    path.write_text("\n".join([*good[:10], "", "", *good[12:]]) + "\n", encoding="utf-8")
    code, stdout, _ = score(epicene, path)
    assert code == 0
    assert "2 not detected (2 empty)" in " ".join(stdout.split())


def test_html_and_direction_marks_do_no_harm(epicene: Command, tmp_path: Path, good: list[str]) -> None:
    path = tmp_path / "hyp.de"
    odd = [f"\u202b<script>alert('{text}')</script>\u202c" for text in good]
    path.write_text("\n".join(odd) + "\n", encoding="utf-8")
    code, stdout, _ = score(epicene, path)
    assert code == 0
    assert "0 not detected" in stdout


def test_vertical_tabs_and_line_separators_do_not_end_a_line(epicene: Command, tmp_path: Path, good: list[str]) -> None:
    path = tmp_path / "hyp.de"
    path.write_text("\n".join([good[0] + "\u2028\x0b\x85", *good[1:]]) + "\n", encoding="utf-8")
    assert score(epicene, path)[0] == 0
