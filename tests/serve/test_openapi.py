"""What OpenAPI says of the service is so: no request of any form ends in a 5xx or in an answer of another form."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance


@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
def test_every_answer_is_as_described(site: str, mode: GenerationMode) -> None:
    described = schemathesis.openapi.from_url(f"{site}/openapi.json")
    for operation in described.get_all_operations():
        if (
            mode == GenerationMode.POSITIVE or operation.ok().method == "post"
        ):  # else nothing is sent that could be wrong
            _try(operation.ok().as_strategy(generation_mode=mode))


def _try(cases: Any) -> None:
    @given(cases)
    @settings(max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    def every_case(case: Any) -> None:
        # A schema can't say that weights sum to 1 or which budgets mean something, so 422 is no mismatch.
        case.call_and_validate(excluded_checks=[positive_data_acceptance], timeout=60)

    every_case()


def test_every_refusal_is_described(site: str) -> None:
    paths = httpx.get(f"{site}/openapi.json").json()["paths"]
    for path in ("/api/summarize", "/api/levels", "/api/explain", "/api/read"):
        for status in ("400", "413", "422", "429", "503"):
            assert "application/problem+json" in paths[path]["post"]["responses"][status]["content"]
