"""Edits in place, views, shapes changed in place, and what a backward pass needs unedited."""

# %% a parameter is turned in grad mode
# leaf x float32 3,1
x.squeeze_()

# %% a parameter becomes another window in grad mode
# leaf x float32 3,2
x.as_strided_((4,), (1,), 0)

# %% a part of a parameter becomes another window
# leaf x float32 3,2
r1 = x[0]
r1.as_strided_((2,), (1,), 0)

# %% a part of a result becomes a window beyond it
# leaf x float32 3,2
r1 = x * 2
r2 = r1[0]
r2.as_strided_((4,), (1,), 0)

# %% a used parameter is turned and read: its gradient has another shape
# leaf x float32 3,4
r1 = x * 3
with torch.no_grad():
    x.transpose_(0, 1)
r2 = x

# %% a used parameter is turned, and its gradient does not fit
# leaf x float32 3,4
r1 = x * 3
with torch.no_grad():
    x.transpose_(0, 1)

# %% a used square is turned: what lands is not turned
# leaf x float32 3,3
r1 = x * 3
with torch.no_grad():
    x.transpose_(0, 1)
r2 = x * 2

# %% a square is turned whose results nobody holds
# leaf x float32 3,1
x * 3
with torch.no_grad():
    x.squeeze_()
r1 = x * 2

# %% a parameter loses an axis: the gradient of its part does not fit
# leaf x float32 3,1
y = x[0]
with torch.no_grad():
    x.squeeze_()
r1 = x * 2

# %% a result that was squeezed in place is no view
# leaf x float32 3,1
r1 = x * 3
r1.squeeze_()
r1.detach_()
r2 = r1.requires_grad

# %% a part that was squeezed in place is a view still
# leaf x float32 3,1
r1 = (x * 3)[0]
r1.squeeze_()
r1.detach_()

# %% an argument that was detached in place cannot be differentiated
# leaf x float32 3
y = x * 3
r1 = y.sin()
y.detach_()

# %% a result that was detached in place can
# leaf x float32 3
y = x * 3
r1 = y.exp()
r1.detach_()
r2 = y

# %% a window that was taken again after an edit is one of the whole base
# leaf x float32 32
y = x[::2]
r1 = torch.as_strided(y, (2, 1, 1, 2), (1, 7, 7, 1), storage_offset=0)
with torch.no_grad():
    y.zero_()

# %% a window of nothing, taken again after an edit
# leaf x float32 3,3
y = x.narrow(0, 2, 0)
r1 = y.as_strided([], [])
with torch.no_grad():
    x[-1].mul_(2)

# %% a loss of numbers that have no logarithm, overwritten
# leaf x float32 3,4
# leaf y float32 3,4
r1 = torch.nn.KLDivLoss()(x, y)
r1.index_fill_(0, torch.tensor([0, 0]), -1)
r2 = torch.xlogy(y, y) * torch.tensor([0.0, 1, 0, 1])
r3 = torch.special.xlog1py(y * 4, y * 4) * torch.tensor([0.0, 1, 0, 1])

# %% reflections that there are none of
# leaf x float32 3,3
# leaf y float32 0
r1 = torch.linalg.householder_product(x, y)

# %% reflections whose vectors were edited
# leaf x float32 2
y = torch.eye(3)
r1 = torch.linalg.householder_product(y, x)
y.zero_()

# %% factors that were edited after the solution
# leaf x float32 3,4
y, z = torch.linalg.lu_factor(torch.eye(3) * 2)
r1 = torch.linalg.lu_solve(y, z, x)
y.add_(0)

# %% the median needs its place alone
# leaf x float32 2,3
y = x[0]
r1 = torch.nanmedian(y, dim=0)
with torch.no_grad():
    y.add_(0)

# %% of a chain of products, the factor that alone requires a gradient is not needed
# leaf x float32 3,4
y = x[..., ::2]
z = [torch.ones(2, 4), torch.ones(4, 3), torch.ones(3, 5), torch.ones(5, 3)]
r1 = torch.linalg.multi_dot([*z, y])
with torch.no_grad():
    y.add_(0)
    z[0].add_(0)

# %% but its neighbour in the cheapest order is
# leaf x float32 3,4
z = [torch.ones(2, 4), torch.ones(4, 3), torch.ones(3, 5), torch.ones(5, 3)]
r1 = torch.linalg.multi_dot([*z, x])
with torch.no_grad():
    z[3].add_(0)

