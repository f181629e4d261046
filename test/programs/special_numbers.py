"""Infinities, what is no number and large numbers in calls of neural networks."""

# %% what bounds leave of infinities
x = torch.tensor([float("inf"), float("-inf"), float("nan"), 2.0, -2.0], requires_grad=True)
r1 = x.clamp(min=-1)
r2 = x.clamp(max=1)
r3 = x.double().clamp(min=-1)
r4 = F.normalize(x.detach()[:2], dim=0)
r5, = torch.autograd.grad(r1[:2].sum(), x)

# %% slopes of large numbers
x = torch.tensor([1e30, 3e4, float("-inf"), 2.0, -1e30, 20.0, 0.5], requires_grad=True)
r1, = torch.autograd.grad(F.silu(x).sum(), x, retain_graph=True)
r2, = torch.autograd.grad(F.softshrink(x, 0.3).sum(), x)

# %% means of windows beside what is no number
x = torch.arange(2 * 5 * 7.0).reshape(1, 2, 5, 7)
x[0, 0, 1, 1] = float("nan")
x[0, 1, 2, 3] = float("inf")
r1 = F.adaptive_avg_pool2d(x, (3, 4))
r2 = F.interpolate(x, (7, 9), mode="area")
r3 = F.adaptive_avg_pool1d(x[0], 3)
r4 = F.adaptive_avg_pool3d(x.unsqueeze(0), (2, 3, 3))

# %% means of windows
# leaf x float32 2,3,5,7
# leaf z float16 2,3,5,7
r1 = F.adaptive_avg_pool2d(x, (3, 4)) ** 2
r2 = F.interpolate(x, (7, 9), mode="area") ** 2
r4 = F.adaptive_avg_pool2d(z, (3, 4)) ** 2

# %% bilinear forms
# leaf x float32 2,3,2
# leaf y float32 2,3,4
# leaf w float32 5,2,4
# leaf b float32 5
r1 = F.bilinear(x, y, w, b) ** 2
r2 = F.bilinear(x[0, 0], y[0, 0], w) ** 2
with torch.autocast("cpu", dtype=torch.bfloat16):
    r3 = F.bilinear(x, y, w, b)

# %% bilinear forms in half precision
# leaf x bfloat16 2,3,2
# leaf y bfloat16 2,3,4
# leaf w bfloat16 5,2,4
r1 = F.bilinear(x, y, w) ** 2

# %% bilinear forms of infinities
x = torch.tensor([[1.0, -2.0], [1e30, 3.0]])
y = torch.tensor([[1.0, float("inf"), 0.5], [1.0, -1.0, 0.25]])
r1 = F.bilinear(x, y, torch.arange(12.0).reshape(2, 2, 3) - 5.5)

# %% bounds that are no numbers
# leaf x float32 6
nan = float("nan")
a = x * 2
r1 = torch.clamp(a, min=nan)
r2 = torch.clamp(a, -1, nan)
r3 = (x * 1).clamp_(nan, 0.5)
r4 = torch.full((2,), 3.0).clamp_(max=nan)
r5 = torch.clamp_max(a, nan)
r6 = torch.nn.functional.hardtanh(a, -0.5, nan)
r7 = torch.nn.functional.hardtanh(a + torch.tensor([nan, 0, 0, 0, 0, 0]), -0.5, 0.5)

# %% bounds that meet, cross or are no numbers share gradients
# leaf x float32 5,5,5
# leaf y float32 5,5,5
# leaf z float32 5,1,5
v = torch.tensor([float("nan"), -1.0, 0.0, 1.0, float("inf")])
r1 = torch.clamp(x * 0 + v[:, None, None], y * 0 + v[:, None], z * 0 + v)

# %% running products with infinities, NaN and zeros
# leaf x float32 4,5
nan, inf = float("nan"), float("inf")
a = x + torch.tensor([[nan, 0.0, 0.0, 0.0, 0.0], [0.0, inf, 0.0, 0.0, 0.0], [0.0] * 5, [0.0] * 5])
b = a * torch.tensor([[1.0, 1, 0, 1, 1], [1, 1, 1, 1, 1], [0, 1, 0, 1, 1], [1, 1, 1, 1, 0]])
r1 = b.cumprod(1)

