"""Products in half precision, whose factors and gradients the type holds."""

# %% what dropout multiplies by
# leaf x float32 5,40
r1 = F.dropout(x.bfloat16(), 0.1).float()
r2 = F.dropout(x.half(), 0.3).float()
r3 = F.dropout1d(x.bfloat16()[None], 0.1).float()
r4 = F.scaled_dot_product_attention(x.bfloat16()[None], x.half().bfloat16()[None], x.bfloat16()[None], dropout_p=0.1).float().detach()

# %% einsum of elements
# leaf k float32 2,9,8
# leaf v float32 2,9,6
# leaf d float32 2,9,8,6
h = torch.bfloat16
r1 = (torch.einsum('btd,bte->btde', k.to(h), v.to(h)) * d.detach().to(h)).float()
r2 = torch.einsum('btd,bte->btde', k.half(), v.half()).float()

# %% einsum of three factors
# leaf a float32 4,5
# leaf b float32 5,6
# leaf c float32 6
h = torch.bfloat16
r1 = torch.einsum('ij,jk,k->i', a.to(h), b.to(h), c.to(h)).float()
r2 = torch.einsum('ij,jk,k->ijk', a.to(h), b.to(h), c.to(h)).float()
