"""torch.func: what comes out is tracked where something beside its own arguments is."""

# %% derivatives of constants
y = torch.tensor([1.5, -2.0, 0.5])
r1 = torch.func.grad(lambda a: (a**3).sum())(y)
r2 = torch.func.hessian(lambda a: (a**3).sum())(y)
r3 = torch.func.jacrev(lambda a: a**2)(y)
r4 = torch.func.vjp(lambda a: a**2, y)[1](y)
r5 = torch.func.jvp(lambda a: a**2, (y,), (y,))
r6 = torch.func.grad_and_value(lambda a: (a.sum(), a * 2), has_aux=True)(y)
r7 = torch.vmap(torch.func.grad(lambda a: a**3))(y)

# %% derivatives through what is tracked
# leaf x float32 3
y = torch.tensor([1.5, -2.0, 0.5])
r1 = torch.func.grad(lambda a: (a**3 * x).sum())(y)
r2 = torch.func.jacrev(lambda a: a**2 * x)(y)
r3 = torch.func.vjp(lambda a: a**2, y)[1](x)
r4 = torch.func.grad(lambda a: (a**3).sum())(x)

# %% a Jacobian where no gradient is kept
# leaf x float32 3
with torch.no_grad():
    r1 = torch.func.jacrev(lambda a: a**2 * x)(torch.tensor([1.5, -2.0, 0.5]))

# %% gradients that are retained within the step
w = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
m = w * 2
m.retain_grad()
(m**2).sum().backward(retain_graph=True)
(m * 3).sum().backward()
r1 = (m.grad.clone(), w.grad.clone(), m.retains_grad, w.retains_grad)

# %% a hook of a backward pass within the step
w = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
w.register_hook(lambda grad: grad * 10)
(w**2).sum().backward()
r1 = w.grad.clone()

# %% gradients by a detached copy of a leaf are constants, and it may be edited
# leaf x float32 3
w = x.detach()
g = torch.func.grad(lambda a: (a**3).sum())(w)
r1 = (g.sum() + x.sum(), g.requires_grad)

# %% gradients of each sample by detached weights, which are edited afterwards
# leaf x float32 2,3
m = torch.nn.Linear(3, 1)
p = {name: one.detach() for name, one in m.named_parameters()}
loss = lambda p, row: torch.func.functional_call(m, p, (row,)).pow(2).sum()
g = torch.vmap(torch.func.grad(loss), in_dims=(None, 0))(p, x.detach())
with torch.no_grad(): m.weight -= g["weight"].mean(0)
r1 = (m(x) + g["bias"].sum()).sum()
