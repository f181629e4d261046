"""The names of older code for the one table."""

from mmengine.registry import MODELS

BACKBONES = NECKS = HEADS = LOSSES = SEGMENTORS = DETECTORS = CLASSIFIERS = MODELS
ROI_EXTRACTORS = SHARED_HEADS = MODELS


def build_backbone(cfg):
    return MODELS.build(cfg)


build_neck = build_head = build_loss = build_segmentor = build_backbone
