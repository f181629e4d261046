"""Sums that PyTorch keeps in half precision; leaves in single precision hold them to the last digit."""

# %% parameters of a layer norm in bfloat16
# leaf x float32 18,8
# leaf w float32 8
# leaf b float32 8
# leaf d float32 18,8
h = torch.bfloat16
r1 = (F.layer_norm(x.to(h), (8,), w.to(h), b.to(h)) * d.detach().to(h)).float()

# %% parameters of a layer norm of two axes in float16
# leaf x float32 3,5,3,2
# leaf w float32 3,2
# leaf b float32 3,2
# leaf d float32 3,5,3,2
h = torch.float16
r1 = (F.layer_norm(x.to(h), (3, 2), w.to(h), b.to(h)) * d.detach().to(h)).float()

# %% wider parameters of norms of half precision
# leaf x float32 4,6,5
# leaf w float32 5
# leaf b float32 5
# leaf c float32 6
# leaf d float32 4,6,5
h = x.bfloat16()
e = d.detach().bfloat16()
r1 = (F.layer_norm(h, (5,), w, b) * e).float()
r2 = (F.rms_norm(h, (5,), w) * e).float()
r3 = (F.group_norm(h, 3, c, c + 1) * e).float()
r4 = (F.batch_norm(h, None, None, c, c + 1, True) * e).float()
r5 = (F.instance_norm(h, weight=c, bias=c) * e).float()

# %% the weight of a group norm sees the moments that are kept
# leaf x float32 2,6,6,6
# leaf w float32 6
# leaf b float32 6
# leaf d float32 2,6,6,6
h = torch.bfloat16
r1 = (F.group_norm(x.to(h), 3, w.to(h), b.to(h)) * d.detach().to(h)).float()

# %% rows of a table that come several times
# leaf x float32 8,4
# leaf y float32 30,4
t = torch.randint(0, 8, (30,))
h = torch.bfloat16
r1 = (F.embedding(t, x.to(h)) * y.to(h)).float()
r2 = (F.embedding(t, x.half(), padding_idx=3) * y.half()).float()

# %% places that are picked several times
# leaf x float32 3,4,2
# leaf y float32 30,2
# leaf z float32 3,30,2
t, u = torch.randint(0, 3, (30,)), torch.randint(0, 4, (30,)) - 4
h = torch.bfloat16
r1 = (x.to(h)[t, u] * y.to(h)).float()
r2 = (x.to(h)[:, u] * z.to(h)).float()

# %% cross entropies of many rows
# leaf x float32 300,5
t = torch.randint(0, 5, (300,))
r1 = F.cross_entropy(x.bfloat16(), t).float()
r2 = F.cross_entropy(x.half(), t).float()
r3 = F.cross_entropy(x.bfloat16(), t, reduction='sum').float()
r4 = F.nll_loss(x.bfloat16(), t).float()

# %% weighed and smoothed cross entropies
# leaf x float32 40,9
# leaf w float32 9 positive
t = torch.randint(0, 9, (40,))
h, v = x.bfloat16(), w.detach().bfloat16()
r1 = F.cross_entropy(h, t, v, ignore_index=3).float()
r2 = F.cross_entropy(h, t, label_smoothing=0.1, ignore_index=3).float()
r3 = F.cross_entropy(h, t, v, label_smoothing=0.1).float()
r4 = F.cross_entropy(h, t, v, label_smoothing=0.1, reduction='none').float()
r5 = F.cross_entropy(x.half(), t, w.detach().half(), reduction='sum', label_smoothing=0.2).float()
r6 = F.cross_entropy(h[:3], torch.tensor([1, 1, 1]), ignore_index=1, reduction='sum').float()

# %% cross entropies of images
# leaf x float32 3,5,4,4
t = torch.randint(0, 5, (3, 4, 4))
r1 = F.cross_entropy(x.bfloat16(), t).float()
r2 = F.cross_entropy(x.half(), t, reduction='none').float()
r3 = F.cross_entropy(x.bfloat16(), t, label_smoothing=0.2).float()
r4 = F.cross_entropy(x.bfloat16()[0, :, 0, 0], torch.tensor(3)).float()
