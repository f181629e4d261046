"""torch.special beyond what models use."""

# %% Bessel functions and their slopes
# leaf x float32 3,4
r1 = torch.special.bessel_j0(x * 4)
r2 = torch.special.bessel_j1(x * 4)
r3 = torch.special.bessel_y0(x.abs() * 4 + 0.1)
r4 = torch.special.bessel_y1(x.abs() * 4 + 0.1)
r5 = torch.special.modified_bessel_i0(x * 8)
r6 = torch.special.modified_bessel_i1(x * 8)
r7 = torch.special.modified_bessel_k0(x.abs() * 2 + 0.1)
r8 = torch.special.modified_bessel_k1(x.abs() * 2 + 0.1)

# %% in double precision
# leaf x float64 3,4
r1 = torch.special.bessel_j0(x * 7)
r2 = torch.special.bessel_j1(x * 7)
r3 = torch.special.bessel_y0(x.abs() * 7 + 0.1)
r4 = torch.special.bessel_y1(x.abs() * 7 + 0.1)
r5 = torch.special.modified_bessel_i0(x * 8)
r6 = torch.special.modified_bessel_i1(x * 8)
r7 = torch.special.modified_bessel_k0(x.abs() * 2 + 0.1)
r8 = torch.special.modified_bessel_k1(x.abs() * 2 + 0.1)

# %% no gradient comes through some
# leaf x float32 2,4
r1 = torch.special.scaled_modified_bessel_k0(x.abs() + 0.1)
r2 = torch.special.scaled_modified_bessel_k1(x.abs() * 3 + 0.1)
r3 = torch.special.spherical_bessel_j0(x * 3)
r4 = torch.special.airy_ai(x * 5)
r5 = [r.requires_grad for r in (r1, r2, r3, r4)]

# %% edges of Bessel functions
# leaf x float32 1
wild = [0.0, -0.0, -1.0, -20.0, 2.5, 20.0, 50.0, 1e30, -1e30, float("inf"), -float("inf"), float("nan")]
names = "bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1 modified_bessel_k0"
names += " modified_bessel_k1 i0 i1 i0e i1e scaled_modified_bessel_k0 scaled_modified_bessel_k1"
names += " spherical_bessel_j0 airy_ai"
e = torch.tensor(wild)
r1 = torch.stack([getattr(torch.special, name)(e) for name in names.split()])
r2 = torch.stack([getattr(torch.special, name)(e.double()) for name in names.split()])
r3 = torch.stack([getattr(torch.special, name)(e + 0 * x) for name in names.split()])

# %% slopes of Bessel functions at their edges
# leaf x float32 1
# leaf y float64 1
wild = [0.0, -1.0, -20.0, 2.5, 20.0, 30.0, float("inf"), -float("inf")]
names = "modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 i0e i1e i0 i1".split()
names += ["bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1"]
r1 = torch.special.i0e(x * 0)
for name in names:
    for number in wild:
        r1 = r1 + getattr(torch.special, name)(x * 0 + number).nan_to_num(0, 0, 0)
        r1 = r1 + getattr(torch.special, name)(y * 0 + number).nan_to_num(0, 0, 0)

# %% of integers, and of types without a kernel
r1 = torch.special.bessel_j1(torch.arange(9))
r2 = torch.special.airy_ai(torch.arange(-9, 9))
torch.special.bessel_j0(torch.ones(2, dtype=torch.float16))

# %% of half precision
torch.special.airy_ai(torch.ones(2, dtype=torch.bfloat16))

