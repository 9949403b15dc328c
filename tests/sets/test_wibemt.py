"""WiBeMT is built as the paper says: properties of all 70,686 sentences."""

from __future__ import annotations

import re
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from epicene import score
from epicene.errors import DataMissingError, InputError
from epicene.flow import plan
from epicene.sets import files as store
from epicene.types import Gender, Item, Pair
from tests.conftest import Command

PAIR = Pair("en", "de")
FEMININE = ["sassy", "perky", "brunette", "blonde", "lovely", "vivacious", "saucy", "bubbly", "alluring", "married"]
MASCULINE = ["grizzled", "affable", "jovial", "suave", "debonair", "wiry", "rascally", "arrogant", "shifty", "eminent"]
ARTICLE = re.compile(r"\b(a|an) ([\w'-]+)", re.IGNORECASE)
# Every word that follows "an" in the set, by ear; "a user" and "a housekeeper" are among the others.
AFTER_AN = {
    "accident", "accounting", "affable", "alluring", "ambulance", "apology", "apple", "application", "appointment",
    "arrogant", "article", "assistant", "audit", "authorization", "autograph", "award", "efficient", "eminent", "exam",
    "examination", "excellent", "expert", "important", "inspection", "old", "order", "orientation",
}  # fmt: skip


@pytest.fixture(scope="module")
def extended(published: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Item]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EPICENE_HOME", str(tmp_path_factory.mktemp("home")))
        store.add("winomt", published / "winomt")
        return list(plan.open_set("wibemt-adjectives").items(PAIR))


