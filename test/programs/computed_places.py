"""Places that only a run knows: what PyTorch says where one of them is outside."""

# %% gather
# leaf x float32 3,6
places = (x.detach() * 0 + 7).long()
r1 = x.gather(1, places)

# %% gather below 0
# leaf x float32 3,6
r1 = x.gather(1, (x.detach() * 0 - 1).long())

# %% scatter
# leaf x float32 3,6
r1 = torch.zeros(3, 6).scatter(0, (x.detach() * 0 + 7).long(), x)

# %% scatter_reduce
# leaf x float32 3,6
r1 = torch.zeros(3, 6).scatter_reduce(1, (x.detach() * 0 + 6).long(), x, "amax")

# %% index_add
# leaf x float32 3,6
r1 = torch.zeros(3, 6).index_add(1, (x[0].detach() * 0 + 9).long(), x)

# %% index_add of a row
# leaf x float32 6
r1 = torch.zeros(6).index_add(0, (x.detach() * 0 + 9).long(), x)

# %% index_copy
# leaf x float32 3,6
r1 = torch.zeros(3, 6).index_copy(0, (x[:, 0].detach() * 0 + 3).long(), x)

# %% index_fill
# leaf x float32 3,6
r1 = x.index_fill(1, (x[0].detach() * 0 - 7).long(), 0.0)

# %% index_reduce
# leaf x float32 3,6
r1 = torch.zeros(3, 6).index_reduce(0, (x[:, 0].detach() * 0 + 3).long(), x, "amax")

# %% index_select of columns
# leaf x float32 3,6
r1 = x.index_select(1, (x[0].detach() * 0 + 7).long())

# %% index_select of rows
# leaf x float32 3,6
r1 = x.index_select(0, (x[0].detach() * 0 + 7).long())

# %% take
# leaf x float32 3,6
r1 = torch.take(x, (x.detach() * 0 + 70).long())

# %% take of places within
# leaf x float32 3,6
r1 = torch.take(x, (x.detach() * 0 - 3).long())

# %% take_along_dim goes round
# leaf x float32 3,6
r1 = torch.take_along_dim(x, (x.detach() * 0 + 7).long(), 1)
r2 = torch.take_along_dim(x, torch.tensor([[-20]]), 1)

# %% take_along_dim of all elements
# leaf x float32 3,6
r1 = torch.take_along_dim(x, (x.detach() * 0 + 20).long())

# %% an index
# leaf x float32 3,6
r1 = x[:, (x[0].detach() * 0 - 8).long()]

# %% an index of two axes
# leaf x float32 3,6
r1 = x[(x[0].detach() * 0).long(), (x[0].detach() * 0 + 6).long()]

# %% an index that is assigned to
# leaf x float32 3,6
y = x.clone()
y[(x[0].detach() * 0 + 5).long()] = 0
r1 = y

# %% index_put
# leaf x float32 3,6
r1 = x.index_put(((x[:, 0].detach() * 0 + 3).long(),), x)

# %% classes of multi_margin_loss
# leaf x float32 3,6
r1 = torch.nn.functional.multi_margin_loss(x, (x[:, 0].detach() * 0 + 6).long())

# %% probabilities above 1
# leaf x float32 3,6
r1 = torch.bernoulli(x.detach() * 0 + 1.5)

# %% probabilities that are no numbers
r1 = torch.bernoulli(torch.tensor([0.5, float("nan")]))

# %% integer probabilities
r1 = torch.bernoulli(torch.tensor([0, 1]))
