"""out=: tensors that results are written to take their shape."""

# %% one without elements
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, -0.25, 0.75]])
r1 = torch.empty(0)
torch.add(x, 1, out=r1)
r2 = (r1.shape, r1.stride())
r3 = torch.zeros(2, 5)
torch.cat([x, x], 0, out=r3)
r4 = torch.zeros(6)
torch.exp(x.t(), out=r4)
r5 = r4.stride()
r6 = torch.empty(0, dtype=torch.int64)
torch.arange(5, out=r6)

# %% one that is written twice and edited
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, -0.25, 0.75]])
r1 = torch.empty(0)
torch.stack([x, x], out=r1)
torch.matmul(x, x.mT, out=r1)
r1 += 1

# %% several results
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, -0.25, 0.75]])
r1, r2 = torch.empty(0), torch.empty(0, dtype=torch.int64)
torch.max(x, -1, out=(r1, r2))
r3 = torch.sort(x, -1, out=(torch.empty(0), torch.empty(0, dtype=torch.int64)))
r4, r5 = torch.empty(0, dtype=torch.float16), torch.empty(0, dtype=torch.int64)
torch.topk(x.half(), 2, out=(r4, r5))

# %% several results, one of another type
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, -0.25, 0.75]])
torch.max(x, -1, out=(torch.empty(0, dtype=torch.float64), torch.empty(0, dtype=torch.int64)))

# %% complex numbers in a real type
# leaf z complex64 3
r1 = z.sum(dtype=torch.float32)
r2 = z.cumsum(0, dtype=torch.float64)
r3 = z.detach().cumprod(0, dtype=torch.float32)
r4 = z.mean(dtype=torch.float32)

# %% attention in two axes needs the values alone
# leaf x float32 2,3
a, b = x * 2, x * 3
r1 = F.scaled_dot_product_attention(a, b, x)
with torch.no_grad():
    a.mul_(2)
    b.mul_(2)
r2 = F.scaled_dot_product_attention(x, x, x).add_(1)

# %% attention in two axes needs its values unedited
# leaf x float32 2,3
a = x * 2
r1 = F.scaled_dot_product_attention(x, x, a)
with torch.no_grad():
    a.mul_(2)

# %% attention in three axes needs all unedited
# leaf x float32 1,2,3
a = x * 2
r1 = F.scaled_dot_product_attention(a, x, x)
with torch.no_grad():
    a.mul_(2)

# %% the type of what is written to
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, -0.25, 0.75]])
i = torch.tensor([2, 0, 1])
r1 = torch.zeros(2, dtype=torch.int64)
torch.ones(3, out=r1)
r2 = torch.empty(0, dtype=torch.int32)
torch.sum(i, 0, out=r2)
r3 = torch.empty(0, dtype=torch.float64)
torch.cumsum(x, 0, out=r3)
r4 = torch.empty(0)
torch.arange(4, out=r4)

# %% a mean of integers that is written to a float
torch.mean(torch.tensor([2, 0]), 0, out=torch.empty(0))

# %% softmax in another type
torch.softmax(torch.ones(2, 3), -1, out=torch.empty(0, dtype=torch.float64))

# %% a result that cannot be cast leaves what it would be written to as it is
x = torch.tensor([[0.5, -1.0, 2.0], [1.5, -0.25, 0.75]])
made = torch.zeros(5, dtype=torch.int64)
torch.sin(x, out=made)
r1 = made.shape

# %% no kernel between two types
x = torch.tensor([[0.5, -1.0], [1.5, -0.25]])
torch.matmul(x, x, out=torch.zeros(2, 2, dtype=torch.float64))

# %% a choice is written to its own type
x = torch.tensor([[0.5, -1.0], [1.5, -0.25]])
torch.where(x > 0, x, x, out=torch.zeros(2, 2, dtype=torch.float64))

# %% tests are written to truths
torch.any(torch.ones(2, 2), 1, out=torch.zeros(2))

# %% bytes are truths too
x = torch.tensor([[1.0, 0.0], [0.0, 0.0]])
r1 = torch.any(x, 1, out=torch.zeros(2, dtype=torch.uint8))

# %% what is joined is cast to a wider type
torch.cat([torch.ones(2), torch.ones(2)], out=torch.zeros(4, dtype=torch.int64))

# %% not every function has it
torch.isnan(torch.ones(2), out=torch.zeros(2, dtype=torch.bool))

# %% no method has it
torch.ones(2).abs(out=torch.zeros(2))

