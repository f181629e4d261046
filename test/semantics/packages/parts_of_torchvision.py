"""Layers and boxes that model files import of torchvision."""

import torch
from torch import nn
from torchvision.ops import MLP, Conv2dNormActivation, StochasticDepth, generalized_box_iou
from torchvision.ops.boxes import box_area, box_convert, box_iou, clip_boxes_to_image
from torchvision.ops.misc import FrozenBatchNorm2d, Permute, SqueezeExcitation

MODE = "train"
# Values within the package are its own affair.
GOLDEN = ("parameters", "modules")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = Conv2dNormActivation(3, 8, kernel_size=(3, 5), stride=2, activation_layer=nn.SiLU)
        self.plain = Conv2dNormActivation(8, 8, norm_layer=None, activation_layer=None)
        self.squeeze = SqueezeExcitation(8, 2)
        self.frozen = FrozenBatchNorm2d(8)
        self.last = Permute([0, 2, 3, 1])
        self.mlp = MLP(8, [16, 4], norm_layer=nn.LayerNorm, activation_layer=nn.GELU, inplace=None, dropout=0.1)
        self.rows = StochasticDepth(0.4, "row")
        self.batch = StochasticDepth(0.2, "batch")

    def forward(self, x):
        x = self.frozen(self.squeeze(self.conv(x)))
        x = x + self.rows(self.plain(x))
        return self.batch(self.mlp(self.last(x)))


def build():
    return Model()


def step(model):
    boxes = model(torch.randn(4, 3, 8, 8)).sigmoid().reshape(-1, 4)[:6]
    corners = box_convert(boxes, "cxcywh", "xyxy")
    target = box_convert(torch.tensor([[0.1, 0.2, 0.5, 0.4], [0.3, 0.1, 0.6, 0.8]]), "xywh", "xyxy")
    overlap = box_iou(corners, target).sum() + generalized_box_iou(corners, target).sum()
    clipped = clip_boxes_to_image(box_convert(corners, "xyxy", "xywh"), (0.4, 0.7))
    return overlap + box_area(corners).mean() + clipped.pow(2).sum()
