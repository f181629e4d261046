"""Parameters that take another shape in place after they were used."""

# %% a product before it
# leaf x float32 3,1
r1 = x * 2
with torch.no_grad():
    x.unsqueeze_(0)
r2 = x.shape

# %% a sine before it needs the parameter as it was
# leaf x float32 3,1
r1 = x.sin()
with torch.no_grad():
    x.unsqueeze_(0)

# %% an exponential before it
# leaf x float32 3,1
r1 = x.exp()
with torch.no_grad():
    x.unsqueeze_(0)

# %% a part that was taken before it
# leaf x float32 3,1,4
r1 = x[..., ::2]
with torch.no_grad():
    x.squeeze_()

# %% a part that was taken before it, which fits
# leaf x float32 3,4
r1 = x[..., ::2]
with torch.no_grad():
    x.unsqueeze_(0)

# %% a part that was taken and used before it
# leaf x float32 3,1,4
y = x[..., ::2]
r1 = y * 2
with torch.no_grad():
    x.unsqueeze_(0)

# %% a part of a square that was turned
# leaf x float32 3,3
r1 = x[..., ::2] * 1
r2 = x[1:]
with torch.no_grad():
    x.t_()

# %% a part that was edited after it
# leaf x float32 3,1,4
r1 = x[..., ::2]
with torch.no_grad():
    x.squeeze_(0)
    x.mul_(2)

# %% an axis that is not there
# leaf x float32 3,1
r1 = x.sin()
with torch.no_grad():
    x.squeeze_(0)

# %% products before it and after it
# leaf x float32 3,1
r1 = x * 2
with torch.no_grad():
    x.unsqueeze_(0)
r2 = x * 3
r3 = x.is_leaf, x.requires_grad

# %% twice
# leaf x float32 3,1
r1 = x * 2
with torch.no_grad():
    x.unsqueeze_(0)
    x.unsqueeze_(0)
r2 = x.shape, x.stride()

# %% two axes of a square
# leaf x float32 3,3
r1 = x * torch.arange(9.0).reshape(3, 3)
with torch.no_grad():
    x.transpose_(0, 1)
r2 = x.detach()

# %% its gradient within the step
# leaf x float32 3,1
y = x * 2
with torch.no_grad():
    x.unsqueeze_(0)
r1 = torch.autograd.grad((y * 3).sum(), x)[0]

# %% an edit after it, in place
# leaf x float32 3,1
r1 = x * 2
with torch.no_grad():
    x.unsqueeze_(0)
x.mul_(2)

# %% the gradient within the step of one that was edited
# leaf x float32 3
y = x * 2
with torch.no_grad():
    x.mul_(3)
r1 = torch.autograd.grad((y + x * 5).sum(), x)[0]

# %% a parameter that nothing rests on is turned, by itself and by its data
m = torch.nn.Linear(3, 2)
with torch.no_grad():
    m.weight.t_()
r0 = m.weight @ torch.ones(2, 2)
p = torch.nn.Parameter(torch.ones(2, 3))
p.data = p.data.t()
with torch.no_grad():
    p.t_()
r1 = p * 2

# %% a parameter of which something detached is held is turned
# leaf x float32 2,3
r0 = x.detach()
with torch.no_grad():
    x.transpose_(0, 1)
r1 = x * 2
r2 = r0 * 3

# %% windows taken of a parameter that is turned under no_grad
# leaf a float32 3,3
# leaf b float32 3,3
# leaf c float32 3,3
# leaf d float32 3,3
x, y = a.as_strided([2, 1, 2], [3, 3, 1]), b.unfold(0, 2, 1)
z, v = c.expand(2, -1, -1), d.transpose(0, 1)[1]
with torch.no_grad(): [leaf.t_() for leaf in (a, b, c, d)]
r0 = x * 1
r1 = y * 1
r2 = z.as_strided([2, 2], [3, 1])
r3 = v.as_strided([2, 2], [3, 1])

# %% a refused view holds nothing of a parameter
# leaf a float32 1,2
try:
    a.select(0, 0).mul_(2)
except RuntimeError:
    pass
with torch.no_grad(): a.squeeze_()
r0 = a * 1

# %% a parameter that is edited and then turned under no_grad has the gradient of what was computed before
# leaf a float32 2,3
# leaf b float32 3,3
r0, r1 = a.exp(), b.exp()
with torch.no_grad(): a.add_(1), b.add_(1)
with torch.no_grad(): a.unsqueeze_(0), b.t_()
r2, r3 = a * 2, b * 2
