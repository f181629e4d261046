"""What files import from here to register models of their own."""

from ..layers import DropPath, to_2tuple, trunc_normal_
from .registry import register_model

__all__ = ["DropPath", "register_model", "to_2tuple", "trunc_normal_"]
