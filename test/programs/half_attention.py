"""Fused attention in half precision over more keys than a vector register holds."""

# %% bfloat16 over 21 keys
# leaf q float32 1,2,21,8
# leaf k float32 1,2,21,8
# leaf v float32 1,2,21,8
h = torch.bfloat16
r1 = F.scaled_dot_product_attention(q.to(h), k.to(h), v.to(h)).float()
r2 = F.scaled_dot_product_attention(q.to(h), k.to(h), v.to(h), is_causal=True).float()

# %% bfloat16 in blocks of queries
# leaf q float32 1,1,70,4
# leaf k float32 1,1,40,4
# leaf v float32 1,1,40,4
h = torch.bfloat16
r1 = F.scaled_dot_product_attention(q.to(h), k.to(h), v.to(h), scale=0.4).float()

# %% fewer queries than keys, causal
# leaf q float32 1,2,18,4
# leaf k float32 1,2,40,4
# leaf v float32 1,2,40,4
h = torch.bfloat16
r1 = F.scaled_dot_product_attention(q.to(h), k.to(h), v.to(h), is_causal=True).float()

# %% masks, one of which leaves a query nothing
# leaf q float32 1,2,5,4
# leaf k float32 1,2,19,4
# leaf v float32 1,2,19,4
h = torch.bfloat16
hidden = torch.arange(19) % 3 > 0
nothing = torch.arange(5)[:, None] * torch.ones(19) != 2
r1 = F.scaled_dot_product_attention(q.to(h), k.to(h), v.to(h), hidden.expand(5, 19)).float()
r2 = F.scaled_dot_product_attention(q.to(h), k.to(h), v.to(h), hidden & nothing).float()
r3 = F.scaled_dot_product_attention(q.to(h), k.to(h), v.to(h), (hidden * 2.0).to(h).expand(5, 19)).float()

# %% float16
# leaf q float32 1,2,17,4
# leaf k float32 1,2,17,4
# leaf v float32 1,2,17,4
h = torch.float16
r1 = F.scaled_dot_product_attention(q.to(h), k.to(h), v.to(h)).float()

# %% heads that share keys and values
# leaf q float32 1,4,34,4
# leaf k float32 1,2,18,4
# leaf v float32 1,2,18,4
h = torch.bfloat16
r1 = F.scaled_dot_product_attention(q.to(h), k.to(h), v.to(h), enable_gqa=True).float()
