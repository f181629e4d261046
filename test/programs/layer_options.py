"""Options of layers that PyTorch refuses, and those that hang together."""

# %% padding of the output beyond its step
F.conv_transpose2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2), stride=(2, 1), output_padding=1)

# %% a transposed convolution of which nothing is left
F.conv_transpose2d(torch.ones(1, 2, 3, 4), torch.ones(2, 2, 2, 2), padding=2)

# %% a size and a factor that is to be found again
F.interpolate(torch.ones(1, 1, 3, 3), size=2, mode="bilinear", recompute_scale_factor=True)

# %% smoothing of lines
F.interpolate(torch.ones(1, 2, 4), size=2, mode="linear", antialias=True)

# %% spread over no named axis
# leaf x float32 2,3
r1 = torch.var(x, dim=(), correction=0)
r2 = x.std((), correction=0)

# %% a range fills what has as many elements
r1 = torch.arange(3, out=torch.zeros(3, 1))
r2 = torch.linspace(0, 1, 4, out=torch.zeros(2, 2))
r3 = torch.arange(4, out=torch.zeros(2, 1))

# %% a view in its own type has no history
# leaf x float32 3
y = x.view(torch.float32)
r1 = (y.requires_grad, (x * 2).view(torch.float32).is_leaf, y.data_ptr() == x.data_ptr())

# %% padding of the output by a whole step
# leaf x float32 1,2,3,3
# leaf w float32 2,2,2,2
r1 = F.conv_transpose2d(x, w, dilation=2, output_padding=1)
r2 = F.conv_transpose2d(x.double(), w.double(), dilation=(3, 1), stride=(1, 2), output_padding=(2, 1))
