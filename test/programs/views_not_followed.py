"""Views of which autograd follows no edit: one of several that a call gave, or taken under no_grad."""

# %% a view of one of several is edited
# leaf x float32 3,4
r0 = x.exp()
r1 = r0.chunk(3, -2)[1].view([1, -1])
r1.mul_(2)

# %% the same, reshaped
# leaf x float32 3,4
r0 = x.exp()
r1 = r0.chunk(3, -2)[1].reshape(4)
r1.zero_()

# %% one of several is written to by index
# leaf x float32 3,4
r0 = x.exp()
r1 = r0.unbind()[1]
r1[0] = 2

# %% one of several is written to by index, after it was detached
# leaf x float32 3,4
r0 = x * 3
r1 = r0.unbind()[1].detach()
r1[0] = 2
r1.mul_(x[0])

# %% one of several of what was detached, by numbers alone
# leaf x float32 3,4
r0 = (x * 3).detach()
r1 = r0.split(1)[1]
r1.mul_(2)
r1[0, 1:] = 5
r2 = r0 * x

# %% one of several of what was detached, by what requires a gradient
# leaf x float32 3,4
r0 = (x * 3).detach()
r1 = r0.split(1)[1]
r1[0] = x[0]

# %% a view of one of several, by what requires a gradient
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
r1 = r0.split(1)[1][0]
r1.add_(x[0])

# %% one of several, by what requires a gradient, with nothing followed
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    for row, given in zip(r0.split(1), x):
        row.copy_(given)
r1 = r0 * x

# %% one of several is read after its base was edited by what requires a gradient
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
r1 = r0.split(1)[1]
r0[0] = x[0]
r2 = r1 * 2

# %% one of several is read after its base was edited by numbers alone
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
r1 = r0.split(1)[1]
r0[1] = 4
r2 = r1 * x[1]

# %% taken under no_grad, edited by what requires a gradient
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0[0]
r1.mul_(x[0])

# %% taken under no_grad, written to by index
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0[:2]
r1[0] = x[0]

# %% taken under no_grad, edited by numbers alone
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0[0]
r1.add_(2)
r1[1:3] = 7
r2 = r0 * x

# %% taken and edited under no_grad by what requires a gradient
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0[0]
    r1[1:] = x[0, 1:]
r2 = r0 * x

# %% a view of it taken in grad mode is edited
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0[0]
r2 = r1[:2].view(2, 1)
r2.add_(x[:2, :1])

# %% a view of it taken in grad mode, its base requiring a gradient
# leaf x float32 3,4
r0 = x.exp()
with torch.no_grad():
    r1 = r0[0]
r2 = r1[:2].view(2, 1)
r2.add_(1)

# %% detached under no_grad, then edited
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0.detach()
r1.mul_(x)
r2 = r1 * x

# %% a part of what was detached under no_grad
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0.detach()[0]
r1.mul_(x[0])

# %% turned under no_grad
# leaf x float32 3,4
r0 = torch.ones(4, 3)
with torch.no_grad():
    r0.t_()
r0.mul_(x)

# %% a part that was turned under no_grad
# leaf x float32 3,4
r0 = torch.ones(3, 4)
r1 = r0[1]
with torch.no_grad():
    r1.unsqueeze_(0)
r1.mul_(x[:1])

# %% the tensor itself, given under no_grad
# leaf x float32 3,4
r0 = torch.ones(3, 4)
with torch.no_grad():
    r1, r2, r3 = r0.real, r0.contiguous(), torch.atleast_2d(r0)
r1.mul_(x)
r2.mul_(x)
r3.mul_(x)

# %% taken under no_grad, read after an edit by what requires a gradient
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0[0]
r0[1] = x[1]
r2 = r1 + 1

# %% taken under no_grad, read there after an edit by what requires a gradient
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0[0]
r0[1] = x[1]
with torch.no_grad():
    r2 = r1 + 1

# %% taken under no_grad, detached after an edit by what requires a gradient
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0[0]
r0[1] = x[1]
r2 = r1.detach() + 1

# %% taken under no_grad of what requires a gradient, read after an edit there
# leaf x float32 3,4
with torch.no_grad():
    r1 = x[0]
    x.mul_(2)
r2 = r1 * 2

# %% taken under no_grad of what requires a gradient, read after an edit of its data
# leaf x float32 3,4
r0 = x * 3
with torch.no_grad():
    r1 = r0[0]
r0.data.mul_(2)
r2 = r1 * 2

# %% taken under no_grad, read after edits by numbers alone
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
with torch.no_grad():
    r1 = r0[0]
    r0.add_(2)
r0.mul_(3)
r2 = r1 * x[0]

# %% its base requires a gradient since it was taken under no_grad
# leaf x float32 3,4
r0 = torch.ones(3, 4)
with torch.no_grad():
    r1 = r0[0]
