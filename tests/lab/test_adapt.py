"""Adapting: data that stays apart from the tests, training that goes on, a model that CTranslate2 runs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError, UnknownNameError
from epicene.registry import Options
from epicene.systems.local.ctranslate2 import SYSTEM
from epicene.types import Pair
from epicene_lab import adapt, adaptation, arrays, augment, corpus, frames, mixed, origin, pieces, store
from epicene_lab.adaptation import Adaptation, Mixture, Order
from epicene_lab.cli import app
from epicene_lab.export import export
from epicene_lab.loop import Limits
from epicene_lab.model import Transformer
from epicene_lab.origin import score_translations
from epicene_lab.recipe import Shape, Training

pytestmark = pytest.mark.torch
TEXT = [
    ("The doctor said that she was tired.", "La doctora dijo que estaba cansada."),
    ("My brother is a nurse.", "Mi hermano es enfermero."),
    ("It rains.", "Llueve."),
    ("We have lost.", "Hemos perdido."),
]
SHORT = Training(epochs=1, batch_tokens=256, warmup=2, longest=64, rate=1e-3)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exported model of random weights that knows tags for German and Spanish."""
    folder = tmp_path_factory.mktemp("adapt") / "model"
    torch.manual_seed(3)
    shape = Shape(encoder=1, decoder=1, dim=32, heads=2, ffn=48, vocabulary=400, positions=128)
    store.describe(folder, shape, {})
    weights = {name: part.detach().numpy() for name, part in Transformer(shape).named_parameters()}
    arrays.save(folder / store.WEIGHTS, weights)
    lines = [f"{source} {target}" for source, target in augment.make_pairs("es")][:2000]
    pieces.learn(lines, 400, ["<2de>", "<2es>"], folder / store.PIECES)
    export(folder, folder.with_name("ct2"))
    return folder.with_name("ct2")


def _order(how: str, model: Path, folder: Path, text: Path | None = None, **mixture: float) -> Order:
    wanted = Adaptation(how, Mixture(**mixture), SHORT)  # type: ignore[arg-type]
    return Order(wanted, str(model), {"es": text}, folder, device="cpu")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.tsv"
    path.write_text("".join(f"{a}\t{b}\n" for a, b in TEXT), encoding="utf-8")
    return path


def test_frames_stand_in_both_genders_and_nothing_else_changes() -> None:
    for target in ("de", "es", "fr", "it", "pt"):
        for woman, man in islice(frames.draw_twosomes(target), 60):
            assert woman[0] != man[0]
            assert not set("{}[]<>|") & set("".join((*woman, *man))), (woman, man)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("I met the student in the street.", "Ich habe den Studenten auf der Straße getroffen."),
        ("I met the farmer in the street.", "Ich habe den Bauern auf der Straße getroffen."),
        ("I met the teacher in the street.", "Ich habe den Lehrer auf der Straße getroffen."),
        ("I met the psychologist <F> in the street.", "Ich habe die Psychologin auf der Straße getroffen."),
    ],
)
def test_german_nouns_take_their_case(source: str, said: str) -> None:
    row = next(row for row in frames.read_rows(("open",)) if row["en"].startswith("I met"))
    concept = source.split()[3]
    person = next(row for row in frames.list_people("de") if row["concept"] == concept)
    frame = frames.Frame("open", row["en"], row["de"], (person,), "de")
    woman = "<F>" in source
    assert frame.pair([woman], [woman]) == (source, said)


def test_no_frame_is_near_a_sentence_of_simplegen() -> None:
    tested = {each for line in corpus.read_challenge_sentences("simplegen") for each in corpus.list_near(line)}
    made = {pair[0] for two in islice(frames.draw_twosomes("de"), 3000) for pair in two}
    assert tested.isdisjoint(each for source in made for each in corpus.list_near(source))


def test_a_tag_tells_the_gender_that_the_translation_has() -> None:
    found = list(islice(frames.draw_tagged("es"), 400))
    tagged = [source for source, _ in found if "<" in source]
    assert 0.6 < len(tagged) / len(found) < 0.95
    for source, said in found:
        if source.startswith("<F>"):
            assert not said.startswith(("El ", "Un "))
        if source.startswith("<M>"):
            assert not said.startswith(("La ", "Una "))


