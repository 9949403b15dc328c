"""CEAT: words in the sentences of a text, and many samples of them as one effect."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from epicene.embeddings.wordlists import find
from epicene.errors import InputError
from epicene_lab.embeddings.ceat import ceat, random_effects
from epicene_lab.embeddings.contexts import embed_uses
from tests.embeddings.conftest import write_encoder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for library in ("transformers", "torch"):
        pytest.importorskip(library, reason="the extra huggingface is not installed")
    return write_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.mark.torch
def test_ceat_combines_samples_of_words_in_context(encoder: Path, tmp_path: Path) -> None:
    (test,) = find(["weat7"])
    text = tmp_path / "text.txt"
    lines = [f"{start} is {word} ." for word in test.words for start in ("this", "that", "there")]
    text.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = ceat(f"huggingface:{encoder}", text, "weat7", samples=40)
    (result,) = found.results
    assert set(result.uses.values()) == {3}
    assert result.effect.low < result.effect.value < result.effect.high
    assert result.spread[0] <= result.effect.value <= result.spread[1]
    again = ceat(f"huggingface:{encoder}", text, "weat7", samples=40).results[0]
    assert (again.effect, again.signature) == (result.effect, result.signature)
    assert [each.short for each in ceat(f"huggingface:{encoder}", text, ["weat7", "weat8"], samples=2).refused] == [
        "x: 0/8"
    ]


@pytest.mark.torch
def test_ceat_on_an_untrained_encoder_is_not_to_be_trusted(encoder: Path, tmp_path: Path) -> None:
    (test,) = find(["weat7"])
    text = tmp_path / "text.txt"
    text.write_text("".join(f"this is {word} .\nthere {word} is .\n" for word in test.words), encoding="utf-8")
    answer = ceat(f"huggingface:{encoder}", text, "weat7", samples=300)
    (result,) = answer.results
    assert result.effect.p < 0.05 <= result.p_words
    assert "not to be trusted" in result.doubt
    assert result.doubt[:30] in str(answer).replace("\n", " ")


@pytest.mark.torch
def test_a_word_in_context_is_read_at_its_own_pieces(encoder: Path) -> None:
    import torch
    import transformers

    model = transformers.AutoModel.from_pretrained(encoder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(encoder)
    with torch.inference_mode():
        states = model(**tokenizer("this is math .", return_tensors="pt")).last_hidden_state[0].numpy()
    ((word, vector),) = embed_uses(str(encoder), [("math", "this is math .", 8)])
    assert word == "math"
    assert vector == pytest.approx(states[3], abs=1e-5)
    assert list(embed_uses(str(encoder), [("chemistry", "this is chemistry .", 8)])) == []


def test_ceat_needs_an_encoder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="words in context need an encoder"):
        ceat("glove.txt", tmp_path / "text.txt")


def test_the_random_effects_model_is_statsmodels() -> None:
    from statsmodels.stats.meta_analysis import combine_effects

    chance = np.random.default_rng(2)
    effects, variances = chance.normal(0.4, 0.5, size=30), chance.uniform(0.05, 0.3, size=30)
    theirs = combine_effects(effects, variances, method_re="dl", use_t=False)
    row = theirs.summary_frame().loc["random effect"]
    found = random_effects(effects.tolist(), variances.tolist())
    assert (found.value, found.low, found.high) == pytest.approx((row["eff"], row["ci_low"], row["ci_upp"]), abs=1e-9)
    assert found.between == pytest.approx(theirs.tau2)
    assert found.p == pytest.approx(2 * stats.norm.sf(abs(row["eff"] / row["sd_eff"])))
