"""A network of the kind that settings ask for."""

from __future__ import annotations

from pkgutil import resolve_name

from mls.model import CONVOLUTIONAL, PARSER, POINTER_GENERATOR
from mls.training.base import Network
from mls.training.config import NetworkConfig

# Named, not imported: each loads only for those who train it, and the lab's for nobody else.
_CLASSES = {
    POINTER_GENERATOR: "mls.training.pointer_generator:PointerGenerator",
    CONVOLUTIONAL: "mls.lab.convolutional:ConvolutionalNetwork",
    PARSER: "mls.training.parser:ParserNetwork",
}


def build(config: NetworkConfig) -> Network:
    """A network with fresh weights."""
    network: Network = resolve_name(_CLASSES[config.kind])(config)
    return network
