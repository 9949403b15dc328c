"""The speech model: padding changes nothing, batches lose nobody, and CTranslate2 computes what PyTorch computes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError
from epicene.speech import features
from epicene_lab import arrays, store
from epicene_lab.export import pack, unpack
from epicene_lab.search import search
from epicene_lab.speech import export, shards
from epicene_lab.speech.model import SpeechModel
from epicene_lab.speech.recipe import LANGUAGES, SpeechRecipe, SpeechShape, SpeechTraining, load
from epicene_lab.speech.shards import Batch, draw_languages, plan
from epicene_lab.speech.targets import SPECIAL, Pieces, write_prompt
from epicene_lab.speech.targets import load as load_targets
from epicene_lab.speech.updates import Sound, mask
from tests.lab.spoken import ROWS, SHAPE, TRAINING, hummed, prepared, shard

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder with random weights, whose pieces differ enough for something to be written."""
    folder = tmp_path_factory.mktemp("untrained")
    prepared(folder, SpeechRecipe(SHAPE, TRAINING))
    torch.manual_seed(3)
    model = SpeechModel(SHAPE)
    model.vocabulary.weight.data.mul_(3)
    store.describe(folder, SHAPE, {"languages": ["en", "de", "es", "fr"]})
    arrays.save(folder / store.WEIGHTS, {name: part.detach().numpy() for name, part in model.named_parameters()})
    return folder


def _sound(frames: int, seed: int = 5) -> Any:
    return np.random.default_rng(seed).standard_normal((1, 80, frames)).astype(np.float32)


