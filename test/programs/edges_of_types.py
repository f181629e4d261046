"""Tensors without axes, infinities and NaN, and equal numbers."""

# %% dimensions that a tensor without axes has not
x = torch.tensor(2.5)
i = torch.tensor([0])


def told(call):
    try:
        return call().tolist()
    except Exception as error:
        return type(error).__name__


r1 = str(
    [
        [told(lambda: call(dim)) for dim in (0, -1, 1, -2)]
        for call in (
            x.flatten,
            lambda dim: x.flatten(0, dim),
            lambda dim: x.unflatten(dim, []),
            lambda dim: x.mode(dim).values,
            lambda dim: x.nanmedian(dim).values,
            lambda dim: x.repeat_interleave(2, dim),
            lambda dim: x.renorm(2, dim, 1.0),
            lambda dim: x.take_along_dim(torch.tensor(0), dim),
            lambda dim: x.unique(dim=dim),
            lambda dim: x.unique_consecutive(dim=dim),
            lambda dim: x.cross(x, dim=dim),
            lambda dim: x.squeeze((dim, 0)),
            lambda dim: x.select_scatter(x, dim, 0),
            lambda dim: x.slice_scatter(x, dim),
            lambda dim: torch.trapezoid(x, dim=dim),
            lambda dim: torch.nn.functional.gumbel_softmax(x, dim=dim),
            lambda dim: x.index_add(dim, i, torch.ones(1)),
            lambda dim: x.index_reduce(dim, i, x, "amax"),
        )
    ]
)
r2 = str(
    [told(lambda: call()) for call in (lambda: x.sum_to_size(1), lambda: torch.combinations(x))]
)
r3 = told(lambda: torch.cartesian_prod(x, x))
r4 = told(lambda: torch.linalg.matrix_norm(x))

# %% blocks that land on one place
# leaf x float32 2,3
# leaf y float32 2,3
i = torch.tensor([0, 0, 2])
r1 = x.index_reduce(1, i, y, "prod")
r2 = x.index_reduce(1, i, y, "mean", include_self=False)
r3 = x.sum().index_reduce(0, torch.tensor(0), y.sum(), "amin")
r4 = torch.arange(6).view(2, 3).index_reduce_(1, i, torch.ones(2, 3, dtype=torch.int64) * 7, "amax")

# %% what is refused of blocks
x, y = torch.zeros(2, 3), torch.ones(2, 3)
i = torch.tensor([0, 0, 2])
res = []
for index, source in (
    (i[:2], y),
    (i.float(), y),
    (i[None], y),
    (i - 1, y),
    (i + 1, y),
    (i, y.double()),
    (i, y[:1]),
):
    try:
        x.index_reduce(1, index, source, "amax")
    except Exception as error:
        res.append((type(error).__name__, str(error)))
r1 = str(res)

# %% indices of tables that are no integers
w, i = torch.ones(4, 3), torch.zeros(2, 2)
res = []
for call in (
    lambda: F.embedding(i, w, max_norm=1.0),
    lambda: F.embedding(i, w[0], max_norm=1.0),
    lambda: F.embedding(i, w[0]),
    lambda: F.embedding_bag(i, w),
):
    try:
        call()
    except Exception as error:
        res.append((type(error).__name__, str(error)))
r1 = str(res)

# %% a slice with a step is replaced
# leaf x float32 2,5
# leaf y float32 2,2
r1 = x.slice_scatter(y, 1, 1, 5, 2)

# %% signs and steps of what is no number
# leaf x float32 6
z = x * torch.tensor([nan, inf, -inf, 0, 1, 1])
r1 = z.sign()
r2 = z.abs()
r3 = z.trunc()
r4 = z.frac()
r5 = torch.div(z, 0.3, rounding_mode="trunc")
r6 = F.elu(z)
r7 = F.l1_loss(z, x, reduction="none")

# %% remainders of large numbers and of infinities
x = torch.tensor([1.0, -1.0, 2.5, -2.5, 1e30, -1e30, inf, nan, 0.0])
r1, r2, r3 = x % 0.7, torch.fmod(x, 0.7), x // 0.7
r4, r5, r6 = x % inf, torch.fmod(x, -inf), x // inf
r7, r8 = x % -inf, x // 0

# %% a number's remainder has no derivative
# leaf x float32 3
r1 = 0.7 % x

