"""Losses and likenesses in which half precision meets another type: each kernel keeps its own."""

# %% divergences
# leaf x float32 5,9
# leaf v float32 5,9 positive
h = torch.bfloat16
r1 = F.kl_div(x.to(h), v)
r2 = F.kl_div(x, v.to(h), reduction='none').detach()
r3 = F.kl_div(x, v.detach().to(h), log_target=True, reduction='batchmean')
r4 = F.kl_div(x.half(), v, log_target=True)

# %% binary cross entropies of logits
# leaf x float32 5,9
# leaf v float32 5,9 share
r1 = F.binary_cross_entropy_with_logits(x.bfloat16(), v)
r2 = F.binary_cross_entropy_with_logits(x, v.bfloat16(), reduction='none').float()
r3 = F.binary_cross_entropy_with_logits(x.half(), v, reduction='sum')

# %% binary cross entropies with weights of another type
# leaf x float32 5,9
# leaf v float32 5,9 share
# leaf w float32 9 share
h, u = torch.bfloat16, w.detach()
r1 = F.binary_cross_entropy_with_logits(x.to(h), v.to(h), u).float()
r2 = F.binary_cross_entropy_with_logits(x.to(h), v.to(h), reduction='none', pos_weight=u).float()
r3 = F.binary_cross_entropy_with_logits(x, v, u.to(h), pos_weight=u.to(h))
r4 = F.binary_cross_entropy_with_logits(x.to(h), v, pos_weight=u)

# %% likelihoods of Gauss and Poisson
# leaf x float32 5,9
# leaf y float32 5,9
# leaf v float32 5,9 positive
h = torch.bfloat16
r1 = F.gaussian_nll_loss(x.to(h), y, v.to(h))
r2 = F.gaussian_nll_loss(x, y.to(h), v, reduction='none', full=True)
r3 = F.poisson_nll_loss(x.to(h), y.detach())
r4 = F.poisson_nll_loss(y, v.detach().to(h), full=True, reduction='none')
r5 = F.poisson_nll_loss(v.half(), y, log_input=False)

# %% cross entropies of shares
# leaf x float32 5,9
# leaf v float32 5,9 share
# leaf w float32 9 share
h = torch.bfloat16
r1 = F.cross_entropy(x.to(h), v)
r2 = F.cross_entropy(x, v.to(h), reduction='none')
r3 = F.cross_entropy(x.to(h), v.to(h), label_smoothing=0.1).float()
r4 = F.cross_entropy(x.half(), v.half(), w.detach().half(), reduction='sum').float()
r5 = F.cross_entropy(x.to(h), v, w.detach())

# %% likeness
# leaf x float32 5,9
# leaf y float32 5,9
r1 = F.cosine_similarity(x.bfloat16(), y)
r2 = F.cosine_similarity(x.detach(), y.half()).detach()
r3 = F.pairwise_distance(x.bfloat16(), y)
