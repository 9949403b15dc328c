"""The other metrics of vectors as a user meets them, on the vectors that come with the package."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.conftest import Command


def widest(text: str) -> int:
    """The longest line that is not a signature."""
    return max(len(line) for line in text.splitlines() if "|v:" not in line)


def test_a_panel_of_metrics_fits_eighty_columns(epicene: Command) -> None:
    done = epicene("weat", "-e", "europarl:fr", "-x", "weat7-fr", "-m", "rnd", "-m", "mac", "-m", "ect")
    assert done.returncode == 0, done.stderr
    assert widest(done.stdout) <= 80
    for expected in ("weat7-fr: male terms / female terms", "math + arts", "rnd|weat7-fr|words:"):
        assert expected in done.stdout
    found = json.loads(epicene("weat", "-e", "europarl:fr", "-x", "weat7-fr", "-m", "rnd", "-f", "json").stdout)
    assert [(each["metric"], each["words"]) for each in found] == [("rnd", "math"), ("rnd", "arts")]
    assert set(found[0]["by_word"]) >= {"calcul", "nombres"}
    latex = epicene("weat", "-e", "europarl:fr", "-x", "weat7-fr", "-m", "mac", "-f", "latex").stdout
    assert "weat7-fr & mac & math + arts & " in latex


def test_all_metrics_come_with_weat_itself(epicene: Command) -> None:
    done = epicene("weat", "-e", "europarl:fr", "-x", "weat6-fr1", "-m", "all", "--draws", "200")
    assert done.returncode == 0, done.stderr
    assert "rnsb" in done.stdout
    assert "p:exact" in done.stdout


def test_a_test_that_cannot_be_run_is_named_once_in_every_format_and_the_exit_code_says_so(epicene: Command) -> None:
    asked = ("weat", "-e", "europarl:en", "-t", "weat7", "-t", "weat8", "-m", "all", "--draws", "200")
    for name in ("text", "json", "csv", "markdown", "latex"):
        done = epicene(*asked, "-f", name)
        assert done.returncode == 3, done.stderr
        assert "not run for lack of words: weat7;" in done.stderr
        assert len(re.findall(r"only 3 of the 8 words|weat7 \\?\(x: 3/8\\?\)", done.stdout)) == 1, name
        assert re.search(r"-0\.2[12]", done.stdout), name
        assert done.stdout.count("rnsb|weat8") == 1, name


def test_before_and_after_are_shown_side_by_side(tmp_path: Path, epicene: Command) -> None:
    done = epicene("weat", "-e", "europarl:fr", "-x", "weat6-fr1", "--after", "europarl:fr")
    assert done.returncode == 0, done.stderr
    assert widest(done.stdout) <= 80
    assert "after   europarl:fr (after)" in done.stdout
    (found,) = json.loads(
        epicene("weat", "-e", "europarl:fr", "-x", "weat6-fr1", "--after", "europarl:fr", "-f", "json").stdout
    )
    assert (found["change"], found["p"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-e", "europarl:xx", "-x", "fr"), "'xx'"),
        (("-e", "europarl:fr", "-m", "rnd", "--after", "hard"), "--metric and --after do not go together"),
        (("-e", "europarl:fr", "-e", "europarl:fr?", "--after", "hard"), "--after works with one embedding"),
        (("-e", "europarl:fr", "--contexts", "none.txt"), "words in context need an encoder"),
    ],
)
def test_what_does_not_go_together_is_refused(epicene: Command, arguments: tuple[str, ...], message: str) -> None:
    done = epicene("weat", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_wefat_prints_the_correlation_and_both_ends(epicene: Command, tmp_path: Path) -> None:
    done = epicene("wefat", "-e", "europarl:fr", "-l", "fr")
    assert done.returncode == 0, done.stderr
    assert widest(done.stdout) <= 80
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
