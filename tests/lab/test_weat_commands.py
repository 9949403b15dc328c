"""``epicene lab weat`` as a user meets it, on the vectors that come with the package."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Command


def widest(text: str) -> int:
    """The longest line that is not a signature."""
    return max(len(line) for line in text.splitlines() if "|v:" not in line)


def test_a_panel_of_metrics_fits_eighty_columns(epicene: Command) -> None:
    done = epicene(
        "lab", "weat", "metrics", "-e", "europarl:fr", "-t", "weat7-fr", "-m", "rnd", "-m", "mac", "-m", "ect"
    )
    assert done.returncode == 0, done.stderr
    assert widest(done.stdout) <= 80
    for expected in ("weat7-fr: male terms / female terms", "math + arts", "rnd|weat7-fr|words:"):
        assert expected in done.stdout
    found = json.loads(
        epicene("lab", "weat", "metrics", "-e", "europarl:fr", "-t", "weat7-fr", "-m", "rnd", "-f", "json").stdout
    )
    assert [(each["metric"], each["words"]) for each in found] == [("rnd", "math"), ("rnd", "arts")]
    assert set(found[0]["by_word"]) >= {"calcul", "nombres"}
    latex = epicene("lab", "weat", "metrics", "-e", "europarl:fr", "-t", "weat7-fr", "-m", "mac", "-f", "latex").stdout
    assert "weat7-fr & mac & math + arts & " in latex


def test_a_test_that_cannot_be_run_is_named_once_in_every_format_and_the_exit_code_says_so(epicene: Command) -> None:
    asked = ("lab", "weat", "metrics", "-e", "europarl:en", "-t", "weat7", "-t", "weat8", "--draws", "200")
    for name in ("text", "json", "csv", "markdown", "latex"):
        done = epicene(*asked, "-f", name)
        assert done.returncode == 3, done.stderr
        assert "not run for lack of words: weat7;" in done.stderr
        assert done.stdout.count("only 3 of the 8 words") == 1, name
        assert done.stdout.count("rnsb|weat8") == 1, name


def test_before_and_after_are_shown_side_by_side(epicene: Command) -> None:
    asked = ("lab", "weat", "debias", "-e", "europarl:fr", "-t", "weat6-fr1", "--after", "europarl:fr")
    done = epicene(*asked)
    assert done.returncode == 0, done.stderr
    assert widest(done.stdout) <= 80
    assert "after   europarl:fr (after)" in done.stdout
    (change,) = json.loads(epicene(*asked, "-f", "json").stdout)
    assert (change["change"], change["p"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("metrics", "-e", "europarl:xx", "-t", "fr"), "'xx'"),
        (("metrics", "-e", "europarl:fr", "-m", "weat"), "unknown metric 'weat'"),
        (("debias", "-e", "europarl:fr", "-e", "europarl:de"), "-e / --embedding is given 2 times"),
        (("debias", "-e", "europarl:fr", "-t", "fr"), "none of the pairs that define gender"),
        (("ceat", "-e", "europarl:fr", "--contexts", "none.txt"), "words in context need an encoder"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(
    epicene: Command, arguments: tuple[str, ...], message: str
) -> None:
    done = epicene("lab", "weat", *arguments)
    assert done.returncode in (2, 3)
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("option", ["--metric", "--after", "--contexts"])
def test_weat_itself_no_longer_takes_the_options_of_these_commands(epicene: Command, option: str) -> None:
    done = epicene("weat", "-e", "europarl:fr", option, "rnd")
    assert done.returncode == 2
    assert f"No such option: {option}" in done.stderr
