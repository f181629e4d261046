# %% a spectrum that is conjugated later is squeezed and edited
# leaf x float64 1
r0 = torch.fft.ifft(x)
r0.squeeze_()
r0.exp_()

# %% a spectrum that is conjugated later is turned and edited
# leaf x float64 2,3
r0 = torch.fft.ifft(x)
r0.t_()
r0.mul_(2)

# %% a spectrum that is conjugated later is squeezed unseen
# leaf x float64 1
r0 = torch.fft.ifft(x)
with torch.no_grad():
    r0.squeeze_()
r0 = r0 * 2

# %% half a spectrum is squeezed and edited
# leaf x float64 1
r0 = torch.fft.ihfft(x)
r0.squeeze_()
r0.exp_()

# %% a conjugate is turned and edited
# leaf x complex64 2,3
y = x * 2
r0 = y.conj()
r0.t_()
r0.mul_(2)

# %% a conjugate is turned and read
# leaf x complex64 2,3
y = x * 2
r0 = y.conj()
r0.t_()
r1 = r0 * 2

# %% a square conjugate is turned and edited
# leaf x complex64 3,3
y = x * 2
r0 = y.conj()
r0.t_()
r0.mul_(2)

# %% a conjugate grows an axis
# leaf x complex64 3
y = x * 2
r0 = y.conj()
r0.unsqueeze_(0)
r0.mul_(2)

# %% a conjugate is turned unseen
# leaf x complex64 2,3
y = x * 2
r0 = y.conj()
with torch.no_grad():
    r0.t_()
r1 = r0 * 2

# %% imaginary parts are turned
# leaf x complex64 2,3
y = x * 2
r0 = y.imag
r0.t_()
r0.mul_(2)

# %% pairs grow an axis
# leaf x complex64 2,3
y = x * 2
r0 = torch.view_as_real(y)
r0.unsqueeze_(2)
r0.mul_(2)

# %% pairs are turned
# leaf x complex64 2,3
y = x * 2
r0 = torch.view_as_real(y)
r0.transpose_(0, 1)
r0.mul_(2)

# %% complex numbers made of pairs are turned
# leaf x float32 2,3,2
y = x * 2
r0 = torch.view_as_complex(y)
r0.transpose_(0, 1)
r0.mul_(2)

# %% the base of a turned conjugate is edited
# leaf x complex64 2,3
y = x * 2
r0 = y.conj()
r0.t_()
y.mul_(2)
r1 = r0 * 3

# %% the base of turned real parts is edited
# leaf x complex64 2,3
y = x * 2
r0 = y.real
r0.t_()
y.mul_(2)
r1 = r0 * 3

# %% the base of a turned slice is edited
# leaf x float32 2,3
y = x * 2
r0 = y[:]
r0.t_()
y.mul_(2)
r1 = r0 * 3

# %% real parts are turned unseen
# leaf x complex64 2,3
y = x * 2
r0 = y.real
with torch.no_grad():
    r0.t_()
r1 = r0 * 3

# %% a row of turned real parts
# leaf x complex64 2,3
y = x * 2
r0 = y.real
r0.t_()
r0[0].mul_(2)

# %% a row of turned real parts is read after an edit
# leaf x complex64 2,3
y = x * 2
r0 = y.real
r0.t_()
r1 = r0[0]
y.mul_(2)
r2 = r1 * 2

# %% turned twice unseen
# leaf x float32 2,3
y = x * 2
with torch.no_grad():
    y.t_()
    y.t_()
r1 = y * 3

# %% turned unseen and seen
# leaf x float32 2,3
y = x * 2
with torch.no_grad():
    y.t_()
y.t_()
r1 = y * 3

# %% turned unseen in two ways
# leaf x float32 3,3
y = x * 2
with torch.no_grad():
    y.t_()
    y.unsqueeze_(0)
r1 = y * 3

# %% axes that come and go unseen
# leaf x float32 2,3
y = x * 2
with torch.no_grad():
    y.unsqueeze_(0)
    y.transpose_(0, 1)
r1 = y * 3

# %% turned seen and unseen
# leaf x float32 2,3
y = x * 2
y.t_()
with torch.no_grad():
    y.t_()
r1 = y * 3

