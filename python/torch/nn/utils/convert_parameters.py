"""Parameters as one vector, and back."""

from ..._call import call
from ..._functions import typename
from ..._tensor import Tensor, set_data

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters):
    return call("cat", ([parameter.view(-1) for parameter in parameters],), {})


def vector_to_parameters(vec, parameters):
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        set_data(parameter, vec[start:end].view_as(parameter).data)
        start = end
