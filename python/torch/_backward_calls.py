"""Gradients that PyTorch has functions of their own for, which custom backwards call."""


def _softmax_backward_data(grad_output, output, dim, input_dtype):
    """The gradient of what softmax over `dim` gave `output` for."""
    weighed = grad_output * output
    return (weighed - output * weighed.sum(dim, keepdim=True)).to(input_dtype)


def _log_softmax_backward_data(grad_output, output, dim, input_dtype):
    return (grad_output - output.exp() * grad_output.sum(dim, keepdim=True)).to(input_dtype)