# %% orders in which NaN is the largest
# leaf x float32 4,5
k = torch.zeros(4, 5)
k[0, 3], k[0, 1], k[1, 0], k[2] = nan, inf, -inf, nan
z = x + k
r1, r2 = z.sort(1), z.sort(1, descending=True)
r3, r4 = z.topk(3), z.topk(3, largest=False)
r5, r6 = z[:2].kthvalue(4), z.median(1)
r7, r8, r9, r10 = z.max(1), z.min(0), z.argmax(1), z.argmin()
r11, r12 = z.max(), z.nanmedian(1).values

# %% bounds and pairs of infinities and NaN
# leaf x float32 5
z = x + torch.tensor([inf, -inf, nan, 0, 0])
y = torch.tensor([1.0, nan, 2.0, nan, -3.0], requires_grad=True)
r1, r2 = z.clamp(min=0.5), z.clamp_max(0.5)
r3, r4 = torch.fmax(z, y), torch.fmin(z, y)
r5 = torch.bucketize(z, torch.tensor([0.0, 1.0]))
r6 = torch.searchsorted(torch.tensor([0.0, 1.0]), z, right=True)

# %% lengths whose squares are too large
# leaf x float32 4 positive
r1 = torch.hypot(x * 1e30, x * 1e29)
r2 = F.silu(x * 1e30)

# %% the places of equals
x = torch.tensor([1, 2, 0, 1, 2, 3, 2, 3, 3, 0, 2, 1, 2, 0, 3, 3, 1, 1, 0, 2])
r1, r2, r3 = x.sort(), x.sort(descending=True), x.argsort(stable=True)
r4, r5, r6 = x.topk(5), x.topk(19, largest=False), x[:6].topk(2)
r7, r8 = [x.kthvalue(k).indices for k in (1, 7, 14, 20)], x.mode()
r9 = x.view(4, 5).topk(3, 0)
r10 = x.repeat(10).topk(3)
r11 = x.median(0), x.nanmedian(0)

# %% integers wrap
x = torch.tensor([2**31 - 1, -(2**31), 3, -7, 0, 1, 46341, 100000], dtype=torch.int32)
y = x.flip(0).clamp(0, 5)
r1, r2, r3 = x**y, x << 3, x.bitwise_left_shift(y)
r4, r5 = x.long() ** y, (x.long() * 1024).to(torch.int32)
r6 = x.to(torch.int8) ** y.to(torch.int8)

# %% calls that have no integers or truths
x, b = torch.tensor([[1, 2], [3, 4]]), torch.tensor([True, False])
res = []
for call in (
    lambda: x.dist(x),
    lambda: torch.cdist(x, x),
    lambda: x.renorm(2, 0, 1.0),
    lambda: b.kthvalue(1),
    lambda: b.bincount(),
    lambda: torch.bucketize(b, b),
    lambda: x.rsub(1),
):
    try:
        call()
    except Exception as error:
        res.append(type(error).__name__)
r1 = str(res)

# %% diagonals of more axes, slopes at uneven ends
# leaf x float32 2,5
c = torch.tensor([0.0, 1.0, 3.0, 4.5, 7.0])
r1 = torch.zeros(3, 3, 3).fill_diagonal_(2)
r2 = torch.gradient(x, spacing=(c,), dim=1, edge_order=2)[0]

# %% hinges of what is no number
# leaf x float32 4
z = x + torch.tensor([nan, 0, 0, 0])
r1 = F.margin_ranking_loss(z, x * 2, torch.ones(4), margin=5.0, reduction="none")

# %% bins of half precision
x = torch.linspace(-9, 9, 50).cos().mul(9)
r1, r2 = x.half().histc(100, -10, 10), x.bfloat16().histc(13)

# %% whole numbers that wrap
r1 = torch.tensor([2**40, 2**23, 6]).prod(0)
r2 = torch.tensor([[2**40, 2**30, 3], [7, 2**33, 2**34]]).prod(1)
r3 = torch.arange(1, 31).view(5, 6).prod(0, keepdim=True)
r4 = torch.ones(0, 3, dtype=torch.int32).prod(0)
least = torch.tensor([-(2**31), -(2**31), 0], dtype=torch.int32)
r5 = torch.gcd(least, torch.tensor([6, -(2**31), -(2**31)], dtype=torch.int32))
r6 = torch.lcm(least, torch.tensor([6, 6, 3], dtype=torch.int32))
least = torch.tensor([-128, -128, 0, 12], dtype=torch.int8)
r7 = torch.gcd(least, torch.tensor([6, -128, -128, -18], dtype=torch.int8))
r8 = torch.lcm(least, torch.tensor([6, -128, -128, -18], dtype=torch.int8))

