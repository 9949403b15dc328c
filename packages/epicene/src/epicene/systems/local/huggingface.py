"""``huggingface:NAME_OR_DIR``: a sequence-to-sequence model of transformers (extra ``huggingface``).

NLLB, M2M-100, mBART and OPUS models are told the languages in their own codes. Options: beam (5), max_tokens (256),
device (auto), dtype (auto: float32 on CPU, float16 on GPU), batch (32; 512 on GPU, halved where its memory is too
small).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from epicene.errors import InputError, SystemFailure, first_line
from epicene.models import import_transformers, name_with_weights
from epicene.registry import Options, build_identity
from epicene.systems import SystemFactory
from epicene.systems.models import codes as _model_codes
from epicene.systems.models.search import (
    SearchingModel,
    batches,
    check_length,
    in_order,
    suggest_cpu,
    torch_sees_gpu,
)
from epicene.types import Candidate, Pair

_DTYPES = {"cpu": "float32", "cuda": "float16"}
_Row = tuple[list[int], float | None]  # the tokens of an answer, and how likely the model holds it


class HuggingFace(SearchingModel):
    """Loads its model when the first sentence comes."""

    def __init__(self, name: str, options: Options) -> None:
        self._name = name
        super().__init__(options, torch_sees_gpu, on_cpu=32, on_gpu=512)
        dtype = options.text("dtype", "auto")
        self._dtype = _DTYPES[self._device] if dtype == "auto" else dtype
        if self._dtype not in ("float32", "float16", "bfloat16"):
            raise InputError(
                f"system {options.kind}: option dtype={dtype!r} must be auto, float32, float16 or bfloat16"
            )
        chosen = {
            "beam": self._beam,
            "max_tokens": self._max_tokens,
            "dtype": "" if self._dtype == "float32" else self._dtype,
        }
        self.identity = build_identity(f"huggingface:{name_with_weights(name)}", chosen)

    def scores(self, sources: Sequence[str], translations: Sequence[str], pair: Pair) -> list[float]:
        """The mean log-probability of each translation's tokens, their end among them."""
        import torch

        model, tokenizer = self._loaded
        texts, options = self._spell_languages(tokenizer, list(sources), pair)
        scores = []
        for text, translation in zip(texts, translations, strict=True):
            start = torch.tensor([self._start(options)])
            end = model.generation_config.eos_token_id
            pieces = [*_pieces(tokenizer, translation), end[0] if isinstance(end, list) else end]
            encoded = tokenizer([text], return_tensors="pt").to(model.device)
            rows = torch.cat([start, torch.tensor([pieces])], dim=1).to(model.device)
            try:
                with torch.inference_mode():
                    logits = model(**encoded, decoder_input_ids=rows[:, :-1]).logits[0, start.shape[1] - 1 :].float()
            except (RuntimeError, ValueError, IndexError) as error:
                raise self._describe_failure(error) from None
            steps = logits.log_softmax(-1).gather(1, torch.tensor([pieces], device=logits.device).T)
            scores.append(float(steps.mean()))
        return scores

    def decode(
        self, sources: Sequence[str], pair: Pair, n: int, scored: bool = False, beginnings: Sequence[str] = ()
    ) -> Iterable[list[Candidate]]:
        """The n best hypotheses; a beginning is part of their scores."""
        model, tokenizer = self._loaded
        texts, options = self._spell_languages(tokenizer, list(sources), pair)
        tokens = tokenizer(texts)["input_ids"]
        lengths = [len(token) for token in tokens]
        most = getattr(model.config, "max_position_embeddings", None)
        check_length(lengths, sources, most, self.identity)
        options["max_new_tokens"] = min(self._max_tokens, most or self._max_tokens)
        options |= {"num_return_sequences": n} if n > 1 else {}
        options |= {"output_scores": True, "return_dict_in_generate": True} if scored else {}
        starts = [self._start(options) + _pieces(tokenizer, text) for text in beginnings]
        # What begins with words of its own is translated by itself.
        places = batches(lengths, 1 if starts else max(1, self._batch // n))
        return in_order(self._answer_batches(sources, tokens, places, options, starts))

    def _start(self, options: dict[str, Any]) -> list[int]:
        """The tokens that any translation begins with."""
        model, _ = self._loaded
        first = options.get("decoder_start_token_id", model.generation_config.decoder_start_token_id)
        first = model.config.decoder_start_token_id if first is None else first
        return [first, *([options["forced_bos_token_id"]] if "forced_bos_token_id" in options else [])]

    def _answer_batches(
        self,
        sources: Sequence[str],
        tokens: list[list[int]],
        places: Iterator[list[int]],
        options: dict[str, Any],
        starts: list[list[int]],
    ) -> Iterator[tuple[int, list[Candidate]]]:
        model, tokenizer = self._loaded
        languages = _model_codes.family_of(lambda token: _has_token(tokenizer, token))
        codes = set(tokenizer.convert_tokens_to_ids(list(languages[1].values()))) if languages else set()
        for batch in places:
            batch_options = {**options, "begin": starts[batch[0]]} if starts else options
            answers = self._generate_fitting([tokens[index] for index in batch], batch_options)
            for index, rows in zip(batch, answers, strict=True):
                if not _has_end(rows[0][0][: options["max_new_tokens"]], model.generation_config.eos_token_id):
                    self.warn_of_cut(sources[index])
                candidates: dict[str, Candidate] = {}
                for row, score in rows:
                    # Not every tokenizer knows that the token of a language is none of the text.
                    ids = [token for token in row if token not in codes]
                    text = tokenizer.decode(ids, skip_special_tokens=True).strip()
                    candidates.setdefault(text, Candidate(text, score))
                yield index, list(candidates.values())

    def _generate_fitting(self, rows: list[list[int]], options: dict[str, Any]) -> list[list[_Row]]:
        """The tokens of each answer; a batch for which the GPU has no room is halved until it has."""
        import torch

        try:
            return self._generate(rows, options)
        except torch.OutOfMemoryError as error:
            if len(rows) == 1:
                raise self._describe_failure(error) from None
        middle = len(rows) // 2
        self._batch = min(self._batch, middle)  # of what is asked next
        return self._generate_fitting(rows[:middle], options) + self._generate_fitting(rows[middle:], options)

    def _generate(self, rows: list[list[int]], options: dict[str, Any]) -> list[list[_Row]]:
        import torch

        model, tokenizer = self._loaded
        padded = tokenizer.pad({"input_ids": rows}, return_tensors="pt")
        options = dict(options)
        n = options.get("num_return_sequences", 1)
        beams = max(self._beam, n)
        if begin := options.pop("begin", None):
            options.pop("forced_bos_token_id", None)
            options["decoder_input_ids"] = torch.tensor([begin], device=model.device)
        try:
            with torch.inference_mode():
                generated = model.generate(**padded.to(model.device), num_beams=beams, do_sample=False, **options)
        except torch.OutOfMemoryError:
            raise
        except (RuntimeError, ValueError) as error:
            raise self._describe_failure(error) from None
        scored = (
            [(row, None) for row in generated.tolist()]
            if torch.is_tensor(generated)
            else _score_answers(model, generated)
        )
        ordered = [scored[first : first + n] for first in range(0, len(scored), n)]
        return [sorted(rows_of_one, key=lambda row: -(row[1] or 0.0)) for rows_of_one in ordered]

    def _spell_languages(self, tokenizer: Any, sources: list[str], pair: Pair) -> tuple[list[str], dict[str, Any]]:
        """The sources and options with which the model knows its languages, whichever way it spells them."""
        codes = _model_codes.resolve(lambda token: _has_token(tokenizer, token), pair, self.identity)
        if codes is None:
            source, target = getattr(tokenizer, "source_lang", None), getattr(tokenizer, "target_lang", None)
            _model_codes.check_only_pair(source, target, pair, self.identity)
            return sources, {}
        if not codes.source:
            return [f"{codes.target} {source}" for source in sources], {}
        # M2M's tokenizer wants the bare code, the others the token.
        tokenizer.src_lang = codes.source.strip("_") if codes.family == "m2m" else codes.source
        target = tokenizer.convert_tokens_to_ids(codes.target)
        if type(tokenizer).__name__.startswith("MBartTokenizer"):
            return sources, {"decoder_start_token_id": target}
        return sources, {"forced_bos_token_id": target}

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The model and its tokenizer."""
        transformers = import_transformers(f"system huggingface:{self._name}")
        import torch

        try:
            config = transformers.AutoConfig.from_pretrained(self._name)
            _check_translator(config, self._name)
            tokenizer = transformers.AutoTokenizer.from_pretrained(self._name)
            _check_whole(tokenizer, self._name)
            model = transformers.AutoModelForSeq2SeqLM.from_pretrained(self._name, dtype=getattr(torch, self._dtype))
            return model.eval().to(self._device), tokenizer
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001 - the loaders of many libraries raise what they like
            raise self._describe_failure(error) from None

    def _describe_failure(self, error: Exception) -> SystemFailure:
        return SystemFailure(f"{self.identity}: {first_line(error)}{suggest_cpu(self._device)}")


def _check_translator(config: Any, name: str) -> None:
    if not config.is_encoder_decoder:
        raise InputError(
            f"huggingface:{name}: a model of type {config.model_type!r} is no translator; expected an encoder-decoder"
        )


def _check_whole(tokenizer: Any, name: str) -> None:
    """Refuse a tokenizer whose files are missing, in place of which transformers makes one without a word in it."""
    if len(set(tokenizer.get_vocab()) - set(tokenizer.all_special_tokens) - set(tokenizer.get_added_vocab())) <= 1:
        raise InputError(
            f"huggingface:{name}: its tokenizer knows no words; put the tokenizer's files beside the model"
        )


def _pieces(tokenizer: Any, text: str) -> list[int]:
    """The tokens of a translation, or of its beginning, without those that only frame it."""
    ids: list[int] = tokenizer(text_target=text, add_special_tokens=False)["input_ids"]
    return ids


def _score_answers(model: Any, generated: Any) -> list[_Row]:
    """Answers with the mean log-probability of their tokens, by the search itself or, if drawn, token by token."""
    scores = getattr(generated, "sequences_scores", None)
    if scores is None:
        steps = model.compute_transition_scores(generated.sequences, generated.scores, normalize_logits=True)
        finite = steps.isfinite()
        scores = steps.where(finite, 0).sum(1) / finite.sum(1)
    return list(zip(generated.sequences.tolist(), scores.tolist(), strict=True))


def _has_end(row: list[int], end: int | list[int] | None) -> bool:
    """Whether a translation has an end, before the last place, where many models are made to have one.

    Its first token may be that of the end, where a model begins with it.
    """
    ends = end if isinstance(end, list) else [end]
    return any(token in ends for token in row[1:])


def _has_token(tokenizer: Any, token: str) -> bool:
    number = tokenizer.convert_tokens_to_ids(token)
    return number is not None and number != tokenizer.unk_token_id


def build(argument: str, options: Options) -> HuggingFace:
    """The system that runs a transformers model."""
    if argument.startswith(("/", "./", "../", "~")) and not Path(argument).is_dir():
        raise InputError(f"huggingface:{argument}: no such folder; expected a model of transformers")
    return HuggingFace(argument, options)


SYSTEM = SystemFactory(build, __doc__, needs="a model name or folder, as in huggingface:./my-model")
