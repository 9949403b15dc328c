"""Objects instead of names: functions as systems, sentences in memory, parts of a set, results that read well."""

from __future__ import annotations

import asyncio
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import epicene
from epicene.types import Pair

SOURCES = ["My sister is a doctor.", "The doctor sings and he laughs.", "It rains."]
GERMAN = ["Meine Schwester ist Ärztin.", "Der Arzt singt und er lacht.", "Es regnet."]


def translate_all(sources: list[str]) -> list[str]:
    """Every sentence is about a woman."""
    return ["Die Ärztin singt." for _ in sources]


def test_a_function_is_a_system_by_the_identity_that_its_caller_gives() -> None:
    rows = [{"source": "The doctor sings.", "focus": "doctor", "expected": "feminine"} for _ in range(3)]
    run = epicene.audit(
        sets=[epicene.sentences(rows)],
        langs=["en-de"],
        systems=[epicene.FunctionSystem(translate_all, "always-she-1")],
        anyway=True,
    )
    (result,) = run.results
    assert result.system == "always-she-1"
    assert result["accuracy", "all"].value == 100


def test_a_mapping_names_the_systems_of_an_audit() -> None:
    rows = [{"source": "The doctor sings.", "focus": "doctor", "expected": "feminine"}]
    systems = {
        "before": epicene.FunctionSystem(translate_all, "1"),
        "after": epicene.FunctionSystem(translate_all, "2"),
    }
    run = epicene.audit([epicene.sentences(rows)], ["en-de"], systems, anyway=True)
    assert [(result.system, result.identity) for result in run.results] == [("before", "1"), ("after", "2")]


def test_the_verbs_take_at_most_seven_parameters() -> None:
    verbs = [getattr(epicene, name) for name in epicene.__all__ if name[0].islower()]
    wide = [
        verb.__name__
        for verb in verbs
        if sum(one.kind is not one.VAR_KEYWORD for one in inspect.signature(verb).parameters.values()) > 7
    ]
    assert verbs and wide == []


def test_a_translation_of_a_function_is_cached_under_its_identity() -> None:
    calls: list[int] = []

    def count(sources: list[str]) -> list[str]:
        calls.append(len(sources))
        return translate_all(sources)

    for identity, asked in (("one", 1), ("one", 1), ("two", 2)):
        assert epicene.translate(["The doctor sings."], "en-de", epicene.FunctionSystem(count, identity))
        assert len(calls) == asked


def test_an_object_with_translate_is_a_system_and_a_bare_function_is_told_what_it_lacks() -> None:
    class Mine:
        identity = "mine@1"
        batch_size = 8

        def translate(self, sources: list[str], pair: Pair) -> list[str]:
            return [f"{pair.target}: {source}" for source in sources]

    assert epicene.translate(["Hello."], "en-de", Mine()) == ["de: Hello."]
    with pytest.raises(epicene.InputError, match=r"epicene\.FunctionSystem\(function, 'my-model-1'\)"):
        epicene.translate(["Hello."], "en-de", translate_all)  # type: ignore[arg-type]


def test_an_async_function_is_a_system_also_where_a_loop_is_running() -> None:
    loops = set()

    async def translate(sources: list[str]) -> list[str]:
        await asyncio.sleep(0)
        loops.add(asyncio.get_running_loop())
        return translate_all(sources)

    async def notebook() -> list[str]:
        return epicene.translate(["One.", "Two.", "Three."], "en-de", epicene.FunctionSystem(translate, "async-1", 1))

    assert asyncio.run(notebook()) == translate_all(["", "", ""])
    assert len(loops) == 1


def test_free_text_is_scored_without_a_file_and_who_is_nobody_is_left_out() -> None:
    result = epicene.score(SOURCES, "en-de", GERMAN, anyway=True)
    found = {(verdict.output.item.person.text, verdict.gender.value) for verdict in result.verdicts}
    assert ("sister", "feminine") in found
    assert ("doctor", "masculine") in found
    assert not any("rains" in verdict.output.item.source for verdict in result.verdicts)


def test_a_table_of_pandas_and_a_dataset_of_rows_are_sentences() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [
        {"source": source, "focus": "doctor", "expected": gender}
        for source, gender in zip(SOURCES[:2], ("", "masculine"), strict=True)
    ]
    for table in (rows, pandas.DataFrame(rows), iter(rows)):
        result = epicene.score(epicene.sentences(table), "en-de", GERMAN[:2], anyway=True)
        assert result["accuracy", "masculine"].value == 100


