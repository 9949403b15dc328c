"""BLEU and chrF are sacreBLEU's own, right references count, and a comparison says what quality it costs."""

from __future__ import annotations

from pathlib import Path

import pytest

import epicene
from epicene.compare.pairs import compare
from epicene.errors import InputError, MissingExtraError, UnknownNameError
from epicene.measures import metrics, quality
from epicene.measures.quality import Segment
from epicene.store.records import read_verdict, verdict_line
from epicene.types import Accepted, Gender, Item, Output, Person, Verdict

sacrebleu = pytest.importorskip("sacrebleu")
GOOD = [f"Die Krankenschwester kam am Morgen in das Haus Nummer {n}." for n in range(12)]
POOR = [f"Der Krankenpfleger ging morgens zu Haus {n}." for n in range(12)]


def test_scores_intervals_and_signatures_are_sacrebleus() -> None:
    references = [(text,) for text in GOOD]
    for name, metric in (("bleu", sacrebleu.BLEU()), ("chrf", sacrebleu.CHRF())):
        theirs = metric.corpus_score(POOR, [GOOD], n_bootstrap=1000)
        ours = metrics.score_corpus(name, POOR, references)
        assert ours.value == pytest.approx(theirs.score)
        assert (ours.low, ours.high) == (theirs._mean - theirs._ci, theirs._mean + theirs._ci)
        assert ours.signature == str(metric.get_signature())
        assert "bs:1000|seed:12345" in ours.signature


def test_a_score_of_which_some_draws_are_empty_has_no_interval_and_is_no_bug() -> None:
    found = metrics.score_corpus("chrf", [GOOD[0], ""], [(text,) for text in GOOD[:2]])
    assert (found.low, found.high) == (None, None)
    assert found.value > 0


def test_several_references_may_be_more_for_one_sentence_than_for_another() -> None:
    found = metrics.score_corpus("chrf", GOOD[:3], [(POOR[0], GOOD[0]), (GOOD[1],), (GOOD[2],)], interval=False)
    assert found.value == pytest.approx(100)
    assert found.signature.startswith("nrefs:var|")


def test_a_paired_test_is_sacrebleus_and_the_same_texts_do_not_differ() -> None:
    references = [(text,) for text in GOOD]
    found = metrics.compare_corpora("chrf", GOOD, POOR, references)
    assert (found.before, found.after < 60, found.p < 0.01) == (pytest.approx(100), True, True)
    assert "bs:1000" in found.signature
    same = [Segment(str(n), "", text, (GOOD[n],), "u") for n, text in enumerate(POOR)]
    (change,) = quality.changes(same, same, "de", ("chrf",))
    assert (change.p, change.difference) == (1.0, 0.0)


def item(number: int, expected: Gender | None, line: str | None = None) -> Item:
    references = (Accepted(GOOD[number], Gender.FEMININE), Accepted(POOR[number], Gender.MASCULINE))
    labels = {"pair": str(number)} if expected else {}
    return Item(f"{expected}{number}", "The nurse came.", Person("nurse", 4, "nurse"), expected, labels,
                references=references, line=line)  # fmt: skip


def verdict(of: Item, text: str) -> Verdict:
    return Verdict(Output(of, "test", "de", text), Gender.FEMININE, "test")


def test_the_reference_of_the_right_gender_counts_and_where_it_is_open_any() -> None:
    found = quality.Quality("de", ("chrf",))
    for number in range(6):
        found.add(verdict(item(number, Gender.FEMININE), GOOD[number]))
        found.add(verdict(item(number, Gender.MASCULINE), GOOD[number]))
    measures = {(each.name, each.group): each for each in found.measures()}
    assert measures["chrf", "feminine"].value == pytest.approx(100)
    wrong = measures["chrf", "masculine"].value
    assert wrong is not None
    assert wrong < 60
    gap = measures["chrf_gap", "feminine-masculine"]
    assert gap.value == pytest.approx(100 - wrong, abs=1.5)  # the one of sentences, the other of the corpus
    assert gap.n == 6
    assert quality.accepted(item(0, None)) == (GOOD[0], POOR[0])


def test_people_of_one_line_are_one_sentence() -> None:
    found = quality.Quality("de", ("chrf",))
    for number, line in enumerate(("a", "a", "b")):
        found.add(verdict(item(number, None, line), GOOD[number]))
    assert [each.id for each in found.segments] == ["None0", "None2"]


