"""Outputs that several models share."""

from dataclasses import dataclass

from ..utils.outputs import BaseOutput


@dataclass
class AutoencoderKLOutput(BaseOutput):
    latent_dist: object


@dataclass
class Transformer2DModelOutput(BaseOutput):
    sample: object
