"""Every set keeps what its folder promises: what it says of itself, its sentences, its words, its detectors."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from epicene import sets
from epicene.errors import DataMissingError, InputError
from epicene.flow.plan import open_pair
from epicene.languages.codes import known
from epicene.reader import DETECTORS
from epicene.sets import SETS, files
from epicene.sets.about import About
from epicene.types import Gender, Item, Pair
from tests.sets.conftest import DATA

ABOUT = {about.name: about for about in sets.list_about()}
OWN = [name for name, about in ABOUT.items() if about.usage]  # made of a user's own files
TEXT = [name for name, about in ABOUT.items() if not about.usage and not about.spoken]
NEEDS = {"wibemt": "winomt", "wibemt-adjectives": "winomt"}
# Checksums of the sets: numbers of other sentences cannot be compared. That of occupations is new in 0.3, which reads
# the weak lists from the published file; the sentences are the same (tests/golden).
VERSIONS = {
    "dialogue": "2fc047df",
    "gate": "c723a2f5",
    "gest": "21bdc849",
    "mittens": "4ae2031e",
    "mt-geneval": "61fe87ac",
    "mt-geneval-context": "f207b1f5",
    "occupations": "7d75b7bc",
    "simplegen": "e22b6b7f",
    "wibemt": "44f3e11b",
    "wibemt-adjectives": "0e151acf",
    "wibemt-verbs": "24b57624",
    "winomt": "20c7a9ad",
}


def some_pair(about: About) -> Pair:
    source = about.sources[0]
    targets = about.targets or (("de",) if source == "en" else ("en",))
    return Pair(source, next(target for target in targets if target != source))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sets")


@pytest.fixture(scope="module")
def read_items(request: pytest.FixtureRequest, home: Path) -> Callable[[str], list[Item]]:
    """Reads the sentences of a set, once for all tests; ``home`` has those that are published."""

    @cache
    def read(name: str) -> list[Item]:
        needed = NEEDS.get(name, name)
        if needed in DATA and not (home / "sets" / needed).exists():
            files.add(needed, request.getfixturevalue("published") / DATA[needed])
        return list(sets.load(name).items(some_pair(ABOUT[name])))

    return read


@pytest.fixture
def items(
    name: str, home: Path, own_home: Path, read_items: Callable[[str], list[Item]], monkeypatch: pytest.MonkeyPatch
) -> list[Item]:
    """The sentences of a set, which is where epicene looks for it."""
    monkeypatch.setenv("EPICENE_HOME", str(home))
    return read_items(name)


@pytest.mark.parametrize("name", ABOUT)
def test_what_a_set_says_of_itself_is_whole(name: str) -> None:
    about = ABOUT[name]
    assert about == SETS.find(name).about
    assert about.title
    if name not in OWN:
        assert about.sources
        assert about.licence
        assert about.card
        assert about.citation.startswith("@")
        assert about.words.asks
    for published in about.published:
        assert published.title
        assert published.files
        assert all(
            not file.address or (file.address.startswith("https://") and file.sha256) for file in published.files
        )


@pytest.mark.parametrize("name", ABOUT)
def test_a_set_names_detectors_that_exist(name: str) -> None:
    test_set = SETS.find(name)
    if isinstance(test_set.detector, str):
        assert DETECTORS.find(test_set.detector)
    assert sets.of_result(name).measures


@pytest.mark.parametrize("name", TEXT)
def test_people_stand_where_items_say_and_no_id_comes_twice(name: str, items: list[Item]) -> None:
    assert len({item.id for item in items}) == len(items)
    for item in items:
        for person in (item.person, *item.others):
            assert item.source[person.start : person.end] == person.text
        assert item.expected in (None, *Gender)
        assert "\n" not in item.source
        assert "\t" not in item.source


@pytest.mark.parametrize("name", TEXT)
def test_the_checksum_is_that_of_the_last_version(name: str, items: list[Item]) -> None:
    assert sets.load(name).version() == VERSIONS[name]


@pytest.mark.parametrize("name", TEXT)
def test_every_group_has_words_and_every_filter_a_label(name: str, items: list[Item]) -> None:
    measured, words = sets.of_result(name).measures, sets.page_words(name)
    groups = {group for item in items for group in measured.groups(item)}
    # Codes of GATE's authors stand as they are.
    unnamed = [group for group in sorted(groups) if group not in words.groups]
    assert unnamed == [group for group in unnamed if name == "gate" and group.isupper()]
    labels = {label for item in items for label in item.labels}
    assert {row.label for row in ABOUT[name].filters.values()} <= labels


@pytest.mark.parametrize("name", OWN)
def test_a_set_of_ones_own_files_says_how_its_name_goes_on(name: str) -> None:
    assert ABOUT[name].usage.startswith(f"{name}:")
    with pytest.raises(InputError):
        sets.load(name)
    assert sets.of_result(name).name == name


@pytest.mark.parametrize("name", DATA)
def test_sentences_that_are_not_here_say_how_to_get_them(name: str) -> None:
    with pytest.raises(DataMissingError, match=f"{name} is not on this machine.* epicene data (get|add) {name}"):
        list(sets.load(name).items(some_pair(ABOUT[name])))
    with pytest.raises(DataMissingError, match=f"epicene data (get|add) {name}"):
        sets.load(name).version()


@pytest.mark.parametrize("name", [name for name in TEXT if ABOUT[name].targets])
def test_a_language_that_a_set_lacks_is_named(name: str) -> None:
    about = ABOUT[name]
    lacking = next(code for code in known() if code not in (*about.sources, *about.targets))
    wanted = f"set {name} has no {lacking}; translations into {', '.join(about.targets)} can be measured"
    with pytest.raises(InputError, match=wanted):
        open_pair(f"{about.sources[0]}-{lacking}", SETS.find(name))


@pytest.mark.parametrize("name", TEXT)
def test_what_a_set_does_not_know_after_its_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=rf"{name}.*nothing-such"):
        sets.load(f"{name}:nothing-such")


@pytest.mark.parametrize("name", ["simplegen", "winomt", "wibemt", "wibemt-verbs", "occupations", "occupations:all"])
def test_sets_with_a_paper_of_their_own_have_its_table(name: str) -> None:
    table = sets.page_words(name).table
    assert table
    assert table.columns


def test_variants_of_a_set_are_told_apart() -> None:
    assert sets.title("occupations:wording") == f"{sets.title('occupations')} (wording)"
    assert sets.title("custom") == "Your own sentences"


def test_a_list_of_sets_imports_none_of_them() -> None:
    code = (
        "import sys; from epicene import sets; from epicene.sets import files; assert files.entries(); "
        "print(*(name for name in sys.modules if name.startswith('epicene.sets.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"epicene.sets.about", "epicene.sets.files"}


def test_a_set_whose_own_name_is_not_that_of_its_entry_point_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    simplegen = sets.load("simplegen")
    monkeypatch.setattr(type(SETS), "find", lambda _, name: simplegen)
    with pytest.raises(
        InputError, match=r'set queues calls itself simplegen; write name = "queues" into its set\.toml'
    ):
        sets.load("queues")
