"""torch.vmap: what is refused of tensors that differ from slice to slice, and what is drawn for them."""

# %% a number of a slice
# leaf x float32 3,2
r1 = torch.vmap(lambda row: row * row.sum().item())(x)

# %% a branch on a slice
# leaf x float32 3,2
r1 = torch.vmap(lambda row: row if row.sum() > 0 else -row)(x)

# %% a list of a slice
# leaf x float32 3,2
r1 = torch.vmap(lambda row: row * row.tolist()[0])(x)

# %% a number of what is the same for all slices
# leaf x float32 3,2
scale = torch.tensor([2.0, 3.0])
r1 = torch.vmap(lambda row: row * scale[0].item() + scale.sum().item())(x)

# %% a mask of a slice
# leaf x float32 3,2
r1 = torch.vmap(lambda row: row[row > 0])(x)

# %% a mask that is the same for all slices
# leaf x float32 3,2
r1 = torch.vmap(lambda row: row[torch.tensor([True, False])])(x)

# %% places of a slice
# leaf x float32 3,2
r1 = torch.vmap(lambda row: row.nonzero())(x)

# %% elements that a slice selects
# leaf x float32 3,2
r1 = torch.vmap(lambda row: torch.masked_select(row, row > 0))(x)

# %% a slice added in place to what stands for all
# leaf x float32 3,2
r1 = torch.vmap(lambda row: torch.zeros(2).add_(row))(x)

# %% a slice copied into what stands for all
# leaf x float32 3,2
total = torch.zeros(2)
r1 = torch.vmap(lambda row: total.copy_(row))(x)

# %% rows of a slice added to what stands for all
# leaf x float32 3,2
r1 = torch.vmap(lambda row: torch.zeros(2).index_add_(0, torch.tensor([0]), row[:1]))(x)

# %% a slice edited in place by itself
# leaf x float32 3,2
def f(row):
    y = row.clone()
    y[0] = row[1]
    return y.mul_(row)
r1 = torch.vmap(f)(x)

# %% classes of a slice without their count
# leaf x float32 3,2
r1 = torch.vmap(lambda row: torch.nn.functional.one_hot(row.long().abs()))(x)

# %% what is no tensor
# leaf x float32 3,2
r1 = torch.vmap(lambda row: (row, "name"))(x)

# %% numbers drawn where nobody says how
# leaf x float32 3,2
r1 = torch.vmap(lambda row: row + torch.randn(2))(x)

# %% dropout where nobody says how
# leaf x float32 3,2
r1 = torch.vmap(lambda row: torch.nn.functional.dropout(row))(x)

# %% the same numbers for each slice
# leaf x float32 3,2
r1 = torch.vmap(lambda row: row + torch.randn(2), randomness="same")(x)
r2 = torch.randn(3)

# %% no kind of randomness
# leaf x float32 3,2
r1 = torch.vmap(lambda row: row, randomness="some")(x)

# %% a number of an outer slice
# leaf x float32 3,2
r1 = torch.vmap(lambda a: torch.vmap(lambda b: b * a.sum().item())(x))(x)

# %% slices of slices
# leaf x float32 3,2
r1 = torch.vmap(lambda a: torch.vmap(lambda b: b * a)(x).sum(0).cos())(x)
