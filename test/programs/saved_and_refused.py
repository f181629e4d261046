"""What backward needs unedited, what has no derivative, and what is no view."""

# %% histograms have no derivative
# leaf x float32 6
r1 = torch.histogram(x, 3, density=True)

# %% edges of a histogram have no derivative
# leaf x float32 6
r1 = torch.histogram(x, 3).bin_edges

# %% edges that require a gradient
# leaf x float64 6
r1 = torch.histogram(torch.arange(4.0, dtype=torch.float64), x.sort().values)

# %% weights of a histogram
# leaf x float32 6
r1 = torch.arange(6.0).histogram(3, weight=x)
r2 = r1.hist.requires_grad

# %% zeta by its order
# leaf x float32 4 positive
r1 = torch.special.zeta(x + 1, 2.0)
r2 = r1.requires_grad

# %% zeta by its start
# leaf x float32 4 positive
r1 = torch.special.zeta(3.0, x)

# %% zeta needs its arguments unedited
# leaf x float32 4 positive
s = torch.full((4,), 3.0)
r1 = torch.special.zeta(s, x)
s.add_(0)

# %% the incomplete gamma function by its order
# leaf x float32 4 positive
r1 = torch.igamma(x, torch.tensor(2.0))
r2 = r1.requires_grad

# %% its complement by its order, in place
# leaf x float32 4 positive
r1 = x * 1
r1.igammac_(torch.tensor(2.0))

# %% by its bound, in place
# leaf x float32 4 positive
r1 = torch.full((4,), 2.0)
r1.igamma_(x)

# %% by its bound, which is edited
# leaf x float32 4 positive
y = x * 1
r1 = torch.special.gammainc(torch.tensor(2.0), y)
y.add_(0)

# %% scaled Bessel functions need their argument unedited
# leaf x float32 4
y = x * 1
r1 = torch.special.i0e(y)
y.add_(0)

# %% and their result
# leaf x float32 4
r1 = torch.special.i1e(x)
with torch.no_grad():
    r1.add_(0)

# %% the multivariate gamma function needs its argument unedited
# leaf x float32 4 positive
y = x + 3
r1 = torch.mvlgamma(y, 2)
y.add_(0)

# %% the multivariate gamma function in place
# leaf x float32 4 positive
r1 = x + 3
r1.mvlgamma_(2)

# %% the largest of bags needs the numbers of the rows unedited
# leaf w float32 5,3
i = torch.tensor([0, 1, 2, 2])
r1 = F.embedding_bag(i, w, torch.tensor([0, 2]), mode="max")
i.add_(0)

# %% and where the bags begin
# leaf w float32 5,3
o = torch.tensor([0, 2])
r1 = F.embedding_bag(torch.tensor([0, 1, 2, 2]), w, o, mode="max")
o.add_(0)

# %% tables with limited rows, given first
w = torch.arange(15.0).reshape(5, 3)
r1 = F.embedding_bag(w, torch.tensor([0, 1, 2, 2]), torch.tensor([0, 2]), max_norm=1.0, mode="sum")
r2 = w

# %% mantissas of denormals
x = torch.tensor([1e-40, -3e-45, 1e-38, 0.0, -0.0, inf, -inf, nan, 3.0, 3e38])
r1 = torch.frexp(x)
r2 = torch.frexp(torch.tensor([5e-324, 1e-310], dtype=torch.float64))
r3 = torch.frexp(torch.tensor([6e-8, 1e-5], dtype=torch.float16))
r4 = torch.frexp(torch.tensor([1e-40, 1e-39], dtype=torch.bfloat16))

# %% mantissas need the exponents unedited
# leaf x float32 4
r1 = torch.frexp(x)
r1.exponent.add_(0)

# %% gradients of mantissas
# leaf x float16 4
r1 = torch.frexp(x)

# %% softmin of bytes wraps in their own type
x = torch.tensor([0, 1, 2, 200], dtype=torch.uint8)
r1 = F.softmin(x, 0, dtype=torch.float32)
r2 = F.softmin(x, 0, dtype=torch.float64)
r3 = F.softmin(x.to(torch.int8), 0, dtype=torch.float32)
r4 = F.softmin(x.to(torch.float16), 0, dtype=torch.float32)
r5 = F.softmin(x.to(torch.bfloat16), 0)

# %% softmin of truths
r1 = F.softmin(torch.tensor([True, False]), 0, dtype=torch.float32)

# %% what was taken of nothing needs the tensor unedited
# leaf x float32 2,3
y = x * 1
r1 = y.take(torch.zeros(0, dtype=torch.int64))
y.add_(0)

