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
