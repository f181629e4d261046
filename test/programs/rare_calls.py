"""Calls that few models use."""

# %% in which the same objects come back
# leaf x float32 2,3
r1, r2 = torch.broadcast_tensors(x, torch.ones(2, 3))
r3 = r1 is x
r4, r5 = torch.broadcast_tensors(x, torch.ones(3))
r6 = r5.shape

# %% tables with limited rows
# leaf w float32 5,3
i = torch.tensor([[0, 1, 2], [2, 4, 4]])
r1 = F.embedding_bag(i, w, mode="max")
r2 = F.embedding_bag(i, w, scale_grad_by_freq=True)
r3 = F.embedding_bag(i.reshape(-1), w, torch.tensor([0, 2, 2]), mode="max")
r4 = F.embedding_bag(i, w, mode="max", padding_idx=4)
r5 = F.embedding(i, w, scale_grad_by_freq=True)
r6 = F.embedding_bag(i, w, mode="sum", scale_grad_by_freq=True)

# %% norms of rows are limited in the table itself
w = torch.arange(15.0).reshape(5, 3)
r1 = F.embedding_bag(torch.tensor([[0, 1, 2], [2, 4, 4]]), w, max_norm=2.0)
r2 = w.clone()
r3 = F.embedding(torch.tensor([3]), w, max_norm=1.0, norm_type=1.0)
r4 = w
m = nn.Embedding(4, 3, max_norm=0.5)
r5 = m(torch.tensor([1, 2]))
r6 = m.weight
b = nn.EmbeddingBag(4, 3, mode="max", max_norm=0.7)
r7 = b(torch.tensor([[1, 2]]))
r8 = b.weight

# %% shapes of parameters in place
p = nn.Parameter(torch.randn(3, 1))
with torch.no_grad():
    p.squeeze_(1)
r1 = p.shape
with torch.no_grad():
    p.unsqueeze_(0)
r2 = p * 2
r3 = p.is_leaf
q = nn.Parameter(torch.arange(6.0).reshape(2, 3))
with torch.no_grad():
    q.t_()
r4 = q * torch.arange(6.0).reshape(3, 2)
l = nn.Parameter(torch.ones(2, 3), requires_grad=False)
l.transpose_(0, 1)
r6 = l.shape

# %% rrelu in training
# leaf x float32 2,9
torch.manual_seed(1)
r1 = F.rrelu(x, training=True)
r2 = F.rrelu(x, 0.1, 0.2, training=True)
r3 = torch.rand(2)
r4 = F.rrelu(x)
m = nn.RReLU()
r5 = m(x)

# %% cholesky_ex tells of failures
A = torch.tensor([[[1.0, 2.0], [2.0, 1.0]], [[4.0, 2.0], [2.0, 3.0]]])
L, r1 = torch.linalg.cholesky_ex(A)
r2 = L[1]
r3 = torch.linalg.cholesky_ex(A[1]).L
r4 = torch.linalg.cholesky_ex(A[1], upper=True)[0]
try:
    torch.linalg.cholesky_ex(A, check_errors=True)
except RuntimeError as e:
    r5 = "raised"

# %% tolerances
# leaf x float32 3,2
A = torch.tensor([[1.0, 2.0], [2.0, 4.0001]])
r1 = torch.linalg.matrix_rank(A)
r2 = torch.linalg.matrix_rank(A, tol=0.01)
r3 = torch.linalg.matrix_rank(A, atol=0.01, rtol=1e-3)
r4 = torch.linalg.pinv(A, rcond=1e-2)
r5 = torch.linalg.pinv(A, atol=1e-2)
r6 = torch.linalg.matrix_rank(A, hermitian=True)
r7 = torch.pinverse(A, 1e-2)
r8 = torch.linalg.matrix_rank(torch.stack([A, A * 9]), torch.tensor([0.01, 1e-6]))
r9 = torch.linalg.pinv(x, rtol=1e-3)

