"""Small real models of transformers: a vocabulary and a network for a toy language, trained for seconds and saved.

The toy translation turns every word around and keeps the order, so that a trained model answers with confidence.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

TEXT = "doctor nurse farmer baker teacher writer helps meets asks sees old young tall kind the her his a my good"
WORDS = TEXT.split()
SIZES = {"d_model": 48, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 4}
SIZES |= {"decoder_attention_heads": 4, "encoder_ffn_dim": 96, "decoder_ffn_dim": 96, "max_position_embeddings": 64}
SIZES |= {"init_std": 0.1, "scale_embedding": True}
STEPS = 150
MOST_WORDS = 7


def sentences(count: int, seed: int) -> list[str]:
    """Sentences of the toy language, of many lengths."""
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(1, MOST_WORDS))) for _ in range(count)]


def translated(sentence: str) -> str:
    """What a perfect model would answer."""
    return " ".join(word[::-1] for word in sentence.split())


def build(family: str, folder: Path) -> Path:
    """Save a trained model of a family: opus, opus-many, m2m, nllb or mbart."""
    import torch
    import transformers

    torch.manual_seed(3)
    torch.set_num_threads(1)
    folder.mkdir(parents=True)
    pieces = _pieces(folder, "bpe" if family == "nllb" else "unigram")
    tokenizer = _TOKENIZERS[family](folder, pieces)
    tokenizer.save_pretrained(folder)
    size = len(tokenizer)
    if family == "m2m":
        size = tokenizer.encoder_size + len(tokenizer.lang_code_to_id) + tokenizer.num_madeup_words
    shared = {"vocab_size": size, "pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id}
    if family.startswith("opus"):
        config = transformers.MarianConfig(
            **SIZES, **shared, decoder_start_token_id=tokenizer.pad_token_id, forced_eos_token_id=None
        )
        model = transformers.MarianMTModel(config)
    elif family == "mbart":
        config = transformers.MBartConfig(
            **SIZES, **shared, decoder_start_token_id=tokenizer.eos_token_id, forced_eos_token_id=None
        )
        # As in the published configurations, which the converter reads.
        config.tokenizer_class, config.normalize_before, config.normalize_embedding = "MBart50Tokenizer", True, True
        model = transformers.MBartForConditionalGeneration(config)
    else:
        config = transformers.M2M100Config(**SIZES, **shared, decoder_start_token_id=tokenizer.eos_token_id)
        model = transformers.M2M100ForConditionalGeneration(config)
    _train(model, tokenizer, family)
    model.save_pretrained(folder)
    return folder


def _pieces(folder: Path, kind: str) -> Path:
    import sentencepiece

    text = sentences(400, 1)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text + list(map(translated, text))),
        model_prefix=str(folder / "sentencepiece.bpe"),
        vocab_size=90,
        model_type=kind,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    (folder / "sentencepiece.bpe.vocab").unlink()
    return folder / "sentencepiece.bpe.model"


def _opus(folder: Path, pieces: Path, tags: tuple[str, ...] = ()) -> Any:
    import sentencepiece
    import transformers

    model = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    words = [model.id_to_piece(number) for number in range(3, model.get_piece_size())]
    vocabulary = {word: number for number, word in enumerate(["</s>", "<unk>", *words, *tags, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(pieces.read_bytes())
    pieces.unlink()
    languages = {} if tags else {"source_lang": "eng", "target_lang": "deu"}
    files = [str(folder / name) for name in ("source.spm", "target.spm", "vocab.json")]
    return transformers.MarianTokenizer(*files, **languages)


def _opus_many(folder: Path, pieces: Path) -> Any:
    return _opus(folder, pieces, (">>deu<<", ">>spa<<"))


def _m2m(folder: Path, pieces: Path) -> Any:
    import sentencepiece
    import transformers

    model = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    words = [model.id_to_piece(number) for number in range(3, model.get_piece_size())]
    vocabulary = {word: number for number, word in enumerate(["<s>", "<pad>", "</s>", "<unk>", *words])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    return transformers.M2M100Tokenizer(str(folder / "vocab.json"), str(pieces))


def _nllb(folder: Path, pieces: Path) -> Any:
    import transformers

    config = {"tokenizer_class": "NllbTokenizer", "additional_special_tokens": ["eng_Latn", "deu_Latn", "spa_Latn"]}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return transformers.NllbTokenizer.from_pretrained(folder)


def _mbart(folder: Path, pieces: Path) -> Any:
    import transformers

    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "MBart50Tokenizer"}), encoding="utf-8")
    return transformers.MBart50Tokenizer.from_pretrained(folder)


def _train(model: Any, tokenizer: Any, family: str) -> None:
    """Teach the toy translation, the target told as the family tells it."""
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-3)
    model.train()
    targets = {"m2m": ("en", "de"), "nllb": ("eng_Latn", "deu_Latn"), "mbart": ("en_XX", "de_DE")}
    if family in targets:
        tokenizer.src_lang, tokenizer.tgt_lang = targets[family]
    tag = ">>deu<< " if family == "opus-many" else ""
    for step in range(STEPS):
        text = sentences(32, 1000 + step)
        batch = tokenizer(
            [tag + each for each in text], text_target=list(map(translated, text)), padding=True, return_tensors="pt"
        )
        batch["labels"][batch["labels"] == tokenizer.pad_token_id] = -100
        optimizer.zero_grad()
        loss = model(**batch).loss
        loss.backward()
        optimizer.step()
        with torch.no_grad():  # Marian's decoder starts from nothing, as published models do
            model.get_input_embeddings().weight[tokenizer.pad_token_id] = 0
    model.generation_config.bad_words_ids = [[tokenizer.pad_token_id]]
    model.eval()


_TOKENIZERS = {"opus": _opus, "opus-many": _opus_many, "m2m": _m2m, "nllb": _nllb, "mbart": _mbart}
