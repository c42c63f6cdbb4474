"""Topic coverage: the paper's first property."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from mls.kernels.base import MatrixKernel, Scores, closeness, distributions, local_attention
from mls.text import Document, Wording

ROWS, COLUMNS = 3, 300  # the shape of Q1 in the paper
_TOPICS = 5  # learned; the ROWS most dominant are kept
_ITERATIONS = 60
ALPHA = 0.1  # of each topic, the words that any text is thought to have of it
_SAMPLE = 400  # sentences LDA reads: topics have settled long before
_SMOOTHING = 0.01


class TopicKernel(MatrixKernel):
    """LDA over the document's own sentences; its three dominant topics are the kernel."""

    name = "topics"
    question = "Does it speak of what the document is about?"

    def score(self, document: Document, sentences: Sequence[Wording]) -> Scores:
        """Closeness of each sentence to the dominant topics. Paper: Eq. (1)-(2) with Q1."""
        vocabulary = topic_vocabulary(document)
        if not vocabulary:
            return np.zeros(len(sentences))
        topics = self.arranged(topic_vectors(document, vocabulary))  # (3, 300)
        counts = count_matrix(sentences, vocabulary)  # (N, 300)
        distances = local_attention(distributions(counts, _SMOOTHING), topics)
        return closeness(distances, np.asarray(counts.any(axis=1)))


def topic_vocabulary(document: Document) -> list[str]:
    """The document's most frequent content words."""
    counts = Counter(word for sentence in document.sentences for word in sentence.content)
    return [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:COLUMNS]]


def topic_vectors(document: Document, vocabulary: Sequence[str]) -> Scores:
    """Q1: the dominant topics as distributions over the vocabulary, most dominant first."""
    return learned_topics(document, vocabulary)[:ROWS]


def learned_topics(document: Document, vocabulary: Sequence[str]) -> Scores:
    """All topics of a document, the most dominant first."""
    import tomotopy  # here, for it takes long to load and not every recipe asks for topics

    known = set(vocabulary)
    step = max(1, -(-len(document.sentences) // _SAMPLE))
    model = tomotopy.LDAModel(k=_TOPICS, alpha=ALPHA, eta=0.01, seed=1)
    model.optim_interval = 0  # alpha stays as it is: tuning it costs a quarter of a second at the first call
    for sentence in document.sentences[::step]:
        words = [word for word in sentence.words if word in known]
        if words:
            model.add_doc(words)
    if not len(model.docs):
        return np.full((1, len(vocabulary)), 1 / len(vocabulary))
    model.train(_ITERATIONS, workers=1, show_progress=False)
    dominant = np.argsort(-np.asarray(model.get_count_by_topics()), kind="stable")
    columns = {word: number for number, word in enumerate(vocabulary)}
    positions = [columns[word] for word in model.used_vocabs]
    topics = np.zeros((len(dominant), len(vocabulary)))
    for row, topic in enumerate(dominant.tolist()):
        topics[row, positions] = model.get_topic_word_dist(topic)
    return distributions(topics, 1e-6)


def count_matrix(sentences: Sequence[Wording], vocabulary: Sequence[str]) -> Scores:
    """How often each sentence says each word."""
    columns = {word: number for number, word in enumerate(vocabulary)}
    counts = np.zeros((len(sentences), len(vocabulary)))
    for row, sentence in enumerate(sentences):
        for word in sentence.words:
            column = columns.get(word)
            if column is not None:
                counts[row, column] += 1
    return counts
