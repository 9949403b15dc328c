"""Models of transformers, as they are and converted: the same translations, in the languages' own codes."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("transformers")

from epicene import systems
from epicene.errors import InputError, SystemFailure
from epicene.types import Pair
from tests.systems import tiny_models

pytestmark = pytest.mark.torch
FAMILIES = ("opus", "opus-many", "m2m", "nllb", "mbart")
ENDE = Pair("en", "de")
Models = Callable[[str], Path]


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    """A folder of a family's model, built when first asked for."""
    root = tmp_path_factory.mktemp("models")

    def folder(family: str) -> Path:
        return root / family if (root / family).is_dir() else tiny_models.build(family, root / family)

    return folder


def answers(spec: str, sources: list[str], pair: Pair = ENDE) -> list[str]:
    return list(systems.load(spec).translate(sources, pair))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_weights_give_the_same_translations_through_both_libraries(models: Models, family: str) -> None:
    folder, sources = models(family), tiny_models.sentences(80, 9)
    ours = answers(f"huggingface:{folder}?beam=1&max_tokens=60", sources)
    assert ours == answers(f"ctranslate2:{folder}?beam=1&max_tokens=60&compute=float32&convert=yes", sources)
    right = sum(tiny_models.translated(source) == text for source, text in zip(sources, ours, strict=True))
    assert right > len(sources) / 4  # the model has learned something, so that agreeing means something


@pytest.mark.parametrize("kind", ["huggingface:{}?beam=3&batch={}", "ctranslate2:{}?beam=3&convert=yes&batch={}"])
def test_neither_order_nor_batches_change_a_translation(models: Models, kind: str) -> None:
    folder, sources = models("m2m"), tiny_models.sentences(50, 11)
    expected = dict(zip(sources, answers(kind.format(folder, 50), sources), strict=True))
    random.Random(5).shuffle(sources)
    assert answers(kind.format(folder, 7), sources) == [expected[source] for source in sources]


