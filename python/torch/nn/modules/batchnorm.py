"""Normalisation over the batch, and over each instance, with running statistics."""

from ... import _dtypes
from ..._call import call
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedBuffer, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "LazyBatchNorm1d",
    "LazyBatchNorm2d",
    "LazyBatchNorm3d",
    "SyncBatchNorm",
]


class _NormBase(Module):
    """Weight and bias for each channel, and running mean and variance as buffers."""

    _version = 2

    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self._register_all(bias, {"dtype": dtype, "device": device})
        self.reset_parameters()

    def _register_all(self, bias, factory):
        sizes = (self.num_features,)
        for name, wanted in (("weight", self.affine), ("bias", self.affine and bias)):
            made = Parameter(call("empty", (sizes,), factory)) if wanted else None
            self.register_parameter(name, made)
        tracked = self.track_running_stats
        self.register_buffer("running_mean", call("zeros", (sizes,), factory) if tracked else None)
        self.register_buffer("running_var", call("ones", (sizes,), factory) if tracked else None)
        count = call("zeros", ((),), {**factory, "dtype": _dtypes.int64}) if tracked else None
        self.register_buffer("num_batches_tracked", count)

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_input_dim(self, input):
        raise NotImplementedError

    def extra_repr(self):
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(self, state_dict, prefix, *rest):
        key = prefix + "num_batches_tracked"
        if self.track_running_stats and key not in state_dict:
            state_dict[key] = self.num_batches_tracked
        super()._load_from_state_dict(state_dict, prefix, *rest)


class _BatchNorm(_NormBase):
    def forward(self, input):
        self._check_input_dim(input)
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                share = 1.0 / self.num_batches_tracked._numbers("count")[0]
        uses_batch = self.training or (self.running_mean is None and self.running_var is None)
        keeps_statistics = not self.training or self.track_running_stats
        return F.batch_norm(
            input,
            self.running_mean if keeps_statistics else None,
            self.running_var if keeps_statistics else None,
            self.weight,
            self.bias,
            uses_batch,
            share,
            self.eps,
        )


def _needs_rank(*ranks):
    shown = " or ".join(f"{rank}D" for rank in ranks)

    def _check_input_dim(self, input):
        if input.dim() not in ranks:
            raise ValueError(f"expected {shown} input (got {input.dim()}D input)")

    return _check_input_dim


class BatchNorm1d(_BatchNorm):
    _check_input_dim = _needs_rank(2, 3)


class BatchNorm2d(_BatchNorm):
    _check_input_dim = _needs_rank(4)


class BatchNorm3d(_BatchNorm):
    _check_input_dim = _needs_rank(5)


class SyncBatchNorm(_BatchNorm):
    """In one process it is batch normalisation over whatever rank the input has."""

    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        process_group=None,
        device=None,
        dtype=None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """The same modules with every batch normalisation as one of this class."""
        converted = module
        if isinstance(module, _BatchNorm):
            converted = cls(
                module.num_features,
                module.eps,
                module.momentum,
                module.affine,
                module.track_running_stats,
                process_group,
            )
            for name in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked"):
                setattr(converted, name, getattr(module, name))
            converted.training = module.training
        for name, child in module.named_children():
            converted.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return converted


class _LazyNormBase(LazyModuleMixin, _NormBase):
    """Normalisation whose num_features the first input decides."""

    def __init__(
        self,
        eps=1e-05,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(0, eps, momentum, False, False)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = call("zeros", ((),), {"dtype": _dtypes.int64})

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        self.num_features = input.shape[1]
        for tensor in (self.weight, self.bias, self.running_mean, self.running_var):
            if tensor is not None:
                tensor.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm1d
    _check_input_dim = _needs_rank(2, 3)


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm2d
    _check_input_dim = _needs_rank(4)


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm3d
    _check_input_dim = _needs_rank(5)
