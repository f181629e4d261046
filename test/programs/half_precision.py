"""Calls of several kernels in half precision: what each gives is rounded."""

# %% losses of differences in float16
# leaf x float16 5,9
# leaf y float16 5,9
# leaf v float16 5,9 positive
r1 = F.mse_loss(x * 60, y, weight=v.detach())
r2 = F.gaussian_nll_loss(x * 20, y, v, reduction='sum', full=True)
r3 = F.margin_ranking_loss(x * 60, y, v, 0.5, reduction='none')
r4 = F.hinge_embedding_loss(x * 60, y.sign())
r5 = F.mse_loss(x * 60, y, reduction='none')

# %% losses of distances in float16
# leaf x float16 5,9
# leaf y float16 5,9
# leaf v float16 5,9 positive
r1 = F.triplet_margin_loss(x * 60, y, v, reduction='none')
r2 = F.triplet_margin_loss(x * 60, y, v, 0.5, swap=True)
r3 = F.cosine_embedding_loss(x * 60, y, torch.tensor([1, -1, 1, -1, 1]), reduction='none')

# %% losses of logarithms in float16
# leaf x float16 5,9
# leaf y float16 5,9
# leaf v float16 5,9 positive
r1 = F.kl_div(x * 60, v, reduction='batchmean')
r2 = F.kl_div(x, y, log_target=True, reduction='none')
r3 = F.poisson_nll_loss(x, v, full=True, reduction='none')
r4 = F.poisson_nll_loss(v, y, log_input=False)
r5 = F.binary_cross_entropy_with_logits(x * 60, v, reduction='none')
r6 = F.binary_cross_entropy_with_logits(x, v, v.detach(), pos_weight=v.detach())

# %% soft margins in float16
# leaf x float16 5,9
# leaf y float16 5,9
r1 = F.soft_margin_loss(x * 4, y.detach() * 2)
r2 = F.soft_margin_loss(x, y.detach(), reduction='none')
r3 = F.soft_margin_loss(x * 60, y.detach(), reduction='sum')

# %% norms in float16
# leaf x float16 5,9
# leaf y float16 5,9
r1 = torch.linalg.vector_norm(x, 2, -1)
r2 = F.normalize(x * 60)
r3 = F.cosine_similarity(x, y)
r4 = F.pairwise_distance(x, y)

# %% losses of differences in bfloat16
# leaf x bfloat16 5,9
# leaf y bfloat16 5,9
# leaf v bfloat16 5,9 positive
r1 = F.mse_loss(x * 60, y, weight=v.detach())
r2 = F.gaussian_nll_loss(x * 20, y, v, reduction='sum', full=True)
r3 = F.margin_ranking_loss(x * 60, y, v, 0.5, reduction='none')
r4 = F.hinge_embedding_loss(x * 60, y.sign())
r5 = F.mse_loss(x * 60, y, reduction='none')

# %% losses of distances in bfloat16
# leaf x bfloat16 5,9
# leaf y bfloat16 5,9
# leaf v bfloat16 5,9 positive
r1 = F.triplet_margin_loss(x * 60, y, v, reduction='none')
r2 = F.triplet_margin_loss(x * 60, y, v, 0.5, swap=True)
r3 = F.cosine_embedding_loss(x * 60, y, torch.tensor([1, -1, 1, -1, 1]), reduction='none')

# %% losses of logarithms in bfloat16
# leaf x bfloat16 5,9
# leaf y bfloat16 5,9
# leaf v bfloat16 5,9 positive
r1 = F.kl_div(x * 60, v, reduction='batchmean')
r2 = F.kl_div(x, y, log_target=True, reduction='none')
r3 = F.poisson_nll_loss(x, v, full=True, reduction='none')
r4 = F.poisson_nll_loss(v, y, log_input=False)
r5 = F.binary_cross_entropy_with_logits(x * 60, v, reduction='none')
r6 = F.binary_cross_entropy_with_logits(x, v, v.detach(), pos_weight=v.detach())

# %% soft margins in bfloat16
# leaf x bfloat16 5,9
# leaf y bfloat16 5,9
r1 = F.soft_margin_loss(x * 4, y.detach() * 2)
r2 = F.soft_margin_loss(x, y.detach(), reduction='none')
r3 = F.soft_margin_loss(x * 60, y.detach(), reduction='sum')

