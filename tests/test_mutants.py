"""What decides a release or a verdict is held by tests: drawn changes of that code are noticed."""

from __future__ import annotations

import subprocess
import sys

import pytest

# By module: how many changes are drawn, and the tests of the module alone, which a fork runs in well under a second.
DECISIONS = {
    "epicene.gate.rules": (8, "tests/gate/test_rules.py"),
    "epicene.measures.paired": (8, "tests/measures/test_paired.py"),
    "epicene.stats.clustered": (8, "tests/stats/test_clustered.py"),
    "epicene.check.check": (8, "tests/check/test_edges.py"),
    "epicene.check.order": (8, "tests/check/test_order.py"),
    "epicene.systems.network.money": (8, "tests/systems/test_money.py"),
    "epicene.reader.contrast": (4, "tests/reader/test_contrast.py"),
    "epicene.reader.people": (8, "tests/reader/test_people.py"),
    "epicene.reader.confidence": (8, "tests/reader/test_confidence.py"),
    "epicene.reader.inclusive": (8, "tests/reader/test_inclusive_forms.py"),
    "epicene.reader.align": (8, "tests/reader/test_align.py", "tests/reader/test_everyday.py"),
    "epicene.reader.find": (8, "tests/reader/test_nouns.py", "tests/reader/test_reading.py"),
    "epicene.reader.nouns": (8, "tests/reader/test_nouns.py"),
    "epicene.reader.persons": (8, "tests/reader/test_persons.py"),
}
# Changes that change nothing, each with the reason.
_LEAST = "least = (_LEAST_Z / student_quantile(df, 1 {} _TAIL)) ** 2 * independent"
_ERROR = "self.error is None {} self.df is None"
_ENDS = "low is None {} high is None"
_SECOND = "range(first + 1, min(first + {}, len(words)))"
_NO_SPELLING = "return not any(map(self._ordinary, self._spellings(word, self._within)))"
EXPLAINED = {
    f"{_NO_SPELLING}  ->  return None": "it only saves the search for spellings within words that have none",
    f"{_SECOND.format(3)}  ->  {_SECOND.format(3000)}": "between words further apart stands more than a conjunction",
    f"{_SECOND.format(3)}  ->  {_SECOND.format(3).replace('first + 1', 'first - 1')}": "nothing stands between a word "
    "and one before it",
    "refuses = count > bounds['refuse'] * n and n >= bounds.get('lines', 1)  ->  refuses = count > bounds['refuse'] * n "
    "and n >= bounds.get('lines', 0)": "of no lines none can be more than a share",
    "_AT_ONCE = 100  ->  _AT_ONCE = 100000": "how many lines are looked at together decides nothing",
    "len(lines) < bounds['lines'] or not len(words.held)  ->  len(lines) < bounds['lines'] and (not len(words.held))": (
        "what holds no words, or too few, tells nothing further on either"
    ),
    f"{_ENDS.format('or')}  ->  {_ENDS.format('and')}": "both are there, or neither is",
    f"{_ERROR.format('or')}  ->  {_ERROR.format('and')}": "both are there, or neither is",
    f"{_LEAST.format('-')}  ->  {_LEAST.format('+')}": "Student's distribution is symmetric, and this is a square",
}


@pytest.mark.parametrize("module", DECISIONS)
def test_drawn_mutants_are_noticed(module: str) -> None:
    draw, *tests = DECISIONS[module]
    command = [sys.executable, "-m", "tests.mutants", "--draw", str(draw), module, *map(str, tests)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=600)
    lines = done.stdout.splitlines()
    assert lines and lines[-1].startswith(f"{module}: {draw} mutants"), done.stdout + done.stderr
    unnoticed = [line.split(": ", 1)[1] for line in lines[:-1] if line.startswith(f"{module}:")]
    assert [text for text in unnoticed if text not in EXPLAINED] == []
