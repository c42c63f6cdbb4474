"""A sentence as the parser sees it, and how arc scores become a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Parse:
    """What is known of each token of one sentence, and of the sentence. The root is its own head."""

    tags: tuple[str, ...]  # Penn Treebank part-of-speech tags
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    entities: tuple[str, ...]  # "B-PERSON", "I-PERSON", ... or "O"
    certainty: NDArray[np.float32]  # the probability of each token's head
    keep: NDArray[np.float32]  # the probability that people who shorten sentences keep it
    opening: float  # the probability that a text begins with such a sentence
    context: NDArray[np.int8]  # (T, D) how each token is used in its sentence, in whole units

    def __len__(self) -> int:
        return len(self.tags)

    @cached_property
    def root(self) -> int:
        return next(token for token, head in enumerate(self.heads) if token == head)

    @property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The dependents of each token, in order."""
        return _children(self.heads)

    @property
    def subtrees(self) -> tuple[frozenset[int], ...]:
        """Each token with all that hangs on it: worked out anew each time, for it takes far more room than the tree."""
        found: list[set[int]] = [{token} for token in range(len(self))]
        for token in self.bottom_up():
            if self.heads[token] != token:
                found[self.heads[token]] |= found[token]
        return tuple(map(frozenset, found))

    def bottom_up(self) -> Iterator[int]:
        """Every token after all its dependents."""
        order, children = [self.root], self.children
        for token in order:
            order.extend(children[token])
        return reversed(order)


@lru_cache(maxsize=256)  # of the sentences at hand: to keep all would take more room than the sentences do
def _children(heads: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in heads]
    for token, head in enumerate(heads):
        if token != head:
            found[head].append(token)
    return tuple(map(tuple, found))


def heads_of(scores: NDArray[np.float32]) -> tuple[int, ...]:
    """The best tree for (T, T) arc scores, dependents by heads, with one root on the diagonal.

    The best head of every token is a tree nearly always; where it is none, the best tree is searched for.

    >>> heads_of(np.array([[0.0, 3, 1], [1, 2, 0], [1, 5, 0]], dtype=np.float32))
    (1, 1, 1)
    """
    best = tuple(scores.argmax(axis=1).tolist())
    return best if _is_tree(best) else _best_tree(scores.astype(np.float64))


def certainty(scores: NDArray[np.float32], trees: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """How probable each token's head is among all that it could have. (N, T, T) -> (N, T)"""
    odds = np.exp(scores - scores.max(axis=2, keepdims=True))
    chosen = np.take_along_axis(odds, np.array(trees)[:, :, None], axis=2)[:, :, 0]
    return np.asarray(chosen / odds.sum(axis=2))


def _is_tree(heads: Sequence[int]) -> bool:
    """Whether there is one root, and every token comes to it."""
    own = [token for token, head in enumerate(heads) if token == head]
    above = heads
    for _ in range(len(heads).bit_length()):
        above = [above[token] for token in above]  # twice as far up each time
    return len(own) == 1 and above.count(own[0]) == len(heads)


def _best_tree(scores: NDArray[np.float64]) -> tuple[int, ...]:
    """The best tree over all choices of the root: those of the likeliest few are compared."""
    T = len(scores)
    roots = np.argsort(-np.diagonal(scores), kind="stable")[:3].tolist()
    found = []
    for root in roots:
        arcs = scores.T.copy()  # heads by dependents
        np.fill_diagonal(arcs, -np.inf)
        arcs[:, root] = -np.inf
        heads = _arborescence(arcs, root)
        total = scores[root, root] + sum(scores[token, heads[token]] for token in range(T) if token != root)
        found.append((total, -root, heads))
    _, negative, heads = max(found)
    return tuple(-negative if token == -negative else head for token, head in enumerate(heads))


def _arborescence(arcs: NDArray[np.float64], root: int) -> tuple[int, ...]:
    """Chu and Liu (1965), Edmonds (1967): take the best heads, merge a cycle into one node, break it well.

    `arcs` has heads in rows and dependents in columns.
    """
    count = len(arcs)
    heads = arcs.argmax(axis=0)
    heads[root] = root
    cycle = _cycle(heads, root)
    if not cycle:
        return tuple(heads.tolist())
    members = np.array(cycle)
    outside = np.setdiff1d(np.arange(count), members)
    merged = len(outside)
    smaller = np.full((merged + 1, merged + 1), -np.inf)
    smaller[:merged, :merged] = arcs[np.ix_(outside, outside)]
    gains = arcs[np.ix_(outside, members)] - arcs[heads[members], members]
    enters = members[gains.argmax(axis=1)]  # through which node of the cycle each outer node enters it
    smaller[:merged, merged] = gains.max(axis=1)
    from_cycle = arcs[np.ix_(members, outside)]
    leaves = members[from_cycle.argmax(axis=0)]  # and from which node each is reached
    smaller[merged, :merged] = from_cycle.max(axis=0)
    solved = _arborescence(smaller, int(np.searchsorted(outside, root)))
    answer = heads.copy()
    for position, node in enumerate(outside.tolist()):
        if node != root:
            answer[node] = leaves[position] if solved[position] == merged else outside[solved[position]]
    entered = solved[merged]
    answer[enters[entered]] = outside[entered]
    return tuple(answer.tolist())


def _cycle(heads: NDArray[np.int64], root: int) -> list[int]:
    """A cycle of heads, if there is one."""
    state = [0] * len(heads)  # 1: on the way, 2: done
    state[root] = 2
    for start in range(len(heads)):
        path = []
        node = start
        while state[node] == 0:
            state[node] = 1
            path.append(node)
            node = int(heads[node])
        if state[node] == 1:
            return path[path.index(node) :]
        for passed in path:
            state[passed] = 2
    return []
