"""Factors and inverses: of complex matrices, and those that real ones rarely need."""

# %% factors of square matrices
# leaf x complex64 3,3
r1 = torch.linalg.lu_factor(x)[0]
r2 = torch.linalg.lu_factor(x)[1]

# %% factors of matrices that are not square
# leaf x float64 2,3,5
# leaf y float64 5,3
# leaf z complex128 4,2
r1 = torch.linalg.lu_factor(x)[0]
r2 = torch.linalg.lu_factor(y)[0]
r3 = torch.linalg.lu_factor(z)[0]
P, r4, r5 = torch.linalg.lu(y)

# %% solutions by factors
# leaf x float64 3,3
# leaf y float64 3,3
LU, p = torch.linalg.lu_factor(x)
r1 = torch.linalg.lu_solve(LU, p, y)
r2 = torch.linalg.lu_solve(LU, p, y, left=False)
r3 = torch.linalg.lu_solve(LU, p, y, adjoint=True)
r4 = torch.linalg.lu_solve(LU, p, y, left=False, adjoint=True)

# %% solutions by complex factors
# leaf x complex128 3,3
# leaf y complex128 3,3
LU, p = torch.linalg.lu_factor(x)
r1 = torch.linalg.lu_solve(LU, p, y)
r2 = torch.linalg.lu_solve(LU, p, y, left=False)
r3 = torch.linalg.lu_solve(LU, p, y, adjoint=True)
r4 = torch.linalg.lu_solve(LU, p, y, left=False, adjoint=True)

# %% pivots are needed unedited
# leaf x float64 3,3
LU, p = torch.linalg.lu_factor(x)
r1 = torch.linalg.lu_solve(LU, p, x)
p.add_(0)

# %% polar factors
# leaf x float64 4,3
# leaf y complex128 3,3
r1, r2 = torch.linalg.polar(x)
r3, r4 = torch.linalg.polar(y)

# %% roots
# leaf x float64 3,3
# leaf y complex128 3,3
r1 = torch.linalg.matrix_sqrth(x @ x.mT)
r2 = torch.linalg.matrix_sqrth(y @ y.mH)

# %% inverses
# leaf x complex128 3,3
# leaf y complex128 3,2
r1 = torch.linalg.inv(x)
r2 = torch.linalg.solve(x, y)
r3 = torch.linalg.solve(x, y.mT, left=False)
r4 = torch.linalg.solve_triangular(x, y, upper=True)
r5 = torch.linalg.solve_triangular(x, y, upper=False, unitriangular=True)
r6 = torch.linalg.pinv(y)
r7 = torch.linalg.solve(x, y[:, 0])

# %% powers
# leaf x complex128 3,3
r1 = torch.linalg.matrix_power(x, 3)
r2 = torch.linalg.matrix_power(x, -2)
r3 = torch.linalg.matrix_power(x, 0)
r4 = torch.linalg.matrix_exp(x)

# %% determinants
# leaf x complex128 2,3,3
r1 = torch.linalg.det(x)
r2, r3 = torch.linalg.slogdet(x)
r4 = torch.logdet(x)

# %% the determinant of what is singular
# leaf x complex128 3
r1 = torch.linalg.det(torch.stack([x, x, x]))

# %% positive definite matrices
# leaf x complex128 3,3
a = x @ x.mH + torch.eye(3)
r1 = torch.linalg.cholesky(a)
r2 = torch.linalg.cholesky(a, upper=True)
r3, r4 = torch.linalg.cholesky_ex(a)
r5 = torch.cholesky_inverse(r1)
r6 = torch.cholesky_solve(x, r1)

# %% singular values
# leaf x complex128 4,3
# leaf y float64 2,3,4
r1 = torch.linalg.svdvals(x)
r2 = torch.linalg.matrix_rank(x)
r3 = torch.linalg.matrix_norm(x, "nuc")
r4 = torch.linalg.matrix_norm(y, 2)
r5 = torch.linalg.norm(y, -2, dim=(0, 2), keepdim=True)
r6 = torch.norm(x, p="nuc")
r7 = torch.linalg.matrix_norm(x, 1)
r8 = torch.linalg.norm(x)
r9 = torch.linalg.cond(x)

# %% pseudo-inverses of symmetric matrices
# leaf x float64 3,3
# leaf y complex128 3,3
r1 = torch.linalg.pinv(x + x.mT, hermitian=True)
r2 = torch.linalg.pinv(y + y.mH, hermitian=True)

# %% of what is not Hermitian the lower triangle counts
# leaf y complex128 3,3
# leaf x complex128 3,3
r1 = torch.linalg.pinv(y, hermitian=True)
r2 = torch.linalg.matrix_sqrth((x @ x.mH).tril() + (y.triu(1)))