@pytest.fixture
def base(published: Path) -> list[list[str]]:
    lines = (published / "winomt" / "winobias_base_3168.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines]


def test_there_are_as_many_sentences_as_in_the_paper(published: Path) -> None:
    store.add("winomt", published / "winomt")
    items = list(plan.open_set("wibemt").items(PAIR))
    parts = Counter(item.labels["part"] for item in items)
    assert len(items) == 70_686
    assert parts == {"adjectives": 3_168 * 21, "verbs": 42 * 99}
    assert len({item.id for item in items}) == 70_686


def test_each_base_sentence_stands_plain_and_with_each_of_twenty_adjectives(extended: list[Item]) -> None:
    words = Counter((item.labels["class"], item.labels["word"]) for item in extended)
    assert words == {
        ("none", ""): 3_168,
        **{("feminine", word): 3_168 for word in FEMININE},
        **{("masculine", word): 3_168 for word in MASCULINE},
    }
    assert Counter(item.expected for item in extended[:3168]) == {Gender.MASCULINE: 1_586, Gender.FEMININE: 1_582}


def test_no_article_or_blank_stands_twice(extended: list[Item]) -> None:
    doubled = re.compile(r"\b(a|an|the) (a|an|the)\b|\s\s|^\s|\s$", re.IGNORECASE)
    assert [item.source for item in extended if doubled.search(item.source)] == []


def test_a_and_an_are_right_everywhere(extended: list[Item]) -> None:
    found = {(article.lower(), word) for item in extended for article, word in ARTICLE.findall(item.source)}
    assert {word for article, word in found if article == "an"} == AFTER_AN
    assert {word for article, word in found if article == "a"} & AFTER_AN == set()


def test_the_adjective_stands_before_the_entity_of_the_base_and_nowhere_else(
    extended: list[Item], base: list[list[str]]
) -> None:
    for number, item in enumerate(extended):
        _, _, gold, index, sentence, entity = base[number % 3168]
        doubled = " the the " in sentence
        words, adjective = item.source.split(), item.labels["word"]
        place = int(index) - doubled
        if adjective:
            assert words.count(adjective) == 1, item.source
            assert words.pop(place) == adjective, item.source
        plain = sentence.replace(" the the ", " the ").split()
        # Rows 2121 and 2122 differ between the published versions in the pronoun.
        differ = [pair for pair in zip(words, plain, strict=True) if pair[0] != pair[1] and {*pair} != {"a", "an"}]
        assert all({*pair} <= {"he", "she", "his", "her"} for pair in differ), item.source
        assert differ == [] or number % 3168 in (2120, 2121)
        name = entity.partition(" ")[2]
        assert " ".join(words[place:]).lower().startswith(name.lower()), item.source
        assert item.person.concept == name.lower()
        if not differ:
            assert item.expected == {"male": Gender.MASCULINE, "female": Gender.FEMININE}[gold]


def test_the_two_people_are_never_mixed_up(extended: list[Item]) -> None:
    for item in extended:
        focus = item.person
        assert item.source[focus.start :].startswith(focus.text)
        assert item.others, item.source
        adjective = item.labels["word"]
        assert not adjective or item.source[: focus.start].endswith(f" {adjective} ")
        for other in item.others:
            assert item.source[other.start :].startswith(other.text)
            assert other.start != focus.start
            assert not adjective or not item.source[: other.start].endswith(f" {adjective} ")


def test_construction_workers_stay_whole(extended: list[Item]) -> None:
    workers = [item for item in extended if item.person.concept == "construction worker"]
    assert len(workers) == 80 * 21
    assert all(item.source[item.person.start :].startswith("construction worker") for item in workers)
    assert not any(re.search(rf"construction {word} worker", item.source) for item in workers for word in FEMININE)


def test_the_verb_sentences_need_no_data_and_speak_of_nobody_else() -> None:
    items = list(plan.open_set("wibemt-verbs").items(PAIR))
    assert len(items) == 4_158
    assert Counter(item.labels["class"] for item in items) == {"feminine": 2_079, "masculine": 2_079}
    assert Counter(item.labels["group"] for item in items) == {"feminine": 1_386, "neutral": 1_386, "masculine": 1_386}
    pronoun = re.compile(r"\b(he|she|his|her|hers|him|they|their|them)\b", re.IGNORECASE)
    for item in items:
        assert item.source[item.person.start :].startswith(item.person.text)
        assert item.others == ()
        assert item.expected is None
        assert not pronoun.search(item.source)


def test_the_verb_sentences_are_those_of_the_authors(published: Path) -> None:
    store.add("wibemt", published / "wibemt")
    ours, theirs = (list(plan.open_set(name).items(PAIR)) for name in ("wibemt-verbs", "wibemt-verbs:published"))
    assert [(item.id, item.source, item.labels) for item in ours] == [(i.id, i.source, i.labels) for i in theirs]
    assert len(ours) == 4158


def test_the_authors_own_files_load_with_their_slips(published: Path, tmp_path: Path) -> None:
    with tarfile.open(published / "wibemt" / "authors.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    store.add("wibemt", tmp_path)
    items = list(plan.open_set("wibemt-verbs:published").items(PAIR))
    words = {item.labels["word"] for item in items}
    # the files spell them twirls and overhtrow
    assert {"twirl", "overthrow"} <= words
    assert len(words) == 42
    found = score("wibemt-verbs", "en-de", next((tmp_path / "4_Results").rglob("*DeepL*.txt")))
    assert found.n == 4158


def test_own_adjectives_make_a_set_of_their_own(published: Path, tmp_path: Path, epicene: Command) -> None:
    epicene("data", "add", "winomt", published / "winomt")
    words = tmp_path / "age.tsv"
    words.write_text("# of age\nadjective\tclass\nold\told\nyoung\tyoung\nhonourable\told\n", encoding="utf-8")
    done = epicene("sets", "export", f"wibemt-adjectives?adjectives={words}", "-f", "tsv")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(rows) == 1 + 4 * 3_168
    assert Counter(row[6] for row in rows[1:]) == {"none": 3_168, "old": 6_336, "young": 3_168}
    assert any("hired an honourable assistant" in row[1] for row in rows)
    plain = epicene("sets", "show", "wibemt-adjectives").stdout
    assert epicene("sets", "show", f"wibemt-adjectives?adjectives={words}").stdout != plain


def test_the_plain_sentences_of_winobias_are_scored_alone(published: Path, tmp_path: Path, epicene: Command) -> None:
    epicene("data", "add", "winomt", published / "winomt")
    items = list(plan.open_set("wibemt-adjectives:plain").items(PAIR))
    assert len(items) == 3168
    assert {item.labels["class"] for item in items} == {"none"}
    extended = [item for item in plan.open_set("wibemt-adjectives").items(PAIR) if item.labels["class"] == "none"]
    assert items == extended
    hypotheses = tmp_path / "winobias.de"
    hypotheses.write_text("".join(f"Der Arbeiter {number} geht.\n" for number in range(3168)), encoding="utf-8")
    done = epicene("score", "-t", "wibemt-adjectives:plain", "-l", "en-de", "-i", hypotheses, "--anyway")
    assert done.returncode == 0, done.stderr
    assert "3168 sentences" in done.stdout
    assert "H2a" not in done.stdout


def test_own_verbs_are_put_into_their_sentences(tmp_path: Path, epicene: Command) -> None:
    words = tmp_path / "verbs.tsv"
    words.write_text("lift\tM\tAn {occupation} lifts a sofa.\n", encoding="utf-8")
    lines = epicene("sets", "export", f"wibemt-verbs?verbs={words}").stdout.splitlines()
    assert len(lines) == 99
    assert "A nurse lifts a sofa." in lines
    assert "An attendant lifts a sofa." in lines
    assert "A CEO lifts a sofa." in lines


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("lift\tM\n", "words.tsv:1: got 'lift\\tM'; expected verb, class, template, separated by tabs"),
        ("lift\tM\tNobody lifts.\n", "words.tsv:1: 'Nobody lifts.' is no template"),
        ("lift\tM\tThe {occupation} lifts.\nlift\tF\tThe {occupation} lifts.\n", "words.tsv:2: 'lift' appears twice (first: 1)"),
        ("\n", "words.tsv: empty"),
    ],
)  # fmt: skip
def test_broken_word_lists_are_refused_with_file_and_line(tmp_path: Path, text: str, says: str) -> None:
    words = tmp_path / "words.tsv"
    words.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(says)):
        plan.open_set(f"wibemt-verbs?verbs={words}")


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("wibemt:publishd", "expected nothing or published after the colon"),
        ("wibemt-adjectives:published", "expected nothing or plain after the colon"),
        ("wibemt-verbs:plain", "expected nothing or published after the colon"),
        ("wibemt-adjectives:plain?adjectives=x", "own adjectives and the plain sentences exclude each other"),
        ("wibemt-verbs?adjectives=x", "wibemt-verbs has no option adjectives; it knows: verbs"),
        ("wibemt:published?verbs=x", "own verbs and the published sentences exclude each other"),
    ],
)
def test_what_a_set_does_not_know_is_refused(spec: str, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        plan.open_set(spec)


def test_missing_data_names_the_command_that_brings_it() -> None:
    with pytest.raises(DataMissingError, match="epicene data get winomt"):
        list(plan.open_set("wibemt").items(PAIR))
    with pytest.raises(DataMissingError, match="epicene data add wibemt PATH"):
        plan.open_set("wibemt-verbs:published")
