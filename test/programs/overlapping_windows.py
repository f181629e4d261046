# %% copies are written in the order of memory
y = torch.zeros(7)
y.as_strided([3,3],[1,2]).copy_(torch.arange(9.).reshape(3,3))
r1 = y

# %% gradients of a copy into elements that are shown twice
# leaf x float32 7
# leaf z float32 3,3
r1 = x * 1
r2 = r1.as_strided([3,3],[1,2])
r2.copy_(z)

# %% a product in place, element after element
# leaf x float32 7
# leaf z float32 3,3
r1 = x * 1
r2 = r1.as_strided([3,3],[1,2])
r2.mul_(z)

# %% a turned tensor is taken away in place
# leaf x float32 7
# leaf z float32 3,3
r1 = x * 1
r2 = r1.as_strided([3,3],[1,2])
r2.sub_(z.t())

# %% a quotient in place by a tensor without axes
# leaf x float32 7
# leaf z float32
r1 = x * 1
r2 = r1.as_strided([3,3],[1,2])
r2.div_(z)

# %% runs are multiplied by a row
# leaf x float32 7
# leaf z float32 3
r1 = x * 1
r2 = r1.unfold(0, 3, 1)
r2.mul_(z)

# %% one run is overwritten
# leaf x float32 7
# leaf z float32 3
r1 = x * 1
r2 = r1.unfold(0, 3, 1)
r2[1] = z

# %% runs that overlap are overwritten
# leaf x float32 7
# leaf z float32 3
r1 = x * 1
r2 = r1.unfold(0, 3, 1)
r2[1:3] = z

# %% runs that overlap are multiplied
# leaf x float32 7
# leaf z float32 3
r1 = x * 1
r2 = r1.unfold(0, 3, 1)
r2[1:3].mul_(z)

# %% runs are picked and overwritten
# leaf x float32 7
r1 = x * 1
r2 = r1.unfold(0, 3, 1)
r2[[1, 2]] = 3.

# %% what is positive in runs is overwritten
# leaf x float32 7
r1 = x * 1
r2 = r1.unfold(0, 3, 1)
r2[r2 > 0] = 3.

# %% runs are filled
# leaf x float32 7
r1 = x * 1
r2 = r1.unfold(0, 3, 1)
r2.fill_(2)

# %% columns of runs are filled
# leaf x float32 7
r1 = x * 1
r2 = r1.unfold(0, 3, 1)
r2.masked_fill_(torch.tensor([[True, False, True]]), 2)

# %% truths are negated as often as they are shown
y = torch.tensor([True, False, True, True, False])
r2 = y.unfold(0, 2, 1)
r2.logical_not_()
r1 = y

# %% numbers are compared as often as they are shown
y = torch.tensor([1., 2., 0., 1., 3.])
r2 = y.unfold(0, 2, 1)
r2.eq_(1)
r1 = y

# %% integers are divided as often as they are shown
y = torch.arange(30, 35)
r2 = y.unfold(0, 2, 1)
r2 //= 2
r1 = y

# %% what is computed in another type is computed once
y = torch.arange(5.)
r2 = y.unfold(0, 2, 1)
r2.add_(torch.arange(8., dtype=torch.float64).reshape(4, 2))
r1 = y

# %% half precision is rounded each time
y = torch.arange(5.).half()
r2 = y.unfold(0, 2, 1)
r2.mul_(1.7)
r1 = y

# %% bfloat16 computed in float32 is computed once
y = torch.arange(5.).bfloat16()
r2 = y.unfold(0, 2, 1)
r2.mul_(torch.arange(8., dtype=torch.float32).reshape(4, 2) * 1.3)
r1 = y

# %% runs are edited where nothing is differentiated
# leaf x float32 5
r1 = x * 2
r2 = r1.unfold(0, 2, 1)
with torch.no_grad():
    r2.mul_(3)

# %% runs are clamped
# leaf x float32 5
r1 = x * 2
r2 = r1.unfold(0, 2, 1)
r2.clamp_(-0.5, 0.5)

# %% sines of runs
# leaf x float32 5
r1 = x * 2
r2 = r1.unfold(0, 2, 1)
r2.sin_()

# %% squares of runs
# leaf x float32 5 positive
r1 = x * 2
r2 = r1.unfold(0, 2, 1)
r2.pow_(2)

# %% products are added to runs
# leaf x float32 5
# leaf a float32 4,2
# leaf b float32 4,2
r1 = x * 2
r2 = r1.unfold(0, 2, 1)
r2.addcmul_(a, b, value=2)

# %% runs are interpolated
# leaf x float32 5
# leaf a float32 4,2
r1 = x * 2
r2 = r1.unfold(0, 2, 1)
r2.lerp_(a, 0.3)

# %% each run has a factor
# leaf x float32 5
# leaf a float32 4,1
r1 = x * 2
r2 = r1.unfold(0, 2, 1)
r2.mul_(a)

# %% windows of three axes
# leaf x float32 30
# leaf a float32 2,3,4
r1 = x * 2
r2 = r1.as_strided([2, 3, 4], [2, 1, 3])
r2.mul_(a)

