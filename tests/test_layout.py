"""Data flows down, imports only point down, and torch stays where it belongs."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "mls"

# From the ground up: a module may import those before it, and its own package. What is joined by + is one layer.
LAYERS = """
    errors perceptron atomic fingerprints folders workers files onnx configuration blocks genres quotation
    reading stopwords talk voices text vocabulary corpora budget embedding kernels parser judge forms leaning
    prototype recipe profile model analysis+magnifier+summary assembly summarizer baselines methods explain
    evaluation batch training serve lab study cli __main__
""".split()
# A summary tells of itself by what stands above it, imported where it is asked for and nowhere else.
ABOVE = {"summary.py": {"mls.explain.as_html", "mls.explain.as_json", "mls.explain.as_text"}}


def _imports(path: Path, everywhere: bool = True) -> set[str]:
    """The modules that a file imports, everywhere in it or only where it is loaded."""
    names = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


def test_imports_point_down() -> None:
    for path in SOURCE.rglob("*.py"):
        layer = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if layer == "__init__":
            continue
        position = next(position for position, names in enumerate(LAYERS) if layer in names.split("+"))
        allowed = [name for names in LAYERS[: position + 1] for name in names.split("+")]
        told = ABOVE.get(path.relative_to(SOURCE).as_posix(), set())
        assert not told & _imports(path, everywhere=False)
        for name in _imports(path) - told:
            if name.startswith("mls."):
                assert name.split(".")[1] in allowed, f"{path.name} imports {name}"


def test_only_commands_import_what_is_for_researchers() -> None:
    for path in SOURCE.rglob("*.py"):
        package = path.relative_to(SOURCE).parts[0]
        for name in _imports(path):
            for apart in ("lab", "study"):
                assert not f"{name}.".startswith(f"mls.{apart}.") or package in (apart, "cli"), f"{path} imports {name}"


def test_torch_only_where_networks_are_trained() -> None:
    for path in SOURCE.rglob("*.py"):
        if not {"training", "lab"} & set(path.parts):
            assert not any(name.split(".")[0] == "torch" for name in _imports(path)), path


def test_functions_fit_on_a_screen() -> None:
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                length = (node.end_lineno or 0) - node.lineno
                assert length <= 50, f"{path.name}: {node.name} has {length} lines"
