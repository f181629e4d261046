"""
Half precision rounds each kernel of a gradient. The leaves are in float64, so that gradients are
compared to the last digit; each call has a cast of its own, where what comes together is summed.
"""

# %% functions of any number
# leaf x float64 64
fs = [torch.erf, torch.erfc, torch.expm1, torch.exp2, torch.sin, torch.cos, torch.tan, torch.atan]
fs += [torch.sinh, torch.cosh, torch.asinh, torch.sinc, torch.reciprocal, torch.digamma]
fs += [torch.i0, torch.special.i0e, torch.special.i1, torch.special.i1e, torch.lgamma]
fs += [F.glu, F.logsigmoid, F.tanhshrink, F.softsign, torch.sigmoid]
r0 = [f(x.bfloat16()) for f in fs + [torch.special.ndtr]]
r1 = [f(x.half()) for f in fs]

# %% functions of shares
# leaf x float64 64 share
fs = torch.erfinv, torch.asin, torch.acos, torch.atanh, torch.special.entr, torch.logit
r0 = [f(x.to(t)) for t in (torch.bfloat16, torch.half) for f in fs]
r1 = [x.to(t).logit(0.3) for t in (torch.bfloat16, torch.half)]

# %% functions of positive numbers
# leaf x float64 64 positive
fs = torch.log2, torch.log10, torch.log1p, torch.rsqrt, lambda a: torch.polygamma(1, a)
r0 = [f(x.to(t)) for t in (torch.bfloat16, torch.half) for f in fs]
r1 = [(x + 1).to(t).acosh() for t in (torch.bfloat16, torch.half)]

# %% functions of two numbers
# leaf x float64 64
# leaf y float64 64
r0 = []
fs = [torch.atan2, torch.hypot, torch.logaddexp, torch.logaddexp2, torch.div, torch.dist]
fs += [lambda a, b: a.lerp(b, 0.3), lambda a, b: a.lerp(b, b.detach()), F.pairwise_distance]
fs += [lambda a, b: a.detach().lerp(b.detach(), a)]
fs += [lambda a, b: a.detach().addcmul(a, b, value=1.7)]
fs += [lambda a, b: a.detach().addcdiv(a, b, value=1.7)]
r0 = [f(x.to(t), y.to(t)) for t in (torch.bfloat16, torch.half) for f in fs]

# %% powers, and products with logarithms
# leaf x float64 64
# leaf y float64 64 positive
r0 = []
for t in (torch.bfloat16, torch.half):
    r0 += [y.to(t) ** n for n in (2, 3, -1, -2, 0.5, 0.3, 1.5, 2.5, -0.5, 1, 0)]
    r0 += [y.to(t) ** x.to(t), 1.7 ** x.to(t), 2 ** x.to(t)]
    r0 += [torch.xlogy(x.to(t), y.to(t)), torch.special.xlog1py(x.to(t), y.to(t))]

# %% numbers that are rounded to the type, and some that are not
# leaf x float64 64
r0 = []
for t in (torch.bfloat16, torch.half):
    a = x.detach().to(t)
    r = [a + 1.3, a - 1.3, 1.3 - a, a.add(1.3, alpha=1.7), a.add(a, alpha=1.7)]
    r += [a + torch.tensor(1.3), a * 1.3, a / 1.3, a.fmod(1.3), a.remainder(1.3)]
    r += [a.div(1.3, rounding_mode="floor"), a.clone().add_(1.3), torch.full_like(a, 2).sub_(1.3)]
    r0 += [part.double() for part in r]

# %% norms of every order
# leaf x float64 8,8
r0 = []
for t in (torch.bfloat16, torch.half):
    for p in (0.5, -1, -0.5, 1, 1.5, 2, 2.5, 3, 4, float("inf"), float("-inf"), 0):
        r0 += [x.to(t).norm(p), torch.linalg.vector_norm(x.to(t), p, 1, keepdim=True)]
    r0 += [torch.linalg.matrix_norm(x.to(t), p) for p in (1, -1, float("inf"), float("-inf"))]

