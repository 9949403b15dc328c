"""Every registered name of every kind is what its kind says, and nothing else is registered."""

from __future__ import annotations

from pathlib import Path

import pytest

import epicene
from epicene import registry
from epicene.errors import InputError, UnknownNameError
from epicene.languages import CODES, LANGUAGES
from epicene.languages.codes import MODELS, known, language
from epicene.languages.folder import has_table
from epicene.reader import DETECTORS
from epicene.sets import SETS
from epicene.speech.recognisers import RECOGNISERS
from epicene.speech.voices import VOICES
from epicene.studies import STUDIES
from epicene.systems import SYSTEMS

KINDS: dict[str, registry.Registry[object]] = {
    "detectors": DETECTORS,
    "languages": LANGUAGES,
    "recognisers": RECOGNISERS,
    "sets": SETS,
    "studies": STUDIES,
    "systems": SYSTEMS,
    "voices": VOICES,
}
NAMES = [(kind, name) for kind, each in KINDS.items() for name in each.names()]
HELPERS = ["outcomes", "pairs", "quality", "speech", "tables", "codes", "folder", "text", "families", "english"]


@pytest.mark.parametrize(("kind", "name"), NAMES)
def test_every_name_is_of_its_kind(kind: str, name: str) -> None:
    assert isinstance(KINDS[kind].find(name), KINDS[kind].accepted)
    assert KINDS[kind].group == f"epicene.{kind}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_helper_module_is_no_registered_name(kind: str) -> None:
    for helper in HELPERS:
        if (kind, helper) not in NAMES:
            with pytest.raises(UnknownNameError):
                KINDS[kind].find(helper)
    assert not {"outcomes", "tables", "text"} & set(KINDS[kind].names())


@pytest.mark.parametrize("name", [*SYSTEMS.names(), *RECOGNISERS.names(), *VOICES.names()])
def test_what_is_built_says_how_it_is_spelt_and_what_it_is(name: str) -> None:
    for kind in (SYSTEMS, RECOGNISERS, VOICES):
        if name in kind.names():
            factory = kind.find(name)
            assert factory.usage.split(":")[0] == name
            assert factory.summary


@pytest.mark.parametrize("code", LANGUAGES.names())
def test_a_language_carries_all_of_its_own(code: str) -> None:
    assert LANGUAGES.find(code).path.joinpath(CODES).is_file()
    assert has_table(code, "language.toml")
    names = known()[code]
    assert names.name
    assert set(names.models) == set(MODELS)
    assert [language(other) for other in (code, *names.iso3)] == [code] * (1 + len(names.iso3))


def test_no_two_languages_share_a_code_or_a_token() -> None:
    codes = [each for names in known().values() for each in (names.code, *names.iso3)]
    assert len(codes) == len(set(codes))
    for family in MODELS:
        tokens = [token for names in known().values() for token in names.models[family]]
        assert len(tokens) == len(set(tokens))


@pytest.mark.parametrize("code", LANGUAGES.names())
def test_a_language_with_a_folder_needs_no_row_in_our_tables(code: str) -> None:
    tables = Path(epicene.__file__).parent / "languages"
    for table in ("languages.tsv", "services.tsv"):
        rows = (tables / table).read_text(encoding="utf-8").splitlines()
        assert code not in [row.split("\t")[0] for row in rows]


def test_a_file_that_does_not_define_its_object_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "half_written"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "empty.py").touch()
    (folder / "wrong.py").write_text("THING = 'text'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    kind = registry.Registry("thing", "epicene.things", (int,), registry.find_modules("THING", "half_written"))
    assert kind.names() == ["empty", "wrong"]
    with pytest.raises(InputError, match=r"half_written\.empty defines no THING"):
        kind.find("empty")
    with pytest.raises(InputError, match=r"thing wrong: half_written\.wrong\.THING is a str; expected a int"):
        kind.find("wrong")
