"""CPU translation: ``ctranslate2:`` in int8 against plain ``transformers`` generate, same weights, beam and cores.

The model is a Marian Transformer of the base size (6 + 6 layers of 512, as OPUS-MT's) with random weights that never
end a sentence, so that both write exactly as many tokens: what is compared is speed, not what is said.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from epicene import systems
from epicene.flow import plan
from epicene.systems import Options
from epicene.systems.models.conversion import converted
from epicene.types import Pair
from epicene_models import BUNDLED as FOLDER

PAIR = Pair("en", "de")
BEAMS = (5, 1)
TOKENS = 12  # of each translation; SimpleGEN's have about as many
SENTENCES = 64
BATCH = 32
ROUNDS = 3
PLAIN, QUICK = "transformers generate, float32", "ctranslate2:, int8"
ONE = "int8, one worker of all threads"
ALONE = "the same, one thread"  # wastes nothing on threads that wait for each other on a busy machine


def model(folder: Path) -> Path:
    """A model of the base size, saved as transformers does it, with the bundled model's SentencePiece."""
    import sentencepiece
    import torch
    import transformers

    torch.manual_seed(1)
    folder.mkdir()
    pieces = (FOLDER / "sentencepiece.model").read_bytes()
    processor = sentencepiece.SentencePieceProcessor(model_proto=pieces)
    words = [processor.id_to_piece(number) for number in range(processor.get_piece_size())]
    rest = [word for word in words if word not in ("</s>", "<unk>", "<pad>")]
    vocabulary = {word: number for number, word in enumerate(["</s>", "<unk>", *rest, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(pieces)
    files = [str(folder / name) for name in ("source.spm", "target.spm", "vocab.json")]
    transformers.MarianTokenizer(*files, source_lang="en", target_lang="de").save_pretrained(folder)
    pad = len(vocabulary) - 1
    config = transformers.MarianConfig(
        vocab_size=len(vocabulary),
        d_model=512,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=8,
        decoder_attention_heads=8,
        encoder_ffn_dim=2048,
        decoder_ffn_dim=2048,
        max_position_embeddings=512,
        activation_function="swish",
        scale_embedding=True,
        pad_token_id=pad,
        eos_token_id=0,
        decoder_start_token_id=pad,
        forced_eos_token_id=None,
        bad_words_ids=[[pad]],
    )
    network = transformers.MarianMTModel(config)
    network.final_logits_bias[0, 0] = -1e4  # never end
    network.save_pretrained(folder)
    return folder


def plain(folder: Path, beam: int, threads: int) -> Callable[[list[str]], list[str]]:
    """What the documentation of transformers shows: batches in the order of the file."""
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    network: Any = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()

    def translate(lines: list[str]) -> list[str]:
        found: list[str] = []
        torch.set_num_threads(threads)
        for start in range(0, len(lines), BATCH):
            batch = tokenizer(lines[start : start + BATCH], return_tensors="pt", padding=True)
            with torch.inference_mode():
                made = network.generate(**batch, num_beams=beam, max_new_tokens=TOKENS)
            found += tokenizer.batch_decode(made, skip_special_tokens=True)
        return found

    return translate


def ours(spec: str) -> Callable[[list[str]], list[str]]:
    """A system of epicene, with all cores."""
    import torch

    system = systems.load(spec)

    def translate(lines: list[str]) -> list[str]:
        torch.set_num_threads(os.cpu_count() or 1)
        return list(system.translate(lines, PAIR))

    return translate


def one_worker(folder: Path, beam: int) -> Callable[[list[str]], list[str]]:
    """CTranslate2 in int8 with one worker that has all cores, in place of a worker for each core."""
    import ctranslate2
    import sentencepiece

    made = converted(folder, Options("ctranslate2", {"convert": "yes"}))
    translator = ctranslate2.Translator(
        str(made), compute_type="int8", inter_threads=1, intra_threads=os.cpu_count() or 1
    )
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(made / "source.spm"))

    def translate(lines: list[str]) -> list[str]:
        tokens = [[*pieces.encode(line, out_type=str), "</s>"] for line in sorted(lines, key=len)]
        found = translator.translate_batch(tokens, beam_size=beam, max_decoding_length=TOKENS, max_batch_size=BATCH)
        return [pieces.decode(each.hypotheses[0]) for each in found]

    return translate


def rates(translate: Callable[[list[str]], list[str]], lines: list[str]) -> tuple[float, float]:
    """Sentences a second, and sentences for each second of a core, which other programs disturb less."""
    start, busy = time.perf_counter(), time.process_time()
    assert len(translate(lines)) == len(lines)
    return len(lines) / (time.perf_counter() - start), len(lines) / (time.process_time() - busy)


def main() -> None:
    """Print sentences a second of each, and how often faster CTranslate2 is, side by side in each round."""
    items = plan.open_set("simplegen").items(PAIR)
    lines = list(dict.fromkeys(item.source for item in items))[::7][:SENTENCES]
    with tempfile.TemporaryDirectory() as place:
        os.environ["EPICENE_HOME"] = place
        folder = model(Path(place) / "marian-base")
        for beam in BEAMS:
            shared = f"beam={beam}&max_tokens={TOKENS}&batch={BATCH}"
            ways = {
                PLAIN: plain(folder, beam, os.cpu_count() or 1),
                ALONE: plain(folder, beam, 1),
                "huggingface:, float32": ours(f"huggingface:{folder}?{shared}&device=cpu"),
                "ctranslate2:, float32": ours(f"ctranslate2:{folder}?{shared}&convert=yes&device=cpu&compute=float32"),
                QUICK: ours(f"ctranslate2:{folder}?{shared}&convert=yes&device=cpu"),
                ONE: one_worker(folder, beam),
            }
            for translate in ways.values():
                translate(lines[:4])
            found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
            for _ in range(ROUNDS):
                for name, translate in ways.items():
                    found[name].append(rates(translate, lines))
            print(f"beam {beam}, {len(lines)} sentences, {TOKENS} tokens each, {ROUNDS} rounds, ", end="")
            print(f"load {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores:")
            for name, each in found.items():
                usual, busy = (statistics.median(side) for side in zip(*each, strict=True))
                print(f"  {name:<32} {usual:>7.1f} sentences/s {busy:>7.1f} per core-second")
            for base, which, unit in (
                (PLAIN, 0, "sentences/s"),
                (ALONE, 1, "per core-second"),
                (ONE, 0, "sentences/s"),
            ):
                pairs = zip(found[QUICK], found[base], strict=True)
                ratios = [quick[which] / usual[which] for quick, usual in pairs]
                rounds = ", ".join(f"{each:.1f}" for each in ratios)
                print(f"  int8 / {base}, {unit}: {statistics.median(ratios):.1f} (rounds {rounds})", flush=True)


if __name__ == "__main__":
    main()
