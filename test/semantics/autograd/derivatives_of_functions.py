"""torch.func: gradients of functions, of each sample, of nests; products with Jacobians, and these whole."""
import torch
from torch import nn
from torch.autograd import functional
from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 6).view(3, 2))
        self.b = nn.Parameter(torch.tensor([0.2, -0.4]))

    def forward(self, x):
        return x @ self.w + self.b


def build():
    return Model()


def step(model):
    parameters = dict(model.named_parameters())
    x = torch.linspace(-1, 2, 12).view(4, 3)
    target = torch.linspace(0, 1, 8).view(4, 2)

    def loss(parameters, x, target):
        return ((x @ parameters["w"] + parameters["b"]).tanh() - target).square().mean()

    each = vmap(grad(loss), in_dims=(None, 0, 0))(parameters, x, target)
    whole, value = grad_and_value(loss, argnums=(0, 1))(parameters, x, target)
    through = grad(lambda p: functional_call(model, p, (x,)).pow(2).mean())(parameters)
    f = lambda row: (row @ model.w).sin() * model.b
    out, pull = vjp(f, x[0])
    (pulled,) = pull(target[0])
    pushed, direction = jvp(f, (x[1],), (x[2],))
    jacobian = jacrev(f)(x[1]) - 0.5 * jacfwd(f)(x[2])
    curvature = hessian(lambda row: f(row).sum())(x[3])
    total = sum(v.pow(2).sum() for v in each.values()) + value
    total = total + sum(v.pow(3).sum() for v in (*whole[0].values(), *through.values())) + whole[1].abs().sum()
    total = total + (out * pulled.sum()).sum() + (pushed * direction).sum()
    rows = functional.jacobian(lambda a, b: (a * b * model.b[0]).exp(), (x[1], x[2]), create_graph=True)
    _, moved = functional.jvp(lambda a: a.sin() * model.b[1], x[0], x[1], create_graph=True)
    square = functional.hessian(lambda a: a.pow(3).sum(), x[0])
    total = total + rows[0].sum() + rows[1].square().sum() + moved.sum() + square.sum() * value
    return total + jacobian.pow(2).sum() + (curvature * x[0]).sum()


# A function under vmap cannot be watched.
GOLDEN = ("parameters",)
