"""The cases of the snapshot: command lines of epicene on published data and on sentences of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.snapshot.adapter import OWN, SETS

WINOMT = ("ar", "de", "es", "fr", "he", "it", "ru", "uk")
GENEVAL = ("ar", "de", "es", "fr", "hi", "it", "pt", "ru")
GEST = ("be", "bg", "bs", "cs", "hr", "mk", "pl", "ru", "sk", "sl", "sr", "uk")
NEWS = ("ar", "ca", "cs", "de", "el", "es", "fr", "he", "hi", "it", "nl", "pl", "pt", "ro", "ru", "uk")
OPEN = ("de", "es", "fr", "it", "pt", "ru")
STUDIES = (
    "gest -i translations=$gest/translations",
    "occupations",
    "simplegen",
    "weat",
    "wibemt",
    "winost",
)
VECTORS = {
    "googlenews": "$data/weat/googlenews_word2vec_weat_subset.vec.gz",
    "glove": "$data/weat/glove840B_weat_subset.vec.gz",
}
FAST = frozenset(
    {"score/simplegen/opus-mt/en-de", "score/simplegen/opus-mt/en-de/paper", "score/winomt/google/en-he", "score/own/en-de",
     "score/wibemt-verbs/deepl/en-de", "compare/own/pair", "gate/own/fail", "weat/europarl/de", "study/weat", "review/own"}
)  # fmt: skip


class Case(NamedTuple):
    """Command lines that are run one after another; what the last one prints is recorded, and what it wrote in $out."""

    name: str
    commands: tuple[str, ...]

    @property
    def family(self) -> str:
        """The file that stores it."""
        return self.name.partition("/")[0]

    @property
    def sets(self) -> tuple[str, ...]:
        """The published sets that it needs."""
        words = [word.partition(":")[0] for command in self.commands for word in command.split()[1:]]
        sources = {"about": {"wibemt": "winomt"}, "study": {"occupations": "prates"}}.get(self.family, {})
        return tuple(sorted({sources.get(word, word) for word in words} & SETS.keys()))


def list_cases() -> list[Case]:
    """All cases, in order."""
    makers = (
        _scores,
        _speech,
        _readings,
        _comparisons,
        _gates,
        _vectors,
        _studies,
        _acts,
        _pages,
        _lists,
        _explanations,
    )
    return [case for maker in makers for case in maker()]


def _score(name: str, test_set: str, pair: str, lines: str, *options: str) -> Iterator[Case]:
    command = f"score -t {test_set} -l {pair} -i {lines} -f json --anyway --verdicts $out/verdicts.jsonl"
    for option in options or ("",):
        ending = "/" + option.split()[-1] if option else ""
        yield Case(f"{name}/{pair}{ending}", (f"{command} {option}".rstrip(),))


def _scores() -> Iterator[Case]:
    both = ("", "--protocol paper")
    for pair in ("en-de", "en-es"):
        yield from _score("score/simplegen/opus-mt", "simplegen", pair, f"$data/simplegen/opus-mt.{pair}.txt", *both)
    for language in WINOMT:
        for system in ("google", "bing", "sota") if language in ("de", "fr") else ("google", "bing"):
            lines = f"$data/winomt/translations/{system}.en-{language}.txt"
            yield from _score(f"score/winomt/{system}", "winomt", f"en-{language}", lines, *both)
    for language in ("de", "es", "fr", "it", "pt"):
        lines = f"$heard/canary-v2/en-{language}.txt"
        yield from _score("score/winomt/canary-v2", "winomt", f"en-{language}", lines)
    for system in ("deepl", "google"):
        lines = f"$data/wibemt/verb_translations_{system}.tsv"
        yield from _score(f"score/wibemt-verbs/{system}", "wibemt-verbs", "en-de", lines, *both)
    for language in GENEVAL:
        lines = f"$geneval/google/mt_geneval_sentences_en_{language}.csv"
        yield from _score("score/mt-geneval/google", "mt-geneval", f"en-{language}", lines, *both)
    for language in (*GENEVAL, "nl"):
        for kind in ("original", "flipped") if language in ("de", "es", "nl") else ("original",):
            lines = f"$geneval/context/geneval-context-wikiprofessions-{kind}-test.en_{language}.{language}"
            contexts = ("--context joined", "--context none") if language in ("de", "es") else ("--context none",)
            yield from _score(
                f"score/mt-geneval-context/{kind}", "mt-geneval-context", f"en-{language}", lines, *contexts
            )
    for system, languages in (
        ("google_translate", GEST),
        ("deepl", ("cs",)),
        ("amazon_translate", ("sk",)),
        ("nllb_3b", ("uk",)),
    ):
        for language in languages:
            lines = f"$gest/translations/{system}/{language}/translations.csv"
            yield from _score(f"score/gest/{system}", "gest", f"en-{language}", lines)
    for language in ("es", "fr", "it"):
        yield from _score("score/gate/variants", "gate", f"en-{language}", f"$gatelines/{language}.txt")
    for pair in ("es-en", "fi-en", "tr-en", "en-de", "en-es"):
        yield from _score("score/mittens/targets", "mittens", pair, f"$mittenslines/{pair}.txt")
    for language in ("es", "cs"):
        for system in ("Claude-3.5", "ONLINE-W"):
            yield from _score(
                f"score/dialogue/{system}", "dialogue", f"en-{language}", f"$dialogue/en-{language}/{system}.txt"
            )
    for pair in ("hu-en", "fi-en", "tr-en"):
        references = "--reference us-acs-2018" + " --reference us-acs-2011" * (pair == "hu-en")
        yield from _score("score/occupations/rule", "occupations", pair, f"$jobs/{pair}.txt", references)
    for pair in ("en-de", "en-es"):
        yield from _score("score/own", "custom:$own/sentences.tsv", pair, f"$own/sentences.{pair[3:]}")
    yield from _score(
        "score/team", "custom:$team/team.tsv", "en-de", "$team/fair.en-de.txt", "", "--min-confidence 0.9"
    )


def _speech() -> Iterator[Case]:
    spoken = "spoken:custom:$own/sentences.tsv@$spoken/audio"
    yield from _score("speech/own", spoken, "en-de", "$spoken/lines.txt")
    yield Case("speech/recognition", (f"speech score -t {spoken} -i $spoken/heard.txt -f json",))


def _readings() -> Iterator[Case]:
    names: list[tuple[str, tuple[str, ...]]] = [(f"open-{gender}", OPEN) for gender in ("feminine", "masculine")]
    names += [("news", NEWS), ("people-deepl", ("el", "nl")), ("people-google", ("el", "nl"))]
    names += [("proxy", NEWS)]
    for name, languages in names:
        for language in languages:
            file = f"$readings/{name}-{language}"
            yield from _score(f"reading/{name}", f"custom:{file}.tsv", f"en-{language}", f"{file}.txt")


def _comparisons() -> Iterator[Case]:
    folder = "$data/winomt/translations"
    for language in ("de", "es", "he"):
        files = f"{folder}/google.en-{language}.txt {folder}/bing.en-{language}.txt"
        yield Case(f"compare/winomt/en-{language}", (f"compare -t winomt -l en-{language} {files} -f json",))
    three = " ".join(f"{folder}/{system}.en-de.txt" for system in ("google", "bing", "sota"))
    for kind in ("matrix", "pairs"):
        yield Case(f"compare/winomt/{kind}", (f"compare -t winomt -l en-de {three} --{kind} -f json",))
    heard = "compare -t winomt 'file:$heard/aya_{system}/{pair}.txt' -l en-es -f json"
    yield Case("compare/heard/en-es", (heard,))
    verbs = "$data/wibemt/verb_translations_deepl.tsv $data/wibemt/verb_translations_google.tsv"
    yield Case("compare/wibemt-verbs", (f"compare -t wibemt-verbs -l en-de {verbs} -f json",))
    geneval = "$geneval/context/geneval-context-wikiprofessions-{}-test.en_de.de"
    files = " ".join(geneval.format(kind) for kind in ("original", "flipped"))
    yield Case("compare/mt-geneval-context", (f"compare -t mt-geneval-context -l en-de {files} -f json --anyway",))
    own = "compare -t custom:$team/team.tsv -l en-de $team/good.en-de.txt $team/fair.en-de.txt"
    yield Case("compare/own/pair", (f"{own} -f json",))
    yield Case("compare/own/three", (f"{own} $team/poor.en-de.txt -f json",))


def _gates() -> Iterator[Case]:
    own = "gate -t custom:$team/team.tsv -l en-de --baseline $team/good.en-de.txt --candidate $team/{}.en-de.txt"
    yield Case("gate/own/pass", (f"{own.format('good')} --max-drop 2 -f json",))
    yield Case("gate/own/fail", (f"{own.format('poor')} --max-drop 1 --min-rate 90 -f json",))
    yield Case("gate/own/unclear", (f"{own.format('fair')} --max-drop 5 --max-undetected 1.5 -f json",))
    folder = "$data/winomt/translations"
    for language in ("de", "es"):
        files = f"--baseline {folder}/bing.en-{language}.txt --candidate {folder}/google.en-{language}.txt"
        yield Case(
            f"gate/winomt/en-{language}",
            (f"gate -t winomt -l en-{language} {files} --max-drop 2 --max-gap 10 -f json",),
        )
    simplegen = "gate -t simplegen -l en-es --candidate $data/simplegen/opus-mt.en-es.txt --max-undetected 5 --min-rate 50 -f json"
    yield Case("gate/simplegen", (simplegen,))
    for system in ("good", "poor"):
        update = f"gate -c $team/{system}/epicene.toml --update"
        check = f"gate -c $team/{system}/epicene.toml -s file:$team/fair.en-de.txt -f json"
        yield Case(f"gate/file/{system}", (update, check))


def _vectors() -> Iterator[Case]:
    for language in ("de", "fr"):
        yield Case(f"weat/europarl/{language}", (f"weat -e europarl:{language} -f json",))
    for name, path in VECTORS.items():
        yield Case(f"weat/{name}", (f"weat -e {path} -f json",))
        yield Case(
            f"weat/{name}/mc",
            (f"weat -e {path} -x weat7 -x weat1 --method mc --draws 2000 --ddof 0 --case any -f json",),
        )
        yield Case(f"weat/{name}/hard", (f"lab weat debias -e {path} -t weat7 -f json",))
        yield Case(f"wefat/{name}", (f"wefat -e {path} -f json",))
    for metric in ("rnd", "rnsb", "mac", "ect", "ripa"):
        yield Case(
            f"weat/europarl/{metric}", (f"lab weat metrics -e europarl:fr -t weat7-fr -m {metric} --draws 200 -f json",)
        )
        yield Case(
            f"weat/googlenews/{metric}",
            (f"lab weat metrics -e {VECTORS['googlenews']} -t weat7 -m {metric} --draws 200 -f json",),
        )
    for language in ("de", "fr"):
        yield Case(f"wefat/europarl/{language}", (f"wefat -e europarl:{language} -l {language} -f json",))
    words = f"genderscore -e {VECTORS['googlenews']} --resamples 200 -f json"
    yield Case("genderscore/googlenews/adjectives", (f"{words} --candidates adjectives",))
    yield Case("genderscore/both/vocabulary", (f"{words} -e {VECTORS['glove']} --candidates vocabulary:100",))


def _studies() -> Iterator[Case]:
    for study in STUDIES:
        yield Case(f"study/{study.split()[0]}", (f"study {study} -f json",))
    files = " ".join(f"-i {name}={path}" for name, path in zip(("word2vec", "glove"), VECTORS.values(), strict=True))
    yield Case("study/weat/published", (f"study weat {files} -f json",))


def _acts() -> Iterator[Case]:
    audit = "audit -t custom:$team/team.tsv -l en-de -s file:$team/fair.en-de.txt -o $out/run -f json"
    yield Case(
        "review/own", (audit, "@decide $out/run $out/decisions.tsv", "review $out/run --import $out/decisions.tsv")
    )
    yield Case("control/echo", ("control -l en-de -s echo -f json",))
    yield Case("control/bundled", ("control -l en-de -w context --no-cache -f json",))
    yield Case("alternatives/own", ("alternatives -i $own/open.en -l en-es --no-cache -f json",))
    yield Case("alternatives/gate", ("alternatives -t gate -l en-es --sample 20 --no-cache -f json",))
    for language in ("es", "he"):
        lists = f"rerank -t winomt -l en-{language} --nbest $nbest/en{language}.nbest.4 -f json"
        yield Case(f"rerank/winomt/en-{language}", (lists,))
    yield Case(
        "rerank/winomt/en-es/oracle", ("rerank -t winomt -l en-es --nbest $nbest/enes.nbest.4 --oracle -f json",)
    )
    yield Case("record/shipped", ("record -f json",))
    yield Case("record/simplegen", ("record build simplegen-opus=$data/simplegen -f json",))


def _pages() -> Iterator[Case]:
    audit = "audit -t {} -l {} -s {} -o $out/run -f json --no-cache"
    own = audit.format("custom:$own/sentences.tsv", "en-de", "file:$own/sentences.de --anyway")
    yield Case("page/own", (own,))
    team = audit.format("custom:$team/team.tsv", "en-de", "file:$team/good.en-de.txt -s file:$team/poor.en-de.txt")
    yield Case("page/team", (team,))
    yield Case("page/simplegen", (audit.format("simplegen", "en-de -l en-es", "bundled --sample 200"),))
    yield Case("page/occupations", (audit.format("occupations", "hu-en", "bundled --sample 200"),))
    yield Case("page/wibemt-verbs", (audit.format("wibemt-verbs", "en-de", "bundled --sample 100"),))


def _lists() -> Iterator[Case]:
    yield Case("about/help", ("@helps",))
    for command in ("sets list", "data list", "systems list", "study"):
        yield Case(f"about/{command.replace(' ', '-')}", (command,))
    for name in ("simplegen", "winomt", "wibemt", "occupations", "gest", "gate", "mittens"):
        yield Case(f"about/sets-show/{name}", (f"sets show {name}",))


def _explanations() -> Iterator[Case]:
    for number, line in enumerate((OWN / "explained.tsv").read_text(encoding="utf-8").splitlines(), 1):
        language, source, translation = line.split("\t")
        yield Case(f"explain/{number:02}-{language}", (f'explain -l en-{language} "{source}" "{translation}" -f json',))
