"""The kinds of network there are."""

from __future__ import annotations

from mls.training.base import SummaryNetwork
from mls.training.config import ConvolutionalConfig, NetworkConfig
from mls.training.convolutional import ConvolutionalNetwork
from mls.training.pointer_generator import PointerGenerator


def build(config: NetworkConfig) -> SummaryNetwork:
    """A network with fresh weights."""
    return ConvolutionalNetwork(config) if isinstance(config, ConvolutionalConfig) else PointerGenerator(config)
