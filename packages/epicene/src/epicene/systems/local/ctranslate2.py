"""``ctranslate2:DIR``: a CTranslate2 model with its SentencePiece models.

NLLB, M2M-100, mBART, OPUS and lab models are told the languages in their own codes. A folder of transformers is
converted once with convert=yes. Options: beam (5), max_tokens (256), device (auto),
compute (auto: int8 on CPU, float16 on GPU), batch (64; 128 on GPU), convert (no),
source_prefix and target_prefix: tokens put before the sentence, where {source} and {target} stand for the codes.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from epicene.errors import InputError, SystemFailure
from epicene.files import fingerprint
from epicene.models import count_threads
from epicene.registry import Options, build_identity
from epicene.systems import SystemFactory
from epicene.systems.models import codes as _model_codes
from epicene.systems.models import conversion as _conversion
from epicene.systems.models.search import (
    SearchingModel,
    batches,
    check_length,
    ctranslate2_sees_gpu,
    in_order,
    suggest_cpu,
)
from epicene.types import Candidate, Pair

_SOURCE_MODELS = ("source.spm", "sentencepiece.model", "spm.model", "sentencepiece.bpe.model")
_TARGET_MODELS = ("target.spm", *_SOURCE_MODELS[1:])
_VOCABULARIES = ("shared_vocabulary", "source_vocabulary", "target_vocabulary")
_COMPUTE = {"cpu": "int8", "cuda": "float16"}  # where the device can
_TYPES = ("float32", "float16", "bfloat16", "int16", "int8", "int8_float32", "int8_float16", "int8_bfloat16")
_POSITIONS = re.compile(r"No position encodings are defined for positions >= (\d+)")
_LONGEST = 1024  # tokens in a sentence


class _Asked(NamedTuple):
    """A sentence as the model gets it, with the tokens that its translation begins with."""

    source: str
    tokens: list[str]
    prefix: list[str]
    frame: int  # tokens of the prefix that are none of the text


class _Model(NamedTuple):
    """What translates, and what cuts text into tokens, loaded."""

    translator: Any
    source: Any
    target: Any


class CTranslate2(SearchingModel):
    """Loads its model when the first sentence comes."""

    def __init__(self, folder: Path, options: Options) -> None:
        self._folder = folder
        self._source_model = _find_file(folder, _SOURCE_MODELS, "SentencePiece model")
        self._target_model = _find_file(folder, _TARGET_MODELS, "SentencePiece model")
        model = _find_file(folder, ("model.bin",), "CTranslate2 model")
        super().__init__(options, ctranslate2_sees_gpu, on_cpu=64, on_gpu=128)
        self._compute = _compute(options, self._device)
        self._source_prefix = options.text("source_prefix", "")
        self._target_prefix = options.text("target_prefix", "")
        self._config = _read_json(folder / "config.json")
        self._tokenizer = _read_json(folder / "tokenizer_config.json")
        own = not self._source_prefix and not self._target_prefix
        self._tokens = _read_vocabulary(folder) if own else frozenset()
        family = _model_codes.family_of(self._tokens.__contains__)
        digest = fingerprint((model, self._source_model, self._target_model))
        chosen = {
            "beam": self._beam,
            "compute": self._compute,
            "source_prefix": self._source_prefix,
            "target_prefix": self._target_prefix,
            "codes": family[0] if family else "",
            "max_tokens": self._max_tokens if self._max_tokens != 256 else "",
        }
        self.identity = build_identity(f"ctranslate2:{folder.name}@{digest}", chosen)
        self._languages = frozenset(family[1].values()) if family else frozenset()
        self._end = self._config.get("eos_token") or "</s>"

    def scores(self, sources: Sequence[str], translations: Sequence[str], pair: Pair) -> list[float]:
        """The mean log-probability of each translation's tokens, their end among them, as far as the model goes."""
        _, _, prefix = self._frame(pair)
        tokens = self._tokenize(sources, pair)
        most = self._max_tokens - 1  # the end is one more
        targets = [(prefix + pieces)[:most] for pieces in self._model.target.encode(list(translations), out_type=str)]
        try:
            results = self._model.translator.score_batch(
                tokens, targets, max_batch_size=self._batch, max_input_length=0
            )
        except (RuntimeError, ValueError) as error:
            raise SystemFailure(f"{self.identity}: {error}{suggest_cpu(self._device)}") from None
        counted = [result.log_probs[len(prefix) :] for result in results]
        return [sum(scores) / max(1, len(scores)) for scores in counted]

    def _tokenize(self, sources: Sequence[str], pair: Pair) -> list[list[str]]:
        before, after, _ = self._frame(pair)
        return [before + pieces + after for pieces in self._model.source.encode(list(sources), out_type=str)]

    def decode(
        self, sources: Sequence[str], pair: Pair, n: int, scored: bool = False, beginnings: Sequence[str] = ()
    ) -> Iterable[list[Candidate]]:
        """The n best hypotheses; a beginning is no part of their scores."""
        _, _, prefix = self._frame(pair)
        tokens = self._tokenize(sources, pair)
        lengths = [len(token) for token in tokens]
        check_length(lengths, sources, _LONGEST, self.identity)
        prefixes = [prefix] * len(tokens)
        if beginnings:
            prefixes = [prefix + pieces for pieces in self._model.target.encode(list(beginnings), out_type=str)]
        asked = [_Asked(*parts, len(prefix)) for parts in zip(sources, tokens, prefixes, strict=True)]
        return in_order(self._answer_batches(asked, deque(batches(lengths, max(1, self._batch // n))), n, scored))

    def _answer_batches(
        self, asked: list[_Asked], waiting: deque[list[int]], n: int, scored: bool
    ) -> Iterator[tuple[int, list[Candidate]]]:
        """Answers by the places of what is asked; every worker has a batch and the next one waits for it."""
        translator = self._model.translator
        running: deque[tuple[list[int], list[Any]]] = deque()
        try:
            while waiting or running:
                while waiting and len(running) < 2 * translator.num_translators:
                    batch = waiting.popleft()
                    running.append((batch, self._start(translator, [asked[index] for index in batch], n, scored)))
                batch, results = running.popleft()
                for index, result in zip(batch, results, strict=True):
                    yield index, self._read(asked[index], result.result(), n)
        except (RuntimeError, ValueError) as error:
            if limit := _POSITIONS.search(str(error)):
                longest = max((asked[index] for index in batch), key=lambda request: len(request.tokens))
                raise InputError(
                    f"{self.identity}: the model takes {limit[1]} tokens; shorten max_tokens to them, or split the "
                    f"sentence of {len(longest.tokens)} that begins {longest.source[:60]!r}"
                ) from None
            raise SystemFailure(f"{self.identity}: {error}{suggest_cpu(self._device)}") from None

    def _read(self, asked: _Asked, result: Any, n: int) -> list[Candidate]:
        """The hypotheses as text; two that differ in their pieces alone are one."""
        candidates: dict[str, Candidate] = {}
        for rank, tokens in enumerate(result.hypotheses):
            tokens = tokens[asked.frame :]
            if rank == 0 and tokens[-1:] != [self._end]:
                self.warn_of_cut(asked.source)
            pieces = [token for token in tokens if token != self._end and token not in self._languages]
            text = self._model.target.decode(pieces).strip()
            candidates.setdefault(text, Candidate(text, result.scores[rank] if result.scores else None))
        return list(candidates.values())[:n]

    def _start(self, translator: Any, asked: list[_Asked], n: int, scored: bool) -> list[Any]:
        beam = max(self._beam, n)
        started: list[Any] = translator.translate_batch(
            [request.tokens for request in asked],
            target_prefix=[request.prefix for request in asked] if any(request.prefix for request in asked) else None,
            beam_size=beam,
            num_hypotheses=beam if n > 1 else n,  # some are one text in other pieces
            return_scores=scored,
            max_decoding_length=self._max_tokens,
            max_input_length=0,
            return_end_token=True,
            asynchronous=True,
        )
        return started

    def _frame(self, pair: Pair) -> tuple[list[str], list[str], list[str]]:
        """Tokens before and after the source, and before the translation."""
        end = [] if self._config.get("add_source_eos") else ["</s>"]
        codes = _model_codes.resolve(self._tokens.__contains__, pair, self.identity)
        if codes is None:
            _model_codes.check_only_pair(
                self._tokenizer.get("source_lang"), self._tokenizer.get("target_lang"), pair, self.identity
            )
            after = end if self._source_model.name == "source.spm" else []
            return _tokens(self._source_prefix, pair), after, _tokens(self._target_prefix, pair)
        if not codes.source:
            return [codes.target], end, []
        if codes.family == "mbart" and self._config.get("decoder_start_token", "") is None:
            return [], [*end, codes.source], [codes.target]  # mBART of 25 languages has its codes at the end
        return [codes.source], end, [codes.target]

    @cached_property
    def _model(self) -> _Model:
        import ctranslate2
        import sentencepiece

        workers = 1 if self._device == "cuda" else count_threads()
        devices = list(range(ctranslate2.get_cuda_device_count())) or 0
        try:
            # Workers of one thread each do more than one worker of several threads.
            translator = ctranslate2.Translator(
                str(self._folder),
                device=self._device,
                device_index=devices if self._device == "cuda" else 0,
                compute_type=self._compute,
                inter_threads=workers,
                intra_threads=1,
            )
            source_model = sentencepiece.SentencePieceProcessor(model_file=str(self._source_model))
            target_model = sentencepiece.SentencePieceProcessor(model_file=str(self._target_model))
        except (RuntimeError, ValueError, OSError) as error:
            hint = suggest_cpu(self._device)
            raise SystemFailure(f"{self.identity}: cannot load: {error}{hint}") from None
        return _Model(translator, source_model, target_model)


def _compute(options: Options, device: str) -> str:
    """The type that is named, else the quickest that the device has."""
    import ctranslate2

    named = options.text("compute", "auto")
    if named in _TYPES:
        return named
    if named != "auto":
        raise InputError(f"system {options.kind}: option compute={named!r} must be auto, {', '.join(_TYPES)}")
    if device == "cuda" and not ctranslate2_sees_gpu():
        return _COMPUTE[device]  # a cluster's machines may have one
    return _COMPUTE[device] if _COMPUTE[device] in ctranslate2.get_supported_compute_types(device) else "float32"


def _tokens(prefix: str, pair: Pair) -> list[str]:
    return prefix.replace("{source}", pair.source).replace("{target}", pair.target).split()


def _find_file(folder: Path, names: tuple[str, ...], what: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"ctranslate2:{folder}: no {what} there; expected {' or '.join(names)}")


def _read_vocabulary(folder: Path) -> frozenset[str]:
    """The tokens of the model."""
    tokens: set[str] = set()
    for name in _VOCABULARIES:
        path = folder / f"{name}.json"
        if path.is_file():
            tokens.update(_read_json(path, list))
        elif path.with_suffix(".txt").is_file():
            tokens.update(path.with_suffix(".txt").read_text(encoding="utf-8").split("\n"))
    return frozenset(tokens)


def _read_json(path: Path, kind: type[Any] = dict) -> Any:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return kind()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    return content if isinstance(content, kind) else kind()


def build(argument: str, options: Options) -> CTranslate2:
    """The system that runs a converted model."""
    folder = Path(argument)
    if not argument or not folder.is_dir():
        raise InputError(f"ctranslate2:{argument}: no such folder; expected one made by a CTranslate2 converter")
    return CTranslate2(_conversion.convert_once(folder, options), options)


SYSTEM = SystemFactory(build, __doc__)
