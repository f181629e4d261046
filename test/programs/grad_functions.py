"""What grad_fn is called, and how tensors print with it."""

# %% arithmetic
# leaf x float32 2,3
made = [x + 1, 1 + x, x * 2, x - 1, 1 - x, x / 2, 1 / x, -x, x**2, x**x, 2**x, x @ x.mT]
r1 = [type(one.grad_fn).__name__ for one in made]
r2 = (made[0].grad_fn.name(), str(made[1].grad_fn)[:13], x.grad_fn, x.detach().grad_fn)

# %% views and windows
# leaf x float32 2,3
made = [x.mT, x.T, x.t(), x.permute(1, 0), x.view(-1), x.reshape(3, 2), x.t().reshape(-1), x.flatten()]
made += [x.unsqueeze(0), x.squeeze(), x.squeeze(0), x.expand(2, 2, 3), x[0], x[:, 0], x[:, 1:], x[None]]
made += [x[torch.tensor([0])], x[x > 0], x.chunk(2)[0], x.unbind(0)[0], x.narrow(0, 0, 1), x.clone()]
r1 = [type(one.grad_fn).__name__ for one in made]

# %% reductions
# leaf x float32 2,3
made = [x.sum(), x.sum(0), x.mean(), x.mean(-1), x.max(), x.max(0)[0], x.amax(0), x.prod(), x.prod(0)]
made += [x.std(0), x.norm(dim=-1), x.cumsum(0), x.softmax(-1), x.log_softmax(-1), x.logsumexp(0)]
r1 = [type(one.grad_fn).__name__ for one in made]

# %% layers
# leaf x float32 2,3
made = [nn.Linear(3, 4)(x), nn.Linear(3, 4, bias=False)(x), nn.Linear(3, 4)(x[None]), nn.LayerNorm(3)(x)]
made += [F.gelu(x), F.silu(x), F.dropout(x, 0.1), F.cross_entropy(x, torch.tensor([0, 1]))]
made += [F.mse_loss(x, x.detach()), torch.cat([x, x]), torch.stack([x, x]), x.double(), x.masked_fill(x > 0, 0.0)]
made += [nn.Embedding(4, 3)(torch.tensor([1])), nn.Conv1d(2, 4, 2)(x[None]), x.clone().add_(1)]
r1 = [type(one.grad_fn).__name__ for one in made]
r2 = F.scaled_dot_product_attention(x[None, None], x[None, None], x[None, None]).grad_fn.name()

# %% printed
# leaf x float32 2,3
r1 = repr(x * 2)
r2 = str(x.sum(dim=0))
r3 = repr([F.linear(x, x), x.detach()])
r4 = f"{x.view(-1)}"

# %% arguments by name
# leaf x float32 2,3
made = [torch.matmul(input=x, other=x.mT), F.linear(input=x, weight=x), torch.pow(input=x, exponent=2)]
made += [torch.reshape(input=x, shape=(-1,)), torch.sum(input=x, dim=0), torch.max(input=x), torch.div(input=x, other=2)]
made += [F.scaled_dot_product_attention(query=x, key=x, value=x), torch.squeeze(input=x, dim=0)]
made += [torch.scatter(input=x, dim=0, index=torch.zeros(1, 3, dtype=torch.int64), value=1.0)]
r1 = [type(one.grad_fn).__name__ for one in made]

# %% linear layers of vectors
# leaf x float32 3
# leaf y float32 2,3
made = [F.linear(x, x), F.linear(y, x), F.linear(y[None], x), F.linear(x, y)]
r1 = [type(one.grad_fn).__name__ for one in made]

# %% empty tensors as they print
r1 = [str(torch.zeros(0, 2, dtype=dtype)) for dtype in (torch.complex64, torch.float64, torch.int64, torch.float32)]

# %% negative zeros as they print
x = torch.tensor([-1.5, 0.0, 2.0])
r1 = (str(x * 0), (x * 0).tolist(), str((x * 0)[0].item()), str(-torch.zeros(2)), str((x * 0).long()))
r2 = str(F.dropout(x, 0.9))

# %% nothing is dropped of nothing
# leaf x float32 2,0
r1 = (F.dropout(x, 0.1) is x, F.dropout1d(x, 0.5) is x, str(F.dropout(x, 0.1)))

# %% names of functions of complex tensors
# leaf z complex64 3,3
made = [F.linear(z, z), z.ldexp(z), z.logaddexp(z), torch.addmm(z, z, z), z.prod(), z.logsumexp(0), torch.cat([z, z]), z.norm()]
r1 = [one.grad_fn.name() for one in made]

# %% functions of turns in place are numbered after the others
# leaf x float32 1,2,3
made = lambda: x * 1
r0 = [made().squeeze_().grad_fn.name(), made().squeeze_(0).grad_fn.name(), made().squeeze_((0,)).grad_fn.name()]
r0 += [made().squeeze().grad_fn.name(), made().squeeze(0).grad_fn.name(), made().squeeze((0,)).grad_fn.name()]
r0 += [made().unsqueeze_(0).grad_fn.name(), made().transpose_(0, 1).grad_fn.name(), made().swapaxes_(0, 1).grad_fn.name()]
r0 += [made()[0].clone().t_().grad_fn.name(), made().as_strided_((2,), (1,)).grad_fn.name()]
