"""Parameters that a step makes."""

# %% of what was computed
import copy

m = nn.Linear(3, 2)
r1 = nn.Parameter(m.weight.detach() * 2) * 3

# %% a copy
import copy

m = nn.Linear(3, 2)
r2 = copy.deepcopy(m.weight) * 2

# %% a copy of a module
import copy

m = nn.Linear(3, 2)
r2 = copy.deepcopy(m).weight * 2

# %% one that wants no gradient
# leaf x float32 2,3
p = nn.Parameter(x * 2, requires_grad=False)
r1 = p * 3
r2 = p.requires_grad
r3 = p.is_leaf
