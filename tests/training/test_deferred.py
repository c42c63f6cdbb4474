"""A shared factor has the gradient that autograd would have given it, step by step."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from mls.training.deferred import Shared


def recurrence(start: Tensor, factor: Tensor | Shared, steps: int) -> Tensor:
    seen = [start]
    for _ in range(steps):
        seen.append(torch.tanh(seen[-1] @ factor))
    return torch.stack(seen)


def gradients(shape: tuple[int, ...], steps: int, *, shared: bool) -> tuple[Tensor, ...]:
    torch.manual_seed(3)
    start = torch.randn(*shape[:-2], 2, shape[-2], dtype=torch.float64, requires_grad=True)
    factor = torch.randn(shape, dtype=torch.float64, requires_grad=True)
    used: Any = Shared(factor) if shared else factor
    recurrence(start, used, steps).square().sum().backward()
    assert start.grad is not None
    assert factor.grad is not None
    return start.grad, factor.grad


@pytest.mark.parametrize("shape", [(4, 4), (3, 4, 4)], ids=["one matrix", "one for each document"])
@pytest.mark.parametrize("steps", [1, 2, 7])
def test_the_gradient_is_that_of_every_step(shape: tuple[int, ...], steps: int) -> None:
    for ours, autograds in zip(
        gradients(shape, steps, shared=True), gradients(shape, steps, shared=False), strict=True
    ):
        torch.testing.assert_close(ours, autograds)


def test_a_second_backward_adds_the_same_again() -> None:
    factor = torch.randn(4, 4, requires_grad=True)
    loss = recurrence(torch.randn(2, 4), Shared(factor), 3).sum()
    loss.backward(retain_graph=True)  # type: ignore[no-untyped-call]
    assert factor.grad is not None
    once = factor.grad.clone()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.testing.assert_close(factor.grad, 2 * once)


def test_a_factor_that_is_not_learned_costs_nothing() -> None:
    with torch.no_grad():
        torch.testing.assert_close(torch.ones(1, 2) @ Shared(torch.eye(2)), torch.ones(1, 2))