# %% what is divided by norms
# leaf x float64 4,6
r0 = []
for t in (torch.bfloat16, torch.half):
    r0 += [F.normalize(x.to(t), p, 0) for p in (1, 2, 3, -1, 0.5)]

# %% logarithms of sums
# leaf x float64 4,6
r0 = []
for t in (torch.bfloat16, torch.half):
    r0 += [x.to(t).logcumsumexp(1), x.to(t).logsumexp(0), x.to(t).logsumexp((0, 1), True)]

# %% cross entropies of shares
# leaf x float64 64 share
# leaf y float64 64 share
r0 = []
for t in (torch.bfloat16, torch.half):
    r0 += [F.binary_cross_entropy(x.to(t), y.to(t), reduction="none")]

# %% losses that are made of other calls
# leaf x float64 64
# leaf y float64 64 share
r0 = []
for t in (torch.bfloat16, torch.half):
    for loss in (F.kl_div, F.poisson_nll_loss):
        r0.append(loss(x.to(t), y.to(t), reduction="none"))
    r0.append(F.gaussian_nll_loss(x.to(t), y.to(t), y.to(t), reduction="none"))
    far, near = (x * 100).to(t), (y * 0.1).to(t)
    r0.append(F.gaussian_nll_loss(far, y.detach().to(t), near, reduction="sum"))

# %% a zero that underflowed keeps its sign
r0 = -1 / torch.tensor([-1e-40, 1e-40], dtype=torch.half)

# %% powers whose exponent is 0, and of truths
# leaf x float16 4
e = x * 0 + torch.tensor([0.0, -0.0, 2.0, 1.0], dtype=torch.float16)
r1 = torch.tensor([2.0, 3.0, 0.0, -1.0], dtype=torch.float16) ** e
r2 = (x * x) ** e
r3 = torch.tensor([2, 0, 1, 3]) ** e

# %% powers by truths have no gradient
# leaf x bfloat16 3
r1 = x ** torch.tensor([True, False, True])

# %% products that are spread, and spreads
# leaf x float64 3,20
# leaf y float64 20
# leaf z float64 3,1
r0 = [x.to(t) * y.to(t) for t in (torch.bfloat16, torch.half)]
r1 = [z.to(t) * y.to(t) for t in (torch.bfloat16, torch.half)]
r2 = [y.to(t).outer(z.to(t).flatten()) for t in (torch.bfloat16, torch.half)]
fs = [lambda a: a.std(1), lambda a: a.std(), lambda a: a.var(0), lambda a: a.var(unbiased=False)]
fs += [lambda a: torch.std_mean(a, 1), lambda a: torch.var_mean(a, 0, keepdim=True)]
fs += [lambda a: a.cumprod(1)]
r3 = [f(x.to(t)) for t in (torch.bfloat16, torch.half) for f in fs]

# %% numbers that are compared with, and bounds
# leaf x float64 24
numbers = torch.tensor([0.3, -0.3, 0.299, 0.301, 0.302, 0.7, 0.70117, 0.6992], dtype=torch.float64)
x = torch.cat([x, numbers])
fs = [lambda a: a > 0.3, lambda a: a >= 0.7, lambda a: a == 0.3, lambda a: a != 0.7, lambda a: a < 0.7]
fs += [lambda a: a <= torch.tensor(0.3), lambda a: torch.where(a > 0.3, a, 0.7)]
fs += [lambda a: a.clamp(-0.3, 0.7), lambda a: a.clamp(min=0.3), lambda a: F.hardtanh(a, -0.3, 0.7)]
fs += [lambda a: F.softshrink(a, 0.3), lambda a: F.hardshrink(a, 0.3), lambda a: F.threshold(a, 0.3, 0.7)]
fs += [lambda a: torch.atan2(a - a, a - a), lambda a: torch.atan2(a * 1e-4, a * 1e-4)]
r0 = [f(x.to(t)) for t in (torch.bfloat16, torch.half) for f in fs]

