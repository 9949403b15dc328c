"""A reference is read whole or refused with file, line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.labour.reference import Reference, Share
from epicene.labour.references import SHIPPED, open_reference


def write(folder: Path, text: str | bytes, name: str = "mine.csv") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def share(reference: Reference, **labels: str) -> Share:
    found = reference.share({"occupation": "", "english": "", "feor08": "", "isco08": "", "soc": "", **labels})
    assert isinstance(found, Share)
    return found


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_references_have_the_shares_of_their_source(name: str) -> None:
    # women_pct as the US tables print it: dental hygienists, carpenters
    printed = {"us-acs-2011": (96.60, 0.98), "us-acs-2018": (95.34, 2.09), "us-bls-2020": (93.9, 3.2)}
    found = open_reference(name)
    shares = [share(found, soc=code).women_pct for code in ("29-2021", "47-2031")]
    assert shares == pytest.approx(printed[name], abs=0.005)
    assert found.sized


def test_a_category_of_fewer_than_fifty_thousand_has_no_share_in_the_bls_table() -> None:
    assert open_reference("us-bls-2020").share({"soc": "15-2011"}) == "no share is published for the category"
    assert share(open_reference("us-acs-2018"), soc="15-2011").women_pct == pytest.approx(40.72, abs=0.005)


def test_counts_shares_and_answers_are_read(tmp_path: Path) -> None:
    counts = open_reference(write(tmp_path, "feor08,name,men,women\n2625,Statisztikus,270,730\n"))
    assert (counts.name, counts.key, counts.sized) == ("mine", "feor08", True)
    assert share(counts, feor08="2625") == Share(270, 730, "Statisztikus")
    shares = open_reference(write(tmp_path, "isco08,women_pct,employed\n2120,73,1000\n2131,55,\n"))
    assert share(shares, isco08="2120") == Share(270, 730, "2120")
    assert share(shares, isco08="2120 2131").women_pct == pytest.approx(100 * (730 + 55) / 1100)
    survey = open_reference(write(tmp_path, "occupation,1,2,3,4,5,6\nács,170,12,7,3,4,0\n"))
    assert share(survey, occupation="ács") == Share(446.5, 7.5, "ács")
    assert not survey.sized


@pytest.mark.parametrize(
    "text",
    [
        "\ufefffeor08,men,women\r\n2625,270,730\r\n",
        "feor08;men;women\n2625;270;730\n",
        "feor08\tmen\twomen\n2625\t270\t730\n",
        'feor08,men,women\n"2625","270","730"\n\n',
        "feor08;men;women\n2625;270;7\u00a030\n",
    ],
)
def test_spreadsheets_may_write_it_their_way(tmp_path: Path, text: str) -> None:
    assert share(open_reference(write(tmp_path, text)), feor08="2625").women_pct == 73


def test_a_decimal_comma_is_read_where_commas_do_not_separate(tmp_path: Path) -> None:
    assert share(open_reference(write(tmp_path, "feor08;women_pct\n2625;73,5\n")), feor08="2625").women_pct == 73.5


def test_empty_figures_mean_that_none_are_published(tmp_path: Path) -> None:
    found = open_reference(write(tmp_path, "feor08,men,women\n2625,,\n2166,1,3\n"))
    assert found.share({"feor08": "2625"}) == "no share is published for the category"


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("feor08,women_pct\n2625,73\n2166,173\n", ":3: column women_pct", "173 is over 100"),
        ("feor08,women_pct\n2625,-3\n", ":2: column women_pct", "-3 is no number of people"),
        ("feor08,men,women\n2625,-3,5\n", ":2: column men", "-3 is no number of people"),
        ("feor08,men,women\n2625,3,many\n", ":2: column women", "'many' is no number"),
        ("feor08,men,women\n2625,3,nan\n", ":2: column women", "nan is no number of people"),
        ("feor08,men,women\n2625,27.5,72.5\n", ":2: column men", "27.5 is no whole number"),
        ("feor08,men,women\n2625,3,\n", ":2: column women", "is empty"),
        ("feor08,men,women\n9999,3,5\n", ":2: column feor08", "'9999' is no FEOR-08 code"),
        ("feor08,men,women\n110,3,5\n", ":2: column feor08", "dropped a leading 0"),
        ("isco08,men,women\n99999,3,5\n", ":2: column isco08", "is no ISCO-08 code"),
        ("soc,men,women\n29-9999,3,5\n", ":2: column soc", "'29-9999' is no SOC code"),
        ("soc,men,women\n29-1141 29-1151,3,5\n29-1151,1,1\n", ":3: column soc", "stands in line 2 already"),
        ("feor08,men,women\n2625,3,5\n2166,1,2\n2625,3,5\n", ":4: column feor08", "stands in line 2 already"),
        ("occupation,women_pct\nÁcs,3\nács,3\n", ":3: column occupation", "'ács' stands in line 2 already"),
        ("occupation,women_pct\n,3\n", ":2: column occupation", "is empty"),
        ("feor08,men,women\n2625,27,73\n2166,60,40\n", ":2: columns men and women", "these are per cent, not heads"),
        ("feor08,men\n2625,3\n", ":1: no figures", "expected the columns men and women"),
        ("name,men,women\nx,3,5\n", ":1: no column", "expected one of occupation, feor08, isco08, soc"),
        ("feor08,isco08,men,women\n2625,2120,3,5\n", ":1: columns feor08, isco08", "expected one of"),
        ("feor08,men,women,women_pct\n2625,3,5,60\n", ":1: figures of two kinds", "counts, shares"),
        ("feor08,men,men,women\n2625,3,3,5\n", ":1: column men", "stands there twice"),
        ("feor08,men,women\n2625,3\n", ":2: 2 cells", "expected 3"),
        ("feor08,men,women\n", ": no rows", "expected a header and one row"),
        ("", ":1: no column", "expected one of"),
        (b"feor08,name,men,women\n2625,K\xe9pz\xf5m\xfbv\xe9sz,3,5\n", ":2: not UTF-8", "iconv -f latin1 -t utf-8"),
        ("feor08,men,women\n2625,3,5\n".encode("utf-16"), ":1", "expected UTF-8 text"),
    ],
)
def test_bad_input_is_refused_with_file_line_and_column(
    tmp_path: Path, text: str | bytes, place: str, words: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as refused:
        open_reference(path)
    message = str(refused.value)
    assert message.startswith(f"{path}{place}")
    assert words in message
    assert "\n" not in message


def test_an_unknown_reference_names_the_shipped_ones() -> None:
    with pytest.raises(InputError, match=r"unknown reference 'us-acs-2019'\. Did you mean 'us-acs-2018'\?"):
        open_reference("us-acs-2019")
