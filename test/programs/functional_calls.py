"""torch.func.functional_call: names that do not fit, and functions in the place of modules."""

# %% a name is missing
m = torch.nn.Linear(2, 2)
r1 = torch.func.functional_call(m, {"weight": torch.ones(2, 2)}, torch.ones(2), strict=True)

# %% a name is not the module's
m = torch.nn.Linear(2, 2)
given = {"weight": torch.ones(2, 2), "bias": torch.ones(2), "scale": torch.ones(2)}
r1 = torch.func.functional_call(m, given, torch.ones(2), strict=True)

# %% both kinds of names
m = torch.nn.Linear(2, 2)
r1 = torch.func.functional_call(m, {"w": torch.ones(2, 2)}, torch.ones(2), strict=True)

# %% a name that is not the module's is passed over
m = torch.nn.Linear(2, 2)
given = {"weight": torch.ones(2, 2), "bias": torch.ones(2), "scale": torch.ones(2)}
r1 = torch.func.functional_call(m, given, torch.ones(2))
r2 = hasattr(m, "scale")

# %% a part that the module has not
m = torch.nn.Linear(2, 2)
r1 = torch.func.functional_call(m, {"inner.weight": torch.ones(2, 2)}, torch.ones(2))

# %% a name in two dicts
m = torch.nn.Linear(2, 2)
w = {"weight": torch.ones(2, 2)}
r1 = torch.func.functional_call(m, [w, dict(w)], torch.ones(2))

# %% a number in the place of a tensor
m = torch.nn.Linear(2, 2)
r1 = torch.func.functional_call(m, {"weight": 3}, torch.ones(2))

# %% two values for tied weights
m = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
m[1].weight = m[0].weight
given = {"0.weight": torch.ones(2, 2), "1.weight": torch.zeros(2, 2)}
r1 = torch.func.functional_call(m, given, torch.ones(2))

# %% a function of torch.nn.functional in the place of a module
r1 = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.functional.relu)

# %% a function of torch in the place of a module
r1 = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.relu])

# %% a function that PyTorch has in C++ in the place of a module
r1 = torch.nn.Sequential(torch.nn.functional.gelu)

# %% a function that PyTorch writes in Python in the place of a module
r1 = torch.nn.Sequential(torch.einsum)
