# %% a batch norm in half precision refuses a single-precision input
# leaf x float32 2,3,4
r0 = nn.BatchNorm1d(3).bfloat16()(x)

# %% a batch norm judges by its first parameter
# leaf x float32 2,3,4
r0 = F.batch_norm(x, torch.zeros(3), torch.ones(3), None, torch.ones(3).double(), True)

# %% a batch norm whose bias is of another type than its weight
# leaf x float32 2,3,4
r0 = F.batch_norm(x, None, None, torch.ones(3), torch.ones(3).double(), True)

# %% running statistics in half precision beside a single-precision input
# leaf x float32 2,3,4
r0 = F.batch_norm(x, torch.zeros(3).bfloat16(), torch.ones(3).bfloat16())

# %% a single-precision batch norm takes half precision
# leaf x bfloat16 4,3,4
r0 = nn.BatchNorm1d(3)(x)

# %% a single-precision batch norm refuses double precision
# leaf x float64 2,3,4
r0 = nn.BatchNorm1d(3)(x)

# %% a group norm in half precision refuses a single-precision input
# leaf x float32 2,4,3
r0 = nn.GroupNorm(2, 4).half()(x)

# %% a group norm in double precision refuses a single-precision input
# leaf x float32 2,4,3
r0 = nn.GroupNorm(2, 4).double()(x)

# %% an instance norm in half precision refuses a single-precision input
# leaf x float32 2,3,4
r0 = nn.InstanceNorm1d(3, affine=True).half()(x)

# %% a layer norm whose bias is of another type than its weight
# leaf x bfloat16 2,3
r0 = F.layer_norm(x, [3], torch.ones(3).bfloat16(), torch.zeros(3))

# %% the weight of an instance norm is repeated
# leaf x float32 3,4,3,2
# leaf w float32 4
y, v = x * 1, w * 1
r0 = F.instance_norm(y, weight=v)
with torch.no_grad():
    v[:] = 0

# %% the input of an instance norm is needed where it lies row by row
# leaf x float32 3,4,3,2
y = x * 1
r0 = F.instance_norm(y)
with torch.no_grad():
    y.mul_(2)

# %% a turned input of an instance norm is copied
# leaf x float32 4,3,3,2
y = (x * 1).transpose(0, 1)
r0 = F.instance_norm(y)
with torch.no_grad():
    y.mul_(2)

# %% batch and instance norms of half precision read the moments that they keep
# leaf x float64 3,3,2
# leaf y float64 2,5,19
# leaf w float64 5
r0 = []
for t in (torch.half, torch.bfloat16):
    for v in (x.to(t), y.to(t), y[:1].to(t)):
        r0 += [F.instance_norm(v).double(), F.batch_norm(v, None, None, training=True).double()]
    r0 += [F.batch_norm(y.to(t), None, None, w.to(t), w.to(t), training=True).double()]
    mean, var = torch.zeros(5, dtype=t), torch.ones(5, dtype=t)
    r0 += [F.batch_norm(y.to(t), mean, var, training=True).double(), mean.double(), var.double()]
