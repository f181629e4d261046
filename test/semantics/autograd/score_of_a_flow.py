"""Normalising flow: slogdet, Cholesky, matrix exponentials; a score by the gradient of its log density."""
import torch
from torch import nn
class Flow(nn.Module):
    def __init__(self, d=3):
        super().__init__(); self.w = nn.Parameter(torch.eye(d) + torch.randn(d, d) * .2); self.net = nn.Sequential(nn.Linear(d, 8), nn.Tanh(), nn.Linear(8, d * d)); self.d = d
    def logp(self, x):
        z = x @ self.w
        A = self.net(z).view(-1, self.d, self.d)
        S = A @ A.mT + torch.eye(self.d)
        L = torch.linalg.cholesky(S)
        y = torch.linalg.solve_triangular(L, z[..., None], upper=False)[..., 0]
        return -0.5 * y.pow(2).sum(-1) - 0.5 * torch.logdet(S) + torch.linalg.slogdet(self.w)[1]
    def forward(self, x):
        x = x.requires_grad_()
        lp = self.logp(x)
        s, = torch.autograd.grad(lp.sum(), x, create_graph=True)
        return lp, s
def build(): return Flow()
def step(m):
    lp, s = m(torch.randn(5, 3))
    return -lp.mean() + 0.1 * s.pow(2).sum(-1).mean()