# %% two results in two tensors
torch.median(torch.ones(2, 2), 1, out=torch.zeros(2))

# %% sums and products in truths
x = torch.tensor([[0.5, -1.0], [0.0, 0.0]])
r1 = torch.sum(x, 1, out=torch.zeros(2, dtype=torch.bool))
r2 = torch.prod(x, 1, out=torch.zeros(2, dtype=torch.bool))
r3 = (x.sum(dtype=torch.bool), x.prod(dtype=torch.bool), x.nansum(1, dtype=torch.int32))
r4 = torch.zeros(2, 0).prod(1, dtype=torch.bool)

# %% no truths that require a gradient
# leaf x float32 2,2
x.sum(dtype=torch.bool)

# %% running sums of truths
torch.ones(2).cumsum(0, dtype=torch.bool)

# %% complex sums of what is real have no gradient
# leaf x float32 2,2
r1 = x.sum(0, dtype=torch.complex64)

# %% functions of several steps
x = torch.tensor([[3.0, -1.0, 2.0], [1.5, 0.25, 0.75]])
i = torch.tensor([4, 6, 9])
r1 = torch.quantile(x, 0.5, 1, out=torch.zeros(0))
r2 = torch.gcd(i, i.flip(0), out=torch.zeros(3, dtype=torch.int64))
r3 = torch.mode(x, 1, out=(torch.zeros(0), torch.zeros(0, dtype=torch.int64)))
r4 = torch.renorm(x, 2, 0, 1.0, out=torch.zeros(1))
r5 = torch.mvlgamma(x.abs() + 2, 1, out=torch.zeros(2, 3, dtype=torch.float64))

# %% shapes that are given before the type is refused
import itertools
said = []
for first, second in itertools.product((1, 2, 3), repeat=2):
    out = torch.zeros(2, 5, dtype=torch.int64)
    try:
        torch.matmul(torch.ones([3] * first), torch.ones([3] * second), out=out)
    except RuntimeError:
        said.append(tuple(out.shape))
for call in (torch.mean, torch.sum, torch.amax, torch.std):
    out = torch.zeros(2, 5, dtype=torch.int64)
    try:
        call(torch.ones(3, 3), 0, out=out)
    except RuntimeError:
        said.append(tuple(out.shape))
for out in (torch.zeros(2, 5, dtype=torch.int64), torch.zeros(0, dtype=torch.bool)):
    try:
        torch.stack([torch.ones(3), torch.ones(3)], out=out)
    except TypeError:
        said.append(tuple(out.shape))
r1 = str(said)

# %% stacks along a new last axis keep the shape of out
said = []
x = torch.ones(2, 3)
for d in (0, 1, 2, -1, -2, -3):
    for out in (torch.zeros(2, 5, dtype=torch.bool), torch.zeros(0, dtype=torch.int64)):
        try:
            torch.stack([x, x], d, out=out)
        except TypeError:
            said.append(tuple(out.shape))
r1 = str(said)

# %% real numbers of complex means
c = torch.tensor([[1 + 2j, 3 - 1j], [2, 4j]])
r1 = torch.mean(c, 0, out=torch.zeros(2))
r2 = torch.sum(c, 0, out=torch.zeros(2))
r3 = torch.prod(c, 0, out=torch.zeros(2))
r4 = torch.cumsum(c, 0, out=torch.zeros(2, 2))
r5 = torch.mean(c, 0, out=torch.zeros(2, dtype=torch.float64))
r6 = torch.sum(c, 0, out=torch.zeros(2, dtype=torch.int64))
r7 = torch.cumprod(c, 0, out=torch.zeros(2, 2))
r8 = torch.mean(c, 0, out=torch.zeros(2, dtype=torch.float16))

# %% no integers of complex means
c = torch.tensor([[1 + 2j, 3 - 1j], [2, 4j]])
r1 = torch.mean(c, 0, out=torch.zeros(2, dtype=torch.int64))

# %% sums on the way of truths give out its shape
said = []
for call in (torch.cumsum, torch.cumprod):
    for x in (torch.ones(2, 3), torch.ones(2, 3, dtype=torch.int64), torch.ones(2, 3, dtype=torch.bool)):
        out = torch.zeros(2, 5, dtype=torch.bool)
        try:
            call(x, 0, out=out)
        except Exception as e:
            said.append(type(e).__name__[:4] + str(tuple(out.shape)))
r1 = str(said)