# %% what was taken needs the tensor unedited
# leaf x float32 2,3
y = x * 1
r1 = y.take(torch.tensor([1, 4]))
y.add_(0)

# %% layer_norm needs its bias unedited
# leaf x float32 2,3
# leaf b float32 3
c = b * 1
r1 = F.layer_norm(x, (3,), torch.ones(3), c)
c.add_(0)

# %% layer_norm of nothing needs its bias unedited
# leaf b float32 3
c = b * 1
r1 = F.layer_norm(torch.zeros(0, 3), (3,), torch.ones(3), c)
c.add_(0)

# %% results that are no views
# leaf x float32 2,3,4,4
y, i = F.max_pool2d(x, 2, return_indices=True)
r1 = F.max_unpool2d(y, i, 2).detach_()
r2 = torch.quantile(x, 0.5, 1).detach_()
r3 = torch.quantile(x, torch.tensor([0.5, 0.2]), 1).detach_()
r4 = torch.nanquantile(x, 0.5).detach_()
r5 = torch.stft(x.reshape(-1), 8, return_complex=True).detach_()
r6 = torch.argwhere(x > 0).detach_()
r7 = (x > 0).nonzero().detach_().stride()
r8 = r3.stride(), r5.stride(), r1.stride(), r6.stride()

# %% places of one axis are views
# leaf x float32 2,3
torch.where(x > 0)[0].detach_()

# %% what arrives at the padding of a table is no number
# leaf w float32 5,3
r1 = F.embedding(torch.tensor([[1, 2]]), w, padding_idx=2) * inf

# %% what arrives at the padding of bags is no number
# leaf w float32 5,3
r1 = F.embedding_bag(torch.tensor([[1, 2]]), w, padding_idx=2) * inf

# %% padding of bags that is no number
w = torch.tensor([[1.0], [inf], [nan]])
r1 = F.embedding_bag(torch.tensor([[1, 0]]), w, padding_idx=1)
r2 = F.embedding_bag(torch.tensor([[2, 0]]), w, padding_idx=-1, mode="sum")

# %% shares by use of gradients that are sparse
# leaf w float32 5,3
r1 = F.embedding_bag(torch.tensor([[1, 2]]), w, sparse=True, scale_grad_by_freq=True)

# %% shares by use of the largest of bags
w = torch.ones(3, 2)
F.embedding_bag(torch.tensor([[1, 2]]), w, mode="max", scale_grad_by_freq=True)

# %% integers become no gamma function in place
torch.tensor([3, 4]).mvlgamma_(1)

# %% one share of rows that lie in order is picked from the tensor itself
# leaf x float32 3,5
y = x * 2
r1 = y.nanquantile(0.5, dim=-1)
with torch.no_grad():
    y.zero_()

# %% the same without an axis, of the nearest
# leaf x float32 3,5
y = x * 2
r1 = y.quantile(0.3, interpolation="nearest")
with torch.no_grad():
    y.zero_()

# %% one share of columns is picked from a sorted copy
# leaf x float32 3,5
y = x * 2
r1 = y.quantile(0.5, dim=0)
with torch.no_grad():
    y.zero_()

# %% several shares are picked from a sorted copy
# leaf x float32 3,5
y = x * 2
r1 = y.quantile(torch.tensor([0.2, 0.6]), dim=1)
with torch.no_grad():
    y.zero_()

# %% a normalization over the batch of nothing keeps nothing
# leaf x float32 2,3
y = (x * 2)[:0]
r1 = F.batch_norm(y, torch.zeros(3), torch.ones(3), training=True)
with torch.no_grad():
    y.zero_()

# %% what was detached is edited with a mask, and the mask is
# leaf x float32 2,3
y = x * 2
r1 = y.detach()
mask = x > 0
r1.masked_fill_(mask, 1)
mask.fill_(True)
r2 = y * 3

# %% the same of what a graph goes on from
# leaf x float32 2,3
y = x * 2
mask = x > 0
y.masked_fill_(mask, 1)
mask.fill_(True)
r2 = y * 3

# %% products of all axes keep what lies in another order
# leaf x float32 2,2,1
# leaf y float32 2,1,2
z = y * 1
r1 = torch.tensordot(x, z, dims=([0, 1], [2, 0]))
with torch.no_grad(): z.add_(0)

# %% the kernel of an LSTM keeps its result
# leaf x bfloat16 3,2,1
m = nn.LSTM(1, 2, num_layers=2).to(torch.bfloat16)
r1 = m(x)[0]
r1.fill_(2)