# %% the result of put is a tensor of its own
# leaf x float32 3
r1 = x.put(torch.tensor([0]), torch.tensor([2.0]))
r1.detach_()

# %% triangles of matrices that are shown several times
# leaf x float32 2,1,3,1
r1 = (x * 2).expand(2, 4, 3, 4)
r1.tril_()

# %% a line alone in channel dropout
# leaf x float32 4,3
r1 = torch.nn.functional.dropout1d(x, 0.5, False)
r1.detach_()
y = x * 2
r2 = torch.nn.functional.dropout1d(y, 0.5, True, True)
r3 = y

# %% dropout in place of a parameter
# leaf x float32 4,3
r2 = torch.nn.functional.dropout(x, 0.5, True, True)
with torch.no_grad():
    r1 = torch.nn.functional.dropout1d(x, 0.5, True, True)
r3 = x.detach()

# %% parts put into windows keep the gaps
# leaf x float32 4,6
# leaf y float32 4
r1 = torch.select_scatter(x[:, ::2], y, 1, 0)
r2 = r1.is_contiguous(), r1.stride()
r3 = torch.diagonal_scatter(x[:, ::2], y[:3])
r4 = r3.stride()

# %% a window written over
# leaf x float32 4,6
# leaf y float32 2,2
r1 = torch.as_strided_scatter(x, y, (2, 2), (3, 1), 2)
r2 = r1.stride()

# %% results that are views of what nobody holds
# leaf x float32 3
# leaf y float32 2,3
names = [
    lambda: x.inner(x),
    lambda: x.repeat_interleave(2),
    lambda: torch.tensordot(y, y, dims=([0], [0])),
    lambda: torch.fft.ifft(x),
    lambda: y.cov(),
    lambda: torch.linalg.cond(y),
    lambda: torch.einsum("ij,ij->i", y, y),
    lambda: torch.linalg.multi_dot([y, x]),
    lambda: y.sum_to_size([3]),
    lambda: torch.nn.functional.bilinear(x, x, torch.ones(2, 3, 3)),
]
for name in names:
    try:
        name().detach_()
        raise ValueError
    except RuntimeError:
        pass

# %% results that are tensors of their own
# leaf x float32 3
# leaf y float32 2,3
torch.einsum("i,j->ij", x, x).detach_()
y.sum_to_size([2, 1]).detach_()
torch.nanmedian(y, dim=-1).values.detach_()
torch.frexp(x.detach()).exponent.detach_()
x.detach().detach_()
y[0].detach().detach_()
torch.native_layer_norm(y, (3,), None, None, 1e-5)[1].detach_()

# %% what meets an axis of one place is added up before the product
# leaf x float32 1,1,1
y = torch.ones(2, 1, 2)
r1 = torch.tensordot(x, y, dims=([0, 1], [2, 0]))
y.add_(0)

# %% what a product of many axes takes as it lies must stay
# leaf x float32 2,3
y = torch.ones(3, 2)
r1 = torch.tensordot(x, y, dims=([1], [0]))
y.add_(0)

# %% the places of adaptive maxima
# leaf x float32 2,4,4
r1, r2 = torch.nn.functional.adaptive_max_pool2d(x, (2, 3), return_indices=True)
r2.add_(0)

# %% a parameter that was detached in place gets no gradient
# leaf x float32 3
r1 = x * 2
x.detach_()

# %% frames without a window are parts of the signal
# leaf x float32 10
r1 = torch.stft(x, n_fft=7, center=False, return_complex=True).abs()
with torch.no_grad():
    x.add_(0)

# %% means of areas need what they are means of
# leaf x float32 2,3,4,5
r1 = torch.nn.functional.interpolate(x, (3, 4), mode="area")
with torch.no_grad():
    x.add_(0)

# %% counts beside Stirling's term
# leaf x float32 5 positive
y = torch.ones(5)
r1 = torch.nn.functional.poisson_nll_loss(y, x, log_input=False, full=True)
with torch.no_grad():
    x.add_(0)

# %% numbers that were put somewhere
# leaf x float32 3
# leaf y float32 1
r1 = x.put(torch.tensor([0]), y)
with torch.no_grad():
    y.add_(0)