# %% common divisors and multiples
a = torch.tensor([12, -8, 0, 7])
b = torch.tensor([18, 12, 5, 0])
r1 = torch.gcd(a, b)
r2 = torch.lcm(a, b)
r3 = a.gcd(torch.tensor(6))
r4 = torch.lcm(a.int(), b.int())
c = a.clone()
c.gcd_(b)
r5 = c
try:
    torch.gcd(a, torch.tensor(1.0))
except Exception as e:
    r6 = "raised"

# %% histograms
x = torch.tensor([1.0, 2.0, 1.0, 4.0, -3.0])
r1 = torch.histc(x, bins=4, min=0, max=3)
r2, r3 = torch.histogram(x, bins=4, range=(0.0, 4.0))
r4, r5 = torch.histogram(
    x, torch.tensor([0.0, 1.5, 3.0, 5.0]), weight=torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
)
r6, r7 = torch.histogram(x, 3, density=True)
r8, r9 = x.histogram(5)
r10 = torch.bincount(
    torch.tensor([0, 1, 1, 3]), weights=torch.tensor([0.5, 1.0, 2.0, 3.0]), minlength=6
)
r11, r12 = torch.histogram(torch.ones(3), 2)

# %% put
# leaf x float32 2,3
# leaf s float32 3
i = torch.tensor([0, 4, 4])
r1 = torch.put(x, torch.tensor([0, 3, -1]), s)
r2 = x.put(i, s, accumulate=True)
y = torch.zeros(2, 3)
y.put_(i, torch.tensor([1.0, 2.0, 3.0]), accumulate=True)
r3 = y

# %% gamma functions
# leaf x float32 3 positive
a = torch.tensor([1.0, 2.0, 0.5])
r1 = torch.igamma(a, x)
r2 = torch.igammac(a, x)
r3 = torch.special.gammainc(a, torch.tensor([9.0, 0.0, 30.0]))
r4 = torch.mvlgamma(x + 2, 2)
r5 = torch.special.multigammaln(x + 3, 3)
r6 = torch.special.polygamma(2, x)
r7 = torch.polygamma(3, x)
r8 = torch.special.zeta(torch.tensor([2.0, 3.0, 1.5]), torch.tensor([1.0, 2.0, 4.0]))
r9 = torch.special.zeta(torch.tensor(2.0), 3.0)

# %% Bessel's functions
# leaf x float32 4
r1 = torch.special.i0e(x)
r2 = torch.special.i1(x)
r3 = torch.special.i1e(x)
r4 = torch.kaiser_window(8)
r5 = torch.kaiser_window(7, periodic=False, beta=5.0)
r6 = torch.kaiser_window(1)
m, r7 = torch.frexp(x)
r8 = m

# %% for each of a list
# leaf x float32 3
a = [torch.ones(2), torch.arange(3.0)]
b = [torch.full((2,), 2.0), torch.ones(3)]
r1 = torch._foreach_add(a, b)
r2 = torch._foreach_mul(a, 3.0)
r3 = torch._foreach_lerp(a, b, 0.25)
torch._foreach_lerp_(a, b, 0.5)
r4 = a
torch._foreach_mul_(a, [1.0, 2.0])
r5 = torch._foreach_sqrt(a)
r6 = torch._foreach_norm(a)
torch._foreach_addcmul_(a, b, b, value=0.1)
r7 = torch._foreach_maximum(a, b)
torch._foreach_zero_(b)
r8 = b
r9 = torch._foreach_add([x], [x], alpha=2)

# %% a writer that writes nothing
from torch.utils.tensorboard import SummaryWriter
import torch.utils.tensorboard.writer
import tempfile

with SummaryWriter(tempfile.mkdtemp()) as w:
    w.add_scalar("loss", 0.5, 1)
    w.add_scalars("a", {"b": 1.0}, global_step=2)
    w.add_histogram("h", torch.ones(3), 1)
    w.add_text("t", "x")
    w.flush()
    try:
        w.add_scalar()
    except TypeError:
        r1 = "refused"

