"""Numbers as an integer format would hold them."""

# %% of one scale
# leaf x float32 3,4
r1 = torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -10, 10)
r2 = torch.fake_quantize_per_tensor_affine(x, torch.tensor(0.25), torch.tensor(0), -4, 3)
r3 = torch.fake_quantize_per_tensor_affine(torch.arange(-4.0, 4.0, 0.5), 1.0, 1, -2, 2)
said = []
for scale, zero, low, high in ((0.1, 0, 5, -5), (0.1, 200, -128, 127)):
    try:
        torch.fake_quantize_per_tensor_affine(x, scale, zero, low, high)
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r4 = str(said)

# %% of a scale for each channel
# leaf x float32 3,4
scale, zero = torch.tensor([0.1, 0.2, 0.3]), torch.tensor([0, 1, 2], dtype=torch.int32)
r1 = torch.fake_quantize_per_channel_affine(x, scale, zero, 0, -8, 7)
r2 = torch.fake_quantize_per_channel_affine(x.mT, scale, zero + 0.5, 1, -8, 7)
r3 = torch.fake_quantize_per_channel_affine(torch.arange(-4.0, 5.0).view(3, 3) / 2, torch.ones(3), zero, 1, -8, 7)
said = []
for s, z, axis in (
    *((scale[:2], zero[:2], 0), (scale, zero[:2], 0), (scale[None], zero, 0), (scale, zero.long(), 0)),
    *((scale, zero * 10, 0), (scale, zero, -2)),
):
    try:
        torch.fake_quantize_per_channel_affine(x, s, z, axis, -8, 7)
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r4 = str(said)
