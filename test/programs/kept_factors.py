# %% heads that are copied into a batch are edited after their product
# leaf x float32 2,3,4
# leaf w float32 12,4
q, k, v = F.linear(x, w).split(4, dim=2)
q, k, v = (t.view(2, 3, 2, 2).transpose(1, 2) for t in (q, k, v))
r0 = torch.einsum('bhqd,bhkd->bhqk', q, k)
r1 = q @ k.transpose(-2, -1)
with torch.no_grad():
    k.mul_(2)

# %% heads that lie as one batch are kept
# leaf q float32 2,2,3,2
# leaf k float32 2,2,3,2
r0 = (q * 1) @ (y := k * 1).transpose(-2, -1)
with torch.no_grad():
    y.mul_(2)

# %% a batch that is spread over another is kept where it lies as one
# leaf x float32 2,3,4
# leaf w float32 1,4,2
y = w * 1
r0 = (x * 1) @ y
with torch.no_grad():
    y.mul_(2)

# %% a batch that is spread within another is copied
# leaf x float32 2,2,3,4
# leaf w float32 2,1,4,2
y = (w * 1).transpose(0, 1)
r0 = (x * 1) @ y
with torch.no_grad():
    y.mul_(2)

# %% a matrix times a batch that it is folded into
# leaf w float32 3,4
# leaf x float32 2,4,3
y = x * 1
r0 = (w * 1) @ y
with torch.no_grad():
    y.mul_(2)

# %% a vector times a batch of matrices
# leaf w float32 4
# leaf x float32 3,2,4
y = (x * 1).permute(1, 2, 0)
r0 = (w * 1) @ y
with torch.no_grad():
    y.mul_(2)

# %% an operand that einsum sums first is not needed
# leaf x float32 4,2,2
# leaf y float32 4,2
z = x * 1
r0 = torch.einsum('ebd,ed->ed', z, y)
with torch.no_grad():
    z.clamp_(max=1)

# %% one operand of einsum is not needed
# leaf x float32 2,2,4
r0 = torch.einsum('dbe->db', x * 1)
y = x * 1
r1 = torch.einsum('dbe->db', y)
with torch.no_grad():
    y.zero_()

# %% a product of elements by einsum keeps both
# leaf x float32 2,3
# leaf y float32 3
z = y * 1
r0 = torch.einsum('ij,j->ij', x, z)
with torch.no_grad():
    z.mul_(2)

# %% einsum's diagonal is a view
# leaf x float32 3,2,2,3
y = x * 1
r0 = torch.einsum('cbdc->cdb', y)
with torch.no_grad():
    y.add_(1)

# %% einsum's diagonal is edited
# leaf x float32 2,3,3
y = x * 1
r0 = torch.einsum('bii->bi', y)
r0.mul_(3)
r1 = y * 2

# %% three operands of einsum, of which one is turned
# leaf x float32 2,3
# leaf y float32 4,3,2
# leaf z float32 4,2
t = (y * 1).permute(2, 1, 0)
r0 = torch.einsum('ij,kjl,lk->ik', x, t, z)
with torch.no_grad():
    t.add_(1)

# %% a mask of truths is not needed by attention
# leaf q float32 1,2,1,4
# leaf k float32 1,2,2,4
# leaf v float32 1,2,2,4
m = torch.tensor([[True, False]])
r0 = F.scaled_dot_product_attention(q, k, v, attn_mask=m)
m.logical_not_()

# %% a mask that is added is needed by attention
# leaf q float32 1,2,1,4
# leaf k float32 1,2,2,4
m = torch.tensor([[0.5, -0.5]])
r0 = F.scaled_dot_product_attention(q, k, k, attn_mask=m)
m.mul_(2)

# %% attention by a learnt mask keeps the value alone
# leaf q float32 1,2,1,4
# leaf v float32 1,2,2,4
# leaf m float32 2,1,2
y, z = q * 1, v * 1
r0 = F.scaled_dot_product_attention(y, z, z * 2, attn_mask=m)
with torch.no_grad():
    y.add_(1)
    z.add_(1)

# %% a value that attention spreads over the batch of the weights is copied
# leaf q float32 2,2,1,4
# leaf k float32 2,1,1,4
# leaf v float32 2,1,1,3
y = v * 1
r0 = F.scaled_dot_product_attention(q, k, y)
with torch.no_grad():
    y.add_(1)

# %% a mask of a batch that the weights do not have is refused
# leaf q float32 1,2,1,4
r0 = F.scaled_dot_product_attention(q, q, q, attn_mask=torch.ones(2, 1, 1, 1))

# %% a mask of rows that the weights do not have is refused
# leaf q float32 2,1,4
r0 = F.scaled_dot_product_attention(q, q, q, attn_mask=torch.ones(4, 1, dtype=torch.bool))