# %% a tolerance for each matrix
# leaf x float64 1,3,2
# leaf y complex128 3,2
t = torch.tensor([0.1, 0.9], dtype=torch.float64)
r1 = torch.linalg.pinv(x, t)
r2 = torch.linalg.pinv(y, rtol=t)
r3 = torch.linalg.pinv(x, atol=torch.tensor(0.2, dtype=torch.float64))

# %% a complex tolerance
# leaf y complex128 3,2
r1 = torch.linalg.pinv(y, torch.tensor([1j]))

# %% complex factors lie by columns
# leaf y complex128 3,2
r1 = torch.linalg.lu_factor(y)[0].stride()
r2 = torch.linalg.lstsq(y.detach(), y.detach()).singular_values

# %% a complex leaf that was turned in place
# leaf y complex64 3,2
r1 = y * 1j
with torch.no_grad():
    y.unsqueeze_(0)

# %% no gradient by a tolerance
# leaf x float64 3,3
# leaf y float64
r1 = torch.linalg.pinv(x, rtol=y)

# %% reflections
# leaf x float64 4,3
# leaf y float64 2
# leaf z float64 0
r1 = torch.linalg.householder_product(x, y)
r2 = torch.linalg.householder_product(x, z)
r3 = torch.linalg.householder_product(x.detach(), z).requires_grad

# %% reflections are needed unedited
# leaf y float64 2
x = torch.ones(4, 3, dtype=torch.float64)
r1 = torch.linalg.householder_product(x, y)
x.add_(0)

# %% complex reflections
# leaf x complex128 4,3
# leaf y complex128 2
r1 = torch.linalg.householder_product(x, y)

# %% orthogonal and triangular factors
# leaf x complex128 2,4,3
# leaf y complex128 3,3
# leaf z complex64 2,4
q1, r1 = torch.linalg.qr(x)
q2, r2 = torch.linalg.qr(y)
q3, r3 = torch.linalg.qr(z)
q4, r4 = torch.linalg.qr(x.detach(), mode="complete")
r5 = torch.linalg.qr(x.detach(), mode="r")[1]
r7 = q1.stride(), r1.stride()

# %% singular vectors, whatever their phase
# leaf x complex128 2,4,3
# leaf y complex128 3,3
# leaf z complex64 2,4
u1, s1, v1 = torch.linalg.svd(x, full_matrices=False)
r1 = (u1 * s1[..., None, :] ** 2) @ v1
u2, s2, v2 = torch.linalg.svd(y)
r2 = (u2 * s2.exp()) @ v2
u3, s3, v3 = torch.svd(z)
r3 = (u3 * s3**3) @ v3.mH
r4 = u3.abs() + u3.abs() ** 2
r5 = v1[..., :, 0].abs()
u6, s6, v6 = torch.linalg.svd(x.detach())
r6 = u6 @ u6.mH
r7 = s2
r8 = u1.stride(), v1.stride(), v3.stride()

# %% eigenvectors, whatever their phase
# leaf x complex128 2,4,4
# leaf y complex64 3,3
for x_, uplo in ((x, "L"), (y + y.mH, "U")):
    values, vectors = torch.linalg.eigh(x_, UPLO=uplo)
    if uplo == "L":
        r1 = (vectors * values.exp()[..., None, :]) @ vectors.mH
        r2 = vectors.abs()
    else:
        r3 = (vectors * values**2) @ vectors.mH
        r4 = values
        r5 = vectors.stride()

# %% factors of what is no matrix
# leaf x complex64 3
r1 = []
for call in (torch.linalg.svd, torch.linalg.qr, torch.linalg.eigh, lambda z: torch.linalg.qr(z, "x")):
    try:
        call(x)
    except RuntimeError as error:
        r1.append(str(error))

# %% reflections lie by columns
x = torch.ones(2, 3, 2)
r1 = torch.linalg.householder_product(x, torch.ones(2, 1)).stride()
r2 = torch.linalg.householder_product(x[..., :0], torch.ones(2, 0)).stride()
r3 = torch.orgqr(x[0].cfloat(), torch.ones(2).cfloat()).stride()

# %% what is told of a factor is no view
a = torch.zeros(1, 1, 0, 0, dtype=torch.complex128)
r1 = torch.linalg.cholesky_ex(a)[1].detach_()
r2 = torch.linalg.inv_ex(a)[1].detach_()

# %% the gradient of an inverse by its factor keeps its digits
# leaf x float32 3,3
L = torch.linalg.cholesky(x @ x.T * 1e-3 + torch.eye(3))
r0 = L.cholesky_inverse()
r1 = (r0 * torch.tensor([[1.0, 1e5, 3e4], [-1e5, 1.0, 2e3], [-3e4, -2e3, 1.0]])).sum()
