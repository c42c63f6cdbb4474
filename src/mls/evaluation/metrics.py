"""All metrics by name: what each is called, which way is better, and one call that computes them."""

from __future__ import annotations

from dataclasses import dataclass

from mls.evaluation.divergence import coherence_difference, sentiment_divergence, topic_divergence
from mls.evaluation.judged import Judged
from mls.evaluation.meteor import meteor, wordnet_is_here
from mls.evaluation.novelty import novel_grams, novel_names, novel_numbers, repeated_trigrams
from mls.evaluation.rouge import rouge
from mls.evaluation.standing import dangling, slight


@dataclass(frozen=True)
class Metric:
    """A metric's name in files, its title for people, and how it is read."""

    name: str
    title: str
    better: int  # 1: more is better, -1: less is better, 0: neither
    percent: bool = True  # shown times 100
    digits: int = 1

    def shown(self, value: float) -> str:
        """
        >>> Metric("rouge1", "ROUGE-1", 1).shown(0.3456), Metric("x", "X", 0).shown(float("nan"))
        ('34.6', '-')
        """
        if value != value:
            return "-"
        return f"{value * (100 if self.percent else 1):.{self.digits}f}"


METRICS = {
    metric.name: metric
    for metric in (
        Metric("rouge1", "ROUGE-1", 1),
        Metric("rouge2", "ROUGE-2", 1),
        Metric("rougel", "ROUGE-L", 1),
        Metric("rougelsum", "ROUGE-Lsum", 1),
        Metric("meteor", "METEOR", 1),
        Metric("topics", "Topic divergence", -1, percent=False, digits=3),
        Metric("sentiment", "Sentiment divergence", -1, percent=False, digits=3),
        Metric("coherence", "Difference in coherence", -1, percent=False, digits=3),
        Metric("novel1", "Novel words", 0),
        Metric("novel2", "Novel bigrams", 0),
        Metric("novel3", "Novel trigrams", 0),
        Metric("novel4", "Novel 4-grams", 0),
        Metric("generated", "Generated tokens", 0),
        Metric("expanded", "Expansions", 0, percent=False),
        Metric("novel_names", "Names not in the document", -1),
        Metric("novel_numbers", "Numbers not in the document", -1),
        Metric("repeated", "Repeated trigrams", -1),
        Metric("dangling", "Sentences that lean on what is absent", -1),
        Metric("slight", "Sentences of six words or fewer", -1),
        Metric("nested", "Sentences that the next longer summary has too", 1),
        Metric("violation", "Over budget", -1),
        Metric("fill", "Fill", 1),
        Metric("length", "Length in tokens", 0, percent=False),
    )
}


def score(judged: Judged) -> dict[str, float]:
    """Every metric of one summary; METEOR is left out where WordNet is missing."""
    scores = rouge(judged)
    if wordnet_is_here():
        scores["meteor"] = meteor(judged)
    scores["topics"] = topic_divergence(judged)
    scores["sentiment"] = sentiment_divergence(judged)
    scores["coherence"] = coherence_difference(judged)
    for n in (1, 2, 3, 4):
        scores[f"novel{n}"] = novel_grams(judged, n)
    if judged.generated is not None:
        scores["generated"] = judged.generated
    if judged.expanded is not None:
        scores["expanded"] = float(judged.expanded)
    scores["novel_names"] = novel_names(judged)
    scores["novel_numbers"] = novel_numbers(judged)
    scores["repeated"] = repeated_trigrams(judged)
    scores["dangling"] = dangling(judged)
    scores["slight"] = slight(judged)
    scores["violation"] = float(judged.length > judged.limit)
    scores["fill"] = judged.length / judged.limit
    scores["length"] = float(sum(len(sentence.tokens) for sentence in judged.summary.sentences))
    return scores
