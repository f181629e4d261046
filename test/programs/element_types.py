"""Element types and their limits."""

# %% limits of floating-point types
names = "float64 float32 float16 bfloat16 complex64 float8_e4m3fn float8_e4m3fnuz float8_e5m2"
names += " float8_e5m2fnuz float8_e8m0fnu"
r1 = []
for name in names.split():
    f = torch.finfo(getattr(torch, name))
    r1.append([f.bits, f.max, f.min, f.eps, f.tiny, f.smallest_normal, f.resolution, str(f.dtype)])
r2 = torch.float8_e4m3fn.itemsize
r3 = torch.float8_e5m2.is_floating_point

# %% bytes between the rows of an array
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, -0.25, 0.75]])
r1 = (x.numpy().strides, x.double().t().numpy().strides, x[:, ::2].numpy().strides)

# %% contiguous in its own format
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, -0.25, 0.75]])
r1 = x.contiguous(memory_format=torch.preserve_format).stride()

# %% a stable order has keywords alone
torch.tensor([[2, 1], [0, 3]]).argsort(0, True, stable=True)

# %% no float is inverted
~torch.ones(2)

# %% no product of matrices of truths
x = torch.tensor([[True, False], [True, True]])
torch.addmm(x, x, x)

# %% no cross product of truths
x = torch.tensor([True, False, True])
torch.cross(x, x, 0)

# %% no integers over integers in addcdiv
i = torch.tensor([2, 4])
torch.addcdiv(i, i, i)

# %% no power of two by a truth
torch.ldexp(torch.ones(2), torch.tensor([True, False]))

# %% bytes of computed numbers are negated
# leaf x float32 3 share
r0 = (x * 40).byte().neg()
r1 = -(x * 200).byte()
r2 = (x * 100).byte()
r2.neg_()
