"""A reference is read whole or refused with file, line and column."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from epicene.errors import InputError
from epicene.labour.read import US, open_reference
from epicene.labour.reference import Reference, Share, femininity_error
from epicene_lab.studies.occupations import femininity


def write(folder: Path, text: str | bytes, name: str = "mine.csv") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def share(reference: Reference, **labels: str) -> Share:
    found = reference.share(
        {"occupation": "", "english": "", "feor08": "", "isco08": "", "soc": "", "sector": "", **labels}
    )
    assert isinstance(found, Share)
    return found


@pytest.mark.parametrize("name", US)
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
    survey = open_reference(write(tmp_path, "occupation,1=masculine,2,3,4,5,6=feminine\nács,170,12,7,3,4,0\n"))
    carpenter = share(survey, occupation="ács")
    assert (carpenter.men, carpenter.women, carpenter.unit) == (446.5, 7.5, "ács")
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
        ("feor08;men;women\n2625;1.200;800\n", ":2: column men", "1.200 may be 1200, or a decimal number; write 1200"),
        ("feor08\tmen\twomen\n2625\t800\t12,345\n", ":2: column women", "12,345 may be 12345"),
        ("feor08,men,women\n2625,3,nan\n", ":2: column women", "nan is no number of people"),
        ("feor08,men,women\n2625,27.5,72.5\n", ":2: columns men and women", "these are per cent, not heads"),
        ("feor08,men,women\n2625,.27,.73\n2166,.6,.4\n", ":2: columns men and women", "these are fractions"),
        ("feor08,women_pct\n2625,0.62\n2166,0.4\n", ":2: column women_pct", "may be fractions"),
        ("feor08,women_share\n2625,0.62\n2166,40\n", ":3: column women_share", "40 is over 1; expected 0 to 1"),
        (
            "occupation,1,2,3,4,5,6\nács,1,2,3,4,5,6\n",
            ":1: columns 1 to 6",
            "which end of these 6 points is masculine?",
        ),
        ("occupation,1,2,3,4,5,6,7\nács,1,2,3,4,5,6,7\n", ":1: columns 1 to 7", "1=masculine and 7=feminine"),
        ("occupation,1=masculine,2,3,4,5,6=feminine,7\nács,1,2,3,4,5,6,7\n", ":1: column 6=feminine", "7 is its end"),
        ("occupation,1=masculine,2,4=feminine\nács,1,2,3\n", ":1: columns 1=masculine, 2, 4=feminine", "a gap"),
        ("occupation,1=male,2,3=male\nács,1,2,3\n", ":1: columns 1=male to 3=male", "which end"),
        ("occupation,1=male,2,3=female\nács,1.5,2,3\n", ":2: column 1=male", "expected a column respondents"),
        ("isco08,men,women\n1,3,5\n2,3,5\n11,3,5\n21,1,1\n", ":2: column isco08", "write 01"),
        ("nace,men,women\nA01,3,5\n", ":2: column nace", "expected a section of NACE"),
        ("feor08,men,women,respondents\n2625,3,5,0\n", ":2: column respondents", "0 is nobody"),
        ("feor08,men,women\n2625,3,\n", ":2: column women", "is empty"),
        ("feor08,men,women\n9999,3,5\n", ":2: column feor08", "'9999' is no FEOR-08 code"),
        ("feor08,men,women\n110,3,5\n2625,3,5\n", ":2: column feor08", "dropped a leading 0"),
        ("isco08,men,women\n99999,3,5\n", ":2: column isco08", "is no ISCO-08 code"),
        ("soc,men,women\n29-9999,3,5\n", ":2: column soc", "'29-9999' is no SOC code"),
        ("soc,men,women\n29-1141 29-1151,3,5\n29-1151,1,1\n", ":3: column soc", "is already in line 2"),
        ("feor08,men,women\n2625,3,5\n2166,1,2\n2625,3,5\n", ":4: column feor08", "is already in line 2"),
        ("occupation,women_pct\nÁcs,3\nács,3\n", ":3: column occupation", "'ács' is already in line 2"),
        ("occupation,women_pct\n,3\n", ":2: column occupation", "is empty"),
        ("feor08,men,women\n2625,27,73\n2166,60,40\n", ":2: columns men and women", "these are per cent, not heads"),
        ("feor08,men\n2625,3\n", ":1: no figures", "expected the columns men and women"),
        ("name,men,women\nx,3,5\n", ":1: no column", "expected one of occupation, feor08, isco08, soc, nace"),
        ("feor08,isco08,men,women\n2625,2120,3,5\n", ":1: columns feor08, isco08", "expected one of"),
        ("feor08,men,women,women_pct\n2625,3,5,60\n", ":1: figures of two kinds", "counts, percent"),
        ("feor08,men,men,women\n2625,3,3,5\n", ":1: column men", "appears twice"),
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


@pytest.mark.parametrize(
    ("header", "answers", "women"),
    [
        ("1=masculine,2,3,4,5,6,7=feminine", "10,5,2,20,3,1,30", 100 * (3 + 2 + 90) / (30 + 10 + 2 + 3 + 2 + 90)),
        ("1=feminine,2,3,4,5,6,7=masculine", "10,5,2,20,3,1,30", 100 * (30 + 10 + 2) / (30 + 10 + 2 + 3 + 2 + 90)),
        ("1 (very masculine),2,3,4,5 (very feminine)", "1,2,3,4,5", 100 * (4 + 10) / (2 + 2 + 4 + 10)),
        ("0=male,1=female", "30,70", 70),
    ],
)
def test_any_scale_is_read_in_the_direction_that_it_states(
    tmp_path: Path, header: str, answers: str, women: float
) -> None:
    found = open_reference(write(tmp_path, f"occupation,{header}\nács,{answers}\n"))
    assert share(found, occupation="ács").women_pct == pytest.approx(women)


def test_weighted_heads_and_answers_and_fractions_are_read(tmp_path: Path) -> None:
    heads = open_reference(write(tmp_path, "isco08,men,women\n2221,120.4,1804.75\n"))
    assert share(heads, isco08="2221").women_pct == pytest.approx(100 * 1804.75 / 1925.15)
    fractions = open_reference(write(tmp_path, "isco08,women_share\n2221,0.94\n7115,0.01\n"))
    assert share(fractions, isco08="2221").women_pct == pytest.approx(94)
    text = "occupation,respondents,1=male,2,3=female\nács,40,30.5,5.5,4.25\n"
    assert share(open_reference(write(tmp_path, text)), occupation="ács").error > 0


def test_isco_of_any_level_is_read_and_the_finest_row_speaks(tmp_path: Path) -> None:
    text = "isco08,men,women\n2,500,500\n22,20,80\n2211,70,30\nOC7,95,5\n"
    found = open_reference(write(tmp_path, text))
    assert [share(found, isco08=code).women_pct for code in ("2211", "2221", "2411", "7115")] == [30, 80, 50, 5]
    assert share(found, isco08="2411").unit == "2"


def test_soc_of_both_editions_and_of_groups_is_read(tmp_path: Path) -> None:
    found = open_reference(
        write(tmp_path, "soc,men,women\n15-1252,800,200\n29-1212,60,40\n29-1213,40,60\n291141,10,90\n29-2041,70,30\n47-0000,97,3\n")
    )  # fmt: skip
    assert share(found, soc="15-1132").women_pct == 20  # software developers, one code of 2018 for two of 2010
    assert share(found, soc="29-1069").women_pct == 50  # cardiologists and dermatologists were other physicians
    assert share(found, soc="29-1141").women_pct == 90
    assert share(found, soc="29-2042").women_pct == 30  # paramedics and technicians were one code in 2010
    assert share(found, soc="47-2031").women_pct == 3


def test_a_sector_of_nace_speaks_for_the_jobs_in_it(tmp_path: Path) -> None:
    found = open_reference(write(tmp_path, "nace,women_pct\nQ,78\nF,8\nB-E,30\n"))
    assert share(found, sector="Healthcare").women_pct == 78
    assert share(found, sector="Building Industry").women_pct == 8
    assert found.share({"sector": "Managers"}) == "no NACE section"


def test_columns_that_are_not_read_are_told(tmp_path: Path) -> None:
    found = open_reference(write(tmp_path, "feor08,year,men,women\n2625,2011,270,730\n"))
    assert found.notes[0] == "columns that are not read: year"


def test_errors_come_from_margins_from_people_asked_and_from_answers(tmp_path: Path) -> None:
    margin = open_reference(write(tmp_path, "soc,women_pct,women_moe\n29-1141,90,3.29\n"))
    assert share(margin, soc="29-1141").error == pytest.approx(2.0, abs=1e-3)
    asked = open_reference(write(tmp_path, "soc,women_pct,respondents\n29-1141,50,100\n"))
    assert share(asked, soc="29-1141").error == pytest.approx(5.0, abs=0.01)
    heads = open_reference(write(tmp_path, "soc,men,women,men_se,women_se\n29-1141,100,300,10,20\n"))
    assert share(heads, soc="29-1141").error == pytest.approx(100 * math.hypot(0.75 * 10, 0.25 * 20) / 400)


def test_the_error_of_a_survey_is_that_of_repeated_surveys() -> None:
    rng = np.random.default_rng(1)
    shares = np.array([0.4, 0.2, 0.15, 0.1, 0.1, 0.05])
    drawn = [femininity(list(map(float, rng.multinomial(200, shares)))) for _ in range(4000)]
    assert femininity_error([float(200 * each) for each in shares], 200) == pytest.approx(np.std(drawn), rel=0.05)


EUROSTAT = """DATAFLOW,LAST UPDATE,freq,isco08,sex,age,unit,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG
x,y,A,OC22,F,Y15-64,THS_PER,HU,2019,40.5,
x,y,A,OC22,M,Y15-64,THS_PER,HU,2019,24.5,
x,y,A,OC22,T,Y15-64,THS_PER,HU,2019,65,
x,y,A,OC22,F,Y15-64,THS_PER,FI,2019,30,
x,y,A,OC22,M,Y15-64,THS_PER,FI,2019,10,
x,y,A,TOTAL,F,Y15-64,THS_PER,HU,2019,2000,
x,y,A,OC03,F,Y15-64,THS_PER,HU,2019,:,u
x,y,A,OC03,M,Y15-64,THS_PER,HU,2019,3,u
"""
ILOSTAT = """ref_area,source,indicator,sex,classif1,time,obs_value,obs_status
TUR,BA:442,EMP_TEMP_SEX_OCU_NB,SEX_F,OCU_ISCO08_2,2019,1500,
TUR,BA:442,EMP_TEMP_SEX_OCU_NB,SEX_M,OCU_ISCO08_2,2019,1700,
TUR,BA:442,EMP_TEMP_SEX_OCU_NB,SEX_T,OCU_ISCO08_2,2019,3200,
TUR,BA:442,EMP_TEMP_SEX_OCU_NB,SEX_F,OCU_SKILL_L4,2019,1800,
"""


def test_downloads_of_eurostat_and_ilostat_are_read_as_they_come(tmp_path: Path) -> None:
    path = write(tmp_path, EUROSTAT, "lfsa_egai2d.csv")
    found = open_reference(f"{path}?geo=HU")
    assert (found.name, found.key, found.sized) == ("lfsa_egai2d-HU", "isco08", True)
    assert share(found, isco08="2211").women_pct == pytest.approx(100 * 40.5 / 65)
    assert found.share({"isco08": "0310"}) == "no share is published for the category"
    assert found.notes[0] == "lines that are no occupation: TOTAL"
    turkey = open_reference(write(tmp_path, ILOSTAT, "ilostat.csv"))
    assert share(turkey, isco08="2211").women_pct == pytest.approx(100 * 1500 / 3200)
    labels = "ref_area.label,sex.label,classif1.label,time,obs_value\n" + "".join(
        f"Hungary,Sex: {sex},Occupation (ISCO-08): {code},2019,{heads}\n"
        for sex, code, heads in (
            ("Male", "5. Service and sales workers", 40),
            ("Female", "5. Service and sales workers", 60),
        )
    )
    hungary = open_reference(write(tmp_path, labels, "labels.csv"))
    assert share(hungary, isco08="5223").women_pct == 60
    assert turkey.identity != open_reference(f"{tmp_path / 'ilostat.csv'}?ref_area=TUR").identity


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "column geo has 2 values (HU, FI); choose one: lfsa_egai2d.csv?geo=FI"),
        ("?geo=TR", "no figure for men and women with geo=TR"),
        ("?country=HU", "no column country to choose from; it has: freq, age, unit, geo, TIME_PERIOD"),
    ],
)
def test_a_download_of_several_countries_must_be_chosen_from(tmp_path: Path, query: str, words: str) -> None:
    path = write(tmp_path, EUROSTAT, "lfsa_egai2d.csv")
    with pytest.raises(InputError) as refused:
        open_reference(path + query)
    assert words in str(refused.value)


def test_a_plain_file_has_nothing_to_choose_from(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="chooses from a download"):
        open_reference(write(tmp_path, "feor08,men,women\n2625,270,730\n") + "?geo=HU")


def test_finland_is_shipped_as_its_office_printed_it() -> None:
    found = open_reference("fi-2009")
    assert share(found, isco08="7115").women_pct == pytest.approx(100 * 19595 / 232327)
    assert sum((row.men or 0) + (row.women or 0) for row in found.rows) == 2289975 - 58096  # all, less unknown
    assert share(open_reference("fi-lfs-2013"), isco08="3221").women_pct == pytest.approx(100 * 93 / 107)
    assert open_reference("fi-lfs-2013").share({"isco08": "7115"}) == "no row for the ISCO-08 code"
