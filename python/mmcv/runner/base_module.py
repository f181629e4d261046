"""Where older code imports the base classes from."""

from mmengine.model import BaseModule, ModuleDict, ModuleList, Sequential

__all__ = ["BaseModule", "ModuleDict", "ModuleList", "Sequential"]
