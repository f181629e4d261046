"""Windows on memory (as_strided) that are taken through a view: the gradient passes the view."""

# %% hooks of the view
# leaf x float32 4,6
view = (x * 1)[:, 1:4]
view.register_hook(lambda gradient: gradient * 10)
r1 = view.as_strided((2, 3), (6, 1), 1)
flat = (x * 1).flatten()[2:20]
r2 = flat.as_strided((3, 2, 3), (4, 1, 1), 2)
(r3,) = torch.autograd.grad(r2.sum(), flat, retain_graph=True)

# %% the view or its base is edited
# leaf x float32 4,6
base = x * 1
view = base[:, 1:4]
r1 = view.as_strided((2, 3), (6, 1), 1)
view.mul_(2)
r2 = view.as_strided((3, 2), (6, 1), 1)
r2.mul_(3)
r3 = base * base
r4 = view.sum()
base = x * 1
view = base[:, 1:4]
r5 = view.as_strided((2, 3), (6, 1), 0)
base.mul_(3)

# %% turned and spread views
# leaf x float32 4,6
r1 = (x * 1).t().as_strided((2, 3), (1, 6))
r2 = (x * 1)[1].expand(3, 6).as_strided((2, 2), (0, 1), 6)
r3 = (x * 1).view(2, 2, 6).transpose(0, 1).as_strided((2, 3), (6, 2), 1)

# %% a view of which a window is written to: its hooks see only what was read of it
# leaf x float32 4,6
def times_ten(view):
    view.register_hook(lambda gradient: gradient * 10)
    return view
turned = times_ten((x * 1).t())
turned[:2] = turned[:2] * 2
r1 = turned * turned
filled = times_ten((x * 1).t())
filled[1:, 2] = 5
r2 = filled * filled
masked = times_ten((x * 1).unflatten(1, (2, 3)).transpose(0, 1))
start = masked[:, :3, 1:]
masked[:, :3, 1:] = torch.ones_like(start).where(start > 0, start)
r3 = masked * masked
picked = times_ten((x * 1).view(3, 8))
picked[[0, 2]] = picked[[2, 0]] * 3
r4 = picked * picked