@pytest.mark.parametrize("quantization", [None, "int8"])
@pytest.mark.parametrize("frames", [1, 37, 100])
def test_ctranslate2_hears_and_writes_as_pytorch(
    untrained: Path, tmp_path: Path, quantization: str, frames: int
) -> None:
    """In float32 from either weights, for recordings of any length without padding: logits to a thousandth."""
    import ctranslate2

    export.export(untrained, tmp_path, quantization)
    whisper = ctranslate2.models.Whisper(str(tmp_path), compute_type="float32")
    model, pieces = export.load(untrained), Pieces(untrained / store.PIECES)
    if quantization:
        weights = {name: part.detach().numpy() for name, part in model.named_parameters()}
        places, convolved = (
            weights.pop("learnt_places"),
            {name for name in weights if name in ("first.weight", "second.weight")},
        )
        for name in convolved:
            flat = weights[name].reshape(len(weights[name]), -1)
            model.get_parameter(name).data = torch.from_numpy(
                unpack(pack({"w": flat}))["w"].reshape(weights[name].shape)
            )
        for name, value in unpack(
            pack({name: each for name, each in weights.items() if name not in convolved})
        ).items():
            model.get_parameter(name).data = torch.from_numpy(value)
        assert places.shape == (SHAPE.length, SHAPE.dim)
    sound = _sound(frames)
    said = ctranslate2.StorageView.from_array(sound)
    with torch.inference_mode():
        memory, _, _ = model.heard(torch.from_numpy(sound), None)
        state, begin = model.listen(torch.from_numpy(sound), None, torch.tensor([pieces.prompt("es")]), 1)
        first = model.step(begin, state)[0, 0]
        state, begin = model.listen(torch.from_numpy(sound), None, torch.tensor([pieces.prompt("es")]), 1)
        ours = search(model, state, begin, [SHAPE.length // 2], pieces.end, pieces.banned)[0].tolist()
    np.testing.assert_allclose(np.array(whisper.encode(said)), memory.numpy(), atol=1e-3)
    how = {"beam_size": 1, "max_length": SHAPE.length, "return_logits_vocab": True}
    (found,) = whisper.generate(said, [write_prompt("es")], **how)
    assert found.sequences_ids[0] == [piece for piece in ours if piece]
    logits = np.array(found.logits[0][0]).reshape(-1)
    allowed = np.setdiff1d(np.arange(SHAPE.vocabulary), pieces.banned)
    np.testing.assert_allclose(logits[allowed], first.numpy()[allowed], atol=1e-3)
    (several,) = whisper.generate(said, [write_prompt("de")], beam_size=3, num_hypotheses=3, max_length=SHAPE.length)
    assert len(several.sequences_ids) == 3


def test_what_stands_beside_a_recording_does_not_change_what_is_heard(untrained: Path) -> None:
    model = export.load(untrained)
    short, long = torch.from_numpy(_sound(31)), torch.from_numpy(_sound(64, 6))
    both = torch.zeros(2, 80, 64)
    both[0, :, :31], both[1] = short[0], long[0]
    with torch.inference_mode():
        together, _, spelt = model.heard(both, torch.tensor([31, 64]))
        alone, _, spelt_alone = model.heard(short, None)
    torch.testing.assert_close(together[0, :16], alone[0], atol=1e-4, rtol=0)
    torch.testing.assert_close(spelt[0, :16], spelt_alone[0], atol=1e-4, rtol=0)


def test_several_targets_at_once_are_what_each_is_alone(untrained: Path) -> None:
    model, pieces = export.load(untrained), Pieces(untrained / store.PIECES)
    said = torch.tensor([[[*pieces.prompt(code), 5, 9, 11] for code in ("de", "en")]])
    sound, frames = torch.from_numpy(_sound(40)), torch.tensor([40])
    with torch.inference_mode():
        both = model.tell(sound, frames, said).logits
        alone = [model.tell(sound, frames, said[:, each : each + 1]).logits[:, 0] for each in (0, 1)]
    assert both.shape == (1, 2, 4, SHAPE.vocabulary)
    torch.testing.assert_close(both, torch.stack(alone, 1), atol=1e-4, rtol=0)


def test_special_pieces_stand_behind_the_others_as_in_whisper(untrained: Path) -> None:
    pieces = Pieces(untrained / store.PIECES)
    assert len(pieces.all) == SHAPE.vocabulary
    assert pieces.all[-len(SPECIAL) :] == list(SPECIAL)
    assert [pieces.all[each] for each in pieces.prompt("de")] == write_prompt("de")
    assert write_prompt("en")[2] == "<|transcribe|>"
    assert pieces.decode([*pieces.encode([ROWS[0][1]])[0], pieces.end, 0, 0]) == ROWS[0][1]
    assert pieces.end not in pieces.banned


def test_every_recording_comes_once_in_batches_that_are_not_too_large() -> None:
    frames = np.random.default_rng(1).integers(5, 100, 500)
    shape = SpeechShape(positions=50)
    training = SpeechTraining(batch_frames=1000, speed=0.1)
    batches = plan(frames, shape, training, 1, 0)
    assert sorted(np.concatenate([batch.rows for batch in batches])) == list(range(500))
    assert max(len(batch.rows) * batch.width for batch in batches) <= 1000
    assert max(int(batch.frames.max()) for batch in batches) <= shape.frames
    padding = sum(len(batch.rows) * batch.width for batch in batches) / sum(batch.frames.sum() for batch in batches)
    assert padding < 1.4
    again, other = plan(frames, shape, training, 1, 0), plan(frames, shape, training, 1, 1)
    assert all(np.array_equal(one.rows, two.rows) for one, two in zip(batches, again, strict=True))
    assert not np.array_equal(batches[0].rows, other[0].rows)


def test_languages_are_drawn_from_those_that_a_sentence_has() -> None:
    lengths = np.array([[9, 9, 0], [8, 8, 8], [7, 0, 0], [0, 0, 0], [0, 0, 0]])
    assert draw_languages(lengths, SpeechTraining(), True, 1, 0).tolist() == [[0], [0], [-1]]
    drawn = [draw_languages(lengths, SpeechTraining(targets=2), False, 1, update) for update in range(200)]
    assert {tuple(sorted(each[0])) for each in drawn} == {(0, 1), (0, 2), (1, 2)}
    assert {tuple(sorted(each[1])) for each in drawn} == {(0, 1)}
    assert {tuple(sorted(each[2])) for each in drawn} == {(-1, 1)}
    without = [
        draw_languages(lengths, SpeechTraining(targets=1, english=0.0), False, 1, update) for update in range(50)
    ]
    assert {each for one in without for each in one[:2, 0]} == {1, 2}


def test_sound_is_what_was_stored_at_any_speed(tmp_path: Path) -> None:
    found = shards.read(shard(tmp_path, "0", [0, 1]), ["0"], 100, 4, print)
    sound = Sound(found, torch.device("cpu"))
    rows = np.array([1, 0])
    heard, frames = sound.batch(Batch(rows, np.ones(2, np.float32), found.frames[rows]))
    assert frames.tolist() == [45, 45]
    stored = features.unpack(found.features[found.starts[1] : found.starts[1] + 45]).T
    np.testing.assert_allclose(heard[0, :, :45].numpy(), stored, atol=1e-6)
    assert not heard[:, :, 45:].any()
    sound.add(shards.read(shard(tmp_path / "more", "1", [3]), ["1"], 100, 4, print))
    more, _ = sound.batch(Batch(np.array([2]), np.ones(1, np.float32), np.array([45])))
    other = features.pack(features.log_mel(hummed(3)))
    np.testing.assert_allclose(more[0, :, :45].numpy(), features.unpack(other), atol=1e-6)
    twice, _ = sound.batch(Batch(rows[:1], np.array([2.0], np.float32), np.array([23])))
    np.testing.assert_allclose(twice[0, :, :23].numpy(), stored[:, ::2], atol=1e-6)
    half, _ = sound.batch(Batch(rows[:1], np.array([0.5], np.float32), np.array([89])))
    np.testing.assert_allclose(half[0, :, 1].numpy(), (stored[:, 0] + stored[:, 1]) / 2, atol=1e-6)


def test_masks_hide_stretches_and_bands_within_their_limits() -> None:
    torch.manual_seed(1)
    training = SpeechTraining(time_masks=1, time_mask=0.5, band_masks=1, band_mask=20)
    found = mask(torch.ones(50, 80, 60), torch.full((50,), 60), training)
    times, bands = (found == 0).all(1).sum(1), (found == 0).all(2).sum(1)
    assert 0 < times.max() <= 31
    assert 0 < bands.max() <= 21
    assert len(set(times.tolist())) > 5
    assert bool(
        (mask(torch.ones(2, 80, 60), torch.full((2,), 60), SpeechTraining(time_masks=0, band_masks=0)) == 1).all()
    )


def test_targets_that_are_too_long_or_missing_are_left_out(untrained: Path) -> None:
    whole = load_targets(untrained, 70)
    assert whole.languages == ["en", "de", "es", "fr"]
    assert (whole.lengths[LANGUAGES.index("fr")] > 0).tolist() == [False, False, True, False]
    pieces = Pieces(untrained / store.PIECES)
    row = whole.pieces[1, 3]
    assert row[whole.lengths[1, 3] - 1] == pieces.end
    assert pieces.decode(row) == ROWS[3][1]
    longest = int(whole.lengths[0].max())
    assert (load_targets(untrained, longest - 1).lengths[0] > 0).sum() == (whole.lengths[0] < longest).sum() < len(ROWS)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda index, _: index.pop("offsets"), "offsets"),
        (lambda index, _: index.update(offsets=index["offsets"][:-1]), "its index tells of"),
        (lambda index, _: index.update(sentence=index["sentence"] + 9), "sentence 10 of a text of 4"),
        (lambda _, path: np.save(path, np.zeros((90, 40), np.uint8)), "expected bytes, frames × 80"),
        (lambda _, path: path.unlink(), "No such file"),
    ],
)
def test_a_broken_shard_is_told_of_and_the_rest_is_read(tmp_path: Path, spoil: Any, says: str) -> None:
    shard(tmp_path, "good", [2])
    shard(tmp_path, "bad", [0, 1])
    index = arrays.load(tmp_path / "bad.index.npz")
    spoil(index, tmp_path / "bad.features.npy")
    arrays.save(tmp_path / "bad.index.npz", index)
    told: list[str] = []
    found = shards.read(tmp_path, shards.list_names(tmp_path), 100, 4, told.append)
    assert found.sentence.tolist() == [2]
    assert len(told) == 1
    assert says in told[0]


def test_the_shipped_recipe_is_of_a_model_that_may_ship() -> None:
    shape = load().shape
    model = SpeechModel(shape)
    used = sum(part.numel() for name, part in model.named_parameters() if not name.startswith("ctc"))
    assert used + 4 * shape.positions * shape.dim < 14_500_000  # bytes in 8 bits, and the encoder's positions


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("[model]\ndim = 50\nheads = 4", "dim = 50; expected an even multiple of heads = 4"),
        ("[training]\nrate = 0", "rate = 0; expected more than 0"),
        ("[training]\nwarm = 3", "warm"),
        ("model = 3", "expected the tables"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(tmp_path: Path, table: str, says: str) -> None:
    (tmp_path / "mine.toml").write_text(table, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        load(tmp_path / "mine.toml")
