"""The kinds of network there are."""

from __future__ import annotations

from mls.training.base import Network
from mls.training.config import ConvolutionalConfig, NetworkConfig, ParserConfig
from mls.training.convolutional import ConvolutionalNetwork
from mls.training.parser import ParserNetwork
from mls.training.pointer_generator import PointerGenerator


def build(config: NetworkConfig) -> Network:
    """A network with fresh weights."""
    if isinstance(config, ParserConfig):
        return ParserNetwork(config)
    return ConvolutionalNetwork(config) if isinstance(config, ConvolutionalConfig) else PointerGenerator(config)