# %% shares of a data set for each process
from torch.utils.data import (
    DistributedSampler,
    TensorDataset,
    DataLoader,
    Subset,
    ConcatDataset,
    random_split,
    WeightedRandomSampler,
    SubsetRandomSampler,
    RandomSampler,
    BatchSampler,
)

d = TensorDataset(torch.arange(11))
s = DistributedSampler(d, num_replicas=3, rank=1, seed=4)
r1 = torch.tensor(list(s))
s.set_epoch(1)
r2 = torch.tensor(list(s))
r3 = len(s)
r4 = torch.tensor(list(DistributedSampler(d, 3, 2, shuffle=False, drop_last=True)))
r5 = [b[0] for b in DataLoader(d, batch_size=4, sampler=DistributedSampler(d, 2, 0))]
c = ConcatDataset([d, Subset(d, [3, 1])])
r6 = torch.stack([c[i][0] for i in range(len(c))])
p, q = random_split(d, [8, 3], generator=torch.Generator().manual_seed(1))
r7 = torch.tensor(list(p.indices))
r8 = torch.tensor(list(WeightedRandomSampler([0.1, 0.5, 0.4], 5)))
r9 = torch.tensor(list(BatchSampler(RandomSampler(d), 5, True)))

# %% operations as modules, before anything is quantized
# leaf x float32 2,3
m = nn.quantized.FloatFunctional()
r1 = m.add(x, x * 2)
r2 = m.add_scalar(x, 3)
r3 = m.mul(x, x + 1)
r4 = m.mul_scalar(x, 2)
r5 = m.cat([x, x], dim=1)
r6 = m.add_relu(x, -x * 2)
r7 = m.matmul(x, x.T)
r8 = [name for name, _ in m.named_modules()]
m(x)

# %% a filler counts once where a place is listed twice
# leaf x float32 3,2
# leaf y float32
# leaf z complex64 3,2
# leaf w complex64
index = torch.tensor([0, 2, 0])
r1 = x.index_fill(0, index, y)
r2 = z.index_fill(0, index, w)
r3 = (x * 1).index_fill_(1, index[:1], y)

# %% a filler has no gradient of places counted from the end
# leaf x float32 3,2
# leaf y float32
r1 = x.index_fill(0, torch.tensor([-3]), y)

