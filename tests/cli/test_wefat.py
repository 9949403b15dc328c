"""``epicene wefat`` as a user meets it, on the vectors that come with the package."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Command


def test_wefat_prints_the_correlation_and_both_ends(epicene: Command, tmp_path: Path) -> None:
    done = epicene("wefat", "-e", "europarl:fr", "-l", "fr")
    assert done.returncode == 0, done.stderr
    assert max(len(line) for line in done.stdout.splitlines() if "|v:" not in line) <= 80
    assert "share of women: us-bls-2020" in done.stdout
    assert "MWEAT" in done.stdout
    (found,) = json.loads(epicene("wefat", "-e", "europarl:fr", "-l", "fr", "-f", "json").stdout)
    assert found["n"] == len(found["jobs"]) == 27
    assert found["mweat"]["pairs"] == 14
    assert r"\begin{tabular}" in epicene("wefat", "-e", "europarl:fr", "-l", "fr", "-f", "latex").stdout
    assert "no terms for women and men in 'xx'" in epicene("wefat", "-e", "europarl:fr", "-l", "xx").stderr
    own = tmp_path / "own.tsv"
    own.write_text("word\twomen_pct\nboulanger / abc\t10\nb\t20\nc\t30\nd\t40\ne\t50\n")
    few = epicene("wefat", "-e", "europarl:fr", "-l", "fr", "--reference", own)
    assert (few.returncode, "too few for a correlation" in few.stderr) == (3, True)