# %% running products with an infinity at the start
# leaf x float32 4,5
r1 = (x + torch.tensor([float("inf"), 0.0, 0.0, 0.0, 0.0])).cumprod(1)

# %% gradients of extremes and norms of lines with NaN and infinities
nan, inf = float("nan"), float("inf")
x = torch.tensor(
    [[nan, 1.0, 2.0], [nan, nan, 1.0], [inf, -inf, 1.0], [-3.0, 3.0, 3.0], [nan, inf, 0.0]],
    requires_grad=True,
)
r1 = []
for call in (
    lambda: x.amax(1),
    lambda: x.amin(1, keepdim=True),
    lambda: x.amax(),
    lambda: x.max(),
    lambda: torch.aminmax(x)[0],
    lambda: torch.aminmax(x, dim=1).max,
    lambda: x.norm(inf),
    lambda: x.norm(-inf),
    lambda: x.norm(inf, 1),
    lambda: x.norm(-inf, 1),
    lambda: x.norm(3, 1),
    lambda: x.norm(0.5, 1),
):
    found = call()
    (slope,) = torch.autograd.grad(found.sum(), x)
    r1.append((found.tolist(), (slope + 0.0).tolist()))

# %% interpolation between infinities
nan, inf = float("nan"), float("inf")
a = torch.tensor([1.0, inf, -inf, 2.0, nan, 0.0], requires_grad=True)
b = torch.tensor([inf, inf, 3.0, 5.0, 1.0, -inf], requires_grad=True)
r1 = []
for w in (0.0, 0.3, 0.5, 0.6, 1.0, 1.5, -0.7):
    for share in (w, torch.tensor(w), torch.full((6,), w)):
        y = torch.lerp(a, b, share)
        r1.append((y.tolist(), [g.tolist() for g in torch.autograd.grad(y.sum(), (a, b))]))
w = torch.tensor([0.0, 0.3, 0.5, 0.6, 1.0, 1.5], requires_grad=True)
r2 = torch.autograd.grad(torch.lerp(a, b, w).sum(), (a, b, w))

# %% quantiles of infinities
nan, inf = float("nan"), float("inf")
t = torch.tensor([[inf, 1.0, -inf, 2.0, 3.0], [inf, inf, 1.0, 2.0, 4.0], [nan, 2.0, inf, 1.0, -inf]])
q = torch.tensor([0.0, 0.1, 0.25, 0.5, 0.6, 0.9, 1.0])
o = []
for how in ("linear", "lower", "higher", "nearest", "midpoint"):
    o.append(torch.quantile(t, q, 1, interpolation=how))
    o.append(torch.nanquantile(t, q, 1, interpolation=how))
r1 = [a.tolist() for a in o]

# %% gradients of interpolation
# leaf x float64 3,5
# leaf y float64 3,5
# leaf w float64 5
r1 = torch.lerp(x, y, w)
r2 = torch.lerp(x, y, 0.7)
r3 = torch.lerp(x, y[:, :1], 0.2)

# %% norms of large numbers and of single ones
nan, inf = float("nan"), float("inf")
r1 = []
for v in ([[1e30]], [[1e-30]], [[0.0, 0.0]], [[0.0]], [[inf, 1.0]], [[inf]], [[nan]], [[nan, 0.0]], [[3.0, -4.0]]):
    t = torch.tensor(v, requires_grad=True)
    for p in (2, 1, 3, 1.5, 0.5, -1, inf, -inf):
        y = torch.linalg.vector_norm(t, p, 1)
        r1.append((y.tolist(), [[abs(e) for e in a] for a in torch.autograd.grad(y.sum(), t)[0].tolist()]))
r2 = torch.norm(torch.tensor(-3.0), 2)
r3 = torch.nn.functional.cosine_similarity(torch.tensor([nan, inf, -inf, 0.0, 1e30, -1e30])[:, None], torch.ones(6, 1), 1)
r4 = torch.nn.functional.normalize(torch.tensor([nan, inf, -inf, 0.0, 1e30, -1e30])[:, None])

