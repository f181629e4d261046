# %% a spread tensor is copied onto itself
# leaf x float32 3
r1 = (x * 2).expand(2, 3)
r2 = r1.reshape(1, 2, 3)
r2.copy_(r2)

# %% spread numbers are copied onto themselves
y = torch.arange(3.).expand(2, 3)
y.copy_(y)
r1 = y

# %% the diagonal of one element
# leaf x float32 3
y = x * 2
r1 = y.as_strided([2, 2], [0, 0])
r1.fill_diagonal_(0.5)

# %% a window wider than its slice is multiplied
# leaf x float32 3,4
y = x * 2
r1 = y[:, 1:3].as_strided([3, 4], [4, 1], 0)
r1.mul_(2)
r2 = y

# %% a pooled sample is turned where nothing is differentiated
# leaf x float32 2,3,6
r1 = F.max_pool1d(x, 2)
with torch.no_grad():
    r1.transpose_(0, 2)

# %% strides of a number that is spread
# leaf x float32
r1 = x.expand(1, 1).stride()
r2 = x.expand(3, 1).stride()
r3 = (x * 2).broadcast_to(1, 1).stride()
r4 = (x.expand(1, 1) * 2).stride()
r5 = x.expand(1, 1).contiguous().stride()
r6 = x.expand(1, 1).clone().stride()
r7 = x.expand(1, 1).view(1).stride()
r8 = x.expand(1, 1).t().stride()
y = (x * 2).expand(1, 1)
y.mul_(2)
r9 = y[0].stride()
r10 = y.reshape(1, 1, 1).stride()
r11 = y.unsqueeze(0).stride()

# %% a least common multiple is detached
x = torch.tensor([[4, 6], [3, 5]])
r1 = x.t().lcm(torch.tensor([3, 2]))
r2 = r1.stride()
r1.detach_()
r3 = torch.gcd(x.to(torch.int16).t(), x.to(torch.int8).t())
r4 = r3.stride()
r5 = torch.gcd(x, torch.tensor(2))

# %% the weight of a cross entropy of shares is edited
# leaf w float32 3 positive
x = torch.tensor([[0.2, 0.3, 0.5], [0.1, 0.4, 0.5]])
r1 = F.cross_entropy(x, x, weight=w)
with torch.no_grad():
    w.zero_()

# %% the shares of a cross entropy are edited
# leaf x float32 2,3
y = torch.tensor([[0.2, 0.3, 0.5], [0.1, 0.4, 0.5]])
r1 = F.cross_entropy(x, y)
y.zero_()

# %% the shares of a smooth cross entropy are edited
# leaf x float32 2,3
y = torch.tensor([[0.2, 0.3, 0.5], [0.1, 0.4, 0.5]])
r1 = F.cross_entropy(x, y, label_smoothing=0.1)
y.zero_()

# %% permutations of several factorisations are detached
# leaf x float32 2,3,3
r1, r2, r3 = torch.linalg.lu(x)
r1.detach_()
r4 = r1.stride()

# %% running sums of a detached tensor that was divided
# leaf x float32 5,1,3
y = torch.ones(5, 1, 3)
r0 = y.detach()
r0.div_(x)
r0.cumsum_(-2)
r1 = r0.requires_grad

# %% running sums of detached complex numbers
# leaf x float32 5,1,3
y = torch.ones(5, 1, 3, dtype=torch.complex64)
r0 = y.detach()
r0.div_(x)
r0.cumsum_(-2)
r1 = r0.requires_grad

# %% running sums of detached complex numbers along two places
# leaf x float32 5,2,3
y = torch.ones(5, 2, 3, dtype=torch.complex64)
r0 = y.detach()
r0.div_(x)
r0.cumsum_(-2)
r1 = r0.requires_grad

# %% detached complex numbers are edited twice
# leaf x float32 5,2,3
y = torch.ones(5, 2, 3, dtype=torch.complex64)
r0 = y.detach()
r0.mul_(x)
r1 = r0.requires_grad
r0.mul_(2)
r2 = r0.requires_grad

# %% a detached tensor and what it was detached from
# leaf x float32 5,2,3
y = torch.ones(5, 2, 3)
r0 = y.detach()
r0.mul_(x)
r1 = r0.requires_grad
r0.cumsum_(0)
r2 = r0.requires_grad
r3 = y

# %% a detached tensor is edited where nothing is differentiated
# leaf x float32 5,1,3
y = torch.ones(5, 1, 3)
r0 = y.detach()
r0.mul_(x)
with torch.no_grad():
    r0.mul_(2)
r1 = r0.requires_grad

# %% a row of a detached tensor is edited
# leaf x float32 5,2,3
y = torch.ones(5, 2, 3)
r0 = y.detach()
r0.mul_(x)
r3 = r0[0]
r3.mul_(2)
r1 = r0.requires_grad
r0.mul_(2)
r4 = y

# %% what a tensor was detached from is edited between
# leaf x float32 5,2,3
y = x * 2
r0 = y.detach()
r0.mul_(x)
y.mul_(3)
r0.mul_(2)
r1 = r0.requires_grad
r4 = y

# %% a detached row has its own history
# leaf x float32 5,2,3
y = x * 2
r0 = y[0].detach()
r0.mul_(x[0])
r0.add_(x[1])
r0[0] = 2
r0[1].mul_(x[0, 1])
r4 = y

# %% parts of truths take what requires a gradient
x = torch.tensor([True, True, True])
y = torch.ones(2, dtype=torch.float64, requires_grad=True)
r1 = x.split(2)
r2 = r1[0]
r2[None] = y
r3 = torch.tensor([1, 2]).split(1)[0]
r3.copy_(y[:1])
r4 = torch.tensor([1., 2.]).split(1)[0]

# %% the weight of a linear cross entropy is edited
# leaf x float32 4,2
# leaf z float32 3,2
y = torch.tensor([1., 2., 3.])
r1 = F.linear_cross_entropy(x, z, torch.tensor([0, 2, 1, 1]), weight=y)
y[0] = 2.
