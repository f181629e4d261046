"""Convolutions, pools and interpolation in double precision, of bytes and of other integers."""

# %% convolutions in double precision
# leaf x float64 2,4,9,8
# leaf w float64 6,2,3,2
# leaf b float64 6
# leaf y float64 4,5,6,7
# leaf v float64 2,4,2,3,2
r0 = F.conv2d(x, w, b, (2, 1), (1, 0), 1, 2), F.conv2d(x, w, None, 1, "same", 2, 2)
r1 = F.conv3d(y, v, None, 1, "same"), F.conv1d(y[0], v[:, 0, :, :, 0].mT[:, :, :2], stride=3)

# %% transposed convolutions in double precision
# leaf x float64 2,4,5,3
# leaf w float64 4,3,3,2
# leaf b float64 6
# leaf y float64 4,5,3,4
# leaf v float64 4,3,1,2,3
r0 = F.conv_transpose2d(x, w, b, 3, (1, 0), 2, 2), F.conv_transpose2d(x, w, None, 1, 1, 0, 1, 2)
r1 = F.conv_transpose3d(y, v, None, 1, (0, 1, 2)), F.conv_transpose1d(y[0], w[:, :, 0], padding=3)

# %% pools and interpolation in double precision
# leaf x float64 2,4,9,8
r0 = F.avg_pool2d(x, 3, 2, 1), F.avg_pool2d(x, 3, 2, 1, True, False), F.max_pool2d(x, 3, 2, 1)
r1 = F.adaptive_avg_pool2d(x, (3, 4)), F.adaptive_avg_pool2d(x, (3, 3)), F.lp_pool2d(x, 2, 2)
r2 = F.interpolate(x, scale_factor=(1.3, 2), mode="bilinear"), F.interpolate(x, (4, 5), mode="bicubic")
r3 = F.interpolate(x[0], scale_factor=0.7, mode="linear", align_corners=True)
r4 = F.interpolate(x[None], (3, 12, 5), mode="trilinear"), F.interpolate(x, (4, 5), mode="area")
r5 = F.interpolate(x, (4, 15), mode="bicubic", align_corners=True)
r6 = F.interpolate(x, (4, 5), mode="bicubic", antialias=True)

# %% bytes that are interpolated
# leaf x float64 1,6,16,15 share
x = (x.detach() * 283).to(torch.uint8)
sizes = (31, 30), (4, 5), (16, 5), (23, 15)
r0 = [F.interpolate(x, size, mode=mode) for size in sizes for mode in ("bilinear", "bicubic")]
r1 = [F.interpolate(x, size, mode="bilinear", antialias=True) for size in sizes]
r2 = [F.interpolate(x[:, :3], size, mode="bicubic", align_corners=True) for size in sizes]
r3 = F.interpolate(x, scale_factor=(1.3, 0.7), mode="bicubic")

# %% convolutions of integers
# leaf x float64 2,3,5,5
# leaf w float64 2,3,2,2
x, w = (x.detach() * 1e5).long(), (w.detach() * 1e5).long()
r0 = F.conv2d(x, w, padding=1), F.conv2d(x.to(torch.uint8), w.to(torch.uint8), None, 2)
r1 = F.conv_transpose2d(x, w.transpose(0, 1), None, 2), F.conv3d(x.int(), w[0, :, None, :, :, None].int()[:, :1])

# %% types without a kernel
# leaf x float64 2,3,4,4
said = []
calls = [lambda x, mode=mode: F.interpolate(x, (2, 3), mode=mode) for mode in ("bicubic", "area")]
calls += [lambda x: F.interpolate(x[0], 3, mode="linear"), lambda x: F.interpolate(x[None], 3, mode="trilinear")]
calls += [lambda x: F.interpolate(x, 3, mode="bilinear", antialias=True), lambda x: F.unfold(x, 2)]
calls += [lambda x: F.avg_pool1d(x[0], 2), lambda x: F.avg_pool2d(x, 2), lambda x: F.avg_pool3d(x, 2)]
calls += [lambda x: F.max_pool1d(x[0], 2), lambda x: F.max_pool2d(x, 2), lambda x: F.max_pool3d(x, 2)]
calls += [lambda x: F.adaptive_avg_pool2d(x, 2), lambda x: F.adaptive_max_pool3d(x, 2)]
calls += [lambda x: F.conv2d(x, x), lambda x: F.conv_transpose3d(x, x[:, :, None])]
for dtype in (torch.uint8, torch.int32, torch.int64, torch.bool, torch.float16):
    for call in calls:
        try:
            said.append(str(call((x.detach() * 20).to(dtype)).dtype))
        except Exception as error:
            said.append((type(error).__name__, str(error)))
r0 = str(said)
