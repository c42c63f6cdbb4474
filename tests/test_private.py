"""What is used of others that they do not promise to keep: whoever upgrades them learns here what to look at.

Known to work with uvicorn 0.30 to 0.54 and with torch 2.13.
"""

from __future__ import annotations

import ast
import inspect
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_uvicorn_has_the_protocol_that_connections_are_watched_with() -> None:
    """`serve/http.py` derives its connections from it."""
    from uvicorn import Server
    from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

    told = f"uvicorn {version('uvicorn')} is not as serve/http.py takes it to be"
    made = inspect.getsource(H11Protocol.__init__)
    for name in ("connections", "cycle", "loop", "transport"):
        assert f"self.{name}" in made, told
    cycle = inspect.getsource(RequestResponseCycle.__init__)
    for name in ("response_complete", "more_body"):
        assert f"self.{name}" in cycle, told
    assert {"connection_made", "connection_lost"} <= set(dir(H11Protocol)), told
    assert {"capture_signals", "handle_exit"} <= set(dir(Server)), told


def test_torch_has_the_cache_that_an_export_clears() -> None:
    """`training/pointer_generator.py` clears it, as torch 2.13 would else fix the length of a second export."""
    torch = pytest.importorskip("torch")
    told = f"torch {torch.__version__}: is the cache of training/pointer_generator.py still needed?"
    assert version("torch").startswith("2.13."), told
    assert isinstance(torch.ops.aten.lstm.input._dispatch_cache, dict), told
    assert "torch==2.13.0" in (ROOT / "pyproject.toml").read_text(encoding="utf-8"), told


def test_nothing_else_of_others_is_private() -> None:
    """No attribute with an underscore of a module that was imported from elsewhere."""
    found = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
        theirs = {alias.asname or alias.name.split(".")[0] for node in imports for alias in node.names}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                root = node.value
                while isinstance(root, ast.Attribute):
                    root = root.value
                if isinstance(root, ast.Name) and root.id in theirs:
                    found.append(f"{path.name} {node.attr}")
    assert found == ["pointer_generator.py _dispatch_cache", "workers.py _exit"]  # the latter is public
