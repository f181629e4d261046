"""Types that calls have no kernel for, or do not take beside each other."""

# %% no magnitude of truths
F.softsign(torch.tensor([True, False]))

# %% no linear layer of truths
x = torch.tensor([[True, False], [True, True]])
F.linear(x, x)

# %% no trace of truths
torch.tensor([[True, False], [True, True]]).trace()

# %% no truths among bounds and what is bounded
x = torch.tensor([True, False])
x.clamp(x, x)

# %% no decimals of integers
torch.tensor([1, 2]).round(decimals=1)

# %% a cross product of two types
torch.linalg.cross(torch.ones(3), torch.tensor([1, 2, 3]))

# %% a chain of two types
torch.chain_matmul(torch.ones(2, 2), torch.tensor([[1, 2], [3, 4]]))

# %% a bilinear layer of two types
F.bilinear(torch.ones(2, 3), torch.ones(2, 3, dtype=torch.float64), torch.ones(1, 3, 3))

# %% a distance from truths
F.l1_loss(torch.tensor([True, False]), torch.ones(2))

# %% divergences of integers
F.kl_div(torch.ones(2), torch.tensor([1, 2]), reduction="sum")

# %% likelihoods of integers
F.nll_loss(torch.tensor([[1, 2], [3, 4]]), torch.tensor([0, 1]))

# %% entropies of integers
F.cross_entropy(torch.tensor([[1, 2], [3, 4]]), torch.ones(2, 2))

# %% losses that a type of integers cannot hold
F.soft_margin_loss(torch.tensor([1, 2]), torch.tensor([1, -1]))

# %% a variance of integers
F.gaussian_nll_loss(torch.ones(2), torch.ones(2), torch.tensor([1, 2]))

# %% patches of integers
F.fold(torch.arange(9).reshape(1, 1, 9), (3, 3), 1)

# %% truths that are mirrored
F.pad(torch.tensor([[True, False, True]]), (1, 1), mode="reflect")

# %% a covariance of truths
torch.tensor([[True, False], [True, True]]).cov()

# %% quantiles in half precision
torch.ones(3, dtype=torch.float16).quantile(0.5)

# %% a window of integers
torch.hann_window(4, dtype=torch.int64)

# %% a grid of two types
torch.cartesian_prod(torch.ones(2), torch.tensor([1, 2]))

# %% a grid of what is no line
torch.meshgrid(torch.ones(2, 2), torch.ones(2), indexing="ij")

# %% mantissas of integers
torch.frexp(torch.tensor([1, 2]))

# %% a permutation of truths
torch.randperm(4, dtype=torch.bool)

# %% a source of which a part is not read has no gradient
# leaf x float32 3,3
# leaf y float32 3,3
r1 = torch.zeros(3, 3).scatter_add(0, torch.zeros(1, 3, dtype=torch.int64), y)

# %% losses in the type of the target
# leaf x float64 2,2
r1 = F.binary_cross_entropy_with_logits(x, torch.tensor([[0.0, 1.0], [0.5, 1.0]]))

# %% losses in the type of the input
x = torch.tensor([0.5, -1.0], dtype=torch.float16)
r1 = F.hinge_embedding_loss(x, torch.tensor([1.0, -1.0]))

# %% triplets of integers
a = torch.tensor([[1, 2], [3, 4]])
r1 = F.triplet_margin_loss(a, a + 1, a.flip(0))

# %% eigenvalues of the lower triangle
x = torch.tensor([[1 + 2j, 5j], [2 - 1j, 3 - 1j]])
r1 = (torch.linalg.eigvalsh(x), torch.linalg.eigvalsh(x, UPLO="U"))

# %% products whose gradients are of two types
# leaf x float32 3
r1 = torch.addr(torch.zeros(3, 3, dtype=torch.float64), x, torch.ones(3, dtype=torch.float64))
r2 = torch.addr(torch.zeros(3, 3), x, torch.ones(3, dtype=torch.int64))

# %% one bound of truths
x = torch.tensor([True, False])
r1 = (x.clamp_max(torch.tensor([False, False])), x.clamp(min=torch.tensor([True, True])))

# %% no sign of truths
+torch.tensor([True, False])

# %% dot products along an axis are of one float type
r0 = []
for a, b in ((torch.int64, torch.int64), (torch.bool, torch.float32), (torch.float16, torch.float32), (torch.float32, torch.int64), (torch.bfloat16, torch.bfloat16)):
    try:
        r0 += [torch.linalg.vecdot(torch.ones(2, 3).to(a), torch.ones(2, 3).to(b))]
    except (NotImplementedError, RuntimeError) as error:
        r0 += [type(error).__name__, str(error)]
