"""Calls of complex tensors, element by element, along axes and by parts."""

# %% inverses of sines
# leaf x complex64 7
r1 = torch.asin(x)
r2 = torch.acos(x)
r3 = torch.atan(x)
r4 = torch.asinh(x)
r5 = torch.acosh(x)
r6 = torch.atanh(x)

# %% exponentials
# leaf x complex128 7
r1 = torch.exp2(x)
r2 = torch.expm1(x)
r3 = torch.log1p(x)
r4 = torch.sinc(x)
r5 = torch.special.expm1(x)

# %% activations
# leaf x complex64 7
r1 = F.silu(x.detach())
r2 = F.softsign(x)
r3 = F.tanhshrink(x)

# %% sums of exponentials
# leaf x complex64 3,4
# leaf y complex64 3,4
r1 = torch.logaddexp(x, y)
r2 = torch.logcumsumexp(x, 1)
r3 = torch.logsumexp(x, 0)
r4 = torch.ldexp(x, torch.tensor([1, 2, 3, 4]))

# %% products
# leaf x complex64 3,4
r1 = x.prod()
r2 = x.prod(1)
r3 = x.prod(0, keepdim=True)

# %% deviations
# leaf x complex64 3,4
r1 = x.var()
r2 = x.std(1)
r3 = torch.var_mean(x, 0)[0]
r4 = torch.std_mean(x, 0, keepdim=True)[1]

# %% distances
# leaf x complex64 3,4
# leaf y complex64 3,4
r1 = F.l1_loss(x, y)
r2 = F.l1_loss(x, y, reduction="none")
r3 = torch.dist(x, y)
r4 = F.pairwise_distance(x, y)
r5 = F.normalize(x)
r6 = F.rms_norm(x, (4,))
r7 = torch.isclose(x, x + 1e-9)

# %% products of matrices
# leaf a complex64 3,4
# leaf b complex64 3,5
# leaf c complex64 5,4
r1 = torch.addmm(a, b, c, beta=0.5, alpha=2)
r2 = torch.addmv(a[:, 0], b, c[:, 1])
r3 = torch.addr(a, b[:, 0], c[0], alpha=1j)
r4 = torch.bmm(b[None], c[None])
r5 = torch.baddbmm(a, b[None], c[None])
r6 = torch.addbmm(a, b[None], c[None])
r7 = F.linear(b, c.mT, a[0])
r8 = torch.inner(a, c)
r9 = torch.tensordot(b, c, 1)
r10 = torch.kron(b[:2, :2], c[:2, :2])
r11 = torch.linalg.vecdot(a, a * 2j)
r12 = torch.linalg.cross(a[:, :1].expand(3, 3), b[:, 2:])

# %% in place
# leaf a complex64 3,4
# leaf b complex64 3,5
# leaf c complex64 5,4
r1 = (a * 1).addmm_(b, c)
r2 = (a * 1).index_fill_(1, torch.tensor([1, 3]), 2 - 1j)
r3 = (a * 1).asinh_()
r4 = (a * 1).scatter_add_(1, torch.tensor([[0, 1], [1, 1]]), b)

# %% convolutions
# leaf x complex64 2,3,7
# leaf w complex64 4,3,3
# leaf b complex64 4
r1 = F.conv1d(x, w, b, padding=1)
r2 = F.conv_transpose1d(x, w.transpose(0, 1))
r3 = F.conv1d(x, w, stride=2)

# %% by parts
# leaf x complex64 3,4
# leaf y complex64 3,2
i = torch.tensor([[0, 3], [1, 1], [2, 0]])
r1 = torch.take_along_dim(x, i, 1)
r2 = x.take(i)
r3 = x.trace()
r4 = x.scatter(1, i, y)
r5 = x.scatter_add(1, i, y)
r6 = x.index_fill(0, torch.tensor([1]), 2j)
r7 = torch.diag_embed(x)
r8 = torch.diagflat(y)
r9 = x.masked_scatter(x.real > 0, y.reshape(-1).repeat(3))
r10 = F.pad(x, (1, 2), value=1.5)
r11 = F.pad(x[None], (1, 2), "reflect")
r12 = F.pixel_shuffle(x.reshape(1, 4, 1, 3), 2)