# %% a used parameter is turned there and back
# leaf x float32 2,3
r0 = x * 2
with torch.no_grad():
    x.t_()
    x.t_()
r1 = x * 3

# %% a used parameter grows an axis and loses it
# leaf x float32 2,3
r0 = x * 2
with torch.no_grad():
    x.unsqueeze_(0)
    x.squeeze_()
r1 = x * 3

# %% a conjugate is turned there and back and edited
# leaf x complex64 2,3
y = x * 2
r0 = y.conj()
r0.t_()
r0.t_()
r0.mul_(2)

# %% a conjugate is turned there and back unseen
# leaf x complex64 2,3
y = x * 2
r0 = y.conj()
with torch.no_grad():
    r0.t_()
    r0.t_()
r1 = r0 * 2

# %% a conjugate is turned unseen and back
# leaf x complex64 2,3
y = x * 2
r0 = y.conj()
with torch.no_grad():
    r0.t_()
r0.t_()
r1 = r0 * 2

# %% a parameter is turned whose conjugate was taken
# leaf x complex64 2,3
r0 = x.conj()
r1 = x * 2
with torch.no_grad():
    x.t_()
r2 = r0 * 2

# %% the conjugate of a turned parameter
# leaf x complex64 2,3
with torch.no_grad():
    x.t_()
r1 = x.conj() * 3

# %% the turned conjugate of a turned parameter
# leaf x complex64 2,3
with torch.no_grad():
    x.t_()
r1 = x.conj()
r1.t_()

# %% an edit of what was turned unseen
# leaf x float32 3,3
y = x * 2
with torch.no_grad():
    y.t_()
y.mul_(3)
r1 = y * 2

# %% an edit of a row of what was turned unseen
# leaf x float32 3,3
y = x * 2
with torch.no_grad():
    y.t_()
y[0].mul_(3)
r1 = y * 2

# %% edits of a turned conjugate
# leaf x complex64 3,3
y = x * 2
r0 = y.conj()
r0.t_()
r0[0].mul_(2)
r0.mul_(3)
r1 = y

# %% a row of what was turned unseen is overwritten
# leaf x float32 3,3
# leaf z float32 3
y = x * 2
with torch.no_grad():
    y.t_()
y[1] = z
r1 = y * 2

# %% edits between turns unseen
# leaf x float32 3,3
# leaf z float32 3
y = x * 2
with torch.no_grad():
    y.t_()
y.mul_(z)
with torch.no_grad():
    y.t_()
y.mul_(z)
r1 = y * 2

# %% pairs grow an axis after complex numbers were made of them
# leaf x float32 3,2
r1 = torch.view_as_complex(x)
with torch.no_grad():
    x.unsqueeze_(0)

# %% computed pairs grow an axis after complex numbers were made of them
# leaf x float32 3,2
y = x * 2
r1 = torch.view_as_complex(y)
y.unsqueeze_(0)
r2 = y

# %% complex numbers grow an axis after pairs were made of them
# leaf x complex64 3,2
y = x * 2
r1 = torch.view_as_real(y)
y.unsqueeze_(0)
r2 = y

# %% a tensor is squeezed after its conjugate was taken
# leaf x complex64 1,3
y = x * 2
r1 = y.conj()
with torch.no_grad():
    y.squeeze_()

# %% a tensor is turned unseen after its conjugate was taken
# leaf x complex64 3,3
y = x * 2
r1 = y.conj()
with torch.no_grad():
    y.t_()

# %% a tensor is turned after its conjugate was taken
# leaf x complex64 3,3
y = x * 2
r1 = y.conj()
y.t_()

# %% pairs are turned after complex numbers were made of them
# leaf x float32 3,2
y = x * 2
r1 = torch.view_as_complex(y)
y.t_()

# %% a window written into a copy with gaps
# leaf x float32 4,6
y = x[:, ::2].detach()
r1 = torch.as_strided_scatter(y, torch.ones(2, 2), (2, 2), (1, 2))
r1.mul_(2)
r2 = r1.stride()

# %% gradients of a window written into a copy with gaps
# leaf x float32 4,6
# leaf z float32 2,2
y = x[:, ::2].detach()
r1 = torch.as_strided_scatter(y, z, (2, 2), (1, 2))
r2 = r1.exp()