# %% polynomials
# leaf x float32 3,4
# leaf y float64 3,4
names = ["hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"]
names += [f"chebyshev_polynomial_{one}" for one in "tuvw"]
names += [f"shifted_chebyshev_polynomial_{one}" for one in "tuvw"]
n = torch.tensor([0, 3, 7, 12])
r1 = torch.stack([getattr(torch.special, name)(x, n) for name in names])
r2 = torch.stack([getattr(torch.special, name)(y, n) for name in names])
r3 = torch.stack([getattr(torch.special, name)(x, 9) for name in names])
r4 = torch.stack([getattr(torch.special, name)(0.3, n) for name in names])
r5 = torch.stack([getattr(torch.special, name)(n, 2.5) for name in names])
r6 = torch.special.legendre_polynomial_p(x, 2).requires_grad

# %% edges of polynomials
names = ["hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"]
names += [f"chebyshev_polynomial_{one}" for one in "tuvw"]
names += [f"shifted_chebyshev_polynomial_{one}" for one in "tuvw"]
x = [0.0, -0.0, -1.0, 1.0, 0.3, -0.7, 1.3, -2.2, 20.0, float("inf"), -float("inf"), float("nan")]
n = [[-1.0], [0.0], [1.0], [5.0], [20.0], [float("inf")], [-float("inf")], [float("nan")], [1e20]]
x, n = torch.tensor(x), torch.tensor(n)
r1 = torch.stack([getattr(torch.special, name)(x, n) for name in names])
r2 = torch.stack([getattr(torch.special, name)(x.double(), n) for name in names])
r3 = torch.special.chebyshev_polynomial_t(torch.tensor([True]), 3)

# %% polynomials of numbers alone
torch.special.chebyshev_polynomial_t(2, 3)

# %% polynomials of half precision
torch.special.hermite_polynomial_h(torch.ones(2, dtype=torch.float16), 2)

# %% polynomials of high degrees
r1 = torch.special.hermite_polynomial_h(torch.tensor([0.3, 1.2]), torch.tensor([100, 129]))
r2 = torch.special.chebyshev_polynomial_w(torch.tensor([0.3, 1.2]), 130)
r3 = torch.special.legendre_polynomial_p(torch.tensor([0.3, 1.2]), 130)

# %% the zeta function at its edges
wild = [0.5, -1.0, -1.5, 0.0, 2.0, -20.5, 1e20, float("inf"), -float("inf"), float("nan")]
s = torch.tensor([[2.0], [1.0], [0.5], [3.0], [2.5], [40.0], [2000.0], [float("nan")]])
q = torch.tensor(wild, requires_grad=True)
r1 = torch.special.zeta(s, q)
r2 = torch.autograd.grad(r1.sum(), q)[0]
r3 = torch.special.zeta(s.double(), q.detach().double())

# %% the zeta function of the step
# leaf p float32 2,3 positive
r1 = torch.special.zeta(torch.tensor([2.0, 3.5, 7.0]), p)
r2 = torch.special.zeta(p.detach() + 1.5, p)

# %% gradients by the order are refused where they are asked for
s = torch.tensor([2.0, 3.0], requires_grad=True)
q = torch.tensor([1.0, 2.0], requires_grad=True)
r1 = torch.autograd.grad(torch.special.zeta(s, q).sum(), q)[0]
r2 = torch.autograd.grad(torch.igamma(s, q).sum(), q)[0]
r3 = torch.autograd.grad(torch.igammac(s, q).sum(), q)[0]
torch.autograd.grad(torch.special.zeta(s, q).sum(), s)

# %% derivatives of the digamma function at their edges
wild = [0.0, -1.0, -2.0, -20.3, -20.0, float("inf"), -float("inf"), float("nan"), 1e-20, 1e20, 0.5, 1.5]
x = torch.tensor(wild, requires_grad=True)
y = torch.tensor(wild, dtype=torch.float64)
r1 = torch.stack([torch.polygamma(n, x) for n in (0, 1, 2, 3, 10, 50)])
r2 = torch.autograd.grad(r1[:5].sum(), x)[0]
r3 = torch.stack([y.polygamma(n) for n in (0, 1, 2, 3, 10, 50)])
r5 = y.clone().polygamma_(1)
r6 = torch.polygamma(2, torch.tensor([1.0, 2.5], dtype=torch.float16))