# %% the sign of a floored 0
x = torch.tensor([-0.3, 0.3, -0.0, 0.0])
r1 = 1 / (x // -1.5)
r2 = 1 / (x // 1.5)
r3 = 1 / torch.div(x, torch.tensor(-2.0), rounding_mode="floor")
r4 = 1 / (x.double() // -2)

# %% norms of matrices without elements
# leaf x float32 0,3
# leaf y float32 2,0,3
r1 = torch.linalg.norm(x, 2)
r2 = torch.linalg.matrix_norm(y, 2, keepdim=True)
r3 = torch.linalg.cond(x)
r4 = torch.linalg.cond(torch.zeros(0, 3, 3))
r5 = torch.linalg.norm(x, "nuc")

# %% places of pivots are needed unedited
# leaf x float64 3,3
r1, pivots = torch.linalg.lu_factor(x)
pivots.neg_()

# %% places of pivots with a report
# leaf x float64 2,3,3
r1, pivots, info = torch.linalg.lu_factor_ex(x)
pivots.neg_()

# %% numbers next to one another
# leaf x float32 26
# leaf y float64 3,1
ends = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 1.5, inf, -inf, nan, 3.4028234663852886e38, -3.4028234663852886e38]
small = [1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 2.350988701644575e-38, 6.1e-5]
v = torch.tensor([*ends, *small, 65504.0, 6e-8, 1e-30, 1e-36, 2.2250738585072014e-308, 5e-324, 1.7e308, 3.3e38, 9.2e-41])
r1 = torch.nextafter(v * 1 + x * 0, v[:, None])
r2 = torch.nextafter(v.double(), v.double()[:, None]) - v.double()
r3 = torch.nextafter(v.half(), v.half()[:, None]) - v.half()
r4 = torch.nextafter(v.bfloat16(), v.bfloat16()[:, None]) - v.bfloat16()
r5 = 1 / torch.nextafter(v, v[:, None])
r6 = x.nextafter(y)
z = y * 1
r7 = z.nextafter_(torch.ones(1))
r8 = torch.nextafter(torch.tensor([1, 2]), y)

# %% integers have no neighbours
r1 = torch.nextafter(torch.tensor([1]), torch.tensor([2]))

# %% complex numbers have no neighbours
# leaf z complex64 2
r1 = torch.nextafter(z, z)

# %% runs of elements
# leaf x float32 8
# leaf y float16 3,4,2
lengths = torch.tensor([3, 0, 2, 3])
r1 = torch.segment_reduce(x, "sum", lengths=lengths)
r2 = torch.segment_reduce(x, "mean", lengths=lengths, initial=2)
r3 = torch.segment_reduce(x, "max", lengths=lengths.int())
r4 = torch.segment_reduce(x, "min", lengths=lengths, initial=0.5)
r5 = torch.segment_reduce(x, "prod", lengths=lengths, initial=3)
r6 = torch.segment_reduce(x, "mean", lengths=lengths)
r7 = torch.segment_reduce(x, "sum", offsets=torch.tensor([1, 3, 4]))
many = torch.tensor([[2, 0, 2], [1, 2, 1], [4, 0, 0]])
r8 = torch.segment_reduce(y, "mean", lengths=many, initial=2, axis=1)
r9 = torch.segment_reduce(y, "max", lengths=many, axis=1)
r10 = torch.segment_reduce(y, "prod", lengths=many, axis=-2)
r11 = torch.segment_reduce(torch.ones(0), "max", lengths=torch.tensor([0, 0]), initial=3)
r12 = torch.segment_reduce(x, "sum", offsets=torch.tensor([0]))

# %% runs of equals, zeros and NaN
# leaf x float32 8
lengths = torch.tensor([3, 2, 3])
equals = x * 0 + torch.tensor([3.0, 3, 1, 2, 2, 0, 0, 5])
r1 = torch.segment_reduce(equals, "max", lengths=lengths)
r2 = torch.segment_reduce(equals, "min", lengths=lengths, initial=1)
r3 = torch.segment_reduce(equals, "prod", lengths=lengths)
holed = torch.where(torch.tensor([0, 1, 0, 0, 0, 0, 0, 0], dtype=torch.bool), nan, x)
r4 = torch.segment_reduce(holed, "max", lengths=lengths)
r5 = torch.segment_reduce(holed, "prod", lengths=lengths)

# %% runs that do not add up
# leaf x float32 5
r1 = torch.segment_reduce(x, "sum", lengths=torch.tensor([2, 2]))

# %% runs of integers
r1 = torch.segment_reduce(torch.ones(5).long(), "sum", lengths=torch.tensor([2, 3]))

# %% a single number of half precision is filled unseen
x = torch.ones(1, dtype=torch.float16)
x[:] = 1e6
r1 = x
r2 = torch.full((), 1e39, dtype=torch.bfloat16)
r3 = torch.ones(1, 1, dtype=torch.float16).fill_diagonal_(1e6)

# %% several are looked at
r1 = torch.full((2,), 1e6, dtype=torch.float16)

# %% a real tensor holds no imaginary part
r1 = torch.full((2,), 1.0).fill_(1 + 2j)

# %% a number beyond single precision
r1 = torch.full((2,), 1.0).fill_(1e300)

# %% products of nothing have the second factor's type
wide, narrow = torch.ones(2, 2, 0), torch.ones(2, 0, 3, dtype=torch.float16)
r1 = torch.bmm(wide, narrow)
r2 = wide @ narrow
r3 = torch.baddbmm(torch.ones(2, 2, 3), wide, narrow, beta=2)
r4 = torch.einsum("ij,jk->ik", wide[0], narrow[0])
r5 = torch.einsum("ij,jk->ki", wide[0], narrow[0])
r6 = torch.bmm(torch.ones(0, 2, 2), torch.ones(0, 2, 3, dtype=torch.float64))

# %% products of something do not
r1 = torch.bmm(torch.ones(2, 2, 1), torch.ones(2, 1, 3, dtype=torch.float16))

# %% nor matrices
r1 = torch.mm(torch.ones(2, 0), torch.ones(0, 3, dtype=torch.float16))

# %% nor matrices times vectors
r1 = torch.addmv(torch.ones(2), torch.ones(2, 0), torch.ones(0, dtype=torch.float16))

# %% nor sums over axes of both
r1 = torch.tensordot(torch.ones(2, 0), torch.ones(0, 3, dtype=torch.float16), 1)

# %% a window overwritten in memory with gaps
x = torch.arange(18, dtype=torch.int32).reshape(3, 6)
r1 = torch.as_strided_scatter(x[..., ::2], torch.tensor([[5, 1], [-5, 2]], dtype=torch.int32), (2, 2), (1, 2), storage_offset=1)
r2 = r1.stride()
r3 = torch.as_strided_scatter(x[1:], torch.zeros(2, 2, dtype=torch.int32), (2, 2), (1, 2))
z = torch.complex(x.float(), -x.float())
r4 = torch.as_strided_scatter(z[:, 1::2], torch.zeros(2, 2, dtype=torch.cfloat), (2, 2), (1, 2), 3)
r5 = torch.as_strided_scatter(z.real, torch.zeros(2, 2), (2, 2), (1, 2), 3)

# %% a bilinear layer of no rows reaches its weight with zeros
# leaf x float16 2,3,4
r0 = torch.nn.functional.bilinear(torch.ones(0, 3).half(), torch.ones(0, 4).half(), x)
r1 = torch.nn.functional.bilinear(torch.ones(2, 3).half(), torch.ones(2, 4).half(), x)

# %% what small numbers are beside their tangents
# leaf x float32 3
r0 = torch.nn.functional.tanhshrink(x * torch.tensor([1e-3, 7e-3, 0.03]))
r1 = r0.reciprocal()

# %% inverse hyperbolic functions in place have no derivative
# leaf x float32 2
r0 = (x * 1).acosh_()

# %% nor have they of complex numbers
# leaf x complex64 2
r0 = (x * 1).arctanh_()

# %% the derivative of other complex functions in place
# leaf x complex64 2
r0 = [(x * 1).acos_(), (x * 1).asin_(), (x * 1).atan_(), (x * 1).log1p_(), (x * 1).sinc_()]

# %% shares of no complex numbers
# leaf x complex64 0,2
r0 = []
for make in (torch.softmax, torch.log_softmax, torch.nn.functional.softmin):
    try:
        r0 += [make(x, dim=-1)]
    except NotImplementedError as error:
        r0 += [str(error)]
    r0 += [make(x.detach(), dim=-1)]

# %% mean losses of nothing are no number
# leaf x float32 0,2
f = torch.nn.functional
y = torch.zeros(0, 2)
r0 = [f.l1_loss(x, y), f.huber_loss(x, y), f.smooth_l1_loss(x, y), f.kl_div(x, y), f.hinge_embedding_loss(x, y)]
r1 = [f.binary_cross_entropy(x, y), f.binary_cross_entropy_with_logits(x, y), f.soft_margin_loss(x, y + 1)]
r2 = [f.margin_ranking_loss(x, y, y), f.gaussian_nll_loss(x, y, y + 1), f.poisson_nll_loss(x, y)]
r3 = [f.l1_loss(x, y, reduction="sum"), f.mse_loss(x, y), f.cosine_embedding_loss(x, y, torch.zeros(0))]
r4 = [f.triplet_margin_loss(x, y, y), f.cross_entropy(x, torch.zeros(0).long())]

# %% a histogram of as many bins as one asks for, or a hundred
# leaf x float32 6
r0 = x.detach().histogram().hist
r1 = x.histogram()