r0.requires_grad_()
r2 = r1.requires_grad
r3 = r1 * 3

# %% its base requires a gradient since it was taken under no_grad, and it is edited
# leaf x float32 3,4
r0 = torch.ones(3, 4)
with torch.no_grad():
    r1 = r0[0]
r0.requires_grad_()
r1.mul_(2)

# %% its base requires a gradient since it was taken
# leaf x float32 3,4
r0 = torch.ones(3, 4)
r1 = r0[0]
r0.requires_grad_()
r2 = r1.requires_grad
r3 = r1 * 3

# %% its base requires a gradient since it was taken, and is edited with nothing followed
# leaf x float32 3,4
r0 = torch.ones(3, 4)
r1 = r0[0]
r0.requires_grad_()
with torch.no_grad():
    r0.mul_(2)
r3 = r1 * 3

# %% a cache is written to by index, step by step
# leaf x float32 3,4
r0 = torch.zeros(3, 4)
r1 = r0[:, :2]
for step in range(2):
    r1[:, step] = x[:, step]
r2 = r0 * x

# %% a cache that was made under no_grad is written to
# leaf x float32 3,4
with torch.no_grad():
    r0 = torch.zeros(3, 4)
r0[:, 0] = x[:, 0]
r0[:, 1:3].copy_(x[:, 1:3])
r2 = r0 * x

# %% a result under no_grad that is a view of what nobody holds
# leaf x float32 2,4
m = nn.Bilinear(2, 3, 4, bias=False)
with torch.no_grad(): r1 = m(torch.ones(2, 2), torch.ones(2, 3))
r1.div_(x)

# %% a result under no_grad that is no view
# leaf x float32 2,4
m = nn.Bilinear(2, 3, 4)
with torch.no_grad(): r1 = m(torch.ones(2, 2), torch.ones(2, 3))
r1.div_(x)

# %% a view that is overwritten whole is edited again
# leaf x float32 3,4
r1 = torch.zeros(12).view(3, 4)
r1[:] = x
r1.mul_(2)
r2 = torch.zeros(4, 3).t()
r2[...] = x
r2.add_(1)
r3 = torch.zeros(6, 4)[:3]
r3[:, :] = x * 2
r3 *= 3
r3[0] = 1

# %% what a view is a view of
# leaf x float32 2,3
y = x[0]
r1 = (y._base is x, y[1:]._base is x, y._is_view(), x._is_view(), x.detach()._base, (x * 2)._is_view())
with torch.no_grad():
    z = x.view(-1)
r2 = (z._base is x, x.detach()[0]._is_view(), x.detach()[0]._base.shape)

# %% the order of axes in memory
# leaf x float32 2,3
r1 = (x.dim_order(), x.t().dim_order(), x.expand(4, 2, 3).dim_order(), x[:, :0].t().dim_order())

# %% what passed the backward hooks of a module is not edited
# leaf x float32 2,3
layer = nn.Linear(3, 3)
layer.register_full_backward_hook(lambda module, to, of: None)
y = layer(x)
r1 = y._is_view()
y.add_(1)

# %% nor within the module
# leaf x float32 2,3
layer = nn.ReLU(inplace=True)
layer.register_full_backward_pre_hook(lambda module, of: None)
r1 = layer(x.detach().clone())
layer(x * 1)

# %% nor a view of it
# leaf x float32 2,3
layer = nn.Linear(3, 3)
layer.register_full_backward_hook(lambda module, to, of: None)
r1 = layer(x).mul(2).add_(1)
layer(x)[0].zero_()

# %% a recurrent layer of another type
nn.GRU(2, 2).half()(torch.ones(3, 1, 2))

# %% views of a view that then requires a gradient, which a call took by way of others
v = torch.tensor([1.0, 2.0, 3.0]).reshape([3])
r = torch.meshgrid([v, v], indexing="ij")[1]
v.requires_grad_()
r0 = str((r.requires_grad, (r * 2).requires_grad))

# %% calls without a derivative read one of several although its base was edited
# leaf x float32 3,2
y = x * 1
u = y.unbind(0)[1]
y.add_(0)
said = []
for f in (
    *(lambda: u > 0, lambda: u.argmax(), lambda: u.long(), lambda: u.tolist(), lambda: u.nonzero()),
    *(lambda: u.isnan(), lambda: u.type_as(torch.tensor(1)), lambda: (u == 1).sum(), lambda: u.bool()),
    *(lambda: u * 2, lambda: u.sort()[1], lambda: u.floor(), lambda: u.to(torch.float64)),
):
    try:
        f()
        said.append("none")
    except RuntimeError as error:
        said.append(str(error)[:20])
r0 = str(said)
r1 = u.long()
