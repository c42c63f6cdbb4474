"""Opening ONNX graphs: onnxruntime is imported when the first is needed, not before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mls.errors import MlsError


def open_graph(path: Path, threads: int = 1, inputs: str | None = None, outputs: str | None = None) -> Any:
    """A graph that is ready to run; names of its inputs or outputs that are given must be those it has."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        graph = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise MlsError(f"{path} is damaged: {str(error).splitlines()[0]}") from error
    for expected, entries in ((inputs, graph.get_inputs()), (outputs, graph.get_outputs())):
        found = " ".join(entry.name for entry in entries)
        if expected is not None and found != expected:
            raise MlsError(f"{path} is of another kind of network: it speaks of {found!r}, expected was {expected!r}")
    return graph