# %% a layer of an LSTM in bfloat16
# leaf x float64 5,2,3
# leaf h float64 4,2,4
# leaf c float64 4,2,4
m, n = nn.LSTM(3, 4, 2, bidirectional=True), nn.LSTM(3, 4, bias=False, batch_first=True).bfloat16()
with torch.autocast("cpu", dtype=torch.bfloat16):
    r0 = m(x.float(), (h.float(), c.float()))
r1, r2 = n(x.bfloat16())[0], n(x[0].bfloat16())[1]
weights = [p for one in (m, n) for p in one.parameters()]
sums = sum((y.double() * 1.7).sum() for y in (r0[0], *r0[1], r1, *r2))
r3 = torch.autograd.grad(sums, weights)

# %% convolutions in float16, which is summed tap by tap
# leaf x float64 1,4,4,5
# leaf w float64 4,4,3,2
# leaf b float64 4
fs = [lambda a, k, c: F.conv2d(a, k, c), lambda a, k, c: F.conv2d(a, k, None, 2, 1)]
fs += [lambda a, k, c: F.conv2d(a, k[:, :1], None, 1, 0, 1, 4), lambda a, k, c: F.conv1d(a[0], k.detach()[:, :, 0])]
fs += [lambda a, k, c: F.conv3d(a[:, :, None], k[:, :, None]), lambda a, k, c: F.conv_transpose2d(a, k, c)]
fs += [lambda a, k, c: F.conv_transpose2d(a, k, c, 2, 1, 1), lambda a, k, c: F.conv_transpose1d(a[0], k.detach()[:, :, 0], c, 3)]
fs += [lambda a, k, c: F.conv_transpose2d(a, k[:, :2], None, 1, 0, 0, 2, 2)]
fs += [lambda a, k, c: F.conv_transpose3d(a[:, :, None], k[:, :, None], c)]
r0 = [f(x.half(), w.half(), b.half()) for f in fs]

# %% losses of pairs, weighed and reduced
# leaf x float64 64
# leaf y float64 64 share
r0 = []
with_weight = lambda f: lambda a, b, **how: f(a, b, weight=(b.detach() * 1.3), **how)
fs = [F.binary_cross_entropy_with_logits, with_weight(F.binary_cross_entropy_with_logits)]
fs += [lambda a, b, **how: F.binary_cross_entropy_with_logits(a, b, pos_weight=b.detach() * 1.3, **how)]
fs += [F.mse_loss, with_weight(F.mse_loss), F.huber_loss, lambda a, b, **how: F.huber_loss(a, b, delta=0.3, **how)]
fs += [F.smooth_l1_loss, lambda a, b, **how: F.smooth_l1_loss(a, b, beta=0.3, **how)]
for t in (torch.bfloat16, torch.half):
    for reduction in ("mean", "sum", "none"):
        r0 += [f(x.to(t), y.to(t), reduction=reduction).double() for f in fs]
        for f in (F.binary_cross_entropy, with_weight(F.binary_cross_entropy)):
            r0 += [f(x.sigmoid().to(t), y.to(t), reduction=reduction).double()]

# %% products are rounded after each factor
# leaf x float64 3,70 positive
# leaf y float64 6,5 positive
zeros = torch.ones(6, 5).index_fill(0, torch.tensor(2), 0).index_fill(1, torch.tensor(3), 0)
fs = [lambda a: a.prod(0), lambda a: a.prod(1), lambda a: a.prod(), lambda a: a.prod(1, True), lambda a: a[:1].prod()]
r0 = []
for t in (torch.bfloat16, torch.half):
    r0 += [f((x * 0.4 + 0.4).to(t)).double() for f in fs]
    r0 += [f(y.to(t)).double() for f in fs] + [f(y.to(t) * zeros.to(t)).double() for f in fs[:2]]
    r0 += [y[0, 0].to(t).prod().double(), y[0, 0].to(t).prod(0).double()]

