"""Bags in half precision: sums that lie midway, and rows that several bags read."""

# %% sums and means of bags
# leaf x float32 9,5
i = torch.tensor([[1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 1, 3, 5, 7, 1, 2]])
r1 = F.embedding_bag(i, x.bfloat16(), mode='sum').float()
r2 = F.embedding_bag(i, x.bfloat16(), mode='mean').float()
r3 = F.embedding_bag(i, x.half(), mode='sum').float()
r4 = F.embedding_bag(i[1], x.bfloat16(), torch.tensor([0, 3, 3]), mode='mean').float()

# %% weighed bags
# leaf x float32 9,5
# leaf w float32 2,8
i = torch.tensor([[1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 1, 3, 5, 7, 1, 2]])
r1 = F.embedding_bag(i, x.bfloat16(), mode='sum', per_sample_weights=w.bfloat16()).float()
r2 = F.embedding_bag(i, x.half(), mode='sum', per_sample_weights=w.half()).float()

# %% bags with padding
# leaf x float32 9,5
i = torch.tensor([[1, 2, 3, 2], [0, 0, 1, 3]])
r1 = F.embedding_bag(i, x.bfloat16(), mode='sum', padding_idx=2).float().detach()
