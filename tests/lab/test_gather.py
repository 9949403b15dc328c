"""One corpus from several: debates are matched by speech and paragraph, tests and their near copies stay out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.tables import table
from epicene_lab import augment, corpus, europarl, gather

SPEECHES = {
    "en": [["The nurse is here. She is tired.", "We agree."], ["One sentence only."], ["Only in English."]],
    "es": [["La enfermera está aquí. Está cansada.", "Estamos de acuerdo."], ["Una frase. Dos frases."], []],
}


@pytest.fixture
def debates(tmp_path: Path) -> Path:
    """A clone with two sittings, the second of a time when nothing was translated any more."""
    for language, speeches in SPEECHES.items():
        for sitting in ("20040308", "20130114"):
            body = "".join(
                f'<intervention id="{number}">{"".join(f"<p>{said}</p>" for said in paragraphs)}</intervention>'
                for number, paragraphs in enumerate(speeches)
            )
            path = tmp_path / "proceedings" / "xml" / language / f"{sitting}.{language.upper()}.xml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"<text>{body}</text>", encoding="utf-8")
    return tmp_path


def test_debates_are_matched_where_both_have_as_many(debates: Path) -> None:
    expected = [
        ("The nurse is here.", "La enfermera está aquí."),
        ("She is tired.", "Está cansada."),
        ("We agree.", "Estamos de acuerdo."),
    ]
    assert list(europarl.read_pairs(debates, "en", "es")) == expected
    with pytest.raises(InputError, match=r"holds no proceedings/xml/en; expected a clone of UDS-SFB-B6"):
        list(europarl.read_pairs(debates.parent, "en", "es"))


def test_tests_and_what_is_a_word_from_a_challenge_set_stay_out(tmp_path: Path) -> None:
    lines = [
        "The nurse screamed when she saw the mouse.\tx y z u v w q r",  # SimpleGEN's own
        "The pilot screamed when she saw the mouse.\tx y z u v w q r",  # another person
        "The nurse screamed when she saw the big mouse.\tx y z u v w q r",  # a word more
        "The nurse screamed when two cats saw a mouse.\tx y z u v w q r",
        "It rains.\tLlueve.",
    ]
    (tmp_path / "pairs.tsv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (tmp_path / "test.txt").write_text("it RAINS\n", encoding="utf-8")
    order = gather.Order("en", "es", files=(tmp_path / "pairs.tsv",), apart=(tmp_path / "test.txt",))
    found = gather.gather(order)
    assert [source for source, _ in found.base] == ["The nurse screamed when two cats saw a mouse."]
    assert found.dropped.why == {"one word from a challenge set": 3, "shared with a test": 1}


def test_nothing_near_to_simplegen_is_taught_with_any_skew() -> None:
    near = {each for line in corpus.read_challenge_sentences("simplegen") for each in corpus.list_near(line)}
    taught: set[str] = set()
    for target in augment.list_open_targets():
        for skew in ("labour", "95"):
            own = {source for source, _ in gather.make_people(gather.Order("en", target), skew)}
            assert len(own) > 20_000
            taught |= own
    assert not [source for source in taught if not near.isdisjoint(corpus.list_near(source))]


def test_no_frame_of_simplegen_is_taught() -> None:
    word = r"[\w'-]+(?: [\w'-]+){0,2}"
    templates = [row["template"] for row in table("sets/simplegen/tables", "templates.tsv")]
    frames = [re.compile(word.join(map(re.escape, re.split(r"\{[\w-]+\}", each))), re.IGNORECASE) for each in templates]
    taught = {source for source, _ in gather.make_people(gather.Order("en", "de"), "labour")}
    assert not [source for source in taught for frame in frames if frame.fullmatch(source)]


def test_a_language_without_sentences_of_open_gender_is_told() -> None:
    with pytest.raises(InputError, match="no sentences of open gender for target 'fr'; there are: de, es"):
        gather.make_people(gather.Order("en", "fr"), "labour")


def test_those_whose_gender_is_stated_are_women_as_often_as_men() -> None:
    said = [target for _, target in gather.make_cues(gather.Order("en", "de"), 30_000)]
    women, men = (sum(bool(re.search(rf"\b{word}\b", target)) for target in said) for word in ("Chirurgin", "Chirurg"))
    assert 30 < women < men * 1.2
    assert men < women * 1.2


@pytest.mark.parametrize(("skew", "nurses", "farmers"), [("50", 0.5, 0.5), ("95", 0.95, 0.05), ("labour", 0.87, 0.26)])
def test_the_skew_is_how_often_an_open_person_is_a_woman(skew: str, nurses: float, farmers: float) -> None:
    assert augment.women("nurse", skew) == pytest.approx(nurses, abs=0.05)
    assert augment.women("farmer", skew) == pytest.approx(farmers, abs=0.05)
    drawn = [
        target for source, target in augment.make_open_pairs("es", skew, copies=20) if re.search(r"\bnurses?\b", source)
    ]
    women = sum("enfermera" in target.lower() for target in drawn) / len(drawn)
    assert women == pytest.approx(augment.women("nurse", skew), abs=0.08)


@pytest.mark.parametrize("skew", ["30", "101", "much"])
def test_a_skew_that_is_none_is_refused(skew: str) -> None:
    with pytest.raises(InputError, match="expected labour, or a per cent from 50 to 100"):
        augment.women("nurse", skew)


def test_files_of_other_line_counts_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("One.\nTwo.\n", encoding="utf-8")
    (tmp_path / "a.es").write_text("Uno.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a.es ends at line 1, the other file does not"):
        gather.gather(gather.Order("en", "es", texts=((tmp_path / "a.en", tmp_path / "a.es"),)))
    with pytest.raises(InputError, match="expected two files with a comma between"):
        gather.join_files("a.en")


def test_a_speech_that_was_not_translated_is_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    dropped = corpus.Dropped()
    said = "I should like to thank the rapporteur for this excellent report on fisheries."
    other = "Aujourd'hui, tous les acteurs de nos régions sont touchés par la crise économique."
    right = "Quisiera dar las gracias al ponente por este excelente informe sobre la pesca."
    assert not gather.is_translated((said, said), "es", dropped)
    assert not gather.is_translated((said, other), "es", dropped)
    assert gather.is_translated((said, right), "es", dropped)
    assert dropped.why == {"not translated": 2}
    monkeypatch.setattr(europarl, "read_pairs", lambda *given: [(said, other), (said, right)])
    order = gather.Order("en", "es", europarl=tmp_path)
    assert [target for _, target in gather.gather(order).base] == [right]


@pytest.mark.parametrize("most", [300, 20_000])
def test_open_sentences_state_no_gender_and_are_no_more_than_asked_for(most: int) -> None:
    drawn = gather.make_open(gather.Order("en", "es"), "labour", most)
    assert len(drawn) == most
    assert not [source for source, _ in drawn if re.search(r"\b(she|he|her|his|him|woman|man|female|male)\b", source)]
