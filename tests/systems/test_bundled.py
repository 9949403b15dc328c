"""The bundled system: tags ask for the target, unknown pairs are refused, a missing model is one clear line."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

import pytest

from benchmarks.bundled import answers
from epicene import systems
from epicene.errors import InputError
from epicene.languages.codes import pair as parse_pair
from epicene.systems.local import bundled
from epicene.types import Pair
from epicene_lab.studies.occupations import _own
from epicene_models import BUNDLED

needs_model = pytest.mark.skipif(not (BUNDLED / "model.bin").is_file(), reason="the model is not there")


def test_a_missing_model_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bundled, "folders", lambda: [tmp_path])
    with pytest.raises(InputError, match="the bundled model is not in this installation"):
        systems.load("bundled")


MOTHER = {"de": "Mutter", "es": "madre", "fr": "mère", "it": "madre", "pt": "mãe"}


@needs_model
def test_each_target_gets_its_own_language() -> None:
    system = systems.load("bundled")
    known = [parse_pair(langs) for langs in bundled.read_pairs(BUNDLED)]
    assert {pair.target for pair in known} >= {"de", "es", "fr"}
    for pair in known:
        assert MOTHER[pair.target] in next(iter(system.translate(["Where is my mother?"], pair)))


@needs_model
@pytest.mark.parametrize("pair", [Pair("en", "cs"), Pair("de", "es")])
def test_a_pair_it_does_not_know_is_refused(pair: Pair) -> None:
    with pytest.raises(InputError, match=f"knows no {pair}; it translates en-de, en-es, en-fr"):
        systems.load("bundled").translate(["Ciao."], pair)


@needs_model
def test_what_it_knows_stands_in_its_vocabulary_or_beside_it(tmp_path: Path) -> None:
    (tmp_path / "shared_vocabulary.json").write_text('["<s>", "<2pt>", "a", "<2it>", "<F>"]', encoding="utf-8")
    assert bundled.read_pairs(tmp_path) == ["en-it", "en-pt"]
    (tmp_path / "pairs.json").write_text('["hu-en", "fin-eng"]', encoding="utf-8")
    assert bundled.read_pairs(tmp_path) == ["hu-en", "fi-en"]
    (tmp_path / "pairs.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"pairs\.json: .*; reinstall epicene"):
        bundled.read_pairs(tmp_path)
    assert ", ".join(bundled.pairs()) in (bundled.SYSTEM.about or "")


@needs_model
def test_each_model_answers_for_its_own_pairs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    system = systems.load("bundled?beam=1")
    first, second = bundled.folders()
    assert second.name == "bundled-into-en"
    assert "Mutter" in next(iter(system.translate(["Where is my mother?"], Pair("en", "de"))))
    for pair, said in (("hu-en", "Hol van most az orvos?"), ("fi-en", "Missä äitini on?"), ("tr-en", "Annem nerede?")):
        english = next(iter(system.translate([said], parse_pair(pair))))
        assert english.startswith("Where")
        assert ("doctor" if pair == "hu-en" else "mother") in english
    with pytest.raises(InputError, match=r"knows no en-hu; it translates en-de, en-es, en-fr.*, hu-en.*; name another"):
        system.translate(["Hi."], Pair("en", "hu"))
    shutil.copytree(first, tmp_path / "bundled")
    monkeypatch.setattr(bundled, "folders", lambda: [tmp_path / "bundled"])
    weights, options = systems.load("bundled?beam=1").identity.split("@")[1].split("?")
    assert system.identity.startswith(f"bundled@{weights}+")
    assert system.identity.endswith(f"?{options}")
    with pytest.raises(InputError, match="knows no hu-en; it translates en-de, en-es"):
        systems.load("bundled").translate(["Hol van az anyám?"], Pair("hu", "en"))


@needs_model
def test_its_name_says_which_weights_and_beam() -> None:
    assert systems.load("bundled").identity.startswith("bundled@")
    assert systems.load("bundled?beam=1").identity.endswith("?beam=1&compute=float32")
    with pytest.raises(InputError, match="has no option compute; it knows: beam, batch"):
        systems.load("bundled?compute=float32")
    with pytest.raises(InputError, match="takes no argument"):
        systems.load("bundled:x")


@needs_model
@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="these are instruction sets of x86")
def test_its_answers_are_the_same_on_every_instruction_set_and_in_every_batch() -> None:
    wanted = answers("bundled?batch=16")
    assert len(set(wanted)) > 30
    assert answers("bundled?batch=3", ct2="GENERIC", onednn="SSE41", threads=2) == wanted
    assert answers("bundled?batch=64", ct2="AVX", onednn="AVX") == wanted


@needs_model
def test_what_is_kept_of_the_occupations_is_what_the_model_that_ships_says() -> None:
    own, pair = _own(), Pair("hu", "en")
    assert own
    kept = [(item.source, text) for item, text in own[1].pair_with(own[0].items(pair), pair.target)][::100]
    sources = [source for source, _ in kept]
    said = systems.load("bundled").translate(sources, pair)
    same = sum(one == other for one, (_, other) in zip(said, kept, strict=True))
    assert same > 0.9 * len(sources) > 50  # those were decoded before the weights were rounded to 8 bits


@needs_model
def test_the_models_are_small() -> None:
    sizes = [sum(path.stat().st_size for path in folder.iterdir()) for folder in bundled.folders()]
    assert sizes[0] <= 25_000_000
    assert all(size <= 12_000_000 for size in sizes[1:])
