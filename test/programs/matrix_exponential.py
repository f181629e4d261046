"""e^A: polynomials of several degrees, squarings, gradients."""

# %% of all sizes, float32
# leaf x float32 3,3
r1 = torch.matrix_exp(x * 1e-9)
r2 = torch.matrix_exp(x * 1e-5)
r3 = torch.matrix_exp(x * 1e-3)
r4 = torch.matrix_exp(x * 0.02)
r5 = torch.matrix_exp(x * 0.2)
r6 = torch.matrix_exp(x * 0.5)
r7 = torch.matrix_exp(x * 1)
r8 = torch.matrix_exp(x * 3)
r9 = torch.matrix_exp(x * 10)

# %% of several matrices, float32
# leaf x float32 2,3,2,2
sizes = torch.tensor([1e-3, 1, 20], dtype=x.dtype)[:, None, None]
r1 = torch.linalg.matrix_exp(x * sizes)
r2 = x[0, :, :1, :1].matrix_exp()
r3 = x[..., :0, :0].matrix_exp()

# %% large numbers cut to integers, float32
# leaf x float32 2,2
r1 = (x * 10).matrix_exp().trunc()

# %% of all sizes, float64
# leaf x float64 3,3
r1 = torch.matrix_exp(x * 1e-9)
r2 = torch.matrix_exp(x * 1e-5)
r3 = torch.matrix_exp(x * 1e-3)
r4 = torch.matrix_exp(x * 0.02)
r5 = torch.matrix_exp(x * 0.2)
r6 = torch.matrix_exp(x * 0.5)
r7 = torch.matrix_exp(x * 1)
r8 = torch.matrix_exp(x * 3)
r9 = torch.matrix_exp(x * 10)

# %% of several matrices, float64
# leaf x float64 2,3,2,2
sizes = torch.tensor([1e-3, 1, 20], dtype=x.dtype)[:, None, None]
r1 = torch.linalg.matrix_exp(x * sizes)
r2 = x[0, :, :1, :1].matrix_exp()
r3 = x[..., :0, :0].matrix_exp()

# %% large numbers cut to integers, float64
# leaf x float64 2,2
r1 = (x * 10).matrix_exp().trunc()

# %% what PyTorch makes of half precision, 1e-5
# leaf x float16 3,3
r1 = torch.matrix_exp(x * 1e-5)

# %% what PyTorch makes of half precision, 0.02
# leaf x float16 3,3
r1 = torch.matrix_exp(x * 0.02)

# %% what PyTorch makes of half precision, 0.2
# leaf x float16 3,3
r1 = torch.matrix_exp(x * 0.2)

# %% what PyTorch makes of half precision, 0.5
# leaf x float16 3,3
r1 = torch.matrix_exp(x * 0.5)

# %% what PyTorch makes of half precision, 3
# leaf x float16 3,3
r1 = torch.matrix_exp(x * 3)

# %% what PyTorch makes of bfloat16
# leaf x bfloat16 3,3
z = x.detach()
r1 = z.matrix_exp()
r2 = (z * 1e-3).matrix_exp()
r3 = z[:1, :1].matrix_exp()

# %% of complex numbers
# leaf z complex64 2,2
r1 = z.matrix_exp()
r2 = (z * 5).matrix_exp()
