"""From a small trained model to what is shipped: the model with its pairs, and what it said of the occupations."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the lab extra")

from epicene.errors import InputError
from epicene.flow import plan
from epicene.registry import Options
from epicene.systems.local import bundled
from epicene.types import Pair
from epicene_lab import arrays, augment, pieces, store
from epicene_lab.recipe import Shape
from epicene_lab.recipes.bundled import shipped
from epicene_lab.recipes.bundled.__main__ import main
from epicene_lab.studies import occupations as study

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that learnt nothing."""
    from epicene_lab.model import Transformer

    folder = tmp_path_factory.mktemp("model")
    shape = Shape(encoder=1, decoder=1, dim=16, heads=2, ffn=16, vocabulary=300)
    weights = {name: value.detach().numpy() for name, value in Transformer(shape).named_parameters()}
    arrays.save(folder / store.WEIGHTS, weights)
    lines = [side for pair in list(augment.make_pairs("de"))[:400] for side in pair]
    pieces.learn(lines, shape.vocabulary, [], folder / store.PIECES)
    store.describe(folder, shape, {})
    return folder


@pytest.fixture
def arrived(model: Path, tmp_path: Path) -> Path:
    """What a model said of all Hungarian occupations, as a machine with a GPU sends it."""
    (tmp_path / "data" / "all").mkdir(parents=True)
    (tmp_path / "data" / "all" / "sentencepiece.model").write_bytes((model / store.PIECES).read_bytes())
    tool = pieces.open_processor(model / store.PIECES)
    items = list(plan.open_set("occupations:all").items(Pair("hu", "en")))
    lines = [
        f"{'She' if number % 5 == 0 else 'He'} is a {item.labels['english']}." for number, item in enumerate(items)
    ]
    said = pieces.join_ragged([tool.encode(line) for line in lines])
    name = "occupations-hu.float.5"
    arrays.save(tmp_path / "outputs.npz", {name: said.pieces, f"{name}.lengths": said.lengths.astype("uint16")})
    content = (tmp_path / "outputs.npz").read_bytes()
    (tmp_path / "arrived").mkdir()
    with tarfile.open(tmp_path / "arrived" / "outputs.tar.0", "w") as tar:
        member = tarfile.TarInfo("hu.6-2.all.1/outputs.npz")
        member.size = len(content)
        tar.addfile(member, io.BytesIO(content))
    return tmp_path


def test_answers_that_are_kept_are_what_the_study_reads(
    arrived: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(study, "SMALL", arrived / "kept" / "hu-en.tsv.gz")
    assert study._own() is None
    given = ("keep", arrived / "arrived", "--data", arrived / "data", "-o", arrived / "kept")
    assert main([str(each) for each in given]) == 0
    assert "hu-en.tsv.gz" in capsys.readouterr().out
    own = study._own()
    assert own is not None
    challenge, hypotheses = own
    pair = Pair("hu", "en")
    said = {item.source: text for item, text in hypotheses.pair_with(challenge.items(pair), pair.target)}
    assert len(said) == 5 * 1237
    assert said["ő egy orvos"].endswith("is a doctor.")
    assert study._NOTE in study._results(None, {}, (study._NOTE,)).notes


def test_answers_of_other_sentences_are_refused(arrived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "list_occupations", lambda language: ["ő egy orvos"])
    with pytest.raises(InputError, match="lines for 1 sentences; prepare it anew"):
        list(shipped.keep(arrived / "arrived", arrived / "data", arrived / "kept"))
    path = arrived / "few.tsv"
    path.write_text("ő egy orvos\tHe is a doctor.\n", encoding="utf-8")
    monkeypatch.setattr(study, "SMALL", path)
    assert study._own() is None


def test_a_model_is_shipped_with_its_pairs_and_its_card(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = tmp_path / "card.md"
    card.write_text("# Small\nTatoeba, CC BY 2.0.\n", encoding="utf-8")
    out = tmp_path / "bundled-into-en"
    given = ("ship", model, "--card", card, "--pairs", "hu-en", "fi-en", "-o", out)
    assert main([str(each) for each in given]) == 0
    assert json.loads((out / "pairs.json").read_text(encoding="utf-8")) == ["hu-en", "fi-en"]
    assert (out / "README.md").read_text(encoding="utf-8").startswith("# Small")
    system = bundled.Model(out, Options("bundled", {"beam": "1"}))
    assert len(list(system.translate(["ő egy orvos"], Pair("hu", "en")))) == 1
    monkeypatch.setattr(shipped, "SMALL", 1000)
    with pytest.raises(InputError, match="at most 0 MB are shipped: train a smaller model"):
        list(shipped.ship(model, ["hu-en"], card, out))
