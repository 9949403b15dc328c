"""Damaged files end in one line: a short turn of ``python -m benchmarks.fuzz``, and its good files are good."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import fuzz
from benchmarks._fuzzed import KINDS, Kind
from epicene.cli.app import app


def test_no_damaged_input_ends_in_a_traceback(monkeypatch: pytest.MonkeyPatch, own_home: Path) -> None:
    monkeypatch.setenv("EPICENE_HOME", str(own_home))
    tried, failures = fuzz.run(cases=130, seconds=60, seed=7, apart=False)
    assert tried.total() >= len(KINDS)
    assert failures == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_what_is_damaged_is_good_before(tmp_path: Path, kind: Kind) -> None:
    made, folder = tmp_path / "made", tmp_path / "folder"
    made.mkdir()
    folder.mkdir()
    for name, content in kind.files(made).items():
        (folder / name).write_bytes(content)
    for command in kind.commands:
        words = [word.replace("{}", str(folder)) for word in command]
        if words[0] in fuzz.READERS:
            fuzz.READERS[words[0]](words[1])
            continue
        with pytest.raises(SystemExit) as end:
            app(words)
        assert end.value.code in (0, 3)  # too few sentences for a gate
