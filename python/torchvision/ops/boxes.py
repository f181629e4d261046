"""Boxes [N, 4] of corners x1, y1, x2, y2."""

import torch


def _wide(t):
    """Areas are summed in a type that holds them."""
    if t.is_floating_point():
        return t if t.dtype in (torch.float32, torch.float64) else t.float()
    return t if t.dtype in (torch.int32, torch.int64) else t.int()


def box_area(boxes, fmt="xyxy"):
    boxes = _wide(boxes)
    if fmt != "xyxy":
        return boxes[..., 2] * boxes[..., 3]
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])


def _intersection_and_union(boxes1, boxes2):
    area1, area2 = box_area(boxes1), box_area(boxes2)
    low = torch.max(boxes1[..., None, :2], boxes2[..., None, :, :2])
    high = torch.min(boxes1[..., None, 2:], boxes2[..., None, :, 2:])
    size = _wide(high - low).clamp(min=0)
    inter = size[..., 0] * size[..., 1]
    return inter, area1[..., None] + area2[..., None, :] - inter


def box_iou(boxes1, boxes2, fmt="xyxy"):
    if fmt != "xyxy":
        boxes1, boxes2 = box_convert(boxes1, fmt, "xyxy"), box_convert(boxes2, fmt, "xyxy")
    inter, union = _intersection_and_union(boxes1, boxes2)
    return inter / union


def generalized_box_iou(boxes1, boxes2):
    inter, union = _intersection_and_union(boxes1, boxes2)
    iou = inter / union
    low = torch.min(boxes1[:, None, :2], boxes2[:, :2])
    high = torch.max(boxes1[:, None, 2:], boxes2[:, 2:])
    size = _wide(high - low).clamp(min=0)
    hull = size[:, :, 0] * size[:, :, 1]
    return iou - (hull - union) / hull


def clip_boxes_to_image(boxes, size):
    height, width = size
    x = boxes[..., 0::2].clamp(min=0, max=width)
    y = boxes[..., 1::2].clamp(min=0, max=height)
    return torch.stack((x, y), dim=boxes.dim()).reshape(boxes.shape)


def box_convert(boxes, in_fmt, out_fmt):
    if in_fmt == out_fmt:
        return boxes.clone()
    corners = _to_corners[in_fmt](*boxes.unbind(-1))
    return torch.stack(_from_corners[out_fmt](*corners), dim=-1)


_to_corners = {
    "xyxy": lambda x1, y1, x2, y2: (x1, y1, x2, y2),
    "xywh": lambda x, y, w, h: (x, y, x + w, y + h),
    "cxcywh": lambda x, y, w, h: (x - 0.5 * w, y - 0.5 * h, x + 0.5 * w, y + 0.5 * h),
}
_from_corners = {
    "xyxy": lambda x1, y1, x2, y2: (x1, y1, x2, y2),
    "xywh": lambda x1, y1, x2, y2: (x1, y1, x2 - x1, y2 - y1),
    "cxcywh": lambda x1, y1, x2, y2: ((x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1),
}