# %% shifts by more bits than there are, or by fewer than none
r1 = []
for name, bits in (("int64", 64), ("int32", 32), ("int16", 16), ("int8", 8), ("uint8", 8)):
    x = torch.tensor([5, 1, 0, 100], dtype=getattr(torch, name))
    if name != "uint8":
        x = x - 7
    for count in (-3, -1, 0, 1, 7, bits, bits + 1, 100):
        if name == "uint8" and count < 0:
            continue
        by = torch.full((4,), count, dtype=x.dtype)
        r1.append([(x << by).tolist(), (x >> by).tolist(), (x << count).tolist()])

# %% floats beside complex numbers without axes keep their precision
names = "float32 float64 int32 bool complex64 complex128".split()
r1 = []
for a in names:
    for b in names:
        x = torch.ones(2, dtype=getattr(torch, a))
        y = torch.ones((), dtype=getattr(torch, b))
        r1.append((a, b, str((x * y).dtype), str((x**x + y).dtype), str(torch.result_type(y, x))))

# %% logarithms of sums of nothing
v = torch.zeros(4, 4, 0, dtype=torch.complex64)
r1 = v.logsumexp(-1, keepdim=True)
r2 = torch.zeros(4, 0, 2, dtype=torch.complex64).logsumexp(0)
r3 = torch.zeros(4, 0, 2).logsumexp(1)

# %% gradients of angles to integers, which wrap
r1 = []
for name in ("int8", "int32", "uint8", "int64"):
    i = torch.tensor([100, 20, 127, 1, 0], dtype=getattr(torch, name))
    if name == "int32":
        i = i * 1000
    x = torch.tensor([1.0, 2.0, 3.0, 4.0, -1.0], requires_grad=True)
    r1.append(torch.autograd.grad(torch.atan2(x, i).sum(), x)[0].tolist())
    r1.append(torch.autograd.grad(torch.atan2(i, x).sum(), x)[0].tolist())

# %% a pseudo-inverse without elements, whatever shape its tolerance has
# leaf x float32 0,5,0
r1 = torch.linalg.pinv(x, torch.zeros(0, 3, 0))

# %% bounds of integers are whole numbers
# leaf x float32 6
v = (x.detach() * 5).long()
r1 = F.hardtanh(v, min_val=-0.5, max_val=2.5)
r2 = F.hardtanh(v.int(), min_val=-2, max_val=1)
r3 = F.relu6(v)

# %% bounds of bytes are within their range
r1 = F.hardtanh(torch.tensor([0, 1, 2, 200], dtype=torch.uint8), -1.5, 300.5)
r2 = F.hardtanh(torch.tensor([0, 1, 2, 200], dtype=torch.uint8))

