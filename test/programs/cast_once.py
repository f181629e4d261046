"""Leaves that autocast casts once for all of their uses."""

# %% gru under autocast
# leaf x float32 4,2,3
m = nn.GRU(3, 3)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r1, r2 = m(x)

# %% rnn under autocast
# leaf x float32 4,2,3
m = nn.RNN(3, 2)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r1, r2 = m(x)

# %% a layer used twice
# leaf x float32 4,3
m = nn.Linear(3, 3)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r1 = m(m(m(x).relu()))
    r2 = m(x) * 3

# %% a layer used in two contexts
# leaf x float32 4,3
m = nn.Linear(3, 3)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r1 = m(x)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r2 = m(x) * 3

# %% a region without autocast within one with it keeps what was cast
# leaf x float32 2,3
m = torch.nn.Linear(3, 3)
with torch.autocast("cpu", dtype=torch.bfloat16):
    r0 = m(x)
    with torch.autocast("cpu", enabled=False):
        r1 = m(x * 1.1)
    r2 = m(x * 1.3)
