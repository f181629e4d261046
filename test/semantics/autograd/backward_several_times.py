"""backward() several times in the step: auxiliary losses accumulate, inputs=, retain_graph, gradient as argument."""
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self): super().__init__(); self.body, self.h1, self.h2 = nn.Sequential(nn.Linear(4, 6), nn.GELU()), nn.Linear(6, 2), nn.Linear(6, 1)
    def forward(self, x): z = self.body(x); return self.h1(z), self.h2(z), z
MODE = "train"
def build(): return Net()
def step(m):
    x = torch.randn(3, 4)
    a, b, z = m(x)
    z.retain_grad()
    a.pow(2).mean().backward(retain_graph=True)
    b.backward(torch.ones_like(b) * 0.5, retain_graph=True, inputs=list(m.body.parameters()))
    print(m.h2.weight.grad, round(z.grad.norm().item(), 4))
    (a.sum() * b.sum()).backward(retain_graph=True)
    return (a.mean() - b.mean()) ** 2
