"""Services from the command line: what they cost, what they may cost, when they were asked, and no key anywhere."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from epicene import audit, open_run, translate
from epicene.errors import InputError
from epicene.output.results import describe as heading
from tests.conftest import Command, Start
from tests.servers.deepl import DeepLServer
from tests.servers.loopback import FAULTS, translation

PRO = "279a2e9d-83b3-c416-7e2d-f721593e42a0"
FAST = "deepl?rate=1000"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    found = tmp_path / "text.en"
    found.write_text("".join(f"Sentence {number}.\n" for number in range(100)), encoding="utf-8")
    return found


def test_check_tells_key_quota_and_pair_and_spends_nothing(deepl: Start, epicene: Command) -> None:
    server = deepl()
    done = epicene("systems", "check", "deepl", "-l", "en-pt")
    assert done.returncode == 0, done.stderr
    assert "key: accepted (free plan)" in done.stdout
    assert "pair: en-pt, as PT-BR" in done.stdout
    assert server.billed == 0
    other = epicene("systems", "check", "deepl", "-l", "en-ja")
    assert other.returncode == 2
    assert "does not translate into ja; it does into: de, en-gb" in other.stderr
    wrong = epicene("systems", "check", "deepl", DEEPL_AUTH_KEY="wrong")
    assert wrong.returncode == 4
    assert "does not accept the key in DEEPL_AUTH_KEY" in wrong.stderr
    assert "get one at https://" in wrong.stderr
    server.quota = 0
    used = epicene("systems", "check", "deepl")
    assert used.returncode == 4
    assert "nothing is left of this month's quota" in used.stderr


def test_without_a_key_the_variable_and_the_page_are_named(epicene: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("deepl")
    monkeypatch.delenv("DEEPL_AUTH_KEY", raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    done = epicene("translate", "-t", "simplegen", "-l", "en-de", "-s", "deepl")
    assert done.returncode == 4
    assert "set DEEPL_AUTH_KEY" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_estimate_counts_what_is_missing_and_warns_of_old_prices(
    deepl: Start, epicene: Command, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DeepLServer, "key", PRO)
    server = deepl()
    command = ("translate", "-i", text, "-l", "en-de", "-s", FAST)
    characters = sum(map(len, text.read_text(encoding="utf-8").splitlines()))
    before = epicene(*command, "--estimate")
    assert before.returncode == 0, before.stderr
    assert f"100 sentences not cached, {characters:,} characters, 2 requests, 0.02 EUR (price of 2025-" in " ".join(
        before.stdout.split()
    )
    assert "warning: the price of deepl is of 2025-06-30, more than a year old" in before.stderr
    assert not server.requests
    assert epicene(*command).returncode == 0
    assert "0 sentences not cached, 0 characters, 0 requests, 0.00 EUR" in " ".join(
        epicene(*command, "--estimate").stdout.split()
    )


def test_an_audit_estimate_says_what_interval_a_sample_gives(deepl: Start, epicene: Command) -> None:
    server = deepl()
    done = epicene("audit", "-s", "deepl", "-s", "echo", "-l", "en-de", "--estimate", "--sample", "500")
    assert done.returncode == 0, done.stderr
    assert f"deepl?at={server.url} simplegen en-de: 500 sentences not cached" in " ".join(done.stdout.split())
    assert "500,000 per month are free" in " ".join(done.stdout.split())
    assert "no service is used" in " ".join(done.stdout.split())
    assert "a sample of 500 of 2,664 sentences (seed 1)" in " ".join(done.stdout.split())
    assert "± 4.4 points" in " ".join(done.stdout.split())
    assert not server.requests


@pytest.mark.usefixtures("titles")
@pytest.mark.parametrize(
    ("system", "langs", "says"),
    [
        ("deepl?variant=pt-pt", ("en-de", "en-pt"), "variant pt-pt is no variant of de"),
        (
            "amazon",
            ("hu-en", "eu-en"),
            "amazon does not translate eu-en: it has no Basque (eu). It has: am, ar, az, bg, bn",
        ),
    ],
)
def test_a_pair_that_is_not_translated_is_refused_before_another_is_paid_for(
    system: str, langs: tuple[str, str], says: str, deepl: Start, epicene: Command
) -> None:
    server = deepl()
    name = "simplegen" if langs[0].startswith("en") else "occupations"
    for what in (("--estimate",), ("--sample", "5")):
        done = epicene("audit", "-t", name, "-s", FAST, "-s", system, "-l", langs[0], "-l", langs[1], *what)
        assert done.returncode == 2
        assert says in done.stderr
    assert not server.requests


def test_a_budget_stops_the_run_and_the_next_one_goes_on(
    deepl: Start, epicene: Command, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DeepLServer, "key", PRO)
    server = deepl()
    command = ("translate", "-i", text, "-l", "en-de", "-s", FAST, "-o", tmp_path / "text.de")
    stopped = epicene(*command, "--budget", "0.01")
    assert stopped.returncode == 3
    assert "the budget of 0.01 EUR would be exceeded" in stopped.stderr
    assert "raise --budget, or audit a --sample" in stopped.stderr
    assert not (tmp_path / "text.de").exists()
    assert 0 < server.billed * 20 / 1_000_000 <= 0.01
    small = epicene(*command, "--budget", "0.0001")
    assert small.returncode == 2
    assert "does not pay for one sentence" in small.stderr
    assert epicene(*command, "--budget", "1").returncode == 0
    assert server.billed == sum(map(len, text.read_text(encoding="utf-8").splitlines()))
    assert epicene(*command, "--budget", "0").returncode == 2


def test_a_sampled_number_says_so_and_is_not_compared_with_a_whole_one(
    deepl: Start, epicene: Command, tmp_path: Path
) -> None:
    deepl()
    (result,) = audit(
        ["simplegen"], ["en-de"], [FAST], folder=tmp_path / "part", sample=40, seed=3, anyway=True
    ).results
    assert result.n == 40
    assert "|sample:40@3|" in result.signature
    assert result.sample.startswith("a sample of 40 of 2,664 sentences (seed 3)")
    assert open_run(tmp_path / "part", anyway=True).results[0].sample == result.sample
    assert "a sample of 40" in (tmp_path / "part" / "report.html").read_text(encoding="utf-8")
    lines = translate("simplegen", "en-de", "echo")
    (tmp_path / "whole.de").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = epicene("compare", tmp_path / "part", tmp_path / "whole.de", "-t", "simplegen", "-l", "en-de", "--anyway")
    assert done.returncode == 2
    assert "nothing to compare" in done.stderr
    (of_file,) = audit(
        ["simplegen"], ["en-de"], [f"file:{tmp_path / 'whole.de'}"], sample=40, seed=3, anyway=True
    ).results
    assert of_file.signature == result.signature
    assert of_file.n == 40
    (all_of_it,) = audit(["simplegen"], ["en-de"], ["echo"], sample=9999, anyway=True).results
    assert "sample" not in all_of_it.signature + all_of_it.sample


def test_a_service_is_compared_with_itself_at_a_later_date(
    deepl: Start, epicene: Command, tmp_path: Path, own_home: Path
) -> None:
    server = deepl()
    task = (["simplegen"], ["en-de"], ["deepl?rate=1000&model_type=quality_optimized"])
    audit(*task, anyway=True, sample=60)
    with sqlite3.connect(own_home / "translations.sqlite") as database:
        database.execute("UPDATE translations SET at = '2020-04-0' || (1 + length(source) % 3) || 'T08:00:00+00:00'")
    audit(*task, anyway=True, sample=60, folder=tmp_path / "april")
    assert max(server.asked.values()) == 1
    audit(*task, anyway=True, sample=60, since="2020-05-01")
    assert set(server.asked.values()) == {2}
    with sqlite3.connect(own_home / "translations.sqlite") as database:
        database.execute("UPDATE translations SET at = '2020-06-01T08:00:00+00:00' WHERE at >= '2020-05-01'")
    later = audit(*task, anyway=True, sample=60, folder=tmp_path / "later", since="2020-05-01")
    assert set(server.asked.values()) == {2}
    assert "\ntranslated 2020-06-01, model quality_optimized\n" in heading(later.results[0])
    record = json.loads((tmp_path / "april" / "run.json").read_text())
    assert record["translated"] == ["2020-04-01 … 2020-04-03, model quality_optimized"]
    assert "translated 2020-04-01 … 2020-04-03, model quality_optimized." in (
        tmp_path / "april" / "report.html"
    ).read_text(encoding="utf-8")
    compared = epicene("compare", tmp_path / "april", tmp_path / "later", "--anyway")
    assert compared.returncode == 0, compared.stderr
    asked = f"deepl?model_type=quality_optimized&at={server.url}"
    words = " ".join(compared.stdout.split())
    assert f"april: {asked} (2020-04-01 … 2020-04-03, model" in words
    assert f"later: {asked} (2020-06-01, model" in words
    with pytest.raises(InputError, match="expected a day such as 2026-04-01, or today"):
        audit(*task, since="April")


def test_no_key_reaches_any_file_log_report_error_or_cache(
    deepl: Start, epicene: Command, text: Path, tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DeepLServer, "repeats_key", True)
    server = deepl(*FAULTS, rate=0.3, times=2 * len(FAULTS), hang=1.2, retry_after=0.1)
    command = ("translate", "-i", text, "-l", "en-de", "-s", FAST)
    said = [
        epicene("systems", "check", "deepl"),
        epicene(*command, "-o", tmp_path / "text.de"),
        epicene("audit", "-s", FAST, "-l", "en-de", "--sample", "100", "--anyway", "-o", tmp_path / "run"),
        epicene("translate", "-i", text, "-l", "en-ja", "-s", FAST),
        epicene(*command[:-1], f"deepl?key={server.key}"),
    ]
    assert [done.returncode for done in said] == [0, 0, 0, 2, 2], [done.stderr for done in said]
    text.write_text("This one is REFUSED.\n", encoding="utf-8")
    server.mend()
    said.append(epicene(*command))
    for end in ("expired", "quota", "500"):
        text.write_text(f"And {end}.\n", encoding="utf-8")
        server.mend()
        server.faults, server.rate = [end], 1
        said.append(epicene(*command, EPICENE_SERVICE_PATIENCE="0"))
    server.expired = True
    said.append(epicene("systems", "check", "deepl"))
    assert {done.returncode for done in said[5:]} == {4}
    assert "[key]" in said[-1].stderr
    files = [path for folder in (own_home, tmp_path) for path in folder.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"translations.sqlite", "run.json", "report.html", "text.de"}
    shown = [done.stdout + done.stderr for done in said] + [path.read_bytes().decode("latin-1") for path in files]
    for secret in (server.key, server.key.removesuffix(":fx"), server.key.replace(":", "%3A")):
        assert not any(secret in each for each in shown)
    assert (tmp_path / "text.de").read_text(encoding="utf-8").startswith(translation("Sentence 0.", "de"))
