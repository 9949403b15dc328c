"""Every kind of file that epicene reads: a small good one of each, the ways in which it goes bad, its commands."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import random
import struct
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_NOISE = (
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b"\t",
    b"\n\n",
    b'"',
    b"\xe2\x80\xa8",
    b"{",
    b"]",
    b",",
)
_CELLS = ("", "NaN", "inf", "-1", "1e999", "9" * 400, "\u202e", "=1+1", "x" * 5000, "null", "’", "0", "é", '"')
_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 10**30, 2**53, 1.5, 1e308, "", "NaN", "x" * 999, [], {}, [[]], {"a": 1}, [None], "\ud800",
)  # fmt: skip


def _cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _flipped(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 3, 20)) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _inserted(content: bytes, chance: random.Random) -> bytes:
    place = chance.choice((0, len(content), chance.randrange(len(content) + 1)))
    return content[:place] + chance.choice(_NOISE) + content[place:]


def _lines(content: bytes, chance: random.Random) -> bytes:
    """Lines lost, doubled, shuffled or ended otherwise."""
    lines = content.split(b"\n")
    place = chance.randrange(len(lines))
    how = chance.randrange(5)
    if how == 0:
        del lines[place]
    elif how == 1:
        lines.insert(place, lines[place])
    elif how == 2:
        chance.shuffle(lines)
    return (b"\n", b"\r\n", b"\r")[max(0, how - 2)].join(lines)


def _cells(content: bytes, chance: random.Random) -> bytes:
    """A cell, word or number replaced."""
    for blank in chance.sample((b"\t", b",", b" ", b"="), 4):
        parts = content.split(blank)
        if len(parts) > 1:
            parts[chance.randrange(len(parts))] = chance.choice(_CELLS).encode()
            return blank.join(parts)
    return content


def _json(content: bytes, chance: random.Random) -> bytes:
    """A value of another type, or a key that is gone, in JSON or in one of its lines."""
    lines = [content] if content.startswith(b"[") or b"\n " in content else content.split(b"\n")
    place = chance.randrange(len(lines))
    try:
        record = json.loads(lines[place])
    except ValueError:
        return _flipped(content, chance)
    lines[place] = json.dumps(_changed(record, chance)).encode()
    return b"\n".join(lines)


def _changed(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        if chance.random() < 0.15:
            return {each: value[each] for each in value if each != key}
        return {**value, key: _changed(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        return [*value[:place], _changed(value[place], chance), *value[place + 1 :]]
    return chance.choice(_VALUES)


_WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (_cut, _flipped, _inserted, _lines, _cells)


def damaged(content: bytes, name: str, chance: random.Random) -> bytes:
    """The content of a file, damaged in one or more of the ways that fit its name."""
    ways = (*_WAYS, _json, _json, _json) if name.endswith((".json", ".jsonl")) else _WAYS
    if name.endswith(".gz") and chance.random() < 0.5:
        return gzip.compress(chance.choice(ways)(gzip.decompress(content), chance))
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        content = chance.choice(ways)(content, chance)
    return content


ROWS = [
    ("nurse", "feminine", "Die Krankenschwester ist müde und geht nach Hause."),
    ("baker", "masculine", "Der Bäcker hat heute wieder zu viel Brot gebacken."),
    ("teacher", "feminine", "Die Lehrerin schrieb das Wort an die Tafel."),
    ("carpenter", "", "Der Tischler baute uns einen großen Tisch."),
]
VECTORS = {"physics": 1, "chemistry": 2, "poetry": 3, "dance": 4, "he": 5, "him": 6, "she": 7, "her": 8, "nurse": 9}
TEST = 'name = "t"\nlanguage = "en"\n' + "".join(
    f'[{letter}]\nname = "{letter}"\nwords = {json.dumps(words.split())}\n'
    for letter, words in {"x": "physics chemistry", "y": "poetry dance", "a": "he him", "b": "she her"}.items()
)
WINOMT = "".join(
    f"{gender}\t1\tThe {word} argued with the designer because {pronoun} was late.\t{word}\n"
    for gender, word, pronoun in (("female", "nurse", "she"), ("male", "baker", "he"), ("neutral", "teacher", "they"))
)


@dataclass(frozen=True, slots=True)
class Kind:
    """Files of one kind: what is written, which of them may be damaged, and what then reads them."""

    name: str
    files: Callable[[Path], dict[str, bytes]]
    commands: tuple[tuple[str, ...], ...]  # {} is the folder; one of them is run
    after: Callable[[Path, random.Random], None] = lambda folder, chance: None  # noqa: ARG005


def _fixed(**files: bytes | str) -> Callable[[Path], dict[str, bytes]]:
    found = {name.replace("__", "."): each.encode() if isinstance(each, str) else each for name, each in files.items()}
    return lambda _: found


def _table() -> str:
    rows = (f"{n}\tThe {word} is here.\t{word}\t{gender}\n" for n, (word, gender, _) in enumerate(ROWS))
    return "id\tsource\tfocus\texpected\n" + "".join(rows)


def _hypotheses() -> str:
    return "".join(f"{text}\n" for *_, text in ROWS)


def _text_vectors() -> str:
    return "".join(f"{word} {n} {n % 3} {-n}\n" for word, n in VECTORS.items())


def _arrays(folder: Path) -> dict[str, bytes]:
    """Vectors in arrays and archives, as numpy, pickle and zip write them."""
    import numpy as np

    words, rows = np.array(list(VECTORS)), np.array([[n, n % 3, -n] for n in VECTORS.values()], dtype=np.float32)
    files = {"test.toml": TEST.encode()}
    np.savez(folder / "v.npz", words=words, vectors=rows)
    np.savez_compressed(folder / "p.npz", words=words, vectors=rows)
    with zipfile.ZipFile(folder / "v.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("v.txt", _text_vectors())
    files |= {name: (folder / name).read_bytes() for name in ("v.npz", "p.npz", "v.zip")}
    return files | {"v.xz": lzma.compress(_text_vectors().encode())}


def _binary_vectors() -> bytes:
    rows = (word.encode() + b" " + struct.pack("<3f", n, n % 3, -n) + b"\n" for word, n in VECTORS.items())
    return f"{len(VECTORS)} 3\n".encode() + b"".join(rows)


def _run(folder: Path) -> dict[str, bytes]:
    """A run folder, as an audit writes it."""
    import epicene

    kept = folder / "made"
    (folder / "set.tsv").write_text(_table(), encoding="utf-8")
    (folder / "hyp.de").write_text(_hypotheses(), encoding="utf-8")
    epicene.audit([f"custom:{folder / 'set.tsv'}"], ["en-de"], [f"file:{folder / 'hyp.de'}"], folder=kept, cached=False)
    return {path.name: path.read_bytes() for path in kept.iterdir() if path.name != "report.html"}


def _resealed(folder: Path, chance: random.Random) -> None:
    """New checksums for half of the damaged folders, so that what reads their content is tried as well."""
    record = folder / "run.json"
    try:
        content = json.loads(record.read_bytes())
        sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in content["sha256"]}
    except (ValueError, KeyError, TypeError, OSError):
        return
    if chance.random() < 0.5:
        record.write_text(json.dumps({**content, "sha256": sums}), encoding="utf-8")


def _recordings(folder: Path) -> dict[str, bytes]:
    import numpy as np

    from epicene.speech import audio, manifest

    made = folder / "made"
    made.mkdir(exist_ok=True)
    clips = []
    for number, (word, *_) in enumerate(ROWS):
        path = made / f"{number}.wav"
        tone = 0.2 * np.sin(2 * np.pi * 200 * np.arange(audio.RATE // 4) / audio.RATE)
        path.write_bytes(audio.encode(tone.astype(np.float32)))
        said = f"The {word} is here."
        clips.append(manifest.Clip(str(number), path, said, "slt", "female", 0.25, manifest.checksum(path) or ""))
    manifest.write(made, clips)
    return {path.name: path.read_bytes() for path in made.iterdir()} | {"set.tsv": _table().encode()}


def _cache(folder: Path) -> dict[str, bytes]:
    from epicene.store.cache import Cache
    from epicene.types import Pair

    cache = Cache(folder / "made.sqlite")
    cache.add("scripted", Pair("en", "de"), [(f"The {word} is here.", text) for word, _, text in ROWS])
    cache.close()
    return {"translations.sqlite": (folder / "made.sqlite").read_bytes()}


_REVIEW = "set\tlangs\tsystem\tid\treviewer\tgender\tat\tcomment\toutput\n" + "".join(
    f"custom\ten-de\tfile:hyp.de\t{n}\tanna\tfeminine\t2026-01-31T12:00:00+00:00\t\t{text}\n"
    for n, (*_, text) in enumerate(ROWS)
)
_SCORE = ("score", "-t", "custom:{}/set.tsv", "-l", "en-de")
_PRICES = (
    "service\tunit\tinput\toutput\tcurrency\tfree\tdate\tsource\ndeepl\tcharacters\t20\t0\tEUR\t0\t2026-01-01\tx\n"
)
_REFERENCE = "isco08,men,women\n2211,100,120\n2221,50,900\n2310,80,70\n"
_WORDS = "nurse\nphysics\n"
_SEEDS = "list\tside\twords\np\tfeminine\tshe, her\np\tmasculine\the, him\n"
_RECIPE = 'title = "t"\npairs = ["en-de"]\nlayers = [[2, 2]]\ndecoders = ["attention"]\n[model]\ndim = 8\nheads = 2\n'
_SCRIPT = "".join(f"The {word} is here.\t{text}\n" for word, _, text in ROWS)
_TEXT = "".join(f"The {word} is here.\n" for word, *_ in ROWS)
_PRO, _ANTI, _ = WINOMT.splitlines(keepends=True)
_GZIP = gzip.compress(_text_vectors().encode())
_GATE = ("gate", "-t", "custom:{}/set.tsv", "-l", "en-de", "--max-drop", "2", "--anyway")
_AUDIT = ("audit", "-t", "custom:{}/set.tsv", "-l", "en-de", "-o", "{}/run", "--anyway", "--no-cache")
_TRANSLATE = ("translate", "-l", "en-de", "-o", "{}/out.de", "--no-cache")
KINDS = (
    Kind(
        "translations",
        _fixed(set__tsv=_table(), hyp__de=_hypotheses()),
        (
            (*_SCORE, "-i", "{}/hyp.de", "--verdicts", "{}/v.jsonl"),
            (*_GATE, "--baseline", "{}/hyp.de", "--candidate", "{}/hyp.de"),
        ),
    ),
    Kind(
        "gzip",
        _fixed(set__tsv=_table(), hyp__gz=gzip.compress(_hypotheses().encode())),
        ((*_SCORE, "-i", "{}/hyp.gz", "--anyway"),),
    ),
    Kind(
        "run",
        _run,
        (
            ("report", "{}", "-o", "{}/page.html", "--anyway"),
            ("report", "{}", "-o", "{}/page.html"),
            ("compare", "{}", "{}", "--anyway", "-f", "json"),
            ("review", "{}", "--apply"),
        ),
        _resealed,
    ),
    Kind(
        "review",
        lambda folder: {**_run(folder), "review.tsv": _REVIEW.encode()},
        (("review", "{}", "--import", "{}/review.tsv"),),
    ),
    Kind("references", _fixed(reference__csv=_REFERENCE), (("reference", "{}/reference.csv"),)),
    Kind("prices", _fixed(prices__tsv=_PRICES), (("price", "{}/prices.tsv"),)),
    Kind(
        "vectors",
        _fixed(
            v__txt=_text_vectors(),
            v__bin=_binary_vectors(),
            v__gz=_GZIP,
            test__toml=TEST,
            words__txt=_WORDS,
            seeds__tsv=_SEEDS,
        ),
        (
            ("weat", "-e", "{}/v.txt", "-x", "{}/test.toml"),
            ("weat", "-e", "{}/v.bin", "-x", "{}/test.toml"),
            ("weat", "-e", "{}/v.gz", "-x", "{}/test.toml", "-f", "json"),
            ("genderscore", "-e", "{}/v.txt", "{}/words.txt", "--seeds", "{}/seeds.tsv", "--resamples", "20"),
        ),
    ),
    Kind(
        "arrays",
        _arrays,
        tuple(("weat", "-e", f"{{}}/{name}", "-x", "{}/test.toml") for name in ("v.npz", "p.npz", "v.zip", "v.xz")),
    ),
    Kind(
        "published",
        _fixed(en__txt=WINOMT, en_pro__txt=_PRO, en_anti__txt=_ANTI),
        (("data", "add", "winomt", "{}"), ("sets", "export", "winomt")),
    ),
    Kind("recordings", _recordings, (("spoken", "{}"), ("sets", "export", "spoken:custom:{}/set.tsv@{}"))),
    Kind("recipes", _fixed(recipe__toml=_RECIPE), (("recipe", "{}/recipe.toml"),)),
    Kind(
        "systems",
        _fixed(set__tsv=_table(), hyp__de=_hypotheses(), script__tsv=_SCRIPT, text__en=_TEXT),
        (
            (*_TRANSLATE, "-i", "{}/text.en", "-s", "scripted:{}/script.tsv"),
            (*_AUDIT, "-s", "file:{}/hyp.de"),
        ),
    ),
    Kind("cache", _cache, (("cache", "{}/translations.sqlite"),)),
)


def inputs(seed: int, scratch: Path) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
    """Damaged inputs without end, kind by kind: the kind, its folder, and the command that reads it."""
    chance = random.Random(seed)
    good = {}
    for kind in KINDS:
        made = scratch / f"good-{kind.name}"
        made.mkdir()
        good[kind.name] = kind.files(made)
    number = 0
    while True:
        for kind in KINDS:
            number += 1
            folder = scratch / f"{number}"
            folder.mkdir()
            victim = chance.choice(list(good[kind.name]))
            for name, content in good[kind.name].items():
                (folder / name).write_bytes(damaged(content, name, chance) if name == victim else content)
            kind.after(folder, chance)
            command = chance.choice(kind.commands)
            yield f"{kind.name}/{victim}", folder, tuple(word.replace("{}", str(folder)) for word in command)
