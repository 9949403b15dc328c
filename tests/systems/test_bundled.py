"""The bundled system: tags ask for the target, unknown pairs are refused, a missing model is one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene import systems
from epicene.errors import InputError
from epicene.systems.local import bundled
from epicene.types import Pair

needs_model = pytest.mark.skipif(not (bundled.FOLDER / "model.bin").is_file(), reason="the model is not there")


def test_a_missing_model_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bundled, "FOLDER", tmp_path)
    with pytest.raises(InputError, match="the bundled model is not in this installation"):
        systems.load("bundled")


@needs_model
def test_each_target_gets_its_own_language() -> None:
    system = systems.load("bundled")
    found = {target: list(system.translate(["Where is my mother?"], Pair("en", target))) for target in bundled.TARGETS}
    assert "Mutter" in found["de"][0]
    assert "madre" in found["es"][0]
    assert "mère" in found["fr"][0]


@needs_model
@pytest.mark.parametrize("pair", [Pair("en", "it"), Pair("de", "es")])
def test_a_pair_it_does_not_know_is_refused(pair: Pair) -> None:
    with pytest.raises(InputError, match=f"knows no {pair}; it translates en-de, en-es, en-fr"):
        systems.load("bundled").translate(["Ciao."], pair)


@needs_model
def test_its_name_says_which_weights_and_beam() -> None:
    assert systems.load("bundled").identity.startswith("bundled@")
    assert systems.load("bundled?beam=1").identity.endswith("?beam=1")
    with pytest.raises(InputError, match="has no option compute; it knows: beam, batch"):
        systems.load("bundled?compute=float32")
    with pytest.raises(InputError, match="takes no argument"):
        systems.load("bundled:x")


@needs_model
def test_the_model_is_at_most_25_megabytes() -> None:
    assert sum(path.stat().st_size for path in bundled.FOLDER.iterdir()) <= 25_000_000