# %% a solution by least squares that was edited
# leaf x float32 4,3
y = torch.eye(4)
r1 = torch.linalg.lstsq(x, y).solution
with torch.no_grad():
    r1.add_(0)

# %% norms by singular values need nothing of what they are of
# leaf x float32 5,5
y = x * 2
r1 = torch.norm(y, "nuc") + torch.linalg.matrix_norm(y, "nuc")
y.add_(0)

# %% running moments that were edited after the norm
# leaf x float32 3,2,3,4
y = torch.zeros(2)
r1 = torch.nn.functional.batch_norm(x, y, torch.ones(2), training=True)
y.add_(0)

# %% a batch norm twice
# leaf x float32 3,2,3,4
y = torch.nn.BatchNorm2d(2)
r1 = y(y(x) * 2)

# %% places of a median, of an LU factorization, and flat ones
# leaf x float32 3,3
r1, r2 = torch.nanmedian(x, 1)
r2.add_(0)

# %% the permutation of factors
# leaf x float32 3,3
r1, r2, r3 = torch.linalg.lu(x)
r1.add_(0)

# %% flat places
# leaf x float32 4,3
y = torch.tensor([0, 1, 2])
r1 = torch.take_along_dim(x, y)
y.add_(0)

# %% flat places of what does not lie flat
# leaf x float32 4,3
r1 = torch.take_along_dim(x.t(), torch.tensor([0, 1, 2]))

# %% the parts of complex numbers are not needed by each other
# leaf x float32 3
y = torch.ones(3)
r1 = torch.complex(y, x).imag
y.add_(0)

# %% complex numbers are compared in place with what requires a gradient
# leaf x float32 2,1
r1 = torch.zeros(1, 5, 2, dtype=torch.complex64).as_strided([2, 1], [3, 0])
r1.eq_(x)
r2 = r1.requires_grad

# %% an average that covers single places is spread and written to
# leaf x float64 1,2,4,3
r1 = F.adaptive_avg_pool2d(x, (None, None))
r2 = r1.expand(2, -1, -1, -1, -1)
r2[...] = 0.5

# %% complex parameters are refused before the axis is looked at
# leaf x complex64 3
x.index_fill_(-2, torch.tensor([0, 0]), 1)

# %% moments of groups are no views
# leaf x float32 2,4,3
r0, r1, r2 = torch.native_group_norm(x, None, None, 2, 4, 3, 2, 1e-5)
r1.detach_()

# %% a column of what was spread is written to
# leaf x float32 3
r1 = x * 2
r2 = r1.expand(2, 3)
r2[:, 0] = 0.5

# %% a row of what was spread is written to
# leaf x float32 3
r1 = x * 2
r2 = r1.expand(2, 3)
r2[0] = 0.5

# %% the indices of an element are views of one tensor
# leaf x float32 2
r0 = torch.unravel_index(torch.tensor([1621, 3]), (6, 7, 8, 9))
r1 = [part.stride() for part in r0]
r2 = torch.unravel_index(torch.tensor(0), ())
r3 = r0[1]
r3.detach_()

# %% a place that shares its memory with others is written, whichever it is
# leaf x float64
with torch.no_grad(): x.expand(2)[1] = 3
r0 = (x * 2).expand(4, 3)
r1 = r0[1:3, 2]
r1[1].mul_(5)
r2 = r0 * x

# %% few quantiles of long rows are picked in the tensor itself
# leaf x float32 4
# leaf y float32 3
r0 = x.quantile(0.5)
r1 = y.quantile(0.5, interpolation='midpoint')
r2 = y.quantile(torch.tensor([0.1, 0.6]), interpolation='lower')
with torch.no_grad(): y.zero_()

# %% a quantile keeps the tensor that it was picked in
# leaf x float32 4
r0 = x.quantile(0.5)
with torch.no_grad(): x.zero_()

# %% sparse gradients by frequency are refused where the table has a gradient
# leaf x float32 4,3
# leaf y float32 2
r0 = torch.nn.functional.embedding_bag(torch.tensor([1, 3]), x.detach(), torch.tensor([0, 1]), mode='sum', sparse=True, scale_grad_by_freq=True, per_sample_weights=y)

