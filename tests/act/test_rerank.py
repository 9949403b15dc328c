"""Reranking: what is chosen, what stays, and who judges it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from epicene.act.rerank import rerank
from epicene.cli.rerank import app
from epicene.errors import InputError

HER = "The doctor slept because she was tired."
OPEN = "The doctor slept."
LISTS = {
    HER: [("Der Arzt schlief, weil sie müde war.", -0.2), ("Die Ärztin schlief, weil sie müde war.", -0.5)],
    OPEN: [("Der Arzt schlief.", -0.1), ("Die Ärztin schlief.", -0.6)],
}


def lists(folder: Path, sources: list[str]) -> Path:
    path = folder / "nbest.jsonl"
    found = [
        {"source": source, "candidates": [{"text": text, "score": score} for text, score in LISTS[source]]}
        for source in sources
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in found), encoding="utf-8")
    return path


def test_what_fits_the_source_is_chosen_and_what_states_nothing_stays(tmp_path: Path) -> None:
    found = rerank([HER, OPEN], "en-de", nbest_file=lists(tmp_path, [HER, OPEN]))
    assert found.lines == [LISTS[HER][1][0], LISTS[OPEN][0][0]]
    assert found.counts == {"changed": 1, "first fits": 0, "none fits better": 0, "nothing stated": 1}
    assert found.choices[0].fits == (0.0, 1.0)


def test_a_candidate_may_cost_only_so_much(tmp_path: Path) -> None:
    path = lists(tmp_path, [HER])
    assert rerank([HER], "en-de", nbest_file=path, max_loss=0.1).counts["none fits better"] == 1
    assert rerank([HER], "en-de", nbest_file=path, max_loss=0.4).counts["changed"] == 1


def test_a_candidate_that_is_not_read_surely_replaces_nothing(tmp_path: Path) -> None:
    path = lists(tmp_path, [HER])
    assert rerank([HER], "en-de", nbest_file=path, min_confidence=1).counts["none fits better"] == 1


def test_the_best_scored_of_those_that_fit_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "lists"
    texts = ["Der Arzt schlief.", "Die Ärztin hat geschlafen.", "Die Ärztin schlief."]
    path.write_text("".join(f"0 ||| {t} ||| {s}\n" for t, s in zip(texts, (-1, -3, -2), strict=True)), encoding="utf-8")
    assert rerank(["The doctor said that she slept."], "en-de", nbest_file=path).lines == texts[2:]


def test_of_two_who_may_be_meant_both_are_safer_than_one(tmp_path: Path) -> None:
    source = "The guard called the clerk because she was late."
    path = tmp_path / "lists"
    texts = [
        "Der Wächter rief den Angestellten, weil sie zu spät war.",
        "Die Wächterin rief den Angestellten, weil sie zu spät war.",
        "Die Wächterin rief die Angestellte, weil sie zu spät war.",
    ]
    path.write_text("".join(f"0 ||| {text} ||| -{place}\n" for place, text in enumerate(texts)), encoding="utf-8")
    (choice,) = rerank([source], "en-de", nbest_file=path).choices
    assert choice.fits == (0.0, 0.5, 1.0)
    assert choice.chosen == 2


def test_labels_of_a_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a text has none"):
        rerank([HER, OPEN], "en-de", nbest_file=lists(tmp_path, [HER, OPEN]), oracle=True)


def test_systems_without_lists_and_other_sources_are_refused() -> None:
    with pytest.raises(InputError, match="echo gives no n-best lists; bundled, ctranslate2:"):
        rerank([HER], "en-de", "echo", cached=False)
    with pytest.raises(InputError, match="at least 2 candidates"):
        rerank([HER], "en-de", n=1, cached=False)


@pytest.fixture
def own_set(tmp_path: Path) -> str:
    """Two sentences of one's own."""
    path = tmp_path / "own.tsv"
    path.write_text(
        "id\tsource\tfocus\texpected\n"
        "a\tThe doctor slept because she was tired.\tdoctor\tfeminine\n"
        "b\tThe lawyer slept because he was tired.\tlawyer\tmasculine\n",
        encoding="utf-8",
    )
    return f"custom:{path}"


def test_lists_of_another_set_are_refused(tmp_path: Path, own_set: str) -> None:
    path = tmp_path / "lists"
    path.write_text("".join(f"{place} ||| Ja. ||| -1\n" for place in range(2664)), encoding="utf-8")
    with pytest.raises(InputError, match=r"has 2,664 lists, set \S+ has 2 sentences"):
        rerank(own_set, "en-de", nbest_file=path)


def test_a_set_is_judged_before_and_after(tmp_path: Path, own_set: str) -> None:
    lines = tmp_path / "lists"
    lines.write_text(
        "0 ||| Der Arzt schlief, weil sie müde war. ||| -1\n0 ||| Die Ärztin schlief, weil sie müde war. ||| -2\n"
        "1 ||| Der Anwalt schlief, weil er müde war. ||| -1\n",
        encoding="utf-8",
    )
    found = rerank(own_set, "en-de", nbest_file=lines, anyway=True)
    change = next(each for each in found.comparisons[0].changes if each.group == "all")
    assert (change.before, change.after) == (50.0, 100.0)
    assert any("not scored with protocol paper" in note for note in found.notes)


def test_the_command_writes_translations_and_says_what_it_did(tmp_path: Path) -> None:
    text, trail = tmp_path / "text", tmp_path / "trail.jsonl"
    text.write_text(f"{HER}\n{OPEN}\n", encoding="utf-8")
    path = lists(tmp_path, [HER, OPEN])
    done = CliRunner().invoke(app, ["-i", str(text), "-l", "en-de", "--nbest", str(path), "--trail", str(trail)])
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[:2] == [LISTS[HER][1][0], LISTS[OPEN][0][0]]
    assert "1 changed" in done.stderr
    assert json.loads(trail.read_text(encoding="utf-8").splitlines()[0])["stated"] == ["doctor: feminine (she)"]
