"""Calls that write memory which they read: what PyTorch refuses, and what it computes in turn."""

# %% a tensor goes into its own window, whose strides differ along one place
x = torch.arange(6.).reshape(1, 3, 2)
x[::3, :] = x
r1 = x

# %% a number of one row goes into a window of it
x = torch.arange(1).reshape(1, 1)
x[-1, ::2] = x
r1 = x

# %% a tensor goes into all of itself
x = torch.arange(6.).reshape(2, 3)
x[:] = x
r1 = x

# %% a row goes into all rows
x = torch.arange(6.).reshape(2, 3)
x[:] = x[0]
r1 = x

# %% one element goes everywhere
x = torch.arange(3.)
x[1:] = x[2]
r1 = x

# %% a tensor is copied from under an axis of one place
x = torch.arange(3.).reshape(1, 3)
r1 = x
x.copy_(x[0])

# %% a tensor is copied from under a new axis
x = torch.arange(3.)
r1 = x
x.copy_(x[None])

# %% a row of one is added to itself
x = torch.arange(3.).reshape(1, 3)
r1 = x
x.add_(x[0])

# %% a window of one place is multiplied by all
x = torch.arange(3.).reshape(1, 3)
r1 = x
x[::2].mul_(x)

# %% a window is multiplied by itself
x = torch.arange(3.).reshape(1, 3)
r1 = x
x[::2].mul_(x[::2])

# %% a window is added to the one before it, which is read first
x = torch.arange(8.).reshape(2, 4)
r1 = x
x[:, :-1].add_(x[:, 1:])

# %% a window of the next element is copied
x = torch.arange(8.).reshape(2, 4)
r1 = x
x[:, :-1] = x[:, 1:]

# %% out is the operand, turned
x = torch.arange(9.).reshape(3, 3)
r1 = x
torch.sin(x.T, out=x)

# %% out is the operand, turned: a maximum, a power, a special function
x = torch.arange(9.).reshape(3, 3)
r1 = []
for call in (lambda: torch.max(x, x.T, out=x), lambda: torch.pow(x.T, 2, out=x), lambda: torch.special.erf(x.T, out=x)):
    try:
        call()
    except RuntimeError as error:
        r1.append(str(error))

# %% out is the next part of the operand
x = torch.arange(9.)
r1 = x
torch.sin(x[1:], out=x[:-1])

# %% out is the operand
x = torch.arange(9.)
r1 = x
torch.sin(x[1:], out=x[1:])
torch.cumsum(x, 0, out=x)

# %% out is one of two operands, shifted
x = torch.arange(9.)
r1 = x
torch.add(x[:-1], x[1:], out=x[1:])

# %% out of a running sum is turned
x = torch.arange(9.).reshape(3, 3)
r1 = x
torch.cumsum(x.T, 0, out=x)

# %% out of a choice is turned
x = torch.arange(9.).reshape(3, 3)
r1 = x
torch.where(x > 3, x, x.T, out=x)

# %% out of what is joined
x = torch.arange(9.)
r1 = x
torch.cat([x[:3], x[6:]], out=x[3:9])

# %% out of what is picked is what it is picked of
x = torch.arange(4.)
r1 = x
torch.index_select(x, 0, torch.tensor([1, 0, 3, 2]), out=x)

# %% out of what is taken is what it is taken of
x = torch.arange(4.)
r1 = x
torch.take(x, torch.tensor([1, 0, 3, 2]), out=x)

# %% out of a cross product is an operand
x = torch.arange(9.).reshape(3, 3)
r1 = x
torch.cross(x, x + 1, out=x)

# %% out of a triangle is what it is one of
x = torch.arange(9.).reshape(3, 3)
r1 = x
torch.triu(x, out=x)

# %% overlapping windows into themselves
v = torch.arange(6.).reshape(3, 2)
r1 = v.as_strided([2, 2, 2], [2, 1, 1])
torch.sin(r1, out=r1)
torch.add(r1, 1, out=r1)

# %% overlapping windows of others' numbers
v = torch.arange(6.).reshape(3, 2)
r1 = v.as_strided([2, 2, 2], [2, 1, 1])
torch.sin(torch.arange(8.).reshape(2, 2, 2), out=r1)

# %% the last place of an element takes what it was
v = torch.zeros(3)
r1 = v.as_strided([2, 2], [1, 1])
r1.copy_(torch.tensor([[1., 2.], [0., 3.]]))

# %% the last place of an element takes what it was, within the step
# leaf x float32 3
# leaf y float32 2,2
r1 = x * 1
window = r1.as_strided([2, 2], [1, 1])
window[:] = torch.stack([y[0], torch.stack([x[1], y[1, 1]])])

# %% overlapping windows less themselves
# leaf x float32 3
v = x * 2
r1 = v.as_strided([2, 2], [1, 1])
r1.sub_(r1)

# %% overlapping windows and themselves
# leaf x float32 3
v = x * 2
r1 = v.as_strided([2, 2], [1, 1])
r1.add_(r1, alpha=3)
