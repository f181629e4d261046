"""Input convex network: transport by its gradient, log-det of the Hessian by Cholesky, softplus weights."""
import torch
from torch import nn
import torch.nn.functional as F
class ICNN(nn.Module):
    def __init__(self, d=3, h=6): super().__init__(); self.w0, self.w1, self.u = nn.Linear(d, h), nn.Linear(d, h), nn.Parameter(torch.randn(h, h)); self.o = nn.Parameter(torch.randn(h))
    def forward(self, x):
        z = F.celu(self.w0(x)) ** 2
        z = F.softplus(F.linear(z, F.softplus(self.u)) + self.w1(x))
        return z @ F.softplus(self.o) + 0.5 * x.pow(2).sum(-1)
def build(): return ICNN()
def step(m):
    x = torch.randn(4, 3, requires_grad=True)
    t, = torch.autograd.grad(m(x).sum(), x, create_graph=True)
    H = torch.stack([torch.autograd.grad(t[:, i].sum(), x, create_graph=True)[0] for i in range(3)], 1)
    ld = 2 * torch.linalg.cholesky(H).diagonal(dim1=-2, dim2=-1).log().sum(-1)
    return 0.5 * t.pow(2).sum(-1).mean() - ld.mean()
