"""An audit opens each set, model, detector and reference once, and checks every name before it translates."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import epicene
from epicene.errors import EpiceneError, InputError
from epicene.flow import plan
from epicene.labour import read
from epicene.languages.codes import pair as parse_pair
from epicene.options import Scoring
from epicene.reader.reader import Reader, build
from epicene.sets import simplegen
from epicene.systems import fake
from epicene.systems.local import bundled, ctranslate2

PAIRS = ("en-de", "en-es", "en-fr")


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Counter[str]]:
    """Counts the calls of functions and methods that are named."""
    calls = Counter[str]()

    def count(*wanted: tuple[Any, str]) -> Counter[str]:
        for owner, name in wanted:
            original = getattr(owner, name)

            def counting(*args: Any, __of: Any = original, __name: str = name, **options: Any) -> Any:
                calls[__name] += 1
                return __of(*args, **options)

            monkeypatch.setattr(owner, name, counting)
        return calls

    return count


def test_a_model_is_loaded_and_hashed_once_and_a_detector_built_for_each_language(
    counted: Callable[..., Counter[str]],
) -> None:
    import ctranslate2 as library

    build.cache_clear()
    calls = counted((library, "Translator"), (ctranslate2, "fingerprint"), (Reader, "__init__"))
    run = epicene.audit(["simplegen"], PAIRS, ["bundled?beam=1"], cached=False, sample=20)
    assert [result.n for result in run.results] == [20, 20, 20]
    assert calls == {"Translator": 1, "fingerprint": len(bundled.folders()), "__init__": 3}


def test_a_set_is_read_once_for_all_systems(counted: Callable[..., Counter[str]], tmp_path: Path) -> None:
    table = tmp_path / "answers.tsv"
    items = list(simplegen.SET.items(parse_pair("en-de")))
    table.write_text("".join(f"{item.source}\tDie Ärztin.\n" for item in items), encoding="utf-8")
    calls = counted((simplegen, "_generate"))
    epicene.audit(["simplegen"], ["en-de"], ["echo", f"scripted:{table}"], anyway=True)
    assert calls == {"_generate": 1}


def test_a_reference_is_read_once_for_all_pairs(counted: Callable[..., Counter[str]]) -> None:
    calls = counted((read, "open_reference"))
    planned = plan.open_plan(
        ["occupations", "occupations:adjectives"], ["hu-en"], ["echo"], Scoring(references=("us-acs-2018",))
    )
    assert [task.references[0].name for task in planned.tasks] == ["us-acs-2018", "us-acs-2018"]
    assert calls == {"open_reference": 1}


@pytest.mark.parametrize(
    "wrong",
    [
        {"langs": ["en-de", "en-xx"]},
        {"langs": ["en-de", "de-en"]},
        {"systems": ["echo", "nobody"]},
        {"systems": ["echo", "echo?beam=1"]},
        {"protocol": "papers"},
        {"references": ["us-acs-2018"]},
    ],
)
def test_a_wrong_name_is_found_before_a_sentence_is_translated(
    wrong: dict[str, Any], counted: Callable[..., Counter[str]]
) -> None:
    calls = counted((fake.Echo, "translate"))
    with pytest.raises(EpiceneError):
        epicene.audit(**{"sets": ["simplegen"], "langs": ["en-de"], "systems": ["echo"], **wrong})
    assert not calls


def test_a_system_that_is_named_twice_has_two_results() -> None:
    run = epicene.audit(["simplegen"], ["en-de"], ["echo", "echo"], sample=8, anyway=True)
    assert [result.system for result in run.results] == ["echo", "echo"]


def test_text_is_scored_without_importing_speech() -> None:
    program = (
        "import sys; import epicene; "
        "epicene.audit(['simplegen'], ['en-de'], ['echo'], cached=False, sample=8, anyway=True); "
        "print([name for name in sys.modules if name.startswith('epicene.') and 'speech' in name])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_file_of_translations_does_not_translate_new_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"file:hyp\.de belongs to a set"):
        epicene.translate(["She."], "en-de", f"file:{tmp_path / 'hyp.de'}")
