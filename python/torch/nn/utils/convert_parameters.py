"""Parameters as one vector, and back."""

from ..._call import call
from ..._tensor import set_data

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters):
    return call("cat", ([parameter.view(-1) for parameter in parameters],), {})


def vector_to_parameters(vec, parameters):
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        set_data(parameter, vec[start:end].view_as(parameter).data)
        start = end
