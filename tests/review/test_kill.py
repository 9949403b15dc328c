"""A decision is on disk before it is acknowledged: killing the server at any moment loses none."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import httpx

KILLS = 20
# Loads the program once and starts a server of its own for each line that it is sent.
NURSERY = """
import os, sys
from pathlib import Path
import jinja2, starlette.applications, starlette.responses, uvicorn, uvicorn.protocols.http.h11_impl
from epicene.review.server import serve
for _ in sys.stdin:
    if os.fork() == 0:
        serve(Path(sys.argv[1]), 200, "anna", 0, lambda address: print(os.getpid(), address, flush=True), lambda: None)
        os._exit(0)
    os.wait()
"""


def test_twenty_kills_at_random_moments_lose_no_acknowledged_decision(run: Path) -> None:
    nursery = subprocess.Popen(
        [sys.executable, "-c", NURSERY, run], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert nursery.stdin
    assert nursery.stdout
    chance = random.Random(11)
    acknowledged: dict[tuple[str, str], str] = {}
    sent = 0
    for _ in range(KILLS):
        nursery.stdin.write("\n")
        nursery.stdin.flush()
        number, address = nursery.stdout.readline().split()
        parts = urlsplit(address)
        origin = f"{parts.scheme}://{parts.netloc}"
        # Where the kill falls in a request is up to chance, however slow the machine: it follows a random answer.
        kill_after, delay = chance.randint(1, 6), chance.uniform(0, 0.02)
        with httpx.Client(base_url=f"{origin}{parts.path}", headers={"Origin": origin}, trust_env=False) as client:
            people = {name: client.get("state", params={"as": name}).json() for name in ("anna", "ben")}
            answers = 0
            try:
                while True:
                    name = chance.choice(list(people))
                    item, gender = people[name]["item"], chance.choice(["feminine", "masculine", "neutral", "unknown"])
                    body = {"as": name, "number": item["number"], "gender": gender}
                    sent += 1
                    people[name] = client.post("decide", json=body).raise_for_status().json()
                    acknowledged[name, item["about"].split()[1]] = gender
                    answers += 1
                    if answers == kill_after:
                        threading.Timer(delay, os.kill, (int(number), signal.SIGKILL)).start()
            except httpx.TransportError:
                pass  # killed
    nursery.stdin.close()
    assert nursery.wait(timeout=60) == 0
    rows = sqlite3.connect(run / "review.sqlite").execute("SELECT reviewer, id, gender FROM decisions").fetchall()
    kept = {(reviewer, sentence): gender for reviewer, sentence, gender in rows}
    assert len(acknowledged) >= KILLS
    assert {each: kept.get(each) for each in acknowledged} == acknowledged
    assert max(Counter((reviewer, sentence) for reviewer, sentence, _ in rows).values()) == 1
    assert len(acknowledged) <= len(rows) <= sent