@pytest.fixture
def own(tmp_path: Path) -> tuple[str, Path, Path, Path]:
    """A set without references, two files of translations and one of references."""
    rows = [f"{n}\tThe nurse came at {n}.\tnurse\tfeminine\t\to{n % 6}" for n in range(12)]
    table = tmp_path / "own.tsv"
    table.write_text("\n".join(["id\tsource\tfocus\texpected\tgroup\toccupation", *rows]) + "\n", encoding="utf-8")
    files = [tmp_path / name for name in ("good.de", "poor.de", "ref.de")]
    for path, lines in zip(files, (GOOD, POOR, GOOD), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return f"custom:{table}", *files


def test_own_references_make_quality_and_stand_in_its_signature(own: tuple[str, Path, Path, Path]) -> None:
    name, good, poor, reference = own
    assert "bleu" not in [each.name for each in epicene.score(name, "en-de", good, anyway=True).measures]
    result = epicene.score(name, "en-de", poor, anyway=True, reference_text=[reference], metrics=["chrf"])
    assert result["chrf"].signature is not None
    assert result["chrf"].signature.startswith("reference:ref.de@")
    (found,) = compare([good, poor], name, "en-de", anyway=True, reference_text=[f"en-de={reference}"])
    assert [(each.metric, each.n, each.difference < 0) for each in found.quality] == [
        ("bleu", 12, True),
        ("chrf", 12, True),
    ]
    assert found.as_dict()["quality"][0]["metric"] == "bleu"
    assert found.to_frame()["metric"].tolist()[-2:] == ["bleu", "chrf"]


def test_quality_is_sacrebleus_on_the_file_as_it_is(own: tuple[str, Path, Path, Path], tmp_path: Path) -> None:
    """The reader wants one spelling of apostrophes, blanks and entities; sacreBLEU's score is of the file's own."""
    name, path, _, reference = own
    lines = [
        f"Die Kranken\u2011schwester kam am\u00a0Morgen in &#39;s Haus, ging\u2019s gut? C.E.O. {n}." for n in range(12)
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    result = epicene.score(name, "en-de", path, anyway=True, reference_text=[reference], metrics=["bleu", "chrf"])
    assert result["bleu"].value == pytest.approx(sacrebleu.corpus_bleu(lines, [GOOD]).score)
    assert result["chrf"].value == pytest.approx(sacrebleu.corpus_chrf(lines, [GOOD]).score)
    assert [verdict.output.verbatim for verdict in result.verdicts] == lines
    stored = [read_verdict(verdict_line(verdict), "here") for verdict in result.verdicts]
    assert stored == list(result.verdicts)


def test_wrong_references_and_metrics_are_one_line(own: tuple[str, Path, Path, Path]) -> None:
    name, good, _, reference = own
    reference.write_text("".join(f"{line}\n" for line in GOOD[:11]), encoding="utf-8")
    with pytest.raises(InputError, match=r"ref\.de has 11 lines, the set has 12 sentences"):
        epicene.score(name, "en-de", good, anyway=True, reference_text=[reference])
    with pytest.raises(UnknownNameError, match=r"unknown metric 'blue'\. Did you mean 'bleu'\?"):
        epicene.score(name, "en-de", good, anyway=True, metrics=["blue"])
    with pytest.raises(InputError, match=r"has no references for en-de; give them with --reference-text FILE"):
        epicene.score(name, "en-de", good, anyway=True, metrics=["chrf"])
    with pytest.raises(InputError, match=r"nothing is called 'en-fr' here; expected en-de"):
        epicene.score(name, "en-de", good, anyway=True, reference_text=["en-fr=ref"])
    with pytest.raises(InputError, match=r"cannot read nowhere\.de"):
        epicene.score(name, "en-de", good, anyway=True, reference_text=["nowhere.de"])


def test_comet_without_its_package_says_the_pip_line() -> None:
    if __import__("importlib").util.find_spec("comet"):
        pytest.skip("COMET is installed here")
    with pytest.raises(MissingExtraError, match=r"pip install 'epicene\[comet\]'"):
        metrics.score_comet("", ["a"], ["b"], [["c"]])
