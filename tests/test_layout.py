"""Data flows down, imports only point down, and torch stays where it belongs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "mls"

# From the ground up: a module may import those before it, and its own package. What is joined by + is one layer.
LAYERS = """
    errors perceptron atomic fingerprints folders workers files onnx configuration blocks genres quotation
    reading stopwords talk voices text vocabulary corpora budget embedding kernels parser judge forms leaning needs
    naming prototype recipe profile model analysis+magnifier+summary assembly summarizer baselines methods explain
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


def test_the_walk_comes_by_every_module() -> None:
    """`docs/walk.md` and the tree agree: each file is named where its package is, and no other file is."""
    items = re.split(r"^\d+\. ", (ROOT / "docs" / "walk.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    known = set()
    for path in SOURCE.rglob("*.py"):
        folder, name = path.parent.relative_to(SOURCE).as_posix(), path.name
        if name not in ("__init__.py", "__main__.py"):
            near = items if folder == "." else [item for item in items if f"`{folder}/`" in item]
            assert any(f"`{name}`" in item for item in near), f"docs/walk.md does not mention {folder}/{name}"
            known.add(name)
    named = set(re.findall(r"`([a-z_0-9]+\.py)`", "".join(items)))
    assert sorted(named - known) == [], "docs/walk.md mentions what is not there"


_EXTRAS = """
    torch onnx onnxscript safetensors fastapi starlette pydantic uvicorn prometheus_client pypdfium2 docx
    trafilatura lxml lxml_html_clean pyarrow ray wordllama rouge_score nltk vaderSentiment matplotlib datasets gensim
""".split()
_NEED_EXTRAS = ("lab", "study", "training", "evaluation", "serve", "batch")
_READERS = ("docx", "html", "pdf")  # modules of `files/` that read these kinds, loaded when a file of one is there


def test_the_core_needs_no_extra() -> None:
    """Every module outside a few packages loads where nothing but the plain installation is."""
    modules = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        reads = parts[1] == "files" and parts[-1].startswith(_READERS)
        if parts[1] not in (*_NEED_EXTRAS, "__main__") and not reads:
            modules.append(".".join(parts).removesuffix(".__init__"))
    blocked = f"sys.modules.update(dict.fromkeys({_EXTRAS}))"  # to import None is an ImportError
    program = f"import sys, importlib; {blocked}; [importlib.import_module(name) for name in {modules}]"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_network_does_not_tell_where_it_was_made() -> None:
    graphs = sorted((ROOT / "src" / "mls" / "assets").rglob("*.onnx"))
    assert len(graphs) == 3
    assert [graph.name for graph in graphs if b"/src/mls/" in graph.read_bytes()] == []
