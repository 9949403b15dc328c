"""``assert_gate``: a test suite fails where the gate fails, and says what got worse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import epicene
from epicene.testing import assert_gate

N = 280
GOOD = [f"Die Krankenschwester kam {n}." for n in range(N)]
WORSE = [f"Der Krankenpfleger kam {n}." if n % 3 == 0 else line for n, line in enumerate(GOOD)]
SLIGHTLY = [f"Der Krankenpfleger kam {n}." if n < 4 else line for n, line in enumerate(GOOD)]


@pytest.fixture(scope="module")
def nurses() -> epicene.TestSet:
    rows = [
        {"source": f"The nurse came {n}.", "focus": "nurse", "expected": "feminine", "occupation": f"o{n % 14}"}
        for n in range(N)
    ]
    return epicene.sentences(rows)


def test_translations_that_stay_within_the_limits_pass(nurses: epicene.TestSet) -> None:
    (gate,) = assert_gate(GOOD, GOOD, set_name=nurses, langs="en-de", max_drop=2)
    assert gate.answer == "ok"


def test_a_regression_fails_with_the_groups_the_numbers_and_the_limit(nurses: epicene.TestSet) -> None:
    with pytest.raises(AssertionError) as failed:
        assert_gate(GOOD, WORSE, set_name=nurses, langs="en-de", max_drop=2, max_undetected=10)
    first, systems, *judgements = str(failed.value).splitlines()
    assert first == "gate: fail (1 of 1 check: custom en-de)"
    assert systems == "custom en-de: baseline → candidate"
    assert judgements[-1].startswith("  regression: drop of feminine: 33.6 points [")
    assert judgements[-1].endswith("], allowed 2")
    assert not any("undetected" in line or "unread" in line for line in judgements)  # that limit is met


def test_too_little_evidence_fails_unless_the_test_lets_it_pass(nurses: epicene.TestSet) -> None:
    with pytest.raises(AssertionError, match=r"(?s)gate: unclear .*unclear: drop of feminine: .* could miss a drop of"):
        assert_gate(GOOD, SLIGHTLY, set_name=nurses, langs="en-de", max_drop=2)
    (gate,) = assert_gate(GOOD, SLIGHTLY, set_name=nurses, langs="en-de", max_drop=2, unclear="pass")
    assert gate.answer == "unclear"
    with pytest.raises(AssertionError, match="regression"):
        assert_gate(GOOD, WORSE, set_name=nurses, langs="en-de", max_drop=2, unclear="pass")
    with pytest.raises(epicene.InputError, match="expected 'fail' or 'pass'"):
        assert_gate(GOOD, GOOD, set_name=nurses, langs="en-de", max_drop=2, unclear="warn")


def test_without_a_baseline_rates_and_gaps_are_asserted(nurses: epicene.TestSet) -> None:
    assert_gate(None, GOOD, set_name=nurses, langs="en-de", min_rate=90)
    with pytest.raises(AssertionError, match=r"regression: rate of feminine: 66\.4 % .*at least 90"):
        assert_gate(None, WORSE, set_name=nurses, langs="en-de", min_rate=90)


def test_files_are_asserted_as_well_and_lines_need_to_say_what_they_translate(
    published: Path, nurses: epicene.TestSet
) -> None:
    path = published / "simplegen" / "opus-mt.en-de.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert_gate(path, lines, set_name="simplegen", langs="en-de", max_drop=2)
    with pytest.raises(epicene.InputError, match="need set_name and langs"):
        assert_gate(GOOD, GOOD, max_drop=2)


def test_pytest_shows_the_line_of_the_test_and_the_answer_and_no_code_of_epicene(tmp_path: Path) -> None:
    (tmp_path / "test_model.py").write_text(
        "import epicene\n"
        "from epicene.testing import assert_gate\n"
        "def test_women():\n"
        "    rows = [{'source': f'The nurse {n}.', 'focus': 'nurse', 'expected': 'feminine',\n"
        "             'occupation': str(n)} for n in range(40)]\n"
        "    men = [f'Der Krankenpfleger {n}.' for n in range(40)]\n"
        "    assert_gate(None, men, set_name=epicene.sentences(rows), langs='en-de', min_rate=50)\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={tmp_path}", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert ">       assert_gate(None, men" in done.stdout
    assert "E       AssertionError: gate: fail (1 of 1 check: custom en-de)" in done.stdout
    assert "def assert_gate" not in done.stdout
