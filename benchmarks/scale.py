"""Translation speed: ``huggingface:`` and ``ctranslate2:`` on CPU and GPU, same weights, beam and cores."""

from __future__ import annotations

import importlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import run_parts
from epicene import systems
from epicene.errors import EpiceneError
from epicene.flow import plan
from epicene.registry import Options
from epicene.systems.models.conversion import convert_once
from epicene.systems.models.search import ctranslate2_sees_gpu, torch_sees_gpu
from epicene.types import LocalModel, Pair, System
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

    made = convert_once(folder, Options("ctranslate2", {"convert": "yes"}))
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


def print_cpu() -> None:
    """CPU translation: ``ctranslate2:`` in int8 against plain ``transformers`` generate, same weights, beam and cores.

    The model is a Marian Transformer of the base size (6 + 6 layers of 512, as OPUS-MT's) with random weights that
    never end a sentence, so that both write exactly as many tokens: what is compared is speed, not what is said.
    """
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


BEAM = 5
BATCHES = (0, 128, 512, 2048)  # on the GPU; 0: as it comes
MANY, FEW = 8192, 1024  # sentences for the GPU, and for the CPU: a batch for each of many cores
GPU_ROUNDS = 3


class Kind(NamedTuple):
    """A system, the library that computes for it and looks for a GPU, and the type that it is to choose there."""

    spec: str
    computes: str
    sees_gpu: Callable[[], bool]
    chosen: str


KINDS = (
    Kind("huggingface:{}?", "torch", torch_sees_gpu, "dtype=float16"),
    Kind("ctranslate2:{}?convert=yes&", "ctranslate2", ctranslate2_sees_gpu, "compute=float16"),
)


def lacking(kind: Kind) -> str:
    """Why a system cannot be measured here; nothing if it can."""
    for name in ("torch", "transformers", "sentencepiece", kind.computes):
        try:
            importlib.import_module(name)
        except ImportError as error:
            return f"{name} cannot be imported ({error})"
    if kind.sees_gpu():
        return ""
    library = importlib.import_module(kind.computes)
    return f"{library.__name__} {library.__version__} sees no CUDA device"


def ways(kind: Kind, folder: Path) -> dict[str, tuple[System, int]]:
    """The system on the GPU that it finds by itself, in several batches, and on the CPU; with sentences for each."""
    spec = f"{kind.spec.format(folder)}beam={BEAM}&max_tokens={TOKENS}"
    found = {}
    for batch in BATCHES:
        system = systems.load(f"{spec}&batch={batch}" if batch else spec)
        assert isinstance(system, LocalModel) and system.gpu, f"{spec} did not choose the GPU"
        assert kind.chosen in system.identity, system.identity
        found[f"GPU, {kind.chosen}, {f'batch={batch}' if batch else 'as it comes'}"] = system, MANY
    system = systems.load(f"{spec}&device=cpu")
    assert isinstance(system, LocalModel) and not system.gpu
    found["CPU, as it comes"] = system, FEW
    return found


def translated(system: System, lines: list[str]) -> list[str]:
    """Translations of lines, given to the system as many at a time as it takes at once."""
    step = system.batch_size or len(lines)
    parts = (lines[start : start + step] for start in range(0, len(lines), step))
    return [text for part in parts for text in system.translate(part, PAIR)]


def measure(kind: Kind, folder: Path, lines: list[str]) -> None:
    """Print the sentences a second of each way, the ratios to the CPU, and whether batches changed answers."""
    timed = ways(kind, folder)
    answers: dict[str, list[str]] = {}
    for name, (system, count) in timed.items():
        answers[name] = translated(system, lines[:count])  # a first round that does not count
    found: dict[str, list[float]] = {name: [] for name in timed}
    for _ in range(GPU_ROUNDS):
        for name, (system, count) in timed.items():
            speed, _busy = rates(partial(translated, system), lines[:count])
            found[name].append(speed)
    *on_gpu, on_cpu = found
    for name, speeds in found.items():
        ratios = [speed / base for speed, base in zip(speeds, found[on_cpu], strict=True)]
        rounds = ", ".join(f"{ratio:.1f}" for ratio in ratios)
        print(f"  {name:<44} {statistics.median(speeds):>9.1f} sentences/s", end="")
        print(
            f", {statistics.median(ratios):.1f} times the CPU (rounds {rounds})" if name != on_cpu else "", flush=True
        )
    usual, *others = (answers[name] for name in on_gpu)
    for name, other in zip(on_gpu[1:], others, strict=True):
        same = sum(map(str.__eq__, usual, other))
        print(f"  {name}: {same:,} of {len(usual):,} answers are those of the usual batch")


def card() -> str:
    """The name of the GPU, as far as PyTorch knows it."""
    try:
        import torch
    except ImportError:
        return "a GPU"
    return str(torch.cuda.get_device_name()) if torch.cuda.is_available() else "a GPU"


def print_gpu() -> None:
    """A GPU against the CPU of the same machine: ``huggingface:`` and ``ctranslate2:``, each as it comes.

    The model is that of ``translation``: a Transformer of the base size whose random weights never end a sentence.
    Nothing is downloaded; torch, transformers, ctranslate2 and sentencepiece are all that it needs.
    """
    missing = {kind: lacking(kind) for kind in KINDS}
    for kind, why in missing.items():
        if why:
            print(f"{kind.spec.partition(':')[0]}: not measured: {why}")
    if all(missing.values()):
        return
    sources = list(dict.fromkeys(item.source for item in plan.open_set("simplegen").items(PAIR)))
    lines = (-(-MANY // len(sources)) * sources)[:MANY]
    print(f"{card()} and {len(os.sched_getaffinity(0))} cores; beam {BEAM}, {TOKENS} tokens, {GPU_ROUNDS} rounds")
    with tempfile.TemporaryDirectory() as place:
        os.environ["EPICENE_HOME"] = place
        folder = model(Path(place) / "marian-base")
        for kind in (kind for kind, why in missing.items() if not why):
            print(f"{kind.spec.partition(':')[0]}:", flush=True)
            try:
                measure(kind, folder, lines)
            except EpiceneError as error:
                print(f"  not measured: {error}")


PARTS = {"cpu": print_cpu, "gpu": print_gpu}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
