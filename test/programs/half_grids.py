"""Grids in half precision: the points of a map, and what is read at them, step by step."""

# %% points of affine maps
# leaf t float32 2,2,3
# leaf u float32 1,3,4
h = torch.bfloat16
r1 = F.affine_grid(t.to(h), (2, 3, 5, 5)).float()
r2 = F.affine_grid(t.half(), (2, 3, 7, 6), align_corners=True).float()
r3 = F.affine_grid(u.to(h), (1, 1, 3, 2, 5)).float()

# %% a point alone
# leaf t float32 2,2,3
r1 = F.affine_grid(t, (2, 1, 3, 1))
try:
    F.affine_grid(t.bfloat16(), (2, 1, 3, 1))
except NotImplementedError as error:
    r2 = str(error)

# %% images read at points
# leaf x float32 2,3,5,5
# leaf g float32 2,4,4,2 share
h = torch.bfloat16
r1 = F.grid_sample(x.detach().to(h), g.detach().to(h)).float()
r2 = F.grid_sample(x.detach().half(), g.detach().half(), padding_mode='border').float()