# %% means of windows share out a gradient window by window
# leaf x float64 2,3,7,9
fs = [lambda a: F.avg_pool2d(a, 3, 1), lambda a: F.avg_pool2d(a, 3, 2, 1), lambda a: F.avg_pool2d(a, (2, 3))]
fs += [lambda a: F.avg_pool1d(a[0], 3, 1), lambda a: F.avg_pool1d(a[0], 4, 2, 1, count_include_pad=False)]
fs += [lambda a: F.adaptive_avg_pool2d(a, 4), lambda a: F.adaptive_avg_pool2d(a, (9, 1)), lambda a: F.adaptive_avg_pool2d(a, 1)]
fs += [lambda a: F.adaptive_avg_pool2d(a, (7, 3)), lambda a: F.adaptive_avg_pool1d(a[0], 4), lambda a: F.interpolate(a, (5, 7), mode="area")]
fs += [lambda a: F.adaptive_avg_pool3d(a, (2, 4, 5)), lambda a: F.adaptive_avg_pool3d(a, 1)]
r0 = [f(x.to(t)).double() for t in (torch.bfloat16, torch.half) for f in fs]

# %% a linear layer adds its bias after the product where the input does not lie in one piece
# leaf x bfloat16 3,2,4
# leaf w bfloat16 5,4
# leaf b bfloat16 5
r0 = F.linear(x, w, b)
r1 = F.linear(x.transpose(0, 1), w, b)
r2 = F.linear(x[:, :1].transpose(0, 1), w, b)
r3 = F.linear(x[0], w, b)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r4 = F.linear(x.float().transpose(0, 1), w, b)

# %% gates of a GRU under autocast
# leaf x float32 3,2,4
m = nn.GRU(4, 3, batch_first=True, bidirectional=True)
n = nn.GRU(4, 3)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r0 = m(x)
    r1 = n(x)

# %% wider tensors without axes, and edits by wider ones
# leaf x float64 64
# leaf y float64 64 share
fs = [lambda a, b: a * b[0], lambda a, b: a / b[0], lambda a, b: b[0] / a, lambda a, b: (a.abs() ** b[0]).detach(), lambda a, b: b[0] - a]
fs += [lambda a, b: torch.hypot(b[0], a).detach(), lambda a, b: torch.atan2(b[0], a).detach()]
fs += [lambda a, b: a.clone().mul_(b), lambda a, b: a.clone().mul_(b[0]), lambda a, b: a.clone().div_(b[0])]
fs += [lambda a, b: a.reshape(8, 8).clone().mul_(b[:8])]
r0 = [f(x.to(t), y.to(w)).double() for t in (torch.bfloat16, torch.half) for w in (torch.float32, torch.float64) for f in fs]

# %% channels are not normalized among neighbours in half precision
# leaf x float64 2,3,4,5
with torch.autocast("cpu", dtype=torch.bfloat16):
    r0 = F.local_response_norm(x.bfloat16(), 2)
r1 = F.local_response_norm(x.bfloat16()[0], 2)
F.local_response_norm(x.half(), 2)

# %% angles of half precision and a wider type
# leaf x float64 64
# leaf y float64 64 share
r0 = []
for t in (torch.bfloat16, torch.half):
    for w in (torch.float32, torch.float64):
        r0 += [torch.atan2(x.to(t), y.to(w)).double(), torch.atan2(y.to(w), x.to(t)).double()]
        r0 += [torch.atan2(x[0].to(t), y.to(w)).double()]

# %% means of bags are sums in half precision, divided
# leaf w float16 6,3
r0 = F.embedding_bag(torch.tensor([[0, 3, 1], [2, 2, 5]]), w)
r1 = F.embedding_bag(torch.tensor([0, 3, 1, 4, 5, 2, 1]), w, torch.tensor([0, 5]))

# %% patches that overlap are added one place of the kernel after the other
# leaf x bfloat16 2,8,12
r0 = torch.nn.functional.fold(x, (4, 5), 2)
r1 = torch.nn.functional.fold(x.half() * 3, (4, 5), 2)
