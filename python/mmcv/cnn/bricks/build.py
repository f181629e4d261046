"""What a config names: convolutions, norms, activations, dropouts. Others are those that a registry knows."""

from mmengine.registry import MODELS
from torch import nn

from .drop import Dropout, DropPath


class Swish(nn.Module):
    def forward(self, x):
        return x * x.sigmoid()


class Clamp(nn.Module):
    def __init__(self, min=-1.0, max=1.0):
        super().__init__()
        self.min, self.max = min, max

    def forward(self, x):
        return x.clamp(self.min, self.max)


_CONVS = {
    "Conv": nn.Conv2d,
    "Conv1d": nn.Conv1d,
    "Conv2d": nn.Conv2d,
    "Conv3d": nn.Conv3d,
    "deconv": nn.ConvTranspose2d,
}
_NORMS = {
    "BN": nn.BatchNorm2d,
    "BN1d": nn.BatchNorm1d,
    "BN2d": nn.BatchNorm2d,
    "BN3d": nn.BatchNorm3d,
    "SyncBN": nn.SyncBatchNorm,
    "GN": nn.GroupNorm,
    "LN": nn.LayerNorm,
    "IN": nn.InstanceNorm2d,
    "IN1d": nn.InstanceNorm1d,
    "IN2d": nn.InstanceNorm2d,
    "IN3d": nn.InstanceNorm3d,
}
_ACTIVATIONS = {
    **{
        name: getattr(nn, name)
        for name in ("ReLU", "LeakyReLU", "PReLU", "RReLU", "ReLU6", "ELU", "Sigmoid", "Tanh")
    },
    **{"GELU": nn.GELU, "SiLU": nn.SiLU, "Swish": Swish, "Clip": Clamp, "Clamp": Clamp},
    **{"HSwish": nn.Hardswish, "HSigmoid": nn.Hardsigmoid, "Mish": nn.Mish},
}
_DROPOUTS = {"Dropout": Dropout, "DropPath": DropPath}


def _parted(cfg, known):
    """The class that the config names, and its arguments."""
    arguments = dict(cfg)
    kind = arguments.pop("type")
    found = known.get(kind) or MODELS.get(kind) if isinstance(kind, str) else kind
    if found is None:
        raise KeyError(f"Cannot find {kind} in registry")
    return found, arguments


def build_conv_layer(cfg, *args, **kwargs):
    kind, arguments = _parted(cfg or {"type": "Conv2d"}, _CONVS)
    return kind(*args, **kwargs, **arguments)


def build_norm_layer(cfg, num_features, postfix=""):
    """The name that its part has in a module, and the norm."""
    kind, arguments = _parted(cfg, _NORMS)
    wants_gradient = arguments.pop("requires_grad", True)
    arguments.setdefault("eps", 1e-5)
    counted = {"num_channels": num_features} if kind is nn.GroupNorm else {}
    layer = kind(*(() if counted else (num_features,)), **counted, **arguments)
    for parameter in layer.parameters():
        parameter.requires_grad = wants_gradient
    return _short_name(kind) + str(postfix), layer


def _short_name(kind):
    from torch.nn.modules.batchnorm import _BatchNorm
    from torch.nn.modules.instancenorm import _InstanceNorm

    kinds = ((_InstanceNorm, "in"), (_BatchNorm, "bn"), (nn.GroupNorm, "gn"), (nn.LayerNorm, "ln"))
    return next((name for base, name in kinds if issubclass(kind, base)), "norm_layer")


def build_activation_layer(cfg):
    kind, arguments = _parted(cfg, _ACTIVATIONS)
    return kind(**arguments)


def build_dropout(cfg, default_args=None):
    kind, arguments = _parted({**(default_args or {}), **cfg}, _DROPOUTS)
    return kind(**arguments)


def build_upsample_layer(cfg, *args, **kwargs):
    kind, arguments = _parted(cfg, {"deconv": nn.ConvTranspose2d, "deconv3d": nn.ConvTranspose3d})
    if isinstance(cfg["type"], str) and cfg["type"] in ("nearest", "bilinear"):
        return nn.Upsample(*args, mode=cfg["type"], **kwargs, **arguments)
    return kind(*args, **kwargs, **arguments)
