"""Pools, padding and grids of images and volumes."""

# %% places of adaptive maxima
# leaf x float32 2,3,7
# leaf y float32 2,2,5,7
# leaf z float32 1,2,3,5,4
r1, r2 = F.adaptive_max_pool1d(x, 3, return_indices=True)
r3, r4 = F.adaptive_max_pool2d(y, (3, 4), return_indices=True)
r5, r6 = F.adaptive_max_pool3d(z, (2, 3, 3), return_indices=True)
r7, r8 = F.adaptive_max_pool2d(y.round(), (2, 3), return_indices=True)
r9, r10 = F.adaptive_max_pool2d(y[0], (3, None), return_indices=True)
r11, r12 = F.adaptive_max_pool2d(y.double(), (7, 9), return_indices=True)

# %% circles of cut rows
x = torch.arange(1, 13.0).reshape(1, 1, 3, 4)
r1 = F.pad(x, (-1, 1, -2, 1), "circular")
r2 = F.pad(x, (1, -1, 1, -1), "circular")
r3 = F.pad(x[0], (-1, 3), "circular")
r4 = F.pad(x, (2, 2, 3, 1), "circular")

# %% a circle that is too long
r1 = F.pad(torch.ones(1, 1, 4), (5, 0), "circular")

# %% a circle of too little
r1 = F.pad(torch.ones(1, 1, 4), (-1, 4), "circular")

# %% a circle of less than nothing
r1 = F.pad(torch.ones(1, 1, 4), (-3, -3), "circular")

# %% nothing is left to repeat
r1 = F.pad(torch.ones(1, 1, 4), (-2, -2), "replicate")

# %% rrelu has no kernel in half precision
r1 = F.rrelu(torch.ones(3, dtype=torch.float16))
r2 = F.rrelu(torch.ones(3, dtype=torch.bfloat16), training=True)
r3 = F.rrelu(torch.ones(3, dtype=torch.float16), training=True)

# %% bicubic grids
# leaf x float32 2,2,3,4
# leaf g float32 2,3,3,2
r1 = F.grid_sample(x, g, "bicubic", "zeros", False)
r2 = F.grid_sample(x, g, "bicubic", "border", True)
r3 = F.grid_sample(x, g * 2, "bicubic", "reflection", True)
r4 = F.grid_sample(x, g * 2, "bicubic", "reflection", False)

# %% grids of images
# leaf x float32 2,2,3,4
# leaf g float32 2,3,3,2
r1 = F.grid_sample(x, g, "bilinear", "zeros", False)
r2 = F.grid_sample(x, g, "bilinear", "border", True)
r3 = F.grid_sample(x, g * 2, "bilinear", "reflection", True)
r4 = F.grid_sample(x, g * 2, "bilinear", "reflection", False)
r5 = F.grid_sample(x, g * 2, "nearest", "reflection", False)

# %% volumes
# leaf x float32 2,2,3,4,2
# leaf g float32 2,3,1,3,3
r1 = F.grid_sample(x, g, "bilinear", "zeros", False)
r2 = F.grid_sample(x, g, "bilinear", "border", True)
r3 = F.grid_sample(x, g * 2, "bilinear", "reflection", True)
r4 = F.grid_sample(x, g * 2, "nearest", "reflection", False)
r5 = torch.grid_sampler_3d(x, g * 2, 0, 1, False)

# %% bicubic volumes
# leaf x float32 2,2,3,4,2
# leaf g float32 2,3,1,3,3
r1 = F.grid_sample(x, g, "bicubic", "zeros", False)
r2 = F.grid_sample(x, g, "bicubic", "border", True)

# %% edges of images
# leaf x float32 1,2,3,4
g = torch.tensor([[[-1.0, -1.0], [1.0, 1.0], [0.5, -1.0], [-1.25, 0.0]]]).unsqueeze(0).requires_grad_()
r1 = F.grid_sample(x, g, "bilinear", "border", True)
r2 = F.grid_sample(x, g, "bilinear", "reflection", True)
r3 = F.grid_sample(x, g, "bilinear", "zeros", True)
r4 = F.grid_sample(x, g, "bicubic", "border", True)
r5, = torch.autograd.grad((r1 + r2 + r3 + r4).sum(), g)

# %% affine volumes
# leaf t float32 2,3,4
# leaf u float32 2,2,3
r1 = F.affine_grid(t, (2, 1, 2, 3, 4), False)
r2 = F.affine_grid(t, (2, 1, 2, 3, 4), True)
r3 = F.affine_grid(u, (2, 1, 3, 4), True)
r4 = F.grid_sample(torch.arange(24.0).reshape(2, 1, 3, 4), r3, align_corners=True)

# %% grids of other axes
r1 = F.grid_sample(torch.ones(1, 2, 3, 4), torch.ones(1, 2, 2, 2, 3))

# %% nothing to read
r1 = F.grid_sample(torch.ones(1, 2, 3, 0), torch.ones(1, 2, 2, 2))

# %% a map of too few axes
r1 = F.affine_grid(torch.ones(2, 1, 2), (2, 1, 3))

# %% grids in half precision
# leaf x float16 2,2,3,4
# leaf g float16 2,3,3,2
r1 = F.grid_sample(x, g, "bilinear", "zeros", False)
r2 = F.grid_sample(x, g, "bicubic", "border", True)

# %% norms of batches and their moments
# leaf x float32 2,3,4
# leaf w float32 3
m, v = torch.zeros(3), torch.ones(3)
r1, r2, r3 = torch.native_batch_norm(x, w, w, m, v, True, 0.1, 1e-5)
r4, r5, r6 = torch.native_batch_norm(x, w, None, m, v, False, 0.1, 1e-5)
r7, r8, r9 = torch.native_batch_norm(x, None, None, None, None, True, 0.1, 1e-5)
r10 = m

# %% infinite gradients stay where they are when elements are repeated
# leaf x float32 1,1,4,4
# leaf y float64 1,2,3
z = torch.ones(8, 8)
z[0, 0] = 0
r0 = torch.nn.functional.interpolate(x, scale_factor=2) / z
r1 = torch.nn.functional.interpolate(y, size=6, mode="nearest-exact") / z[0, 0:6]