def test_a_batch_for_which_there_is_no_room_is_halved(models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch
    from transformers import GenerationMixin

    spec, sources = f"huggingface:{models('m2m')}?beam=3&batch=50", tiny_models.sentences(50, 11)
    expected = answers(spec, sources)
    usual, room, asked = GenerationMixin.generate, 4, list[int]()

    def generate(model: GenerationMixin, input_ids: torch.Tensor, **options: object) -> object:
        asked.append(len(input_ids))
        if len(input_ids) > room:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        return usual(model, input_ids=input_ids, **options)

    monkeypatch.setattr(GenerationMixin, "generate", generate)
    system = systems.load(spec)
    assert list(system.translate(sources, ENDE)) == expected
    assert max(asked) == len(sources)
    asked.clear()
    assert list(system.translate(sources, ENDE)) == expected
    assert max(asked) <= room
    room = 0
    with pytest.raises(SystemFailure, match=r"CUDA out of memory\. Tried to allocate 2\.00 GiB"):
        answers(spec, sources)


@pytest.mark.parametrize("kind", ["huggingface:{}", "ctranslate2:{}?convert=yes"])
@pytest.mark.parametrize(
    ("family", "pair", "said"),
    [
        ("opus", Pair("en", "fr"), "knows no en-fr; it translates en-de"),
        ("opus-many", Pair("en", "fr"), "knows no en-fr; it translates into: de, es"),
        ("nllb", Pair("en", "fr"), "knows no en-fr; its languages are: de, en, es"),
        ("m2m", Pair("eu", "de"), "knows no eu-de; its languages are: am, ar, "),
    ],
)
def test_a_pair_that_a_model_does_not_know_is_refused(
    models: Models, kind: str, family: str, pair: Pair, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        answers(kind.format(models(family)), ["the doctor"], pair)


def test_converting_is_offered_done_once_and_again_for_other_weights(
    models: Models, own_home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(models("opus"), folder)
    with pytest.raises(InputError, match=r"a model of transformers; to convert it once .*convert=yes"):
        systems.load(f"ctranslate2:{folder}")
    first = systems.load(f"ctranslate2:{folder}?convert=yes").identity
    (model,) = own_home.glob("converted/*/mine/model.bin")
    written = model.stat().st_mtime_ns
    assert systems.load(f"ctranslate2:{folder}?convert=yes").identity == first
    assert model.stat().st_mtime_ns == written
    shutil.copytree(models("opus-many"), folder, dirs_exist_ok=True)
    assert systems.load(f"ctranslate2:{folder}?convert=yes").identity != first
    assert len(list(own_home.glob("converted/*/*"))) == 2  # and nothing half-written beside them


@pytest.mark.parametrize("kind", ["huggingface:{}", "ctranslate2:{}?convert=yes"])
def test_a_model_that_does_not_translate_is_refused(tmp_path: Path, kind: str) -> None:
    import transformers

    config = transformers.BertConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=1, intermediate_size=16)
    transformers.BertModel(config).save_pretrained(tmp_path / "bert")
    with pytest.raises(InputError, match="type 'bert' is no translator; expected an encoder-decoder"):
        answers(kind.format(tmp_path / "bert"), ["the doctor"])


def test_the_type_and_the_search_are_in_the_name(models: Models) -> None:
    folder = models("opus")
    assert systems.load(f"huggingface:{folder}").identity.endswith("?beam=5&max_tokens=256")
    named = systems.load(f"huggingface:{folder}?dtype=bfloat16").identity
    assert named.endswith("?beam=5&max_tokens=256&dtype=bfloat16")
    assert systems.load(f"ctranslate2:{folder}?convert=yes&device=cpu").identity.endswith("?beam=5&compute=int8")
    named = systems.load(f"ctranslate2:{folder}?convert=yes&compute=float32&max_tokens=40").identity
    assert named.endswith("?beam=5&compute=float32&max_tokens=40")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("temperature=0.7", "has no option temperature"),
        ("device=tpu", "must be auto, cpu or cuda"),
        ("dtype=int4", "must be auto, float32, float16 or bfloat16"),
    ],
)
def test_wrong_options_are_refused(models: Models, options: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        systems.load(f"huggingface:{models('opus')}?{options}")


@pytest.mark.parametrize("kind", ["huggingface:{}", "ctranslate2:{}?convert=yes"])
def test_an_over_long_sentence_is_refused_not_cut(models: Models, kind: str) -> None:
    with pytest.raises(InputError, match=r"a sentence of \d+ tokens, the model takes \d+; split it: 'kind doctor"):
        answers(kind.format(models("opus")), ["the doctor", "kind doctor " * 600])


def test_a_sentence_that_is_too_long_for_a_converted_model_is_named(models: Models) -> None:
    """The model tells only when it is asked how many tokens it takes."""
    with pytest.raises(InputError, match=r"the model takes 64 tokens; .*of 101 that begins 'kind doctor"):
        answers(f"ctranslate2:{models('opus')}?convert=yes", ["the doctor", "kind doctor " * 50])


@pytest.mark.parametrize("kind", ["huggingface:{}?beam=1&max_tokens={}", "ctranslate2:{}?convert=yes&max_tokens={}"])
@pytest.mark.parametrize("family", ["opus", "mbart"])
def test_a_translation_that_is_cut_off_is_told_once(
    models: Models, kind: str, family: str, caplog: pytest.LogCaptureFixture
) -> None:
    sources = ["the doctor helps", "her nurse sees"]
    answers(kind.format(models(family), 60), sources)
    assert not caplog.messages
    answers(kind.format(models(family), 2), sources)
    (told,) = caplog.messages
    assert re.search(
        r"a translation was cut off after 2 tokens, that of '(the doctor|her nurse).*raise max_tokens", told
    )


def test_an_end_that_is_forced_is_a_cut(models: Models, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As OPUS-MT's configurations have it."""
    folder = tmp_path / "forced"
    shutil.copytree(models("opus"), folder)
    settings = json.loads((folder / "generation_config.json").read_text(encoding="utf-8"))
    settings["forced_eos_token_id"] = settings["eos_token_id"]
    (folder / "generation_config.json").write_text(json.dumps(settings), encoding="utf-8")
    answers(f"huggingface:{folder}?max_tokens=3", ["the doctor helps"])
    assert "a translation was cut off after 3 tokens, that of 'the doctor" in caplog.text


# A model that is told another language may never end, and its positions do; int8 is not the same on every processor.
@pytest.mark.parametrize(
    "kind",
    ["huggingface:{}?beam=1&max_tokens=60", "ctranslate2:{}?convert=yes&beam=1&max_tokens=60&compute=float32"],
)
@pytest.mark.parametrize("family", ["m2m", "mbart"])
def test_no_language_code_is_left_in_a_translation(models: Models, kind: str, family: str) -> None:
    """The model was taught German alone, and answers with its code where it is told another language."""
    found = answers(kind.format(models(family)), tiny_models.sentences(20, 6), Pair("en", "fr"))
    assert not re.search(r"__\w\w__|\w\w_[A-Z]{2}", " ".join(found))


@pytest.mark.parametrize("kind", ["huggingface:{}", "ctranslate2:{}?convert=yes"])
@pytest.mark.parametrize(
    ("family", "lost", "kept"),
    [
        ("opus", ("source.spm", "target.spm", "vocab.json", "tokenizer_config.json"), 0),
        ("mbart", ("sentencepiece.bpe.model", "tokenizer.json", "tokenizer_config.json"), 0),
        ("nllb", ("sentencepiece.bpe.model", "tokenizer.json", "tokenizer_config.json"), 0),
        ("opus", ("model.safetensors",), 2000),
        ("opus", ("config.json",), 1),
    ],
)
def test_a_model_that_is_not_whole_is_refused(
    models: Models, tmp_path: Path, kind: str, family: str, lost: tuple[str, ...], kept: int
) -> None:
    folder = tmp_path / "part"
    shutil.copytree(models(family), folder)
    for name in lost:
        whole = (folder / name).read_bytes()
        (folder / name).unlink()
        if kept:
            (folder / name).write_bytes(whole[:kept])
    with pytest.raises((InputError, SystemFailure), match="part"):
        answers(kind.format(folder), ["the doctor helps her nurse"])


def test_a_conversion_that_was_killed_is_begun_again(models: Models, own_home: Path) -> None:
    folder = models("opus")
    killed = f"""
import os, signal
from ctranslate2.specs.model_spec import ModelSpec
def half(self, path):
    whole(self, path)
    os.truncate(path, 3000)
    os.kill(os.getpid(), signal.SIGKILL)
whole, ModelSpec._serialize = ModelSpec._serialize, half
from epicene import systems
systems.load("ctranslate2:{folder}?convert=yes")
"""
    done = subprocess.run([sys.executable, "-c", killed], capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert list(own_home.rglob("model.bin"))
    assert not list(own_home.glob("converted/*/opus"))
    (found,) = answers(f"ctranslate2:{folder}?convert=yes&beam=1&compute=float32", ["the doctor"])
    assert [found] == answers(f"huggingface:{folder}?beam=1", ["the doctor"])


@pytest.mark.parametrize("config", ["[1", "[1]"])
def test_a_broken_configuration_is_one_line(models: Models, tmp_path: Path, config: str) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(models("opus"), folder)
    (folder / "config.json").write_text(config, encoding="utf-8")
    with pytest.raises(InputError, match=r"config\.json"):
        systems.load(f"ctranslate2:{folder}?convert=yes")