# %% norms in bfloat16
# leaf x bfloat16 5,9
# leaf y bfloat16 5,9
r1 = torch.linalg.vector_norm(x, 2, -1)
r2 = F.normalize(x * 60)
r3 = F.cosine_similarity(x, y)
r4 = F.pairwise_distance(x, y)

# %% soft margins whose power is infinite
# leaf x float32 5,9
# leaf y float32 5,9
r1 = F.soft_margin_loss(x * 100, y.detach(), reduction='none')

# %% likelihoods of logits at the edge
# leaf x float32 6
e = torch.tensor([float('inf'), float('-inf'), 1e30, -1e30, 30.0, -30.0])
r1 = F.binary_cross_entropy_with_logits(x + e, torch.tensor([1.0, 0.0, 0.5, 0.25, 1.0, 0.0]), reduction='none')
r2 = F.binary_cross_entropy_with_logits(x + e, torch.tensor([0.0, 1.0, 1.0, 0.0, 1.0, 0.0]), reduction='none')
r3 = F.binary_cross_entropy_with_logits(e, torch.full((6,), 0.5), pos_weight=torch.tensor(3.0), reduction='none')

# %% other half precisions are not joined under autocast
# leaf x float16 2,3
with torch.autocast('cpu', dtype=torch.bfloat16): r1 = torch.cat([x, x])

# %% after single precision they are
# leaf x float16 2,3
# leaf y float32 2,3
with torch.autocast('cpu', dtype=torch.bfloat16): r1 = torch.hstack([y, x])

# %% doubles are not looked at
# leaf x float16 2,3
with torch.autocast('cpu', dtype=torch.bfloat16): r1 = torch.stack([x.double(), x])

# %% matrix norms compare rounded sums
# leaf x float16 5,7
# leaf y bfloat16 7,5
r1 = torch.linalg.matrix_norm(x * 1.37, -1)
r2 = torch.linalg.matrix_norm(x * 1.37, torch.inf, (-1, 0), True)
r3 = torch.linalg.matrix_norm(y * 1.37, 1)
r4 = torch.linalg.norm(y, -torch.inf)

# %% a Python number is compared as the type holds it
# leaf x bfloat16 1
y = torch.full_like(x, 0.7)
r0 = y == 0.7, y >= 0.7, 0.7 <= y, y.ne(torch.tensor(0.7))
r1 = torch.isin(y, 0.7), torch.isin(torch.tensor([0.5, 0.7]), y)
r2 = y // 0.7, 0.7 // y, y % 0.7, 0.7 % y

# %% bounds are as the type holds them
# leaf x bfloat16 1
y = torch.full_like(x, 0.7) + x - x
z = torch.full_like(x, 0.3) + x - x
r0 = y.clamp(-0.7, 0.7)
r1 = z.clamp_min(0.3)
r2 = torch.maximum(y, torch.tensor(0.7))
r3 = torch.fmin(z, torch.tensor(0.3))

# %% shrinking at the bound
# leaf x float16 1
y = torch.full_like(x, 0.7) + x - x
z = torch.full_like(x, 0.3) + x - x
r0 = F.softshrink(z, 0.3)
r1 = F.hardshrink(z, 0.3)
r2 = F.softshrink(-y, 0.7)
r3 = F.hardshrink(y, 0.7)

# %% margins are as the type holds them
# leaf x bfloat16 1
y = torch.full_like(x, 0.7) + x - x
one = torch.ones_like(x)
r0 = F.hinge_embedding_loss(y, -one, margin=0.7)
r1 = F.margin_ranking_loss(y, y * 0, one, margin=0.7)
r2 = F.poisson_nll_loss(-y, one, log_input=False, eps=0.7)

# %% bounds of a histogram are as the type holds them
x = torch.tensor([0.3, -0.3, 0.9])
r0 = torch.histc(x, 4, -0.3, 0.3)
r1 = torch.histc(x.double(), 4, -0.3, 0.3)

# %% targets of weight 0 beside ignored ones have gradients that are no numbers
# leaf x float64 4,3
r0 = []
w = torch.tensor([0.0, 1.0, 0.5])
for t in (torch.bfloat16, torch.half):
    for y in ([0, 0, -100, 0], [0, -100, 2, 1], [-100] * 4, [0] * 4):
        y = torch.tensor(y)
        r0 += [F.cross_entropy(x.to(t), y, weight=w.to(t)).double(), F.nll_loss(x.to(t), y, weight=w.to(t)).double()]
        r0 += [F.cross_entropy(x.to(t), y).double(), F.nll_loss(x.to(t), y).double()]