# %% places of nothing, rolled
v = torch.zeros(5, dtype=torch.uint8)
r1 = v.nonzero()
r2 = r1.stride(), r1.roll(1, 0).stride(), r1.roll(0, 0).stride(), r1.roll(1).stride()
r3 = torch.zeros(3, 4).nonzero().roll((1, 1), (0, 1)).stride()
r4 = torch.empty(2, 0, 3).roll(1, 1).stride()

# %% distinct slices lie one after the other
v = torch.tensor([[1, 2, 2], [1, 3, 3], [4, 5, 5]])
r1 = v.unique_consecutive(dim=1)
w = torch.arange(24).reshape(2, 3, 4)
r2 = [w.unique_consecutive(dim=d).stride() for d in range(3)]
r3 = [w.unique(dim=d).stride() for d in range(3)]
r4 = [w.transpose(0, 2).unique(dim=d).stride() for d in range(3)]
r5 = torch.zeros(3, 1).unique(dim=1).stride(), torch.zeros(1, 3).unique(dim=1).stride()
r6 = torch.arange(16).reshape(2, 2, 2, 2).unique(dim=3).stride()

# %% distinct slices of what requires a gradient
# leaf x float32 2,3
r1 = x.detach().unique(dim=1)
r2 = x.unique(dim=1).stride()

# %% views of what begins to require a gradient require one with it, and pass it none
# leaf v float32 2
base = (v * 2).detach()
part = base[0]
other = base.view(2, 1)[1]
alone = base.detach()
base.requires_grad_()
(part * other * base).sum().backward()
r = [part.requires_grad, other.requires_grad, alone.requires_grad, base.grad]
with torch.no_grad(): made = v * 2
wide = made.view(1, 2)
first = wide[0]
wide.requires_grad_()
s = [first.requires_grad, made.requires_grad, wide.requires_grad]

# %% the layout of nothing that is stacked
r = [torch.stack([torch.zeros(shape)] * 2, d).stride() for shape in ((1, 0, 3), (2, 3, 0), (0, 3)) for d in (0, 1, 2)]

# %% copies that are filled lie as what they were made of
r0 = torch.fill(torch.empty(1, 0, 6)[..., ::2], 1).stride()
r1 = torch.fill(torch.empty(3, 4, 6)[..., ::2], 1).stride()
r2 = torch.fill(torch.empty(3, 4, 6).transpose(0, 1), 1).stride()
r3 = torch.fft.ihfft2(torch.tensor([[-4.8]])).imag.signbit()
r4 = torch.linalg.lstsq(torch.ones(2, 3), torch.ones(2, 3))[0].stride()

# %% the gradient of a diagonal that is filled in spread memory
# leaf x float32 3
# leaf y float32 3
a, b = x.abs(), y.abs()
r0 = a.broadcast_to(2, 3)
r0.fill_diagonal_(-1)
b.broadcast_to(2, 3).fill_diagonal_(-1)
r1 = b

# %% a view that nobody used since its base requires a gradient is not put into itself
# leaf x float32 3,2
r0 = []
for put in (lambda v: v.__setitem__(..., v), lambda v: v.__setitem__(..., v.clone()), lambda v: v.copy_(v)):
    v = torch.arange(12.0).reshape(3, 4)
    v[:, ::2].copy_(x)
    try:
        put(v)
        r0 += [v * 1]
    except RuntimeError as error:
        r0 += [str(error)]

# %% nothing at all is put into itself: refused, unless what is put begins with a 1, and is a view then
r0 = []
for shape in ((1, 1, 0), (1, 0), (2, 0), (0,)):
    x = torch.zeros(shape, dtype=torch.bool)
    try:
        x[torch.zeros(shape[0], dtype=torch.bool)] = x
        r0 += [x.shape]
    except RuntimeError as error:
        r0 += [str(error)]

# %% a refused edit of a parameter holds nothing: the parameter may be turned
# leaf x bfloat16 1
# leaf y bfloat16 1
try:
    x.put_(torch.tensor(0), y)
except RuntimeError:
    pass
with torch.no_grad():
    x.unsqueeze_(0)
r0 = x * 2

# %% a refused assignment to a part of a parameter holds nothing: the parameter may be turned
# leaf x float32 2,1
try:
    x[0] = 1
except RuntimeError:
    pass
with torch.no_grad():
    x.squeeze_(1)
r0 = x * 2
