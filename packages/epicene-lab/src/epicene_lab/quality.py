"""How good a model's translations are: sacreBLEU on a test, SimpleGEN by both protocols."""

from __future__ import annotations

from collections.abc import Sequence

from epicene.flow import plan
from epicene.flow.score import outputs_of_file
from epicene.flow.score import score as scored
from epicene.measures import sacre
from epicene.store.hypotheses import Hypotheses
from epicene_lab.points import GROUPS, PROTOCOLS, Quality, Scores


def bleu(found: Sequence[str], references: Sequence[str]) -> tuple[float, str]:
    """Corpus BLEU and its signature."""
    score = sacre.corpus("bleu", found, [(reference,) for reference in references], interval=False)
    return score.value, score.signature


def quality(tested: Sequence[str], references: Sequence[str], simplegen: Sequence[str], langs: str) -> Quality:
    """All that is measured of translations: of a test with references, and of SimpleGEN."""
    score, signature = bleu(tested, references)
    challenge = plan.open_set("simplegen")
    pair = plan.open_pair(langs, challenge)
    scores, n = {}, {}
    for protocol in PROTOCOLS:
        outputs = outputs_of_file(challenge, pair, Hypotheses(simplegen))
        # A model that is trained by half is measured as well.
        result = scored(plan.open_task(challenge, pair, protocol), outputs, "lab", anyway=True)
        correct = {group: result["correct", group] for group in GROUPS}
        n = {group: each.n for group, each in correct.items()}
        counts = {group: each.count or 0 for group, each in correct.items()}
        unread = {group: each.unread or 0 for group, each in correct.items()}
        scores[protocol] = Scores(counts, unread, result.signature)
    return Quality(round(score, 2), len(tested), signature, n, scores)