def test_a_part_of_a_set_has_a_version_of_its_own(published: Path) -> None:
    lines = (published / "simplegen" / "opus-mt.en-de.txt").read_text(encoding="utf-8").splitlines()
    whole = epicene.open_set("simplegen")
    part = whole.subset(list(whole.sources("en-de"))[::2])
    result = epicene.score(part, "en-de", lines[::2])
    assert result.n == 1332
    assert result.signature.split("|")[1] != f"set:{whole.version()}"
    with pytest.raises(epicene.InputError, match="no sentence nobody"):
        epicene.score(whole.subset(["nobody"]), "en-de", lines)


def test_the_sentences_of_a_set_are_as_many_as_the_lines_of_a_file() -> None:
    rows = [{"id": "a", "source": "My sister is a doctor."}, {"id": "b", "source": "The nurse sings."}]
    own = epicene.sentences(rows)
    assert own.sources("en-de") == {"a": "My sister is a doctor.", "b": "The nurse sings."}
    result = epicene.score(own.subset(["a"]), "en-de", GERMAN[:1], anyway=True)
    assert {verdict.output.item.person.text for verdict in result.verdicts} == {"My", "sister", "doctor"}


def test_results_and_measures_read_well(published: Path) -> None:
    result = epicene.score("simplegen", "en-de", published / "simplegen" / "opus-mt.en-de.txt")
    measure = result["misgendered", "female"]
    assert f"{measure:.1f}" == f"{measure.value:.1f}"
    assert str(measure).startswith("misgendered female: ")
    assert repr(result).startswith("<Result simplegen en-de, file:opus-mt.en-de.txt, protocol epicene: misgendered")
    assert len(repr(result)) < 200
    assert re.fullmatch(r"<Verdict clerk: masculine, .+ \(.+\), confidence 0\.\d\d>", repr(result.verdicts[0]))
    explanation = epicene.explain("The doctor sang.", "en-de", "Die Ärztin sang.")
    assert repr(explanation) == "<Explanation: doctor (noun): feminine>"
    assert "Ärztin" in str(explanation) and "feminine<br>" in explanation._repr_html_()


def test_errors_speak_python_to_python(published: Path) -> None:
    lines = (published / "simplegen" / "opus-mt.en-de.txt").read_text(encoding="utf-8").splitlines()
    with pytest.raises(epicene.EvidenceError, match="anyway=True") as refused:
        epicene.score("simplegen", "en-de", lines[::-1])
    assert "--anyway" not in str(refused.value)
    assert "--anyway" in refused.value.args[0]


def test_lines_that_are_no_text_are_named() -> None:
    with pytest.raises(epicene.InputError, match=r"translations:1: expected a line of text, got 1"):
        epicene.score("simplegen", "en-de", [1, 2])  # type: ignore[list-item]


def test_the_core_runs_without_what_only_some_systems_have(published: Path, tmp_path: Path) -> None:
    """Windows has no fork, no POSIX locks and no /dev; WebAssembly and musl have less still."""
    program = (
        "import os, sys\n"
        "for name in ('fcntl', 'grp', 'posix_ipc', 'pwd', 'resource', 'termios', 'tty', 'syslog'):\n"
        "    sys.modules[name] = None\n"
        "for name in ('fork', 'forkpty', 'geteuid', 'getuid', 'mkfifo', 'register_at_fork'):\n"
        "    vars(os).pop(name, None)\n"
        "import builtins, io\n"
        "whole = io.open\n"
        "def open(file, *rest, **more):\n"
        "    assert not str(file).startswith('/dev'), file\n"
        "    return whole(file, *rest, **more)\n"
        "builtins.open = io.open = open\n"
        "import epicene\n"
        "print(epicene.score('simplegen', 'en-de', sys.argv[1])['misgendered', 'female'])\n"
        "print(epicene.translate(['One.'], 'en-de', 'echo'))\n"
        "run = epicene.audit(['simplegen'], ['en-de'], ['file:' + sys.argv[1]], folder=sys.argv[2])\n"
        "print(run.results[0].n)\n"
    )
    hypothesis = published / "simplegen" / "opus-mt.en-de.txt"
    done = subprocess.run(
        [sys.executable, "-c", program, str(hypothesis), str(tmp_path / "run")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:] == ["['One.']", "2664"]
    assert (tmp_path / "run" / "report.html").exists()