# %% derivatives of the digamma function within the step
# leaf x float32 2,3
# leaf p float32 2,3 positive
r1 = x.polygamma(1)
r2 = torch.polygamma(3, p)
r3 = x.digamma()

# %% parts of numbers at the edges of their types
numbers = [1e38, 3e38, 1e-38, 1e-45, float("inf"), float("nan"), 0.0, -5.5]
x = torch.tensor(numbers, requires_grad=True)
y = torch.tensor([*numbers, 1e300, 1e-300, 5e-324], requires_grad=True, dtype=torch.float64)
r1, r2 = torch.frexp(x)
r3 = torch.autograd.grad(r1.sum(), x)[0]
r4, r5 = torch.frexp(y)
r6 = torch.autograd.grad(r4.sum(), y)[0]
r7 = torch.autograd.grad(torch.frexp(x)[0], x, torch.zeros(8))[0]
z = torch.tensor([6e-8, 1e-5, 60000.0, 0.0], requires_grad=True, dtype=torch.float16)
r8 = torch.autograd.grad(torch.frexp(z)[0], z, torch.full((4,), 0.01, dtype=torch.float16))[0]

# %% incomplete gamma functions at their edges
wild = [0.0, 0.5, 3.0, 200.0, float("inf"), -1.0, float("nan")]
a, x = torch.tensor(wild).unsqueeze(1), torch.tensor(wild, requires_grad=True)
r1, r2 = torch.igamma(a, x), torch.igammac(a, x)
r3 = torch.autograd.grad(r1.sum(0), x, torch.ones(7), retain_graph=True)[0]
r4 = torch.autograd.grad(torch.igamma(a[1:4], x).sum(0), x, torch.ones(7))[0]
r5 = torch.igamma(a.double(), x.detach().double())

# %% logarithms of sigmoids keep their digits where they are small
# leaf x float32 5 positive
y = x * 5 + 10
r0 = 1 / F.logsigmoid(y)
r1 = F.logsigmoid(-y)
r2 = 1 / F.softplus(-y.double(), beta=2, threshold=0.2)
r3 = torch.empty(0, dtype=torch.bool).median()

# %% shares of a normal distribution lose their digits where they are small
# leaf x float32 6
r0 = torch.special.ndtr(x * 4 - 2)
r1 = torch.special.ndtr(torch.tensor([-8, -6, 0, 3], dtype=torch.int32))
r2 = torch.special.ndtr(x.double() * 4)

# %% logarithms of a normal distribution's shares near 1
# leaf x float32 6
r0 = torch.special.log_ndtr(x * 4)
r1 = torch.special.log_ndtr(torch.tensor([9, 12, 5, 0, -3], dtype=torch.uint8))
r2 = r1 // 2.0
r3 = torch.special.log_ndtr(x.double() * 10)

# %% logarithms, powers and quotients of a sigmoid far below one
# leaf x float32 5
# leaf y float32 5
far = x * 20 - 40
gate = far.sigmoid()
logs = [gate.log(), gate.view(5, 1).log2(), (gate + 1e-24).log(), gate.clamp(min=1e-12).log(), (1 - gate).log()]
powers = [gate ** 0.125, gate.rsqrt(), 1 / gate, y / (gate * 3)]
all_of_them = gate[:2].prod().log()

# %% shares of sigmoids far below one
# leaf x float32 2,4
scores = (x * 3 - 19).sigmoid()
best = torch.topk(scores, 2).values
shares = [best / (best.sum(-1, keepdim=True) + 1e-20), scores / scores.sum(-1, keepdim=True)]

# %% margins that are nearly none keep their digits
# leaf x float32 5
far = torch.tensor([3.5, -8.0, 9.0, -10.0, 4.0])
r = [F.soft_margin_loss(x + 3, far, reduction="none"), F.soft_margin_loss(x * 40, far)]
