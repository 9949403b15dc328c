"""Encoders give static vectors of words, and vectors of sentences where templates are given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import epicene
from epicene.embeddings.vectors import load
from epicene.embeddings.wordlists import find
from epicene.errors import InputError, SystemFailure

pytestmark = pytest.mark.torch
transformers = pytest.importorskip("transformers", reason="the extra huggingface is not installed")
torch = pytest.importorskip("torch", reason="the extra huggingface is not installed")

WIDTH = 16


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT with random weights that knows the words of WEAT 7."""
    path = tmp_path_factory.mktemp("encoder")
    (test,) = find(["weat7"])
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *dict.fromkeys(test.words),
        *["this", "is", "that", "there", "here", ".", "-"],
    ]
    (path / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    transformers.BertTokenizerFast(vocab=str(path / "vocab.txt")).save_pretrained(path)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32
    )
    transformers.BertModel(config).save_pretrained(path)
    return path


def test_a_word_has_its_input_embedding(folder: Path) -> None:
    found = load(f"huggingface:{folder}", ["math", "art"])
    model, tokenizer = (
        transformers.AutoModel.from_pretrained(folder),
        transformers.AutoTokenizer.from_pretrained(folder),
    )
    place = tokenizer.convert_tokens_to_ids("math")
    assert place != tokenizer.unk_token_id
    assert found["math"].tolist() == model.get_input_embeddings().weight[place].tolist()
    assert found.width == WIDTH


def test_a_word_of_several_pieces_has_their_mean(folder: Path) -> None:
    found = load(f"huggingface:{folder}", ["math", "art", "math-art-math"])
    hyphen = load(f"huggingface:{folder}", ["-"])["-"]
    wanted = (2 * found["math"] + found["art"] + 2 * hyphen) / 5
    assert found["math-art-math"] == pytest.approx(wanted, abs=1e-6)


def test_a_word_in_pieces_says_so(folder: Path) -> None:
    found = load(f"huggingface:{folder}", ["math", "math-art"])
    assert found.rows["math"].word == "math"
    assert found.rows["math-art"].word == "math - art"


def test_words_that_the_tokenizer_does_not_know_are_missing(folder: Path) -> None:
    assert "chemistry" not in load(f"huggingface:{folder}", ["math", "chemistry", "math chemistry"])
    with pytest.raises(InputError, match="knows none of the 2 words asked for"):
        load(f"huggingface:{folder}", ["chemistry", "astronomy"])


def test_a_test_whose_words_are_all_unknown_is_not_run(folder: Path) -> None:
    # weat8 has science for X, of which this vocabulary has no word: one vector for all of them is no bias
    found = epicene.weat(f"huggingface:{folder}", "weat8", coverage=0.2)
    assert [each.short for each in found.refused] == ["x: 0/8"]
    sentences = epicene.weat(f"huggingface:{folder}", "weat8", templates="seat")
    assert [each.short for each in sentences.refused] == ["x: 0/48"]


def test_pooling_chooses_where_the_sentence_is_read(folder: Path) -> None:
    model = transformers.AutoModel.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        states = model(**tokenizer("Art is here.", return_tensors="pt")).last_hidden_state[0].numpy()
    wanted = {"auto": states[0], "cls": states[0], "last": states[-1], "mean": states.mean(axis=0)}
    for pooling, state in wanted.items():
        found = load(f"huggingface:{folder}", ["Art is here.", "This is math."], sentences=True, pooling=pooling)
        assert found["Art is here."] == pytest.approx(state, abs=1e-5)
    (mean,) = epicene.weat(f"huggingface:{folder}", "weat7", templates="seat", draws=100, pooling="mean")
    assert "|pooling:mean|" in mean.signature


def test_a_sentence_has_the_last_layer_at_the_classification_token(folder: Path) -> None:
    found = load(f"huggingface:{folder}", ["This is math.", "Art is here."], sentences=True)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        state = model(**tokenizer("Art is here.", return_tensors="pt")).last_hidden_state[0, 0]
    assert found["Art is here."] == pytest.approx(np.array(state.tolist()), abs=1e-5)


def test_a_phrase_without_templates_is_static_like_any_word(folder: Path) -> None:
    found = load(f"huggingface:{folder}", ["math", "art", "math art"])
    assert found["math art"] == pytest.approx((found["math"] + found["art"]) / 2, abs=1e-6)


def test_weat_runs_on_words_and_on_sentences(folder: Path) -> None:
    (words,) = epicene.weat(f"huggingface:{folder}", "weat7")
    assert (words.sizes, words.method, words.embedding) == ((8, 8), "exact", folder.name)
    (sentences,) = epicene.weat(f"huggingface:{folder}", "weat7", templates="seat", draws=500)
    assert (sentences.sizes, sentences.method) == ((48, 48), "mc")
    assert sentences.scores[0].word == "This is math."
    assert sentences.signature != words.signature


def test_a_folder_without_a_model_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(SystemFailure) as caught:
        load(f"huggingface:{tmp_path}", ["math"])
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="needs a model folder"):
        load("huggingface:", ["math"])


def test_ceat_combines_samples_of_words_in_context(folder: Path, tmp_path: Path) -> None:
    (test,) = find(["weat7"])
    text = tmp_path / "text.txt"
    lines = [f"{start} is {word} ." for word in test.words for start in ("this", "that", "there")]
    text.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = epicene.ceat(f"huggingface:{folder}", text, "weat7", samples=40)
    (result,) = found.results
    assert set(result.uses.values()) == {3}
    assert result.effect.low < result.effect.value < result.effect.high
    assert result.spread[0] <= result.effect.value <= result.spread[1]
    again = epicene.ceat(f"huggingface:{folder}", text, "weat7", samples=40).results[0]
    assert (again.effect, again.signature) == (result.effect, result.signature)
    assert [
        each.short for each in epicene.ceat(f"huggingface:{folder}", text, ["weat7", "weat8"], samples=2).refused
    ] == ["x: 0/8"]


def test_ceat_on_an_untrained_encoder_is_not_to_be_trusted(folder: Path, tmp_path: Path) -> None:
    (test,) = find(["weat7"])
    text = tmp_path / "text.txt"
    text.write_text("".join(f"this is {word} .\nthere {word} is .\n" for word in test.words), encoding="utf-8")
    answer = epicene.ceat(f"huggingface:{folder}", text, "weat7", samples=300)
    (result,) = answer.results
    assert result.effect.p < 0.05 <= result.p_words
    assert "not to be trusted" in result.doubt
    assert result.doubt[:30] in str(answer).replace("\n", " ")


def test_a_word_in_context_is_read_at_its_own_pieces(folder: Path) -> None:
    from epicene.embeddings.encoder import contexts

    model = transformers.AutoModel.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        states = model(**tokenizer("this is math .", return_tensors="pt")).last_hidden_state[0].numpy()
    ((word, vector),) = contexts(str(folder), [("math", "this is math .", 8)])
    assert word == "math"
    assert vector == pytest.approx(states[3], abs=1e-5)
    assert list(contexts(str(folder), [("chemistry", "this is chemistry .", 8)])) == []


def test_ceat_needs_an_encoder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="words in context need an encoder"):
        epicene.ceat("glove.txt", tmp_path / "text.txt")
