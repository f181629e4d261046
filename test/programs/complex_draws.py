"""Complex tensors that are filled with random numbers."""

# %% in place, turned and in part
torch.manual_seed(3)
r1 = torch.empty(3, 2, dtype=torch.cfloat).uniform_(-1, 2)
r2 = torch.empty(3, 2, dtype=torch.cfloat).t().uniform_()
r3 = torch.empty(9, 3, dtype=torch.cdouble).normal_(1.0, 0.5)
r4 = torch.empty(9, 3, dtype=torch.cfloat).mT.normal_()
r5 = torch.zeros(4, 3, dtype=torch.cfloat)
r5[:, 1].normal_()
r6 = torch.rand(2)

# %% layers of complex numbers
torch.manual_seed(3)
layer = nn.Linear(3, 5, dtype=torch.cfloat)
r1, r2 = layer.weight.detach(), layer.bias.detach()
r3 = nn.init.xavier_normal_(torch.empty(4, 5, dtype=torch.cfloat))
r4 = nn.init.normal_(nn.Parameter(torch.empty(2, dtype=torch.cfloat)), 1.0, 2.0).detach()
r5 = layer(torch.ones(2, 3, dtype=torch.cfloat))