# %% areas
# leaf y complex64 3,4
# leaf x complex64 4
r1 = torch.trapezoid(y)
r2 = torch.trapezoid(y, x)
r3 = torch.cumulative_trapezoid(y, dx=0.5)
r4 = torch.trapezoid(y, torch.tensor([0.0, 1.0, 3.0, 4.0]))

# %% covariances
# leaf x complex64 3,4
# leaf y float64 3,4
f = torch.tensor([1, 2, 1, 3])
a = torch.tensor([0.5, 0.2, 1.0, 0.3], dtype=torch.float64)
r1 = torch.cov(x)
r2 = torch.corrcoef(x)
r3 = torch.cov(y, fweights=f)
r4 = torch.cov(y, aweights=a)
r5 = torch.cov(y, fweights=f, aweights=a, correction=0)
r6 = torch.cov(y[0], fweights=f, correction=2)

# %% tables
# leaf x complex64 4
r1 = torch.vander(x.detach())
r2 = torch.linalg.vander(x, N=3)
r3 = torch.linspace(1j, 3, 5, dtype=torch.complex64)
r4 = torch.logspace(0, 1 + 1j, 3, dtype=torch.complex64)

# %% tables that PyTorch cannot differentiate
# leaf x float32 4
r1 = torch.vander(x)

# %% a table of ones
# leaf x float32 4
r1 = torch.vander(x, 1)
r2 = torch.vander(x, 0)

# %% parts without a gradient
# leaf x complex64 4
r1 = x.select_scatter(torch.tensor(1j), 0, 1)

# %% every other row
# leaf x float32 5,2
# leaf y float32 3,2
r1 = x.slice_scatter(y, 0, 0, 5, 2)
r2 = x.detach().to(torch.complex64).slice_scatter(y.detach()[:1] * 1j, 0, 3, step=4)

# %% activations without a gradient
# leaf x complex64 4
r1 = F.silu(x)

# %% conjugates are views
# leaf x complex64 3,2
y = x * 1
y.conj()[0].mul_(2j)
r1 = y
r2 = y.mH
r2[1] = 3 + 1j
z = torch.tensor([1 + 2j, 3 - 1j])
w = z.conj()
w += 1j
r3 = z
r4 = w
z.mul_(1j)
r5 = w.imag
w.imag.zero_()
r6 = z

# %% a conjugate of a parameter is no place to edit
# leaf x complex64 3,2
r1 = x.mH.neg_()

# %% what has no complex numbers
# leaf x complex64 3
z = x.detach()
try:
    torch.hypot(z, z)
except RuntimeError as error:
    r1 = str(error)
try:
    z.clamp(0, 1)
except RuntimeError as error:
    r2 = str(error)
try:
    torch.maximum(z, z)
except TypeError as error:
    r3 = str(error)
try:
    z.sort()
except TypeError as error:
    r4 = str(error)
try:
    z < z
except RuntimeError as error:
    r5 = str(error)

# %% powers of 0
# leaf e complex64 5
# leaf x complex64 5
z = torch.zeros(5, dtype=torch.complex64)
r1 = z**e
r2 = 0**e
r3 = torch.pow(z, torch.tensor([1j, 0, 2, -1, 1.5 - 2j]))
r4 = (x * 0).pow(torch.tensor([0j, 0, 2, 3, 1]))
r5 = x**e
r6 = x**3
r7 = x**-2
r8 = x**0

# %% sizes at the edges of the type
# leaf y complex64 4
x = torch.tensor([1e-30 + 1e-30j, 1e30 + 1e30j, 3e38, 0])
r1 = torch.abs(x)
r2 = (y * 1e30).abs()
r3 = x.log()
r4 = x.sgn()

# %% infinite gradients
# leaf x complex64 5
z = x * 0
r1 = z.sqrt()
r2 = z.reciprocal()
r3 = z.rsqrt()
r4 = z.log()
r5 = z.tan()
r6 = z.sigmoid()
r7 = z**0.5
r8 = z**-1

