"""What model files import of torchvision: a few layers. Images, data sets and trained models are not here."""

from . import ops  # noqa: F401

__version__ = "0.29.2"
