"""Weights of a direction and a length in half precision."""

# %% along the first axis and another
# leaf x float32 2,4,9
m = nn.utils.parametrizations.weight_norm(nn.Conv1d(4, 6, 3)).half()
r1 = m(x.half()).float().sum()
n = nn.utils.parametrizations.weight_norm(nn.Conv1d(4, 6, 3), dim=1).bfloat16()
r2 = n.weight.float()

# %% of layers
# leaf x float32 5,8
m = nn.utils.parametrizations.weight_norm(nn.Linear(8, 6))
r1 = m(x)
n = nn.utils.parametrizations.weight_norm(nn.Linear(8, 6)).bfloat16()
r2 = n(x.bfloat16()).float()