# %% windows of three axes, two of them alike
# leaf x float32 30
# leaf a float32 2,3,4
r1 = x * 2
r2 = r1.as_strided([2, 3, 4], [2, 2, 1])
r2.sub_(a)
r2.mul_(2)

# %% windows along one stride
# leaf x float32 30
# leaf a float32 3,3
r1 = x * 2
r2 = r1.as_strided([3, 3], [1, 1])
r2.copy_(a)

# %% complex runs
# leaf x complex64 5
r1 = x * 2
r2 = r1.unfold(0, 2, 1)
r2.mul_(2)

# %% complex runs are overwritten
# leaf x complex64 5
# leaf a complex64 4,2
r1 = x * 2
r2 = r1.unfold(0, 2, 1)
r2.copy_(a)

# %% the last place of what was spread is written to
# leaf x float32 1
r1 = x * 2
r2 = r1.expand(3)
r2[-1:] = 4.

# %% the last row of what was spread is written to
# leaf x float32 3
# leaf a float32 3
r1 = x * 2
r2 = r1.expand(2, 3)
r2[1] = a

# %% the last row of what was spread is multiplied
# leaf x float32 3
# leaf a float32 3
r1 = x * 2
r2 = r1.expand(2, 3)
r2[1].mul_(a)

# %% a part of the last row of what was spread is multiplied
# leaf x float32 3
# leaf a float32 2
r1 = x * 2
r2 = r1.expand(2, 3)
r2[1, 1:].mul_(a)

# %% a row of what was spread is picked
y = torch.arange(3.)
r2 = y.expand(2, 3)
r2[[1]] = torch.tensor([5., 1., 3.])
r1 = y

# %% places of what was spread are picked by a mask
# leaf x float32 3
r1 = (x * 2).detach()
r2 = r1.expand(2, 3)
r2[torch.tensor([[True, False, False], [False, False, True]])] = 7.

# %% places of what was spread are filled by a mask
# leaf x float32 3
r1 = (x * 2).detach()
r2 = r1.expand(2, 3)
r2.masked_fill_(torch.tensor([[True, False, False], [False, False, True]]), 7.)

# %% the diagonal of what was spread is filled
# leaf x float32 3
r1 = (x * 2).detach()
r2 = r1.expand(3, 3)
r2.fill_diagonal_(1.5)

# %% the same where nothing is differentiated
# leaf x float32 3
r1 = x * 2
r2 = r1.expand(3, 3)
with torch.no_grad():
    r2.fill_diagonal_(1.5)

# %% all of what was spread is filled
# leaf x float32 3,1
r1 = (x * 2).detach()
r2 = r1.expand(2, 3, 4)
r2.fill_(1.5)

# %% the triangle of what was spread
# leaf x float32 3
r1 = (x * 2).detach()
r2 = r1.expand(3, 3)
r2.triu_()

# %% a complex place of what was spread
# leaf x complex64 3,1
r1 = (x * 2).detach()
r2 = r1.expand(3, 3)
r2[2, 1] = 2j

# %% a truth of what was spread
# leaf x float32 3
r1 = (x * 2).detach() > 0
r2 = r1.expand(3, 3)
r2[[2], [1]] = True
r2[[1], [0]] = False

# %% a short integer of what was spread
# leaf x float32 3
r1 = (x * 20).detach().to(torch.int8)
r2 = r1.expand(3, 3)
r2[[2], [1]] = 3
r2[[1], [0]] = 2

# %% a byte of what was spread
# leaf x float32 3
r1 = (x.abs() * 20).detach().to(torch.uint8)
r2 = r1.expand(3, 3)
r2[[2], [1]] = 3
r2[[1], [0]] = 2

# %% a half of what was spread
# leaf x float32 3
r1 = (x.abs() * 20).detach().half()
r2 = r1.expand(3, 3)
r2[[2], [1]] = 3
r2[[1], [0]] = 2

# %% a window beyond the slice that it was taken of is written to
# leaf x float32 3,4
y = x * 2
r1 = y[:, 1:3].as_strided([3, 2], [4, 1], 0)
r1[0] = 3
r2 = y

# %% a row of a window beyond its slice is edited
# leaf x float32 3,4
y = x * 2
r1 = y[:, 1:3].as_strided([3, 2], [4, 1], 0)
r1[0].add_(3)
r2 = y

# %% a spread tensor is assigned to itself
y = torch.arange(3).expand(2, 3)
y[...] = y
r1 = y

# %% a tensor is assigned to what it was spread to
# leaf x float32 3
y = (x * 2).detach()
r1 = y.expand(2, 3)
r1[...] = y

# %% a diagonal of a window that overlaps
# leaf x float32 3,3
r1 = x * 2
r2 = r1.as_strided([2, 2], [1, 1])
r3 = r2.diagonal()
r3.mul_(2)

# %% runs of runs
# leaf x float32 9
r1 = x * 2
r2 = r1.unfold(0, 4, 2)
r2.mul_(2)
r3 = r2.unfold(1, 3, 1)
r3.mul_(3)
