# %% a product with a number is used up by a walk
# leaf x float32 2,3
y = x * 2
r0 = torch.autograd.grad(y.sum(), x)[0]
r1 = y

# %% a quotient by a number is used up by a walk
# leaf x float32 2,3
y = x / 2
r0 = torch.autograd.grad(y.sum(), x)[0]
r1 = y

# %% a sum with a number is not used up by a walk
# leaf x float32 2,3
y = (x + 2).flip(-1)
r0 = torch.autograd.grad(y.sum(), x)[0]
r1 = y

# %% a product in place with a number is used up by a walk
# leaf x float32 2,3
y = x + 1
y.mul_(2)
r0 = torch.autograd.grad(y.sum(), x)[0]
r1 = y

# %% zeros for gradients that nothing reaches can be differentiated
# leaf x float32 2,3
# leaf y float32 2,3
r0 = x ** 3
r1 = torch.autograd.grad(r0.sum(), [x, y], create_graph=True, materialize_grads=True)[1]
r2 = torch.autograd.grad((x ** 3).sum(), [x, y], materialize_grads=True)[1]

# %% a vector of many numbers is needed
# leaf x float32 2,3
r0 = torch.autograd.functional.vjp(lambda x: x * 2, x.detach())

# %% a direction of many numbers is needed
# leaf x float32 2,3
r0 = torch.autograd.functional.jvp(lambda x: x * 2, x.detach())

# %% a direction of a Hessian of many numbers is needed
# leaf x float32 2,3
r0 = torch.autograd.functional.hvp(lambda x: (x ** 3).sum(), x.detach())

# %% one number needs no vector
# leaf x float32 1
r0 = torch.autograd.functional.vjp(lambda x: (x ** 2).sum(), x.detach())[1]
r1 = torch.autograd.functional.jvp(lambda x: x * torch.ones(3), x.detach())[1]

# %% what passed a module's backward hooks is edited unseen
# leaf x float32 2,3
m = nn.Linear(3, 3)
m.register_full_backward_hook(lambda module, gi, go: None)
r0 = m(x)
with torch.no_grad():
    r0.add_(0.5)
r1 = r0 * 2

# %% what passed a module's backward hooks is edited at the end
# leaf x float32 2,3
m = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
m.register_full_backward_pre_hook(lambda module, go: None)
r0 = m(x.detach())
with torch.no_grad():
    r0.zero_()

# %% the input of a module with backward hooks is edited
# leaf x float32 2,3
m = nn.Linear(3, 3)
m.register_full_backward_hook(lambda module, gi, go: None)
y = x * 1
r0 = m(y)
y.add_(1)

# %% the input of a module with backward hooks is turned unseen
# leaf x float32 2,3
m = nn.Linear(3, 3)
m.register_full_backward_pre_hook(lambda module, go: None)
r0 = m(x)
with torch.no_grad():
    x.unsqueeze_(0)