def test_balanced_adaptation_ends_in_a_model_that_translates(model: Path, tmp_path: Path, text: Path) -> None:
    order = _order("balanced", model, tmp_path / "out", text, made=40, general=2, keep=0.5)
    said: list[str] = []
    folder = adapt.adapt(order, say=said.append)
    assert "en-es: 40 made, 2 general" in said
    lines = (folder / "pairs.es.tsv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 42
    trained, mean = (
        arrays.load(folder / "model" / name)["vocabulary.weight"] for name in ("trained.npz", "weights.npz")
    )
    begun = origin.open_origin(model).weights["vocabulary.weight"]
    assert not np.array_equal(trained, begun)
    np.testing.assert_allclose(mean, (trained + begun) / 2, atol=1e-6)
    system = SYSTEM.build(str(folder), Options("ctranslate2", {"max_tokens": "8"}))
    assert len(list(system.translate(["The doctor is tired."], Pair("en", "es")))) == 1
    with pytest.raises(InputError, match="it translates into: de, es"):
        list(system.translate(["The doctor is tired."], Pair("en", "fr")))
    said.clear()
    adapt.adapt(order, say=said.append)
    assert "data made before" in said[0]
    assert "trained before" in said[1]
    other = replace(order, adaptation=replace(order.adaptation, mixture=Mixture(made=10)))
    with pytest.raises(InputError, match="another adaptation"):
        adapt.prepare(other, said.append)


def test_a_killed_adaptation_goes_on_to_the_same_weights(model: Path, tmp_path: Path) -> None:
    def kill(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    orders = [_order("balanced", model, tmp_path / name, made=40) for name in ("whole", "killed")]
    for order in orders:
        adapt.prepare(order, print)
    adapt.train(tmp_path / "whole", "cpu", say=print)
    with pytest.raises(KeyboardInterrupt):
        adapt.train(tmp_path / "killed", "cpu", kill, print, Limits(save_every=0))
    assert (tmp_path / "killed" / "model" / "checkpoint.npz").is_file()
    adapt.train(tmp_path / "killed", "cpu", say=print)
    whole, killed = (arrays.load(tmp_path / name / "model" / "weights.npz") for name in ("whole", "killed"))
    assert all(np.array_equal(whole[name], killed[name]) for name in whole)


def test_tags_are_pieces_of_the_adapted_model(model: Path, tmp_path: Path, text: Path) -> None:
    order = _order("tagged", model, tmp_path / "out", text, made=20, read=4, found=4)
    adapt.prepare(order, print)
    tool = pieces.open_processor(tmp_path / "out" / "corpus" / "sentencepiece.model")
    assert {"<F>", "<M>"} <= {tool.id_to_piece(place) for place in range(tool.get_piece_size())}
    made = (tmp_path / "out" / "pairs.es.tsv").read_text(encoding="utf-8")
    assert "The doctor <F> said that she was tired.\t" in made
    assert "<F> The doctor said that she was tired.\t" in made


def test_instructions_stand_before_sentences_and_no_tag_is_left(model: Path, tmp_path: Path, text: Path) -> None:
    adapt.prepare(_order("instructed", model, tmp_path / "out", text, made=40, read=4, found=4), print)
    made = (tmp_path / "out" / "pairs.es.tsv").read_text(encoding="utf-8").splitlines()
    told = [line.partition(" || ") for line in made if " || " in line]
    assert len(told) >= 20
    assert not any("<F>" in line or "<M>" in line for line in made)
    for instruction, _, pair in told:
        assert set(re.findall(r"\w+", instruction.lower())) & set(
            re.findall(r"\w+", pair.partition("\t")[0].lower())
        ) - {"the"}


def test_copies_that_the_model_finds_unlikely_are_left_out(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = origin.open_origin(model)
    same, other = (TEXT[1], TEXT[1]), (TEXT[1], (TEXT[1][0], "Llueve en la casa roja."))
    good, bad = score_translations(begun, other, "es")
    assert score_translations(begun, [*same, *other], "es") == pytest.approx([good, good, good, bad], abs=1e-4)
    monkeypatch.setattr(mixed, "LOSS", good - bad - 0.01)
    assert mixed.choose_likely([other], begun, "es") == []
    monkeypatch.setattr(mixed, "LOSS", good - bad + 0.01)
    assert mixed.choose_likely([other], begun, "es") == list(other)


def test_what_cannot_be_adapted_is_refused_in_a_line(model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="copies are made from text; give it with --data es="):
        adapt.prepare(_order("counterfactual", model, tmp_path / "out"), print)
    with pytest.raises(InputError, match=r"no tag for target 'fr'; it knows: de, es"):
        adapt.prepare(replace(_order("balanced", model, tmp_path / "out"), texts={"fr": None}), print)
    with pytest.raises(InputError, match=r"'hu'; there are: de, es, fr"):
        next(frames.draw_twosomes("hu"))
    assert not (tmp_path / "out").exists()
    with pytest.raises(UnknownNameError, match="balanced"):
        adaptation.load("balancd")
    recipe = tmp_path / "own.toml"
    recipe.write_text('how = "tagged"\n[mixture]\nmades = 3\n', encoding="utf-8")
    with pytest.raises(UnknownNameError, match="made"):
        adaptation.load(str(recipe))
    with pytest.raises(InputError, match="expected a target language and a file"):
        adaptation.parse_texts(["pairs.tsv"], [])
    with pytest.raises(InputError, match="no language to adapt"):
        adaptation.parse_texts([], [])


def test_the_commands_take_a_model_to_go_on_from(model: Path, tmp_path: Path, text: Path) -> None:
    run = CliRunner()
    out = str(tmp_path / "more")
    options = ["train", "--data", str(text), "-l", "en-es", "--from", str(model), "-o", out, "--device", "cpu"]
    done = run.invoke(app, [*options, "--epochs", "1", "--symbol", "<F>=woman,she"])
    assert done.exit_code == 0, done.exception
    record = json.loads((tmp_path / "more" / "model.json").read_text(encoding="utf-8"))
    assert record["shape"]["vocabulary"] == 401
    assert record["shape"]["dim"] == 32
    refused = run.invoke(app, [*options, "--dim", "64"])
    assert "--dim: with --from the sizes are those of" in str(refused.exception)
    out = str(tmp_path / "data")
    done = run.invoke(app, ["adapt", "balanced", "-l", "en-es", "--from", str(model), "-o", out, "--data-only"])
    assert done.exit_code == 0, done.exception
    assert len((tmp_path / "data" / "pairs.es.tsv").read_text(encoding="utf-8").splitlines()) == 400
