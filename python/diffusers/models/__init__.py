"""The base of models, and the layers that they are written with."""

from .modeling_utils import ModelMixin  # noqa: F401
