# %% gradients of functions of half precision and a wider type are rounded where PyTorch's kernels are half precision
# leaf x float64 6
# leaf y float64 6 share
fs = [torch.atan2, torch.hypot, torch.logaddexp, torch.logaddexp2, torch.xlogy, torch.special.xlog1py, torch.copysign, torch.remainder, torch.fmod]
fs += [lambda a, b: torch.pow(a.abs() + 0.1, b), lambda a, b: torch.ldexp(a, b), torch.mul, torch.div, torch.maximum]
halves, wides = (torch.bfloat16, torch.half), (torch.float32, torch.float64)
pairs = [(x.to(t), y.to(w)) for t in halves for w in wides] + [(y.to(t), x.to(t)) for t in halves]
pairs += [(x.to(t), y[0].to(w)) for t in halves for w in wides] + [(x[0].to(w), y.to(t)) for t in halves for w in wides]
r0 = [f(a, b).double() for f in fs for a, b in pairs]
r1 = [f(b, a.abs()).double() for f in fs for a, b in pairs]

# %% gradients of edits of half precision by a wider type
# leaf x float64 6
# leaf y float64 6 share
fs = ["add_", "sub_", "mul_", "div_", "atan2_", "hypot_", "xlogy_", "copysign_", "remainder_", "fmod_", "ldexp_"]
halves, wides = (torch.bfloat16, torch.half), (torch.float32, torch.float64)
pairs = [(x.to(t), b.to(w)) for t in halves for w in wides for b in (y, y[0])]
r0 = [getattr(a.clone(), f)(b).double() for f in fs for a, b in pairs]
r1 = [(a.abs() + 0.1).pow_(b).double() for a, b in pairs]
r2 = [a.clone().add_(b, alpha=0.7).double() for a, b in pairs] + [a.clone().sub_(b, alpha=1.7).double() for a, b in pairs]

# %% gradients of scaled sums, products and quotients of half precision and a wider type
# leaf x float64 6
# leaf y float64 6 share
# leaf z float64 6 share
halves, wides = (torch.bfloat16, torch.half), (torch.float32, torch.float64)
triples = [(x.to(t), b.to(w), c.to(w)) for t in halves for w in wides for b, c in ((y, z), (y[0], z[0]))]
triples += [(x[0].to(w), b.to(t), c.to(t)) for t in halves for w in wides for b, c in ((y, z),)]
r0 = [torch.add(a, b, alpha=1.7).double() for a, b, c in triples] + [torch.sub(a, b, alpha=0.3).double() for a, b, c in triples]
r1 = [torch.addcmul(a, b, c, value=0.3).double() for a, b, c in triples]
r2 = [torch.addcdiv(a, b, c, value=0.3).double() for a, b, c in triples]
r3 = [f(a.clone(), b, c, value=0.7).double() for a, b, c in triples[:8] for f in (torch.Tensor.addcmul_, torch.Tensor.addcdiv_)]
r4 = [torch.lerp(x.to(w), y.to(w), z[0].to(t)).double() for t in halves for w in wides]

# %% a share of a difference is of the type of its ends
# leaf x float32 3
# leaf y float32 3
# leaf z float16 3 share
torch.lerp(x, y, z)

# %% the exponent of a complex power loses 1 in its own type
# leaf z complex64 5
# leaf w float16 5
# leaf v bfloat16 1
r0 = torch.pow(z, w)
r1 = z ** v
r2 = torch.pow(z[:2].to(torch.complex128), w[:2])

# %% hidden states of an LSTM are projected under autocast
# leaf x float32 3,2,4
m = nn.LSTM(4, 3, 2, bidirectional=True, proj_size=2)
n = nn.LSTM(4, 3, 2, batch_first=True, proj_size=1)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r0 = m(x)
    r1 = n(x)

# %% losses of differences count a number without axes like the others
# leaf x float64 4
# leaf y float64 4
halves, wides = (torch.bfloat16, torch.half), (torch.float32, torch.float64)
r0 = [f(x.to(t), y[0].to(w)) for f in (F.mse_loss, F.l1_loss, F.smooth_l1_loss) for t in halves for w in wides]
r1 = [f(x[0].to(w), y.to(t), reduction="none") for f in (F.mse_loss, F.l1_loss, F.smooth_l1_loss) for t in halves for w in wides]

# %% Huber's loss is of its input's type
# leaf x float32 4
r0 = F.huber_loss(x.detach(), x.detach().double() + 1)
r1 = F.huber_loss(x.detach().half(), x.detach() + 1, reduction="none")
F.huber_loss(torch.tensor([1, 2]), x[:2])

# %% and has no gradient where the target is of another
# leaf x float32 4
r0 = F.huber_loss(x, torch.zeros(4, dtype=torch.float64))

# %% nor the target's
# leaf x float32 4
r0 = F.huber_loss(torch.zeros(4, dtype=torch.float64), x)

