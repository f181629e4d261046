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