# %% tables that multiply
# leaf x complex64 3,3
# leaf y complex64 3,3
index = torch.tensor([[0, 1, 0], [0, 0, 2]])
with torch.no_grad():
    r1 = x.scatter(0, index, y, reduce="multiply")
    r2 = x.scatter(1, index, 2j, reduce="multiply")
    r3 = x.scatter_reduce(0, index, y, "prod")
    r4 = x.scatter_reduce(0, index, y, "prod", include_self=False)
    try:
        x.scatter_reduce(0, index, y, "amax")
    except NotImplementedError as error:
        r5 = str(error)

# %% a product in a table has no derivative
# leaf x complex64 2,2
r1 = x.scatter(0, torch.tensor([[0, 1]]), 2j, reduce="multiply")

# %% diagonals are filled
# leaf x complex64 3,3
z = x * 1
z.fill_diagonal_(2 - 1j)
r1 = z * x

# %% results in tensors that are there
# leaf x complex64 3,3
with torch.no_grad():
    r1 = torch.zeros(3, 3, dtype=torch.complex64)
    torch.linalg.inv(x, out=r1)
    r2 = torch.zeros(3, 3, dtype=torch.complex64)
    torch.addmm(x, x, x, out=r2)
    try:
        torch.acosh(x, out=torch.zeros(3, 3))
    except RuntimeError as error:
        r3 = str(error)

# %% extremes of nothing
# leaf x complex64 0,2
r1 = []
for call in (x.max, x.min, lambda: x.max(0), lambda: x.max(1), lambda: x.amax(1)):
    try:
        call()
    except Exception as error:
        r1.append(f"{type(error).__name__} {error}")

# %% running products of one number
# leaf x complex64
r1 = x.cumprod(0)
r2 = x.cumprod(-1, dtype=torch.complex128)
r3 = x.cumsum(0)
r4 = x.prod(0)
r5 = torch.zeros(2, 0, dtype=torch.complex64).cumprod(1)

# %% windows on pairs of real numbers
# leaf x float32 2,5,2
r1 = torch.view_as_complex(x[1]).as_strided((2, 2), (1, 2))
r2 = torch.view_as_complex(x).as_strided((3,), (0,), 4)
y = x * 2
z = torch.view_as_complex(y)
z.as_strided((2, 2), (1, 3)).mul_(2j)
z.as_strided_((2, 2), (1, 3))
try:
    z.as_strided((2, 2), (1, 20))
except RuntimeError as error:
    r3 = str(error)

# %% a leaf that a call gives back is turned
# leaf x complex64 3,3
r1 = torch.resolve_neg(x)
with torch.no_grad():
    r1.t_()

# %% a leaf that nothing rests on any more is turned
# leaf x float32 2,3
y = x * 2
del y
with torch.no_grad():
    x.t_()
r1 = x * 1

# %% complex multiples of bfloat16 have no derivative
# leaf x bfloat16 3
# leaf y float32 3
z = torch.ones(3, dtype=torch.complex64)
r1 = z.addcmul(x, y, value=1j)

# %% sums of exponentials of large numbers
# leaf z complex64 2,2
parts = [[1028.979248046875, 1259.84423828125], [1058.30078125, 1051.79736328125]]
turns = [[1401.8985595703125, 1366.641357421875], [1700.644775390625, 1468.1392822265625]]
large = z * 0 + torch.complex(torch.tensor(parts), torch.tensor(turns))
r1 = large.logsumexp(0)
r2 = large.logcumsumexp(0)
r3 = z.logsumexp((0, 1), True)
r4 = z.logcumsumexp(-1)
r5 = z[0, 0].logsumexp(0)

# %% a window overwritten in a copy
# leaf z complex64 4,4
# leaf y complex64 2,3
# leaf x float32 4,4
r1 = z.as_strided_scatter(y, (2, 3), (4, 1), 2)
r2 = z.conj().as_strided_scatter(y.conj(), (2, 3), (5, 2))
r3 = x.as_strided_scatter(y, (2, 3), (4, 1), 2)

# %% a window of real numbers among complex ones
# leaf z complex64 4,4
# leaf x float32 2,3
r1 = z.as_strided_scatter(x, (2, 3), (4, 1), 2)