# %% integers have no negative 0
# leaf x float32 3
v = torch.tensor([[0, 0, 0], [-4, 2, 0]])
r1 = torch.linalg.cross(v[0], v[1]).reciprocal()
r2 = (-v).reciprocal()
r3 = (v * -3).reciprocal()
r4 = (torch.tensor([-1, 1]) // torch.tensor([3, -3])).reciprocal()
r5 = torch.div(torch.tensor([-1, 1]), torch.tensor([3, -3]), rounding_mode='trunc').reciprocal()
r6 = torch.tensor([-0.0, -0.3]).long().reciprocal()

# %% factors of sums
# leaf x float32 4
mask = torch.tensor([True, True, False, False])
other = torch.tensor([True, False, True, False])
r0 = [mask.clone().add_(other, alpha=alpha) for alpha in (False, True, 0, -2)]
r1 = [mask.add(True, alpha=0), mask.add(other[:, None], alpha=0)]
byte, whole, x = torch.tensor([1, 2, 250, 4]).byte(), torch.arange(4), x.detach()
said = []
tries = (
    *(lambda: mask.add(other, alpha=1.5), lambda: whole.add(mask, alpha=True)),
    *(lambda: whole.sub(whole, alpha=1j), lambda: x.sub(whole, alpha=1j), lambda: x.add(x, alpha=True)),
    *(lambda: torch.rsub(x, x, alpha=1e39), lambda: byte.add(byte, alpha=300)),
    *(lambda: byte.add(byte, alpha=-200), lambda: x.half().sub(x.half(), alpha=1e6)),
    *(lambda: mask.add(2, alpha=True), lambda: x.add(x, alpha=float("inf")).isfinite()),
)
for one in tries:
    try:
        said.append(str(one().tolist()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r2 = str(said)

# %% numbers that single precision does not hold
# leaf x float32 4
said = []
x, z = x.detach(), torch.complex(x.detach(), x.detach())
tries = (
    *(lambda: x.masked_fill(x > 9, 1e39), lambda: torch.full((2,), -1e39), lambda: x.clone().fill_(1e300)),
    *(lambda: z.clone().fill_(1e39j), lambda: x.masked_fill(x > -9, -1e38).tolist()[0] < 0),
    lambda: x.index_fill(0, torch.tensor([1]), 3.5e38),
)
for one in tries:
    try:
        said.append(str(one()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r0 = str(said)

# %% factors of products that are added
# leaf x float32 4
said, r1 = [], []
x, byte, whole = x.detach(), torch.tensor([1, 2, 3]).byte(), torch.arange(3)
for given in (byte, whole, x, x.half()):
    for value in (-1, -1.5, 1.5, 300, 1e6, 1e39, True, 1j):
        try:
            r1.append(given.addcmul(given, given, value=value))
        except Exception as error:
            said.append((type(error).__name__, str(error)))
r0 = str(said)

# %% zeros of the gamma function's logarithm
# leaf x float64 3
x = torch.cat([x, torch.tensor([1.0, 2.0], dtype=torch.float64)])
r0 = [x.to(t).lgamma() == 0 for t in (torch.float32, torch.float64, torch.bfloat16)]
r1 = x.lgamma()

# %% integers that a fraction becomes have no negative 0
x = torch.tensor([4, -3, 2])
x.masked_fill_(x > 0, -0.7)
r0 = torch.tensor([1, 2, -3]) / x
r1 = 1 / torch.tensor([-0.2, 0.5]).int()
r2 = 1 / torch.full((2,), -0.3, dtype=torch.int64)
r3 = 1 / torch.tensor(-0.3).long()
x[0] = -0.9
r4 = 1 / x
r5 = 1 / torch.linspace(-0.5, 0.5, 3, dtype=torch.int64)
r6 = 1 / torch.clamp(torch.tensor([1, 2]), max=-0.2)
r7 = 1 / (torch.tensor([0, 3]) * -1)
r8 = 1 / torch.div(torch.tensor([-1, 3]), 5, rounding_mode="trunc")

# %% types that special functions have no kernel for
h = torch.ones(2).half()
a = torch.tensor([1, 2])
said = []
for f in (
    lambda: torch.special.ndtri(h),
    lambda: torch.special.erfcx(h),
    lambda: torch.special.log_ndtr(h.bfloat16()),
    lambda: torch.special.round(a),
    lambda: torch.round(a, decimals=1),
    lambda: torch.igamma(a, a),
    lambda: torch.special.gammaincc(a, a.byte()),
    lambda: torch.cov(a > 1),
    lambda: torch.corrcoef(a > 1),
    lambda: (torch.ones(2, 2) > 0).trace(),
    lambda: torch.mvlgamma(h, 1.5),
):
    try:
        f()
        said.append("none")
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r0 = str(said)
r1 = torch.igamma(a, h)

# %% norms of no elements
# leaf x float32 2,0
# leaf w float32 0
r1 = F.layer_norm(x, (0,), w, w)
r2 = F.rms_norm(x, (0,), w)
r3 = F.instance_norm(x[None])

# %% groups of no elements
F.group_norm(torch.ones(2, 4, 0), 2)

# %% the spread of rows whose numbers are all the same is 0
# leaf x float32 1
# leaf y float32 4,6
rows = (x * 1.7).expand(3, 7)
each = rows.std(1)
both = torch.var_mean(rows, -1)
apart = y.std(0)
kept = y.var(1, keepdim=True)

# %% minimum of truths
x = torch.tensor([True, False, True, False])
y = torch.tensor([True, True, False, False])
h = torch.tensor([1.0, 2, 3, 4], dtype=torch.float16)
r1 = torch.minimum(x, y)
r2 = torch.maximum(x, y)
r3 = torch.minimum(x, torch.ge(h, h.roll(1)))
r4 = torch.fmax(x, y)
r5 = torch.minimum(x, h)

# %% extremes of truths of the graph
# leaf h float16 3,1,3
x = torch.tensor([True, False, True, True, False, True, False, True, False]).reshape(3, 1, 3)
r0 = torch.ge(h, h.roll(0, 2))
r1 = torch.minimum(x, r0)
r2 = torch.maximum(x, r0)
r3 = torch.minimum(r0, r0)
r4 = torch.fmin(r0, x)
r5 = r0.amax(0)
r6 = r0.max(0)[0]
r7 = torch.clamp(r0, min=x)
r8 = r0.max()
r9 = r0.aminmax()
r10 = r0.cummax(0)[0]
r11 = r0.sort(0)[0]

# %% powers of integers by numbers
x = torch.tensor([2, 3, -1, 0, 7], dtype=torch.int8)
r1 = [x ** n for n in (0, 1, 2, 3, 4, 5, 7, 100, 127)]
r2 = [x.to(torch.int64) ** n for n in (0, 1, 2, 3, 4, 5, 7, 100, 127, 1000)]
r3 = [x.abs().to(torch.uint8) ** n for n in (0, 1, 2, 3, 4, 5, 7, 100, 255)]
r4 = [x.to(torch.int16) ** n for n in (4, 5, 7, 100, 1270)]
r5 = x ** True
r6 = x ** False

# %% powers by numbers of integers of the graph
# leaf v float32 3
x = (v * 5).to(torch.int8)
r1 = [x ** n for n in (0, 1, 2, 3, 4, 5, 7, 100, 127)]
r3 = [x.abs().to(torch.uint8) ** n for n in (0, 1, 2, 3, 4, 5, 7, 100, 255)]
r2 = [x.to(torch.int64) ** n for n in (0, 1, 2, 3, 4, 5)]
r4 = [x.to(torch.int32) ** n for n in (0, 1, 2, 3, 4, 5, 30)]

# %% numbers that the type of a power does not hold
said = []
for text in """torch.tensor([2,3],dtype=torch.int8)**300
torch.tensor([2,3],dtype=torch.int8)**200
torch.tensor([2,3],dtype=torch.int8)**-300
torch.tensor([2,3],dtype=torch.uint8)**300
torch.tensor([2,3],dtype=torch.uint8)**-1
torch.tensor([2,3],dtype=torch.int16)**40000
torch.tensor([2,3],dtype=torch.int32)**(2**40)
torch.tensor([],dtype=torch.int8)**300
torch.tensor(2,dtype=torch.int8)**300
torch.tensor([2,3],dtype=torch.int8).pow_(300)
torch.tensor([2,3],dtype=torch.int8).pow(300.0)
300**torch.tensor([2,3],dtype=torch.int8)
torch.tensor([2,3],dtype=torch.int8)**True
torch.tensor([True])**300
torch.tensor([2.],dtype=torch.float16)**70000
torch.tensor([2.],dtype=torch.float16)**1e20
torch.tensor([2.],dtype=torch.float32)**1e50""".split("\n"):
    try:
        made = eval(text)
        said.append(f"{made.dtype} {made.tolist()}" if isinstance(made, torch.Tensor) else str(made))
    except Exception as e:
        said.append(type(e).__name__)
r1 = said

# %% multiples of another type
x = torch.tensor([1, 6, 4], dtype=torch.uint8)
r1 = torch.lcm(x, torch.tensor(-5))
r2 = torch.gcd(x, torch.tensor(-6))
r3 = torch.gcd(x, torch.tensor([-5, 3, 2], dtype=torch.int8))
r4 = torch.lcm(x.to(torch.int16), torch.tensor([-5, 3, 2], dtype=torch.int8))
r5 = torch.lcm(x[0], torch.tensor([-5, 3, 2], dtype=torch.int8))

# %% products of matrices of which one has no elements
# leaf x float32 2,3
# leaf y float32 4,3,2
# leaf z float32 5,1,2,3
none = x[:0]
r0 = [x @ y[:0], x[None] @ y[:0], z[:0] @ y, z[:0, :, :0] @ y, z[..., :0] @ y[:, :0], y[:0] @ x, x[0] @ y[:0]]
r1 = [F.linear(none, x), torch.einsum("bij,ejk->ebik", z[:0, 0], y)]

# %% attention over no samples and over no positions
# leaf x float32 2,3,8
torch.manual_seed(0)
attention, layer = nn.MultiheadAttention(8, 2, batch_first=True), nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
none = x[:0]
r0 = [*attention(none, none, none), attention(none, none, none, need_weights=False)[0], layer(none)]
r1 = layer(x[:, :0])