# %% an axis that no number has is refused before a complex gradient
# leaf z complex64 0
z.reshape(2, 0, 1).amax(1)

# %% products of integers by a fraction are floats
# leaf x float16 2,3
a = torch.ones(2, 3)
a.addcmul_(torch.tensor([[1, -4, 3], [2, 0, 5]]), x, value=-0.7)
r0 = a

# %% a real factor of a complex power of 2
# leaf x float32 3
w = torch.tensor([1j, 2, 1 - 1j])
r1 = torch.ldexp(x, w)

# %% a real exponent beside a complex factor
# leaf x float32 3
w = torch.tensor([1j, 2, 1 - 1j])
r1 = torch.ldexp(w, x)

# %% a complex exponent beside a real factor
# leaf w complex64 3
x = torch.tensor([1.5, 2, -1])
r1 = torch.ldexp(x, w)

# %% a complex product of real numbers
# leaf x float32 3
r1 = x.prod(-1, dtype=torch.complex64)

# %% a complex product of all real numbers
# leaf x float32 3
r1 = x.prod(dtype=torch.complex64)

# %% real ends and a complex weight
# leaf x float32 3
r1 = torch.lerp(x, x, torch.tensor(1 + 2j))

# %% complex ends and a real weight
# leaf x complex64 3
# leaf w float32
r1 = torch.lerp(x, x * 2, w)

# %% sums of exponentials of two complex types
# leaf x complex64 3
# leaf y complex128 3
r1 = torch.logaddexp(x, y)
r2 = torch.logaddexp(x, torch.tensor([1.5, 2, 3]))

# %% a real exponent beside a complex one
# leaf x float32 3
# leaf y complex128 3
r1 = torch.logaddexp(x, y)

# %% a real number in complex ones: masked_fill
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
r1 = z.masked_fill(m, v)
r2 = z

# %% a real number in complex ones: masked_fill_
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
r1 = z.masked_fill_(m, v)
r2 = z

# %% a real number in complex ones: fill_
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
r1 = z.fill_(v)
r2 = z

# %% a real number in complex ones: fill
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
r1 = torch.fill(z, v)
r2 = z

# %% a real number in complex ones: in all places
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
z[:] = v
r2 = z

# %% a real number in complex ones: in one place
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
z[0] = v
r2 = z

# %% a real number in complex ones: in a window
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
z[0:1] = v
r2 = z

# %% a real number in complex ones: where a mask holds
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
z[m] = v
r2 = z

# %% a real number in complex ones: along an axis
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
z[:] = v.reshape(1)
r2 = z

# %% a real number in complex ones: with an axis where a mask holds
# leaf v float32
z = torch.tensor([1 + 1j, 2]) * 1
m = torch.tensor([True, False])
z[m] = v.reshape(1)
r2 = z

# %% integers scaled by a float beside half precision
# leaf x bfloat16 5
i = torch.tensor(6, dtype=torch.uint8)
r1 = torch.addcmul(x, x, i, value=1e20) / 1e20
r2 = torch.addcmul(x, x, i, value=300.0)
r3 = torch.addcdiv(x, i, x, value=300.0)

# %% remainders of integers beside half precision
# leaf y bfloat16 1,3 share
# leaf z float16 1,3 share
x = torch.arange(-7, 8, dtype=torch.int8).reshape(5, 3)
r1 = x.fmod(y * 0.1)
r2 = x.fmod(z * 0.1)
r3 = x.remainder(y * 0.1)

# %% distances between real and complex numbers
# leaf y complex64 3
x = torch.tensor([0.5, -1.0, 2.0])
r1 = x.dist(y)

# %% refuse the gradient of the real ones
# leaf x float32 3
# leaf y complex64 3
r1 = x.dist(y)

# %% truths between which a weight that is followed lies
# leaf w float32
x = torch.tensor([True, False])
r1 = torch.lerp(x, x, w)

# %% truths beside numbers in the logarithm of a sum of exponentials
# leaf x float32 3
r1 = torch.logaddexp(x, torch.tensor([True, False, True]))

# %% and beside complex ones
# leaf x complex64 3
r1 = torch.logaddexp(x, torch.tensor(False))

# %% halves beside complex numbers of fewer axes in calls of three
x = torch.tensor([0.5, 1.25], dtype=torch.float16)
z = torch.tensor(0.5 + 1.5j)
def kind_of(f):
    try:
        return str(f().dtype)
    except Exception as error:
        return type(error).__name__
r1 = kind_of(lambda: torch.lerp(x, x, z))
r2 = kind_of(lambda: torch.addcdiv(x, x, z))
r3 = kind_of(lambda: torch.addcmul(x.bfloat16(), x.bfloat16(), z))
r4 = kind_of(lambda: torch.lerp(z.reshape(1), z.reshape(1), x[0]))
