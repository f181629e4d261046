"""Norms of channels of two elements, whose gradients are what rounding leaves."""

# %% instances of two elements
# leaf x float32 4,3,2
m = nn.InstanceNorm1d(3)
r1 = m(x)

# %% instances of two elements, scaled
# leaf x float32 4,3,2
m = nn.InstanceNorm1d(3, affine=True, track_running_stats=True)
r1 = m(x + 1) ** 2
r2 = m.running_var

# %% batches of two elements
# leaf x float32 2,9
# leaf w float32 9
# leaf b float32 9
m, v = torch.zeros(9), torch.ones(9)
r1 = F.batch_norm(x, m, v, w, b, training=True).sin()
r2 = F.batch_norm(x * 0.1 + 5, None, None, w, None, training=True).sin()
r3 = v
