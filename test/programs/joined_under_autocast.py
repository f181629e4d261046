"""Joins under autocast and places of maxima that backward needs."""

# %% places of maxima that are edited
# leaf x float32 2,3,4,6
r1, r2 = F.adaptive_max_pool2d(x, 1, return_indices=True)
r2.zero_()

# %% places of maxima of several windows that are edited
# leaf x float32 2,3,4,6
r1, r2 = F.adaptive_max_pool2d(x, (3, 4), return_indices=True)
r2.add_(0)

# %% the other half precision is joined
# leaf x float16 2,3
with torch.autocast("cpu", dtype=torch.bfloat16):
    r1 = torch.cat([x, x])

# %% the other half precision is joined after single precision
# leaf x float16 2,3
# leaf y float32 2,3
with torch.autocast("cpu", dtype=torch.bfloat16):
    r1 = torch.cat([y, x])
    r2 = torch.stack([y, y.bfloat16()])
with torch.autocast("cpu", dtype=torch.float16):
    r3 = torch.cat([x, x])
    r4 = torch.hstack([x, y])

# %% attention to the other half precision
# leaf x float16 3,2,4
m = nn.MultiheadAttention(4, 2, add_bias_kv=True).half()
with torch.autocast("cpu", dtype=torch.bfloat16):
    r1 = m(x, x, x)

# %% an LSTM casts what is no leaf once in each direction
# leaf x float32 3,2,2
a = torch.nn.LSTM(2, 3, batch_first=True, bidirectional=True)
b = torch.nn.LSTM(2, 3, bidirectional=True)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r0 = a(x)
    r1 = b(x)
    r2 = b(x * 1.1)
