"""WiBeMT's published files are read in every form they have, and refused with file and line where they are broken."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.sets import files as store
from epicene.sets.wibemt.files import classification_list, kind, read_forms, read_verbs, system_name

SENTENCE = "VF01OccF01\tThe nurse crochets potholders.\tcrochet\tnurse"
TRANSLATED = SENTENCE + "\tDie Krankenschwester häkelt Topflappen."
CATEGORISED = TRANSLATED + "\tfemale"
SECOND = "VF01OccM33\tThe CTO crochets potholders.\tcrochet\tCTO\tDer CTO häkelt Topflappen.\tmale"
STAGED = (
    "id\tverb_class\tocc_group\tsentence\tverb\toccupation\ttranslation\tcategory\n"
    "VF01OccF01\tF\tF\tThe nurse crochets potholders.\tcrochet\tnurse\tDie Krankenschwester häkelt Topflappen.\tfemale"
)
FORMS = "occupation\tfem1 fem2\tmale1\tneutral\twrong\ncleaner\tPutzfrau, Reinigerin\tPutzmann\t\tSekt, Putzer\n"


def written(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (SENTENCE, "sentences"),
        (TRANSLATED, "translations"),
        (CATEGORISED, "translations"),
        (STAGED, "translations"),
        (FORMS.strip(), "forms"),
        ("sassy", ""),
        ("", ""),
    ],
)
def test_the_kind_is_told_by_the_first_line(tmp_path: Path, text: str, what: str) -> None:
    assert kind(written(tmp_path, "file.txt", text)) == what


def test_all_forms_of_one_row_are_read_alike(tmp_path: Path) -> None:
    plain = read_verbs(written(tmp_path, "a.txt", CATEGORISED))
    assert plain == read_verbs(written(tmp_path, "b.tsv", STAGED))
    assert plain[0].translation == "Die Krankenschwester häkelt Topflappen."
    assert [row[:4] for row in read_verbs(written(tmp_path, "c.txt", SENTENCE))] == [plain[0][:4]]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([CATEGORISED, TRANSLATED], "file.txt:2: 5 columns, expected 6"),
        ([CATEGORISED, CATEGORISED], "file.txt:2: the id VF01OccF01 appears twice (first: 1)"),
        (
            [CATEGORISED, SECOND.replace("\tmale", "\tmasculine")],
            "file.txt:2: category 'masculine'; expected female, male",
        ),
        ([CATEGORISED, SECOND.replace("\tCTO\t", "\tCEO\t")], "file.txt:2: the occupation 'CEO' does not stand in"),
        ([CATEGORISED, SECOND.replace("\tcrochet\t", "\t\t")], "file.txt:2: an empty verb"),
    ],
)
def test_a_broken_line_is_refused_with_its_place(tmp_path: Path, lines: list[str], says: str) -> None:
    path = written(tmp_path, "file.txt", *lines)
    with pytest.raises(InputError, match=re.escape(says)):
        store.add("wibemt", path)
    assert not store.set_folder("wibemt").exists()


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"words\.txt:1: no file of WiBeMT; expected tab-separated id, sentence"):
        store.add("wibemt", written(tmp_path, "words.txt", "sassy"))
    with pytest.raises(InputError, match="holds none of the files of wibemt"):
        store.add("wibemt", tmp_path)


@pytest.mark.parametrize(
    "name", ["verb_translations_deepl.tsv", "VerbSentences_DeepL_Translator.txt", "VerbSentences_DeepL_Translator_GenderCategorized.txt"]
)  # fmt: skip
def test_systems_are_named_by_their_files(name: str) -> None:
    assert system_name(Path(name)) == "deepl"


def test_a_clone_of_the_authors_folder_is_taken_whole(tmp_path: Path) -> None:
    written(tmp_path, "1_Words/100MostFeminineVerbs.txt", "crochet")
    written(tmp_path, "2_WiBeMT/verb_sentences.txt", SENTENCE)
    written(tmp_path, "3_Translations/VerbSentences_DeepL_Translator.txt", TRANSLATED)
    written(tmp_path, "4_Results/DeepL/VerbSentences_DeepL_Translator_GenderCategorized.txt", CATEGORISED)
    written(tmp_path, "evaluation_table.csv", FORMS.strip())
    folder = store.add("wibemt", tmp_path)
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.tsv"))
    assert names == ["occupation_forms.de.tsv", "translations/deepl.tsv", "verb_sentences.tsv"]
    assert read_verbs(folder / "translations" / "deepl.tsv")[0].category == "female"
    assert classification_list("de")[0].forms["female"] == ("Putzfrau", "Reinigerin")
    assert classification_list("es") == []


def test_two_files_of_one_system_that_differ_are_refused(tmp_path: Path) -> None:
    written(tmp_path, "a/VerbSentences_X.txt", TRANSLATED)
    written(tmp_path, "b/verb_translations_x.tsv", STAGED.replace("häkelt", "strickt"))
    with pytest.raises(InputError, match="not the translations of"):
        store.add("wibemt", tmp_path)


def test_both_joints_of_the_classification_list_are_read(tmp_path: Path) -> None:
    commas = read_forms(written(tmp_path, "a.csv", FORMS.strip()))
    bars = read_forms(written(tmp_path, "b_de.tsv", FORMS.strip().replace(", ", "|")))
    assert commas == bars
    with pytest.raises(InputError, match=r"c\.tsv:2: 2 columns, expected occupation, female, male, neutral, wrong"):
        read_forms(written(tmp_path, "c.tsv", FORMS.splitlines()[0], "cleaner\tPutzfrau"))


def test_the_staged_files_are_read(published: Path) -> None:
    folder = store.add("wibemt", published / "wibemt")
    for system in ("deepl", "google"):
        rows = read_verbs(folder / "translations" / f"{system}.tsv")
        assert len(rows) == 4_158
        assert all(row.category for row in rows)
    assert len(classification_list("de")) == 100
