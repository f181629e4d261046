"""Element types and their limits."""

# %% limits of floating-point types
names = "float64 float32 float16 bfloat16 complex64 float8_e4m3fn float8_e4m3fnuz float8_e5m2"
names += " float8_e5m2fnuz float8_e8m0fnu"
r1 = []
for name in names.split():
    f = torch.finfo(getattr(torch, name))
    r1.append([f.bits, f.max, f.min, f.eps, f.tiny, f.smallest_normal, f.resolution, str(f.dtype)])
r2 = torch.float8_e4m3fn.itemsize
r3 = torch.float8_e5m2.is_floating_point