# %% a complex factor of quotients
# leaf x float32 4 positive
# leaf z complex64 4
# leaf q complex64 3,1
r1 = torch.addcdiv(x, z, q, value=1 + 2j)
r2 = torch.addcdiv(z, z.detach(), x, value=1 + 2j)

# %% a complex factor of a quotient by real numbers
# leaf x float32 4 positive
# leaf z complex64 4
r1 = torch.addcdiv(z, z, x, value=1 + 2j)

# %% a complex factor of real numbers
# leaf x float32 4 positive
r1 = torch.addcmul(x, x, x, value=1 + 2j)

# %% extremes of one complex number
z = torch.tensor(1 + 2j)
r1 = torch.cummax(z, 0)
r2 = torch.zeros(0, 2, dtype=torch.complex64).cummin(0)
r3 = z.kthvalue(1, 0)
r4 = z.mode()

# %% extremes of complex numbers
r1 = torch.tensor([1 + 2j]).cummax(0)

# %% the gradient of an extreme of one complex number
# leaf z complex64 
r1 = z.cummax(0)

# %% conjugates that are left to be computed
x = torch.ones(2, 3)
r1 = torch.fft.ifft(x).is_conj()
r2 = torch.fft.ihfft(x).is_conj()
r3 = torch.fft.fft(x).is_conj()
r4 = torch.fft.ifft2(x).is_conj()
r5 = torch.fft.ifft(x).conj().is_conj()
r6 = torch.tensor([1 + 2j]).conj().imag.is_neg()
r7 = torch.fft.ifft(x).resolve_conj().is_conj()

# %% pairs of such a conjugate
r1 = torch.view_as_real(torch.fft.ifft(torch.zeros(0, 3, dtype=torch.uint8)))

# %% sides of cuts
z = torch.tensor([2.0, -2, 0.5, -0.5, 3]).cfloat()
r1 = z.asin(), z.conj().asin()
r2 = z.acos(), z.conj().acos()
r3 = z.acosh(), z.conj().acosh()
r4 = z.atanh(), z.conj().atanh()
r5 = (z * 1j).atan(), (z * 1j).asinh()
r6 = (-z).sqrt(), (-z).log(), (-z).conj().sqrt()
r7 = z**0.5, z.rsqrt(), (z * 1e30).sqrt(), (z * 1e-30).sqrt()

# %% large numbers
# leaf z complex64 7
r1 = (z * 30).tanh()
r2 = (z * 30).tan()
r3 = (z * 300).sigmoid()
r4 = z.sqrt()
r5 = z.rsqrt()
r6 = z**0.5

# %% infinities and NaN
a = torch.tensor([0.0, inf, -inf, nan, 1])
z = torch.complex(a, a[:, None])
r1 = z.abs()
r2 = torch.complex(a, torch.zeros(5)).exp()
r3 = torch.complex(a, torch.zeros(5)).sin(), torch.complex(torch.zeros(5), a).cos()
r4 = torch.complex(a, torch.zeros(5)).tanh(), torch.complex(torch.zeros(5), a).tan()
r5 = torch.complex(a, torch.zeros(5)).sigmoid()
r6 = torch.complex(a, torch.zeros(5)).sqrt(), torch.complex(torch.ones(5), a).sqrt()
r7 = torch.complex(a, torch.zeros(5)).reciprocal()
r8 = torch.addcmul(z, z, z.T)

# %% inverse tangents at their poles
r0 = torch.tensor([1 + 0j, -1 + 0j, 0.5j]).atanh()
r1 = torch.tensor([1j, -1j, 0.5]).atan()

# %% axes are looked at before types
said = []
for shape in ((), (0, 3), (2, 3)):
    for name in (
        *("sort argsort max min median nanmedian mode softmax log_softmax".split()),
        *("nansum nanmean prod logcumsumexp amax amin".split()),
    ):
        for dim in (5, -4, 0):
            for dtype in (torch.complex64, torch.bool):
                if name == "logcumsumexp" and dtype == torch.bool:
                    continue
                try:
                    getattr(torch.zeros(shape, dtype=dtype), name)(dim)
                except Exception as error:
                    said.append((name, dim, type(error).__name__))
r0 = str(said)

# %% what is filled passes no gradient beside another that does
# leaf x complex64 2
filled = torch.fill(x, True)
other = x * 2
