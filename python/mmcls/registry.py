"""One table for all of OpenMMLab's packages."""

from mmengine.registry import DATASETS, HOOKS, METRICS, MODELS, TASK_UTILS, TRANSFORMS

__all__ = ["DATASETS", "HOOKS", "METRICS", "MODELS", "TASK_UTILS", "TRANSFORMS"]