# %% an edit of a copy with a window written
# leaf x float32 4,6
# leaf z float32 2,2
r1 = torch.as_strided_scatter(x, z, (2, 2), (1, 2))
r1.mul_(3)

# %% a window beyond the rows of what has gaps
# leaf z float32 2,2
y = torch.arange(24.).reshape(4, 6)[:, ::2]
r1 = torch.as_strided_scatter(y, z, (2, 2), (1, 2), 20)
with torch.no_grad():
    r1.copy_(r1.clone())

# %% a row replaced in a copy with gaps is edited
# leaf x float32 4,6
# leaf z float32 3
y = x[:, ::2]
r1 = torch.select_scatter(y, z, 0, 1)
r1.mul_(2)

# %% a row that requires a gradient replaced in a copy with gaps
# leaf z float32 3
y = torch.arange(24.).reshape(4, 6)[:, ::2]
r1 = torch.select_scatter(y, z, 0, 1)
r1.mul_(2)

# %% a diagonal replaced in a copy with gaps
# leaf z float32 3
y = torch.arange(24.).reshape(4, 6)[:, ::2]
r1 = torch.diagonal_scatter(y, z)
r1[0] = 3
r1.unsqueeze_(0)
r1.mul_(2)

# %% a copy with gaps is detached
# leaf x float32 4,6
y = torch.arange(4.)
r1 = torch.select_scatter(x[:, ::2], y[:3], 0, 1)
r1.detach_()

# %% rows replaced in a copy with gaps
# leaf z float32 3
y = torch.arange(24.).reshape(4, 6)[:, ::2]
r1 = torch.slice_scatter(y, z.expand(1, 3), 0, 1, 2)
with torch.no_grad():
    r1.zero_()
r1.add_(z)

# %% numbers that were put are edited
# leaf x float64 3,3
z = torch.ones(3, dtype=torch.float64)
r1 = torch.put(x * 1, torch.tensor([0, 4, 2]), z, False)
z.zero_()

# %% numbers with a gradient that were put are edited
# leaf x float64 3,3
# leaf z float64 3
w = z * 2
r1 = torch.put(x * 1, torch.tensor([0, 4, 2]), w, False)
w.zero_()

# %% a row is edited after its median
# leaf x float32 1,2
r1 = x[0].quantile(0.5, dim=0)
with torch.no_grad():
    x.zero_()

# %% a line is turned after its median
# leaf x float32 2
r1 = x.quantile(0.5)
with torch.no_grad():
    x.unsqueeze_(0)

# %% one number is edited after its nearest
# leaf x float32 1
r1 = x.quantile(0.5, interpolation="nearest")
with torch.no_grad():
    x.zero_()

# %% one number is edited after its median
# leaf x float32 1
r1 = x.quantile(0.5, interpolation="linear")
with torch.no_grad():
    x.zero_()

# %% a row is edited after the lowest of columns
# leaf x float32 1,3
r1 = x.nanquantile(0.5, dim=0, interpolation="lower")
with torch.no_grad():
    x.zero_()

# %% the weight of a bilinear map is edited
# leaf x float32 5,3,4
r1 = F.bilinear(torch.ones(2, 3), torch.ones(2, 4), x, None)
with torch.no_grad():
    x.zero_()

# %% an input of a bilinear map is edited
# leaf x float32 2,3
y = torch.ones(2, 4)
r1 = F.bilinear(x, y, torch.ones(5, 3, 4), None)
with torch.no_grad():
    x.zero_()

# %% the other input of a bilinear map is edited
# leaf x float32 2,3
y = torch.ones(2, 4)
r1 = F.bilinear(x, y, torch.ones(5, 3, 4), None)
y.zero_()

# %% a least-squares solution is detached
# leaf x float32 3,2
y = torch.tensor([[1., 2.], [3., 1.], [0., 2.]])
r0, r1, r2, r3 = torch.linalg.lstsq(y, x, driver="gelss")
r0.detach_()

# %% what recurrent modules give batches first is no view, of an LSTM it is
# leaf x float32 3,2,3
r0 = []
for M in (torch.nn.GRU, torch.nn.RNN, torch.nn.LSTM):
    out = M(3, 2, batch_first=True)(x)[0]
    r0 += [out.stride(), out * 2]
    try:
        out.detach_()
    except RuntimeError as error:
        r0 += [str(error)]
