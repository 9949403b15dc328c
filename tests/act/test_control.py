"""Who obeys, who ignores, and on whom it spills over; on systems whose manners are known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from epicene.act import control as telling
from epicene.act.control import control
from epicene.cli.control import app
from epicene.errors import InputError, UnknownNameError
from epicene.types import Gender

F, M = Gender.FEMININE, Gender.MASCULINE
FORMS = {F: "Die {}", M: "Der {}"}


def translated(item: object, first: Gender, second: Gender) -> str:
    """A German sentence about both people, in these genders."""
    assert isinstance(item, telling.Item)
    words = [
        telling.form_of(person.concept, gender, "de")
        for person, gender in ((item.person, first), (item.others[0], second))
    ]
    return f"{FORMS[first].format(words[0])} sah {'die' if second is F else 'den'} {words[1]}."


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> list[telling.Item]:
    """The sentences of one template."""
    asked = [item for item in telling.build_items() if item.labels["template"] == "4"]
    monkeypatch.setattr(telling, "build_items", lambda: asked)
    return asked


def scripted(folder: Path, pairs: Iterator[tuple[str, str]]) -> str:
    path = folder / "pairs.tsv"
    path.write_text("".join(f"{source}\t{text}\n" for source, text in pairs), encoding="utf-8")
    return f"scripted:{path}"


def answers(few: list[telling.Item], by_context: dict[Gender, tuple[Gender, Gender]]) -> Iterator[tuple[str, str]]:
    way = telling.find_ways(["context"])[0]
    for item in few:
        assert item.expected
        yield item.source, translated(item, M, M)
        yield f"{way.fill(item, 'de')} {item.source}", f"So ist es. {translated(item, *by_context[item.expected])}"


@pytest.mark.parametrize(
    ("women_told", "obeyed", "ignored", "spilled"),
    [((F, M), 100, 0, 0), ((M, M), 0, 100, 0), ((F, F), 100, 0, 100), ((M, F), 0, 100, 100)],
)
def test_what_a_system_does_with_what_it_is_told_is_counted(
    tmp_path: Path, few: list[telling.Item], women_told: tuple[Gender, Gender], obeyed: int, ignored: int, spilled: int
) -> None:
    system = scripted(tmp_path, answers(few, {F: women_told, M: (M, M)}))
    plain, told = control(["en-de"], [system], ["context"], cached=False).told
    assert (plain.way, told.way) == ("untold", "context")
    assert plain["obeyed", "feminine"].value == 0
    assert told["obeyed", "feminine"].value == obeyed
    assert told["ignored", "feminine"].value == ignored
    assert told["spilled", "feminine"].value == spilled
    assert told["obeyed", "masculine"].value == 100
    assert told["spilled", "masculine"].n == 0  # both were men before anything was said


def test_a_model_that_knows_tags_is_told_by_a_tag_behind_the_word(tmp_path: Path, few: list[telling.Item]) -> None:
    def pairs() -> Iterator[tuple[str, str]]:
        for item in few:
            assert item.expected
            tag = "<F>" if item.expected is F else "<M>"
            yield item.source, translated(item, M, M)
            yield (
                item.source.replace(item.person.text, f"{item.person.text} {tag}", 1),
                translated(item, item.expected, M),
            )

    _, told = control(["en-de"], [scripted(tmp_path, pairs())], ["tag"], cached=False).told
    assert told["obeyed"].value == 100
    assert told["spilled", "feminine"].value == 0


def test_ways_are_compared_on_the_same_sentences(tmp_path: Path, few: list[telling.Item]) -> None:
    system = scripted(tmp_path, answers(few, {F: (F, M), M: (M, M)}))
    (contest,) = control(["en-de"], [system], ["context"], cached=False).contests
    assert (contest.langs, contest.first, contest.second) == ("en-de", "untold", "context")
    assert (contest.change.before, contest.change.after) == (50.0, 100.0)
    assert contest.change.p is not None
    assert contest.change.p < 0.001


def test_every_way_of_the_table_can_be_filled_in() -> None:
    item = telling.build_items()[0]
    told = {way.name: way.fill(item, "de") for way in telling.find_ways()}
    assert told["tag"] == "doctor <F>"
    assert told["glossary"] == "Glossary: doctor = Ärztin"
    assert told["prompt-plain"] == "The doctor is a woman."
    assert all("{" not in text for text in told.values())


def test_the_sentence_of_context_is_not_read() -> None:
    assert telling.last_sentence("Sie ist eine Ärztin. Der Arzt schlief.") == "Der Arzt schlief."
    assert telling.last_sentence("Die Ärztin, eine Frau, schlief.") == "Die Ärztin, eine Frau, schlief."
    assert telling._remove_tags("Die Ärztin <F> schlief.") == "Die Ärztin schlief."


def test_a_system_without_an_ear_for_it_and_unknown_ways_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="contxt"):
        control(["en-de"], ["bundled"], ["contxt"])
    with pytest.raises(InputError, match="can be told in none of these ways: prompt-plain"):
        control(["en-de"], ["echo"], ["prompt-plain"], cached=False)


def test_the_command_prints_a_row_for_every_way(tmp_path: Path, few: list[telling.Item]) -> None:
    system = scripted(tmp_path, answers(few, {F: (F, M), M: (M, M)}))
    done = CliRunner().invoke(app, ["-l", "en-de", "-s", system, "-w", "context", "--no-cache"])
    assert done.exit_code == 0, done.output
    assert "obeyed" in done.stdout
    assert "untold → context" in done.stdout


def test_a_chat_model_is_told_in_its_prompt(few: list[telling.Item]) -> None:
    from benchmarks.control import Rules, serving

    few[4:] = []
    with serving(Rules()) as name:
        found = control(["en-es"], [name], ["prompt-plain", "glossary"], cached=False)
    untold, prompt, glossary = found.told
    assert untold["obeyed"].value == 50
    assert prompt["obeyed"].value == glossary["obeyed"].value == 100


def test_a_model_behind_a_server_reads_the_prompt_itself() -> None:
    from benchmarks.control import Prose

    chat, prompt = Prose(), "Translate what the user writes from English into German."
    women = {"plain": 0, "told": 0}
    for person in ("lawyer", "teacher", "writer", "engineer", "driver"):
        source = f"The {person} paid the bill."
        plain = chat.answer(prompt, source)
        told = chat.answer(f"{prompt}\nThe {person} is a woman.", source)
        women["plain"] += plain.startswith("Die ")
        women["told"] += told.startswith("Die ")
        assert told.count(".") == 1  # what it was told is no part of the translation
    assert women["told"] > women["plain"]  # by the model's own reading
