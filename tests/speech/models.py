"""Tiny speech models with random weights, saved as real ones are, so that real libraries load and run them."""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase

LANGUAGES = ("en", "de", "es")
TASKS = ("translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps")


def tiny_whisper(folder: Path, seed: int = 7) -> Path:
    """A Whisper that has learnt nothing: English only, one layer, letters for words."""
    import torch
    from tokenizers import pre_tokenizers
    from transformers import (
        GenerationConfig,
        WhisperConfig,
        WhisperFeatureExtractor,
        WhisperForConditionalGeneration,
        WhisperTokenizer,
    )

    torch.manual_seed(seed)
    letters = ["Ġ", *ascii_lowercase]  # the first is a space
    others = sorted(set(pre_tokenizers.ByteLevel.alphabet()) - set(letters))
    names = ["endoftext", "startoftranscript", *LANGUAGES, *TASKS]
    special = [f"<|{name}|>" for name in names] + [f"<|{step * 0.02:.2f}|>" for step in range(1501)]
    vocabulary = {token: number for number, token in enumerate([*letters, *others, *special])}
    tokenizer = WhisperTokenizer(vocab=vocabulary, merges=[], pad_token="<|endoftext|>")
    tokenizer.add_special_tokens({"additional_special_tokens": special[1 : len(names)]})
    start, end = vocabulary["<|startoftranscript|>"], vocabulary["<|endoftext|>"]
    config = WhisperConfig(
        vocab_size=len(vocabulary),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_target_positions=448,
        init_std=0.4,  # wide, so that sounds differ in what they give
        decoder_start_token_id=start,
        bos_token_id=end,
        eos_token_id=end,
        pad_token_id=end,
        suppress_tokens=[],
        begin_suppress_tokens=[],
    )
    model = WhisperForConditionalGeneration(config).eval()
    with torch.no_grad():  # whatever is no letter stays at zero, so that letters win
        model.model.decoder.embed_tokens.weight[len(letters) :] = 0
    model.generation_config = GenerationConfig(
        decoder_start_token_id=start,
        bos_token_id=end,
        eos_token_id=end,
        pad_token_id=end,
        no_timestamps_token_id=vocabulary["<|notimestamps|>"],
        is_multilingual=False,
        return_timestamps=False,
        alignment_heads=[[0, 0]],
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    WhisperFeatureExtractor(feature_size=80).save_pretrained(folder)
    return folder


def converted(whisper: Path, folder: Path) -> Path:
    """The same Whisper as CTranslate2 has it."""
    from ctranslate2.converters import TransformersConverter

    TransformersConverter(str(whisper), copy_files=["tokenizer.json", "preprocessor_config.json"]).convert(str(folder))
    return folder


def tiny_wav2vec(folder: Path, seed: int = 7) -> Path:
    """A wav2vec 2.0 that labels frames with letters, at random."""
    import json

    import torch
    from transformers import Wav2Vec2Config, Wav2Vec2CTCTokenizer, Wav2Vec2FeatureExtractor, Wav2Vec2ForCTC

    torch.manual_seed(seed)
    folder.mkdir(parents=True)
    vocabulary = {
        token: number for number, token in enumerate(("<pad>", "<s>", "</s>", "<unk>", "|", *ascii_lowercase))
    }
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    Wav2Vec2CTCTokenizer(str(folder / "vocab.json")).save_pretrained(folder)
    Wav2Vec2FeatureExtractor(return_attention_mask=True).save_pretrained(folder)
    config = Wav2Vec2Config(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        conv_dim=(8,) * 7,
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=2,
        feat_extract_norm="layer",
        initializer_range=0.5,
        pad_token_id=0,
    )
    Wav2Vec2ForCTC(config).eval().save_pretrained(folder)
    return folder


def tiny_piper(folder: Path) -> Path:
    """A Piper voice that hums each letter at a pitch of its own."""
    import json

    import onnx
    from onnx import TensorProto, helper

    def constant(name: str, kind: int, values: list[float] | list[int], shape: list[int]) -> onnx.NodeProto:
        return helper.make_node("Constant", [], [name], value=helper.make_tensor(name, kind, shape, values))

    length, rate = 800, 22050
    nodes = [
        constant("last", TensorProto.INT64, [2], [1]),
        constant("shape", TensorProto.INT64, [1, 1, length], [3]),
        constant("row", TensorProto.INT64, [1, 1, 1, -1], [4]),
        constant("axis", TensorProto.INT32, [3], []),
        constant("step", TensorProto.FLOAT, [2 * 3.14159265 * 20 / rate], [1]),
        constant("half", TensorProto.FLOAT, [0.5], [1]),
        helper.make_node("Cast", ["input"], ["pitch"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["pitch", "last"], ["column"]),
        helper.make_node("Expand", ["column", "shape"], ["held"]),
        helper.make_node("Reshape", ["held", "row"], ["line"]),
        helper.make_node("Mul", ["line", "step"], ["advance"]),
        helper.make_node("CumSum", ["advance", "axis"], ["phase"]),
        helper.make_node("Sin", ["phase"], ["wave"]),
        helper.make_node("Mul", ["wave", "half"], ["output"]),
    ]
    inputs = [
        helper.make_tensor_value_info("input", TensorProto.INT64, [1, "letters"]),
        helper.make_tensor_value_info("input_lengths", TensorProto.INT64, [1]),
        helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]),
    ]
    outputs = [helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, 1, "samples"])]
    graph = helper.make_graph(nodes, "hum", inputs, outputs)
    path = folder / "en_US-hum-low.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8), path)
    config = {
        "audio": {"sample_rate": rate, "quality": "low"},
        "espeak": {"voice": "en-us"},
        "language": {"code": "en_US"},
        "phoneme_type": "text",
        "num_symbols": 64,
        "num_speakers": 1,
        "inference": {"noise_scale": 0.667, "length_scale": 1, "noise_w": 0.8},
        "phoneme_id_map": {token: [number] for number, token in enumerate(f"_^$ .,{ascii_lowercase}", 8)},
    }
    Path(f"{path}.json").write_text(json.dumps(config), encoding="utf-8")
    return path
