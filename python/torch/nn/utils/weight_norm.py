"""Weight normalisation by a hook before forward: w = g · v / ‖v‖."""

from ..._call import composite
from ..._dtypes import bfloat16, float16
from ..parameter import Parameter, UninitializedParameter

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]

HALF = (bfloat16, float16)


def norm_except_dim(v, pow=2, dim=0):
    """The norm over all axes but `dim`, which stay with size 1; over all where `dim` is −1."""
    if pow != 2:
        raise RuntimeError("norm_except_dim: only the 2-norm is computed")
    if v.dtype in HALF:
        return norm_except_dim(v.float(), pow, dim).to(v.dtype)
    if dim == -1:
        return v.pow(2).sum().sqrt()
    axes = [axis for axis in range(v.dim()) if axis != dim]
    return v.pow(2).sum(axes, keepdim=True).sqrt() if axes else v.abs()


@composite("_weight_norm")
def _weight_norm(v, g, dim=0):
    """Along an outer axis half precision is rounded once."""
    if v.dtype in HALF and dim in (0, v.dim() - 1):
        return _weight_norm(v.float(), g.float(), dim).to(v.dtype)
    return v * (g / norm_except_dim(v, 2, dim))


class WeightNorm:
    """The hook: sets the weight anew from its direction `…_v` and length `…_g`."""

    def __init__(self, name, dim):
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module):
        return _weight_norm(
            getattr(module, self.name + "_v"), getattr(module, self.name + "_g"), self.dim
        )

    @staticmethod
    def apply(module, name, dim):
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(
                    f"Cannot register two weight_norm hooks on the same parameter {name}"
                )
        made = WeightNorm(name, dim)
        weight = getattr(module, name)
        if isinstance(weight, UninitializedParameter):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. "
                "Make sure to run the dummy forward before applying weight normalization"
            )
        del module._parameters[name]
        module.register_parameter(name + "_g", Parameter(norm_except_dim(weight, 2, made.dim).data))
        module.register_parameter(name + "_v", Parameter(weight.data))
        setattr(module, name, made.compute_weight(module))
        module.register_forward_pre_hook(made)
        return made

    def remove(self, module):
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + "_g"]
        del module._parameters[self.name + "_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module, name="weight", dim=0):
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module, name="weight"):
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
