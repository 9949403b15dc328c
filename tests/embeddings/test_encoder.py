"""Encoders give static vectors of words, and vectors of sentences where templates are given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import epicene
from epicene.embeddings.vectors import load
from epicene.errors import InputError, SystemFailure
from tests.embeddings.conftest import write_encoder

pytestmark = pytest.mark.torch
transformers = pytest.importorskip("transformers", reason="the extra huggingface is not installed")
torch = pytest.importorskip("torch", reason="the extra huggingface is not installed")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder"))


def test_a_word_has_its_input_embedding(encoder: Path) -> None:
    found = load(f"huggingface:{encoder}", ["math", "art"])
    model, tokenizer = (
        transformers.AutoModel.from_pretrained(encoder),
        transformers.AutoTokenizer.from_pretrained(encoder),
    )
    place = tokenizer.convert_tokens_to_ids("math")
    assert place != tokenizer.unk_token_id
    assert found["math"].tolist() == model.get_input_embeddings().weight[place].tolist()
    assert found.width == 16


def test_a_word_of_several_pieces_has_their_mean(encoder: Path) -> None:
    found = load(f"huggingface:{encoder}", ["math", "art", "math-art-math"])
    hyphen = load(f"huggingface:{encoder}", ["-"])["-"]
    wanted = (2 * found["math"] + found["art"] + 2 * hyphen) / 5
    assert found["math-art-math"] == pytest.approx(wanted, abs=1e-6)


def test_a_word_in_pieces_says_so(encoder: Path) -> None:
    found = load(f"huggingface:{encoder}", ["math", "math-art"])
    assert found.rows["math"].word == "math"
    assert found.rows["math-art"].word == "math - art"


def test_words_that_the_tokenizer_does_not_know_are_missing(encoder: Path) -> None:
    assert "chemistry" not in load(f"huggingface:{encoder}", ["math", "chemistry", "math chemistry"])
    with pytest.raises(InputError, match="knows none of the 2 words asked for"):
        load(f"huggingface:{encoder}", ["chemistry", "astronomy"])


def test_a_test_whose_words_are_all_unknown_is_not_run(encoder: Path) -> None:
    # weat8 has science for X, of which this vocabulary has no word: one vector for all of them is no bias
    found = epicene.weat(f"huggingface:{encoder}", "weat8", coverage=0.2)
    assert [each.short for each in found.refused] == ["x: 0/8"]
    sentences = epicene.weat(f"huggingface:{encoder}", "weat8", templates="seat")
    assert [each.short for each in sentences.refused] == ["x: 0/48"]


def test_pooling_chooses_where_the_sentence_is_read(encoder: Path) -> None:
    model = transformers.AutoModel.from_pretrained(encoder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(encoder)
    with torch.inference_mode():
        states = model(**tokenizer("Art is here.", return_tensors="pt")).last_hidden_state[0].numpy()
    wanted = {"auto": states[0], "cls": states[0], "last": states[-1], "mean": states.mean(axis=0)}
    for pooling, state in wanted.items():
        found = load(f"huggingface:{encoder}", ["Art is here.", "This is math."], sentences=True, pooling=pooling)
        assert found["Art is here."] == pytest.approx(state, abs=1e-5)
    (mean,) = epicene.weat(f"huggingface:{encoder}", "weat7", templates="seat", draws=100, pooling="mean")
    assert "|pooling:mean|" in mean.signature


def test_a_sentence_has_the_last_layer_at_the_classification_token(encoder: Path) -> None:
    found = load(f"huggingface:{encoder}", ["This is math.", "Art is here."], sentences=True)
    model = transformers.AutoModel.from_pretrained(encoder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(encoder)
    with torch.inference_mode():
        state = model(**tokenizer("Art is here.", return_tensors="pt")).last_hidden_state[0, 0]
    assert found["Art is here."] == pytest.approx(np.array(state.tolist()), abs=1e-5)


def test_a_phrase_without_templates_is_static_like_any_word(encoder: Path) -> None:
    found = load(f"huggingface:{encoder}", ["math", "art", "math art"])
    assert found["math art"] == pytest.approx((found["math"] + found["art"]) / 2, abs=1e-6)


def test_weat_runs_on_words_and_on_sentences(encoder: Path) -> None:
    (words,) = epicene.weat(f"huggingface:{encoder}", "weat7")
    assert (words.sizes, words.method, words.embedding) == ((8, 8), "exact", encoder.name)
    (sentences,) = epicene.weat(f"huggingface:{encoder}", "weat7", templates="seat", draws=500)
    assert (sentences.sizes, sentences.method) == ((48, 48), "mc")
    assert sentences.scores[0].word == "This is math."
    assert sentences.signature != words.signature


def test_a_folder_without_a_model_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(SystemFailure) as caught:
        load(f"huggingface:{tmp_path}", ["math"])
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="needs a model folder"):
        load("huggingface:", ["math"])