# %% angles and lengths of infinities
v = torch.tensor([0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan")])
r1 = torch.atan2(v[:, None], v[None, :])
r2 = torch.hypot(v[:, None], v[None, :])
r3 = torch.atan2(v.double()[:, None], v[None, :])

# %% gradients of angles and lengths of infinities
# leaf x float32 7
# leaf y float32 7
v = torch.tensor([0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan")])
r1 = torch.atan2((x * 0 + v)[:, None], (y * 0 + v)[None, :])
r2 = torch.hypot((x * 0 + v)[:, None], (y * 0 + v)[None, :])

# %% slopes of hardswish where the gradient is infinite
# leaf x float32 2,3
v = torch.tensor([[0.0, 1.0, -1.0], [3.0, -3.0, 4.0]])
r1 = 2 / F.hardswish(x * 0 + v)

# %% gradients of the extremes of two, of equals and beside NaN
# leaf x float32 8
n, i = float('nan'), float('inf')
a = x * 0 + torch.tensor([1.0, n, 1.0, n, i, 0.0, -0.0, 2.0])
b = x * 0 + torch.tensor([1.0, 1.0, n, n, i, -0.0, 0.0, 3.0])
r1 = torch.fmax(a, b * 1)
r2 = torch.fmin(a * 1, b)
r3 = torch.fmax(a, b.detach())
r4 = torch.fmin(a.detach(), b)
r5 = torch.fmax(torch.tensor([1, 2]), torch.tensor([2, 1]))
r6 = torch.fmin(torch.tensor([True, False]), torch.tensor([True, True]))

# %% pools of known numbers beside NaN
nan, inf = float("nan"), float("inf")
x = torch.arange(2 * 6 * 7.0).reshape(1, 2, 6, 7).sin()
x[0, 0, 1, 1] = nan
x[0, 0, 0, 0] = inf
x[0, 1, 2:4, 3] = nan
r1 = F.max_pool2d(x, 2, return_indices=True)
r2 = F.max_pool2d(x, 3, 2, 1, 2)
r3 = F.max_pool1d(x[0], 2)
r4 = F.max_pool3d(x[None], (2, 2, 3), return_indices=True)
r5 = F.adaptive_max_pool2d(x, (4, 3), return_indices=True)
r6 = F.adaptive_max_pool2d(x, 1)
r7 = F.adaptive_max_pool1d(x[0].double(), 3, return_indices=True)

# %% norms of known numbers whose squares overflow
t = torch.tensor([[1e30, 1.0, -2.0], [3e19, -3e19, 0.0], [1e19, 1e19, 0.0], [1e-30, 1e-30, 0.0]])
r1 = t.norm(dim=1)
r2 = torch.linalg.vector_norm(t)
r3 = F.normalize(t)
r4 = F.cosine_similarity(t, t)
r5 = t.double().norm(dim=1)
r6 = torch.linalg.matrix_norm(t)

# %% normalised known numbers whose squares overflow
t = torch.arange(24.0).reshape(1, 24).sin()
big = t.clone()
big[0, 3] = 1e30
lead = t.clone()
lead[0, 8] = -1e30
r1 = F.layer_norm(torch.cat([t, big, lead]), (24,))
r2 = F.layer_norm(big[:, :5], (5,))
r3 = F.layer_norm(big[:, :17], (17,), torch.ones(17), torch.arange(17.0))
r4 = F.rms_norm(torch.cat([t, big, lead]), (24,))
r5 = F.group_norm(torch.cat([t, big, lead]).reshape(3, 4, 6), 2)
r6 = F.group_norm(lead.reshape(1, 4, 6), 1, torch.arange(4.0), torch.ones(4))
r7 = F.layer_norm(torch.full((2, 16), 1e30), (16,))
r8 = F.layer_norm(torch.full((1, 1), 3e19), (1,))

# %% deviations of known numbers whose squares overflow
t = torch.tensor([[1e30, 1.0, -2.0], [3e19, -3e19, 0.0], [1e38, 1e38, -1e38]])
r1 = t.std(1)
r2 = t.var(1)
r3 = t.std()
r4 = torch.var_mean(t, 0)
r5 = t.std(0, unbiased=False)

# %% the gated identity of infinities
v = torch.tensor([float("inf"), float("-inf"), 1e30, -1e30, 0.0, 2.0])
r1 = F.gelu(v)
r2 = F.gelu(v, approximate="tanh")
r3 = F.gelu(v.double())
r4 = F.gelu(v.bfloat16())
r5 = F.gelu(v.repeat(8))
r6 = F.silu(v)
r7 = F.mish(v)

# %% slopes of activations at infinities and large numbers
r1 = []
for f in (
    F.hardtanh, F.relu6, F.hardshrink, F.softshrink, F.elu, F.celu, F.selu, F.hardsigmoid, F.hardswish,
    F.leaky_relu, F.relu, F.gelu, F.silu, F.mish, F.softplus, F.logsigmoid, F.tanhshrink,
):
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        a = torch.tensor([float("inf"), float("-inf"), 1e30, -1e30], dtype=dtype, requires_grad=True)
        y = f(a)
        (g,) = torch.autograd.grad(y, a, torch.full_like(y, 1.5))
        r1.append((g + 0.0).tolist())

# %% slopes of activations made of pieces at NaN, in steps of the loop and after them
r1 = []
for f in (F.hardtanh, F.relu6, F.hardshrink, F.softshrink, F.elu, F.celu, F.selu, F.hardswish, F.hardsigmoid):
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        for size in (5, 24, 32, 64, 70, 130):
            a = torch.full((size,), float("nan"), dtype=dtype)
            a[::3] = 0.25
            a.requires_grad_()
            y = f(a)
            (g,) = torch.autograd.grad(y, a, torch.full_like(y, 1.5))
            r1.append((g + 0.0)[1::16].tolist())

# %% logarithms of shares beside NaN and infinities in double precision
nan, inf = float("nan"), float("inf")
rows = [[nan, 1.0, 2.0, 3.0], [1.0, 2.0, nan, 0.0], [1.0, inf, 0.0, 2.0], [1.0, -inf, 2.0, 0.0], [1.0, 2.0, 3.0, 4.0]]
a = torch.tensor(rows, dtype=torch.float64, requires_grad=True)
labels = torch.tensor([0, 1, 2, 3, 0])
r1 = a.log_softmax(1)
r2 = F.cross_entropy(a, labels, reduction="none")
r3 = F.cross_entropy(a, labels, label_smoothing=0.1, reduction="none")
r4 = F.cross_entropy(a, torch.full((5, 4), 0.25, dtype=torch.float64), reduction="none")
(r5,) = torch.autograd.grad(r1[:, 0].sum() + r3.sum(), a, retain_graph=True)
(r6,) = torch.autograd.grad(r4.sum(), a)

# %% sizes of known numbers beside NaN and infinities
nan, inf = float("nan"), float("inf")
a = torch.tensor([[[[inf, 1.0, 2.0], [nan, 2.0, 0.0], [1.0, -inf, 1e30]]]])
r1 = F.interpolate(a, mode="nearest", scale_factor=2)
r2 = F.interpolate(a, mode="nearest-exact", scale_factor=3)
r3 = F.interpolate(a, mode="bilinear", size=(2, 2), align_corners=True)
r4 = F.interpolate(a[0], mode="linear", size=5)

# %% the gradient of an extreme, or a middle, of all numbers reaches no others
# leaf x float32 3
# leaf y float32 3
# leaf z float32 3
r0 = x.max() * nan
r1 = y.median().var()
r2 = (z * torch.tensor([nan, 1.0, 2.0])).min() * inf

# %% an integer 0 has no sign
a = torch.zeros(3, dtype=torch.int64)
a[0] = -0.5
b = torch.tensor([0])
r0 = [1 / a, 1 / torch.tensor([-0.5, -0.0]).to(torch.int64), 1 / torch.ones(2, dtype=torch.int64).fill_(-0.5)]
r1 = [1 / (b * -1), 1 / -b, 1 / (b // -3), 1 / b.clone().masked_fill_(b == 0, -0.7)]

# %% the loss of an ignored label has no sign
# leaf x float32 2,2
none = torch.tensor([-100, -100])
r0 = [1 / f(x, none, reduction=r) for f in (F.cross_entropy, F.nll_loss) for r in ("sum", "none")]
r1 = 1 / F.cross_entropy(x, none, reduction="sum", label_smoothing=0.1)
r2 = -1.5 // F.cross_entropy(x, none, reduction="sum", weight=torch.tensor([1.0, 2.0]))

# %% sums of complex numbers that are infinite in one part
z = torch.tensor([1 + 2j, complex(inf, 1), complex(nan, 1), complex(1, inf)])
w = torch.tensor([complex(inf, 1), 1 + 2j, complex(1, -inf), 2 - 1j])
real = torch.tensor([1.0, inf, -inf, nan])
r1 = z + w
r2 = z - w
r3 = w - z
r4 = real + z
r5 = z + real
r6 = z.clone()
r6 += w
r7 = z.clone()
r7[torch.tensor([0, 2])] += torch.tensor(-inf)
r8 = z.clone().index_add(0, torch.tensor([0, 3]), w[:2])
r9 = torch.rsub(z, w)
r10 = z - inf
r11 = inf - z
r12 = z.sub_(complex(inf, 0))

# %% gradients of complex numbers that meet where one is infinite
# leaf x complex64 3
y = torch.tensor([6, 2, 0])
r1 = x.clone()
r1 /= y
r2 = x * 1
r3 = x + x / y

# %% gradients of complex numbers that meet in another order
# leaf x complex128 3
y = torch.tensor([6, 2, 0])
r1 = x * 1
r2 = x / y
r3 = (x + r2) * 2

# %% gradients of powers of False
# leaf x float16 3
# leaf y float32 4
# leaf z float64 4
# leaf c complex64 4
r1 = False ** x
r2 = False ** y
r3 = False ** z
r4 = torch.pow(False, y)
r5 = 0 ** y
r6 = True ** y
r7 = False ** c
r8 = 0 ** c
r9 = 0.0 ** z
r10 = True ** c

# %% negative zeros of copysign
# leaf v float64
# leaf b bfloat16 1
place = b.max(dim=0)[1]
r1 = torch.copysign(place, -v.abs())
r2 = v / r1
r3 = torch.copysign(torch.tensor(0), -v.abs())
r4 = v / r3
r5 = v / torch.copysign(torch.zeros(3), -v.abs())

# %% margin losses multiply what comes by slopes of 0 too
# leaf x float32 3,4
# leaf z float32 3,4
nan, inf = float("nan"), float("inf")
y = torch.tensor([[0, 2, -1, 1], [3, -1, 0, 0], [1, 2, 3, -1]])
weights = torch.tensor([1.0, 2.0, 3.0, 4.0])
scale = torch.tensor([1.0, nan, inf])
r0 = F.multilabel_margin_loss(x, y, reduction="none") * scale
r1 = F.multi_margin_loss(z, y[:, 0], p=2, margin=0.5, weight=weights, reduction="none") * scale
holes = torch.tensor([[nan, 2.0, 3.0, 0.5], [0.25, inf, -inf, 1.0], [nan, 0.0, 1.0, 2.0]])
r2 = [F.multilabel_margin_loss(holes, y, reduction="none"), F.multi_margin_loss(holes, y[:, 0], reduction="none")]

# %% rows of zeros renormalized
# leaf x float16 3,2
# leaf y float32 3,2
r1 = torch.renorm(torch.cat([x, x[:1] * 0]), 2, 0, 1.0)
r2 = torch.renorm(torch.cat([y, y[:1] * 0]), 2, 0, 1.0)
r3 = torch.renorm(y, 1, 0, 0.5)
r4 = torch.renorm(y, 3, 1, 0.5)
r5 = torch.renorm(torch.cat([y, y[:1] * 0]), 1, 0, 1.0)
r6 = torch.renorm(torch.cat([y, y[:1] * 0]), 3, 0, 1.0)

# %% renorm of complex
# leaf z complex64 3,2
r1 = torch.renorm(z, 2, 0, 1.0)

# %% targets of weight 0 alone
# leaf x float32 3,4
# leaf y float32 3,4
# leaf z float32 3,4
weights = torch.tensor([0.0, 1.0, 0.0, 2.0])
r0 = F.cross_entropy(x, torch.tensor([0, -100, 2]), weight=weights)
r1 = F.cross_entropy(y, torch.tensor([-100, -100, -100]), weight=weights)
r2 = F.cross_entropy(z, torch.tensor([-100, 1, 0]), weight=weights, label_smoothing=0.1)

# %% infinite gradients of powers of nothing and of what is left out of sums
# leaf x float32 2,2
# leaf e float32 4
r0 = []
inf = float("inf")
for t in (torch.float32, torch.float16, torch.bfloat16):
    for s in (e.round().to(t), torch.tensor([1.0, 0.0, -1.0, 2.0], dtype=t, requires_grad=True)):
        r0 += [torch.autograd.grad((0**s * inf).sum(), s)[0].float()]
        r0 += [torch.autograd.grad((torch.zeros(4, dtype=t) ** s * inf).sum(), s)[0].float()]
        v = torch.tensor([float("nan"), 1.0, 2.0], dtype=t, requires_grad=True)
        r0 += [torch.autograd.grad((f(v) * g).sum(), v)[0].float() for f in (torch.nansum, torch.nanmean) for g in (inf, float("nan"), 2.0)]
r1 = (x * e[:1]).nansum()

# %% the Hermitian factor has a real diagonal
# leaf x complex64 2,3,3
U, H = torch.linalg.polar(x)
r0 = H.diagonal(0, -2, -1).imag == 0
r1 = H

# %% the largest of windows in which a computed number is none
# leaf x float32 2,3,5,7
y = torch.where(x > 1.2, nan, x)
y = torch.where(x < -1.5, inf, y)
r1 = F.max_pool2d(y, 2)
r2 = F.max_pool2d(y, 3, 2, 1, ceil_mode=True, return_indices=True)
r3 = F.max_pool1d(y[0], 3, 1)
r4 = F.max_pool2d(y, 2, dilation=2)
r5 = F.adaptive_max_pool2d(y, (3, 4), return_indices=True)
r6 = F.adaptive_max_pool3d(y, 1)
r7 = F.max_pool2d(y.double(), 2)
r8 = F.max_pool2d(y.bfloat16(), 2)
r9 = F.max_pool3d(y, 2, return_indices=True)

# %% norms of short rows whose squares overflow
# leaf x float32 4,2,3
# leaf w float32 3
y = torch.where(x > 1, 1e30, x)
r1 = F.layer_norm(y, (3,), w, w)
r2 = F.layer_norm(y, (2, 3))
r3 = F.group_norm(y, 2)
r4 = F.instance_norm(y)
r5 = F.layer_norm(torch.cat([y.reshape(6, 4)] * 2, 1), (8,))
r6 = F.layer_norm(torch.where(x > 0, 1.8e19, x), (3,))
r7 = F.instance_norm(torch.tensor([[[1e30, 1.0, 2.0], [1e30, -1e30, 0.5]]]))
r8 = F.group_norm(torch.tensor([[[1e30, 1.0, 2.0], [1e30, -1e30, 0.5]]]), 2)

# %% slopes of deviations from an infinite mean
# leaf x float32 4,3
y = x * 1
y = torch.where(y == y[0, 0], inf, y)
y = torch.where(y == x[1, 2], inf, y)
y.retain_grad()
r1 = y.var(1)
r2 = y.std(0)
r3 = torch.var(y.double(), 1)
r4, = torch.autograd.grad(r1.sum(), y, retain_graph=True)
r5, = torch.autograd.grad(r2.sum(), y, retain_graph=True)

# %% infinite gradients of what a factor of 0 leaves out
# leaf x float32 2,2
# leaf v float32 2
a = torch.zeros(2, 2)
calls = [lambda: torch.addmm(x, a, a, beta=0), lambda: torch.addbmm(x, a[None], a[None], beta=0)]
calls += [lambda: torch.baddbmm(x[None], a[None], a[None], beta=0), lambda: torch.addr(x, a[0], a[0], beta=0)]
calls += [lambda: torch.addmm(v, a, a, beta=0), lambda: torch.addmv(v, a, a[0], beta=0)]
r0 = [torch.autograd.grad((f() * g).sum(), (x, v), allow_unused=True) for f in calls for g in (float("inf"), 2.0)]
r1 = torch.addmm(v, x, x, beta=0)

# %% gradients that are no numbers at norms of nothing
# leaf x float32 2,3
r0 = []
for t in (torch.float32, torch.float64, torch.bfloat16):
    for p in (2, 1, 3, float("inf"), 0.5, 1.5):
        for g in (float("nan"), float("inf"), 2.0):
            for v in (torch.zeros(3, dtype=t), torch.tensor([3.0, 4.0, 0.0], dtype=t)):
                v.requires_grad_()
                for k in (1, 2, 3):
                    r0 += [torch.autograd.grad((torch.linalg.vector_norm(v[:k], p) * g).sum(), v)[0].float()]
r1 = x.norm(dim=1) + x[:, :1].norm(dim=1)
