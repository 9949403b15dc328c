"""Models that translate speech themselves, on tiny ones with random weights that the tests build and save."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from epicene.errors import InputError, SystemFailure
from epicene.speech import audio
from epicene.types import Pair
from epicene_models import BUNDLED as FOLDER
from tests.systems.speech import open_speech

transformers = pytest.importorskip("transformers")
torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch
SPM = FOLDER / "sentencepiece.model"
SMALL = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2}
SMALL |= {"decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}


@pytest.fixture
def clips(tmp_path: Path) -> list[Path]:
    """Noise of two lengths; what is said does not matter to random weights."""
    import numpy as np

    chance = np.random.default_rng(1)
    found = []
    for number, seconds in enumerate((0.5, 0.8)):
        path = tmp_path / f"{number}.wav"
        path.write_bytes(audio.encode(chance.normal(0, 0.1, int(seconds * audio.RATE)).astype(np.float32)))
        found.append(path)
    return found


@pytest.fixture
def speech2text(tmp_path: Path) -> Path:
    """A model of two target languages, told apart by a code that begins the translation."""
    import sentencepiece
    from transformers.models.speech_to_text.tokenization_speech_to_text import MUSTC_LANGS

    folder = tmp_path / "s2t"
    folder.mkdir()
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(SPM))
    words = ["<s>", "<pad>", "</s>", "<unk>", *(pieces.id_to_piece(number) for number in range(3, 200))]
    words += [f"<lang:{code}>" for code in MUSTC_LANGS]
    (folder / "vocab.json").write_text(json.dumps({word: number for number, word in enumerate(dict.fromkeys(words))}))
    shutil.copy(SPM, folder / "sentencepiece.bpe.model")
    tokenizer = transformers.Speech2TextTokenizer(
        str(folder / "vocab.json"), str(folder / "sentencepiece.bpe.model"), lang_codes="mustc", tgt_lang="es"
    )
    tokenizer.save_pretrained(folder)
    transformers.Speech2TextFeatureExtractor(feature_size=8, num_mel_bins=8).save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.Speech2TextConfig(
        vocab_size=len(tokenizer), input_feat_per_channel=8, conv_channels=16, bos_token_id=0, pad_token_id=1,
        eos_token_id=2, decoder_start_token_id=2, max_target_positions=64, **SMALL,
    )  # fmt: skip
    transformers.Speech2TextForConditionalGeneration(config).save_pretrained(folder)
    return folder


@pytest.fixture
def whisper(tmp_path: Path) -> Path:
    folder = tmp_path / "whisper"
    folder.mkdir()
    from transformers.convert_slow_tokenizer import bytes_to_unicode

    words = {letter: number for number, letter in enumerate(bytes_to_unicode().values())}
    (folder / "vocab.json").write_text(json.dumps(words | {"<|endoftext|>": len(words)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    tokenizer = transformers.WhisperTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"))
    special = ["<|startoftranscript|>", "<|en|>", "<|es|>", "<|translate|>", "<|transcribe|>", "<|notimestamps|>"]
    tokenizer.add_special_tokens({"additional_special_tokens": special})
    tokenizer.save_pretrained(folder)
    transformers.WhisperFeatureExtractor(feature_size=8, chunk_length=2).save_pretrained(folder)
    ids = {word: tokenizer.convert_tokens_to_ids(word) for word in ["<|endoftext|>", *special]}
    torch.manual_seed(1)
    config = transformers.WhisperConfig(
        vocab_size=len(tokenizer), num_mel_bins=8, max_source_positions=100, max_target_positions=64,
        decoder_start_token_id=ids["<|startoftranscript|>"], bos_token_id=ids["<|endoftext|>"],
        eos_token_id=ids["<|endoftext|>"], pad_token_id=ids["<|endoftext|>"], suppress_tokens=None,
        begin_suppress_tokens=None, **SMALL,
    )  # fmt: skip
    model = transformers.WhisperForConditionalGeneration(config)
    model.generation_config = transformers.GenerationConfig(
        decoder_start_token_id=ids["<|startoftranscript|>"], bos_token_id=ids["<|endoftext|>"],
        eos_token_id=ids["<|endoftext|>"], pad_token_id=ids["<|endoftext|>"], is_multilingual=True, max_length=40,
        lang_to_id={"<|en|>": ids["<|en|>"], "<|es|>": ids["<|es|>"]}, no_timestamps_token_id=ids["<|notimestamps|>"],
        task_to_id={"translate": ids["<|translate|>"], "transcribe": ids["<|transcribe|>"]},
    )  # fmt: skip
    model.save_pretrained(folder)
    return folder


@pytest.fixture
def seamless(tmp_path: Path) -> Path:
    folder = tmp_path / "seamless"
    codes = ["__eng__", "__spa__", "__deu__"]
    words = ["<pad>", "<unk>", "<s>", "</s>", "▁", *"abcdefghijklmnopqrstuvwxyz"]
    tokenizer = transformers.SeamlessM4TTokenizer(
        vocab={word: number for number, word in enumerate(words)}, merges=[], src_lang="eng", tgt_lang="spa",
        additional_special_tokens=codes,
    )  # fmt: skip
    tokenizer.save_pretrained(folder)
    transformers.SeamlessM4TFeatureExtractor(feature_size=8, num_mel_bins=8, stride=2).save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.SeamlessM4TConfig(
        vocab_size=len(tokenizer), hidden_size=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, speech_encoder_layers=1,
        speech_encoder_attention_heads=2, speech_encoder_intermediate_size=16, feature_projection_input_dim=16,
        num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2, max_new_tokens=20,
        bos_token_id=2, pad_token_id=0, eos_token_id=3, decoder_start_token_id=3,
    )  # fmt: skip
    model = transformers.SeamlessM4TForSpeechToText(config)
    model.generation_config = transformers.GenerationConfig(
        bos_token_id=2, pad_token_id=0, eos_token_id=3, decoder_start_token_id=3,
        text_decoder_lang_to_code_id={code.strip("_"): tokenizer.convert_tokens_to_ids(code) for code in codes},
    )  # fmt: skip
    model.save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", ["speech2text", "whisper", "seamless"])
def test_answers_each_recording_in_order_and_always_the_same(
    kind: str, clips: list[Path], request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(kind)
    system = open_speech(f"huggingface-speech:{folder}?beam=2&max_tokens=12")
    both = list(system.interpret(clips, Pair("en", "es")))
    alone = [text for clip in clips for text in system.interpret([clip], Pair("en", "es"))]
    assert len(both) == 2
    assert any(both)
    assert both == alone
    assert system.identity.startswith(f"huggingface-speech:{folder.name}@")


def test_speech2text_is_told_the_target_language(speech2text: Path, clips: list[Path]) -> None:
    system = open_speech(f"huggingface-speech:{speech2text}?beam=1&max_tokens=12")
    assert len(list(system.interpret(clips, Pair("en", "fr")))) == 2
    with pytest.raises(InputError, match="knows no uk; it translates into"):
        list(system.interpret(clips, Pair("en", "uk")))


def test_whisper_refuses_a_language_that_it_does_not_know(whisper: Path, clips: list[Path]) -> None:
    system = open_speech(f"huggingface-speech:{whisper}?beam=1&max_tokens=12")
    assert len(list(system.interpret(clips, Pair("es", "en")))) == 2
    with pytest.raises(SystemFailure, match="huggingface-speech:whisper@"):
        list(system.interpret(clips, Pair("en", "uk")))


def test_a_folder_without_a_model_is_one_line(tmp_path: Path, clips: list[Path]) -> None:
    system = open_speech(f"huggingface-speech:{tmp_path}")
    with pytest.raises(SystemFailure) as caught:
        list(system.interpret(clips, Pair("en", "es")))
    assert "\n" not in str(caught.value)


def test_a_name_is_needed() -> None:
    with pytest.raises(InputError, match="needs a model name or folder"):
        open_speech("huggingface-speech:")
