"""The review answers to its own page only, and shows what comes from outside as text."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest

import epicene
from tests.output.conftest import table
from tests.review.conftest import Reviewing, write_run

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>"
OVERRIDE = "\u202eevil\u202c"


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reviewing]:
    """A review of three sentences, one of which is out to do harm."""
    folder = tmp_path_factory.mktemp("server")
    rows = [(str(n), f"The nurse {n} came home.", "nurse", "feminine", EVIL, "nurse") for n in range(3)]
    own = f"custom:{table(folder / 'set.tsv', rows)}"
    texts = [f"Die Krankenschwester {EVIL}", f"Der Krankenpfleger {OVERRIDE}", "x" * 10_000]
    found = Reviewing(
        write_run(folder / f"run {EVIL.replace('/', '')}", [epicene.score(own, "en-de", texts, anyway=True)])
    )
    yield found
    found.kill()


@pytest.fixture
def client(review: Reviewing) -> Iterator[httpx.Client]:
    with review.client() as found:
        yield found


def test_it_listens_on_this_machine_only(review: Reviewing) -> None:
    assert review.address.startswith("http://127.0.0.1:")
    port = int(review.origin.rpartition(":")[2])
    socket.create_connection(("127.0.0.1", port)).close()
    # Bound to every address, it would answer here as well.
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.2", port), timeout=5)


def test_the_address_cannot_be_guessed(review: Reviewing, client: httpx.Client) -> None:
    token = review.base.split("/")[3]
    assert len(token) >= 32
    for wrong in ("", "x", token[:-1], token + "x", token.swapcase(), "%00", "é"):
        for path in ("/", "/state?as=anna"):
            answer = client.get(f"{review.origin}/{wrong}{path}")
            assert answer.status_code == 404, wrong
            assert "anna" not in answer.text
    answer = client.post(f"{review.origin}/{'x' * len(token)}/decide", json={"as": "anna", "number": 0})
    assert answer.status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_host_is_refused(review: Reviewing, client: httpx.Client, host: str) -> None:
    answer = client.get("state", params={"as": "anna"}, headers={"Host": host})
    assert answer.status_code in (400, 403)  # uvicorn itself refuses an empty one
    assert "Krankenpfleger" not in answer.text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://localhost:1"])
@pytest.mark.parametrize("path", ["decide", "undo", "finish", "state?as=anna"])
def test_another_origin_is_refused(review: Reviewing, client: httpx.Client, origin: str, path: str) -> None:
    body = {"as": "mallory", "number": 0, "gender": "feminine"}
    send = client.get if path.startswith("state") else lambda where, **rest: client.post(where, json=body, **rest)
    assert send(path, headers={"Origin": origin}).status_code == 403
    people = client.get("state", params={"as": "anna"}).json()["people"]
    assert "mallory" not in str(people)


def test_a_change_without_an_origin_is_refused(review: Reviewing) -> None:
    answer = httpx.post(f"{review.base}decide", json={"as": "anna", "number": 0, "gender": "feminine"}, trust_env=False)
    assert answer.status_code == 403


def test_the_name_localhost_serves_as_well(review: Reviewing) -> None:
    origin = review.origin.replace("127.0.0.1", "localhost")
    headers = {"Host": origin.removeprefix("http://"), "Origin": origin}
    assert httpx.post(f"{review.base}undo", json={"as": "anna"}, headers=headers, trust_env=False).status_code == 200


@pytest.mark.parametrize("path", ["", "state?as=anna", "nowhere"])
def test_every_answer_has_its_policy_and_no_cookie(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "set-cookie" not in headers
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"


def test_the_page_holds_nothing_from_outside_but_as_text(client: httpx.Client) -> None:
    page = client.get("").text
    assert "<script>alert" not in page
    assert "run &lt;script&gt;alert(1)" in page
    assert page.count("<script") == 1


def test_sentences_come_as_data_without_overrides_and_their_length_is_bounded(client: httpx.Client) -> None:
    texts = {}
    state = client.get("state", params={"as": "reader"}).json()
    while state["item"]:
        item = state["item"]
        texts[item["about"].split()[1]] = ("".join(text for text, _ in item["text"]), item["cut"])
        state = client.post("decide", json={"as": "reader", "number": item["number"], "gender": "unknown"}).json()
    assert texts["0"] == (f"Die Krankenschwester {EVIL}", 0)
    assert texts["1"] == ("Der Krankenpfleger evil", 0)
    assert texts["2"] == ("x" * 2000, 8000)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (b"", "no JSON object"),
        (b"[1]", "no JSON object"),
        (b"[" * 60_000, "no JSON object"),
        (b"\xff", "no JSON object"),
        (b'{"as": "' + b"x" * 70_000 + b'"}', "more than 65536 bytes"),
        (b'{"number": 0}', "1 to 80 characters; got 0"),
        (b'{"as": 7, "number": 0}', "as 7; expected a text"),
        (b'{"as": "anna"}', "sentence None; expected its number"),
        (b'{"as": "anna", "number": true}', "sentence True; expected its number"),
        (b'{"as": "anna", "number": -1, "gender": null}', "no sentence -1; this review has 3"),
        (b'{"as": "anna", "number": 3, "gender": null}', "no sentence 3; this review has 3"),
        (b'{"as": "anna", "number": 0, "gender": "f"}', "gender 'f'; expected feminine"),
        (b'{"as": "anna", "number": 0, "gender": ["feminine"]}', "gender ['feminine']; expected"),
        (b'{"as": "anna", "number": 0, "gender": null, "comment": {}}', "comment {}; expected a text"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(client: httpx.Client, body: bytes, complaint: str) -> None:
    answer = client.post("decide", content=body)
    assert answer.status_code == 400
    assert complaint in answer.json()["error"]
    assert client.get("state", params={"as": "anna"}).json()["decided"] == 0


def test_half_a_character_in_a_name_or_comment_is_kept_as_a_question_mark(client: httpx.Client) -> None:
    body = b'{"as": "b\\ud800b", "number": 0, "gender": "feminine", "comment": "\\udfff"}'
    answer = client.post("decide", content=body).json()
    assert answer["reviewer"] == "b?b"
    assert answer["decided"] == 1
    assert client.post("undo", json={"as": "b?b"}).json()["comment"] == "?"
