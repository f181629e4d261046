# %% a convolution that pads one side more than the other copies its input
# leaf x float32 1,3,3,4,3
# leaf w float32 6,1,2,1,3
# leaf b float32 6
y = x * 1
r0 = F.conv3d(y, w, b, groups=3, padding='same')
with torch.no_grad():
    y.mul_(2)

# %% a convolution that pads both sides alike needs its input
# leaf x float32 1,2,5
# leaf w float32 2,2,3
y = x * 1
r0 = F.conv1d(y, w, padding='same')
with torch.no_grad():
    y.mul_(2)

# %% patches of a kernel longer than the image
# leaf x float32 1,2,3
r0 = F.unfold(x, 3)

# %% patches of a kernel that spreads beyond the image
# leaf x float32 1,2,2,4
r0 = F.unfold(x, 2, dilation=2, padding=(0, 1))

# %% a power mean over windows given by a tuple
# leaf x float64 2,2,5
r0 = F.lp_pool1d(x, 2, (1,))

# %% a power mean over windows of too few axes
# leaf x float32 1,2,4,4
r0 = F.lp_pool2d(x, 2, (2,))

# %% a mean over windows of too few axes is refused before its type
# leaf x float32 2,6
r0 = F.avg_pool2d(x > 0, 2)

# %% maxima of integers are not put back
# leaf x float32 1,2,4
r0 = F.max_unpool1d(*F.max_pool1d((x * 4).long(), 2, return_indices=True), 2)

# %% alignments in half precision
# leaf x float16 1,1,4
r0 = F.ctc_loss(x, torch.tensor([[1]]), (1,), (1,))

# %% a scale that is recomputed beside a size is refused before the mode
# leaf x float64 1,2,4,2,2
r0 = F.interpolate(x, size=2, mode='bicubic', recompute_scale_factor=True)

# %% a size of more axes than the image
# leaf x float32 1,2,4,4
r0 = F.interpolate(x, size=(2, 2, 2), mode='bilinear')

# %% scales of more axes than the image
# leaf x float32 1,2,4,4
r0 = F.interpolate(x, scale_factor=(2, 2, 2))

# %% alignment of corners is refused before the size
# leaf x float32 1,2,4,4
r0 = F.interpolate(x, align_corners=True)

# %% a bias of several rows is added to what a linear layer gives
# leaf x float32 2,2,2
# leaf w float32 3,2
# leaf b float32 2,3
r0 = F.linear(x, w, b)
r1 = F.linear(x.transpose(0, 1), w, b[:1])
r2 = F.linear(x[0], w, b)

# %% a bias of more rows than a linear layer gives
# leaf x float32 2,1,2
# leaf w float32 3,2
# leaf b float32 2,3
r0 = F.linear(x, w, b)
