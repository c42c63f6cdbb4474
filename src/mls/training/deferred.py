"""Products of a recurrence whose right factor never changes: its gradient is computed once, after the last step.

Autograd would add T gradients of the size of the factor, one for each step through time. Stacking
what stood on the left of it turns them into one large matrix product, which a CPU does far faster.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

_Uses = list[tuple[Tensor, Tensor]]  # left factors, and the gradients of their products


class Shared:
    """A factor (..., n, m) that many products `left @ shared` have in common."""

    def __init__(self, factor: Tensor) -> None:
        self._uses: _Uses = []
        self._factor: Tensor = _Source.apply(factor, self._uses)  # type: ignore[no-untyped-call]

    def __rmatmul__(self, left: Tensor) -> Tensor:
        product: Tensor = _Product.apply(left, self._factor, self._uses)  # type: ignore[no-untyped-call]
        return product


class _Source(torch.autograd.Function):
    """Where a factor enters the recurrence; the gradients of all its uses meet here."""

    @staticmethod
    def forward(context: Any, factor: Tensor, uses: _Uses) -> Tensor:
        context.uses = uses
        return factor.view_as(factor)

    @staticmethod
    def backward(context: Any, *_: Tensor) -> tuple[Tensor, None]:
        left, gradient = (torch.cat(column, dim=-2) for column in zip(*context.uses, strict=True))
        context.uses.clear()
        return left.transpose(-2, -1) @ gradient, None


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, left: Tensor, factor: Tensor, uses: _Uses) -> Tensor:
        context.save_for_backward(left, factor)
        context.uses = uses
        return left @ factor

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        left, factor = context.saved_tensors
        context.uses.append((left.detach(), gradients[0]))
        return gradients[0] @ factor.transpose(-2, -1), None, None
