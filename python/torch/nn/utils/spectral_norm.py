"""Spectral normalisation by a hook before forward: w / σ, σ by power iteration."""

from ..._call import call, composite
from ..._grad_mode import no_grad
from .. import functional as F
from ..modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from ..parameter import Parameter

__all__ = ["SpectralNorm", "remove_spectral_norm", "spectral_norm"]


def with_axis_first(weight, dim):
    if dim != 0:
        weight = weight.permute(dim, *(axis for axis in range(weight.dim()) if axis != dim))
    return weight


@composite("normalize")
def normalize_into(target, vector, eps):
    """`target` becomes the vector of length 1."""
    return target.copy_(F.normalize(vector, dim=0, eps=eps))


def random_direction(like, size, eps):
    return F.normalize(
        call("empty", ((size,),), {"dtype": like.dtype}).normal_(0, 1), dim=0, eps=eps
    )


def _as_matrix(weight, dim):
    """[*] → [size of `dim`, the rest]."""
    weight = with_axis_first(weight, dim)
    return weight.reshape(weight.size(0), -1)


def axis_of(module):
    """Transposed convolutions keep their outputs on the second axis."""
    return 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0


class SpectralNorm:
    """The hook: sets the weight anew from `…_orig` and the vectors `…_u` and `…_v`."""

    def __init__(self, name="weight", n_power_iterations=1, dim=0, eps=1e-12):
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.n_power_iterations = n_power_iterations
        self.dim = dim
        self.eps = eps

    def compute_weight(self, module, do_power_iteration):
        weight = getattr(module, self.name + "_orig")
        u, v = getattr(module, self.name + "_u"), getattr(module, self.name + "_v")
        matrix = _as_matrix(weight, self.dim)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    normalize_into(v, matrix.t().mv(u), self.eps)
                    normalize_into(u, matrix.mv(v), self.eps)
                u, v = u.clone(), v.clone()
        return weight / u.dot(matrix.mv(v))

    @staticmethod
    def apply(module, name, n_power_iterations, dim, eps):
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(
                    f"Cannot register two spectral_norm hooks on the same parameter {name}"
                )
        made = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        with no_grad():
            height, width = _as_matrix(weight, dim).shape
            u = random_direction(weight, height, eps)
            v = random_direction(weight, width, eps)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(made)
        return made

    def remove(self, module):
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module, inputs):
        weight = self.compute_weight(module, do_power_iteration=module.training)
        setattr(module, self.name, weight)


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    dim = axis_of(module) if dim is None else dim
    SpectralNorm.apply(module, name, n_power_iterations, dim, eps)
    return module


def remove_spectral_norm(module, name="weight"):
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")
