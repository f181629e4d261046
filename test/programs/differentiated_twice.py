"""Gradients of gradients: their numbers, and what a second walk brings to the result of a call and to its argument."""

# %% results that a second gradient reaches, and those that it does not
# leaf x float32 2,3
# leaf w float32 2,3
x, w = x.exp(), w.exp()
curves = [torch.rsqrt, torch.sqrt, torch.exp, torch.sigmoid, torch.reciprocal, F.silu, F.softsign, F.gelu]
curves += [lambda x: F.elu(x - 1.5), lambda x: F.celu(x - 1.5, 2.0), lambda x: F.selu(x - 1.5)]
curves += [lambda x: F.adaptive_avg_pool1d(x[None], 1)]
curves += [lambda x: x**0.5, lambda x: x**-1, lambda x: x / w, lambda x: w / x, lambda x: F.normalize(x, dim=-1)]
curves += [lambda x: F.layer_norm(x, [3]), lambda x: F.rms_norm(x, [3]), lambda x: F.layer_norm(x, [3], w[0], w[1])]
r1 = []
for curve in curves:
    y = curve(x)
    (g,) = torch.autograd.grad((y * y * y * w.detach()).sum(), x, create_graph=True)
    (h, at) = torch.autograd.grad((g * w.detach() ** 2).sum(), [x, y], allow_unused=True)
    r1.append([h, at])

# %% straight lines are differentiated to zeros
# leaf x float32 2,4
# leaf w float32 2,4
x = x * 1
lines = [F.relu, F.relu6, F.leaky_relu, F.hardtanh, F.hardshrink, F.softshrink, lambda x: F.threshold(x, 0.1, 0.0)]
lines += [lambda x: F.avg_pool1d(x[None], 2), lambda x: F.max_pool1d(x[None], 2), lambda x: F.adaptive_avg_pool1d(x[None], 1)]
lines += [torch.abs, lambda x: x.clamp(-0.5, 0.5), lambda x: x.max(-1)[0]]
r1 = []
for line in lines:
    y = line(x)
    c = torch.ones_like(y).requires_grad_()
    (g,) = torch.autograd.grad((y * c).sum(), x, create_graph=True)
    r1.append(torch.autograd.grad((g * w.detach()).sum(), [x, y, c], allow_unused=True))

# %% matrices
# leaf a float32 3,3
# leaf b float32 3,2
a = a * 0.3 + torch.diag(torch.tensor([1.5, 2.5, 4.0]))
s = a @ a.mT
calls = [torch.linalg.det, torch.logdet, lambda s: torch.linalg.slogdet(s)[1], torch.linalg.inv, torch.linalg.cholesky]
calls += [torch.linalg.eigvalsh, torch.linalg.svdvals, torch.linalg.pinv, lambda s: torch.linalg.qr(s)[1].abs()]
calls += [lambda s: torch.linalg.solve(s, b), lambda s: torch.linalg.solve(s, b.mT, left=False)]
calls += [lambda s: torch.linalg.solve_triangular(s.triu(), b, upper=True), lambda s: torch.linalg.matrix_norm(s, "nuc")]
calls += [lambda s: torch.cholesky_solve(b, torch.linalg.cholesky(s)), lambda s: torch.cholesky_inverse(torch.linalg.cholesky(s))]
r1 = []
for call in calls:
    (g,) = torch.autograd.grad((call(s) ** 2).sum(), s, create_graph=True)
    r1.append([g, torch.autograd.grad((g * g).sum() * 1e-3, a, retain_graph=True)[0]])

# %% factors that are no triangle
# leaf a float32 3,3
a = a * 0.3 + torch.diag(torch.tensor([1.5, 2.5, 4.0]))
b = torch.tensor([[1.0, -0.5], [0.3, 2.0], [0.7, 0.1]])
r1 = [torch.cholesky_inverse(a), torch.cholesky_inverse(a, upper=True)]
r2 = [torch.cholesky_solve(b, a), torch.cholesky_solve(b, a, upper=True)]

# %% running logarithms of sums
# leaf x float32 2,4
# leaf w float32 2,4
y = x.logcumsumexp(-1)
(g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
r1 = torch.autograd.grad((g * w.detach()).sum(), x)[0]

# %% one of several results of a node is known when another is asked for
# leaf x float32 2,4
x = x * 1.0
y = F.layer_norm(x, [4])
(g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
r1 = y.norm().item() > 0, round(g.norm().item(), 4)

# %% what a gradient ends at is no part of its walk
# leaf x float32 2,4
class Counted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, d):
        counts.append(1)
        (x,) = ctx.saved_tensors
        return 2 * x * d


counts = []
y = Counted.apply(x.exp() * x)
r1 = [torch.autograd.grad((y * y).sum(), y)[0], torch.autograd.grad(y.exp().sum(), y)[0], len(counts)]
r2 = torch.autograd.grad((y * y).sum(), x)[0]
r3 = len(counts)