# %% an LSTM in bfloat16 copies what it is given batch first
# leaf x float32 3,2,3
v = x.detach().bfloat16()
r1 = nn.LSTM(3, 2, batch_first=True).to(torch.bfloat16)(v)
v.clamp_(max=1)

# %% but not one sequence
# leaf x float32 1,2,3
v = x.detach().bfloat16()
r1 = nn.LSTM(3, 2, batch_first=True).to(torch.bfloat16)(v)
v.clamp_(max=1)

# %% nor what comes step by step
# leaf x float32 3,2,3
v = x.detach().bfloat16()
r1 = nn.LSTM(3, 2).to(torch.bfloat16)(v)
v.clamp_(max=1)

# %% an LSTM keeps its weights, whatever of its input requires a gradient
# leaf x float32 3,2,3
m = nn.LSTM(3, 2)
r1 = m(x.detach())
with torch.no_grad(): m.weight_ih_l0.mul_(1)

# %% one in both directions does too
# leaf x float32 3,2,3
m = nn.LSTM(3, 2, bidirectional=True)
r1 = m(x.detach())
with torch.no_grad(): m.weight_ih_l0.mul_(1)

# %% one whose states are projected does not
# leaf x float32 3,2,3
m = nn.LSTM(3, 2, proj_size=1)
r1 = m(x.detach())
with torch.no_grad(): m.weight_ih_l0.mul_(1)

# %% a product that is edited after it was saved
# leaf x float32 2,3,4
y = torch.einsum("btd,bsd->bts", x, x)
z = torch.ones_like(y).requires_grad_() * y
y += 1
r1 = z.sum()

# %% an average of windows that is edited after it was saved
# leaf x float32 2,3,4
y = torch.nn.functional.avg_pool1d(x, 2)
z = torch.ones_like(y).requires_grad_() * y
y += 1
r1 = z.sum()

# %% factors of complex powers of 2
# leaf w complex64 3
x = torch.tensor([1.5, 2, -1j])
r1 = torch.ldexp(x, w)
x += 1

# %% complex exponents of 2
# leaf x complex64 3
w = torch.tensor([1.5, 2, -1j])
r1 = torch.ldexp(x, w)
w += 1

# %% lower bounds
# leaf x float32 3
low = torch.tensor([0, 1, 2])
r1 = torch.clamp(x, min=low)
low.neg_()

# %% upper bounds
# leaf x float32 3
low = torch.tensor([0., 1, 2])
r1 = torch.clamp(x, max=low)
low += 1

# %% upper bounds in place
# leaf x float32 3
low = torch.tensor([0., 1, 2])
r1 = x * 1
r1.clip_(max=low)
low += 1

# %% bounds of clamp_min
# leaf x float32 3
low = torch.tensor([0., 1, 2])
r1 = x.clamp_min(low)
low += 1

# %% bounds of clamp_max
# leaf x float32 3
low = torch.tensor([0., 1, 2])
r1 = x.clamp_max(low)
low += 1

# %% masks of an index: beside a number
# leaf x float32 2,3,3
m = torch.tensor([True, False, True])
r1 = x[1:, 0, m]
m[:] = m

# %% masks of an index: of two axes
# leaf x float32 4,3,4,2
m = torch.tensor([[True, False], [True, False], [True, False], [True, True]])
r1 = x[3:5, 0, m]
m[:] = m

# %% masks of an index: after an ellipsis
# leaf x float32 2,3,3
m = torch.tensor([True, False, True])
r1 = x[..., m]
m.copy_(m)

# %% masks of an index: of a row
# leaf x float32 2,3
m = torch.tensor([True, False, True])
r1 = x[0, m]
m |= m

# %% margin losses need their weights and targets unedited
# leaf x float32 3,4
weights, target = torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([0, 2, 1])
loss = F.multi_margin_loss(x, target, weight=weights)
weights += 1

# %% the largest of bags keeps no copy of what has gaps
# leaf x float32 2,3
ids = torch.tensor([[0, 1], [1, 0]]).t()
r0 = F.embedding_bag(ids, x, mode="max")
ids.mul_(1)

# %% the largest of bags keeps its numbers of rows
# leaf x float32 2,3
ids = torch.tensor([[0, 1], [1, 0]])
r0 = F.embedding_bag(ids, x, mode="max")
ids.mul_(1)

# %% nothing may be put into itself by a mask
x = torch.zeros(3)
y = x[x > 1]
r0 = []
for put in (lambda: y.__setitem__(y > 1, y), lambda: y.__setitem__(y > 1, y[:]), lambda: y.__setitem__(slice(None), y)):
    try:
        put()
        r0 += ["put"]
    except RuntimeError as error:
        r0 += [str(error)]
