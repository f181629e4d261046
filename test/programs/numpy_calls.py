"""numpy: calls that few model files use."""

# %% calls 1
import numpy as np


def listed(v):
    if isinstance(v, (tuple, list)):
        return [listed(one) for one in v]
    return v.tolist() if hasattr(v, 'tolist') else str(v)


r1 = listed(np.nanmax(np.array([1.0, np.nan, 3.0])))
r2 = listed(np.nanmin(np.array([[1.0, np.nan], [3.0, 0.5]]), axis=0))
r3 = listed(np.nanstd(np.array([1.0, np.nan, 3.0])))
r4 = listed(np.polyval([1, 2, 3], np.arange(3.0)))
r5 = listed(np.mgrid[0:2, 0:3])
r6 = listed(np.ogrid[0:2, 0:3][0])
r7 = listed(np.outer(np.arange(3), np.arange(2)))
r8 = listed(np.linalg.svd(np.diag([3.0, 2.0]), compute_uv=False))
r9 = listed(np.linalg.matrix_rank(np.eye(3)))
r10 = listed(np.roll(np.arange(5), 2))
r11 = listed(np.pad(np.arange(3), 1, mode="edge"))
r12 = listed(np.sinc(np.array([0.0, 0.5])))
r13 = listed(np.arctan2(1.0, 2.0))
r14 = listed(np.hypot(3.0, 4.0))

# %% calls 2
import numpy as np


def listed(v):
    if isinstance(v, (tuple, list)):
        return [listed(one) for one in v]
    return v.tolist() if hasattr(v, 'tolist') else str(v)


r1 = listed(np.maximum(np.arange(3), 1))
r2 = listed(np.minimum.reduce(np.array([[3, 1], [2, 5]])))
r3 = listed(np.maximum.accumulate(np.array([1, 3, 2])))
r4 = listed(np.add.reduce(np.arange(4)))
r5 = listed(np.multiply.outer(np.arange(3), np.arange(2)))
r6 = listed(np.logical_or.reduce([[True, False], [False, False]]))
r7 = listed(np.correlate([1, 2, 3], [0, 1, 0.5]))
r8 = listed(np.gradient(np.array([1.0, 4.0, 9.0])))
r9 = listed(np.trapezoid([1, 2, 3]))
r10 = listed(np.fft.fft(np.arange(4.0)).real)
r11 = listed(np.abs(np.fft.rfft(np.arange(4.0))))
r12 = listed(np.fft.fftfreq(4))
r13 = listed(np.fft.fftshift(np.arange(4)))
r14 = listed(np.choose([0, 1], [[1, 2], [3, 4]]))

# %% calls 3
import numpy as np


def listed(v):
    if isinstance(v, (tuple, list)):
        return [listed(one) for one in v]
    return v.tolist() if hasattr(v, 'tolist') else str(v)


r1 = listed(np.select([np.array([True, False])], [np.array([1, 2])], default=9))
r2 = listed(np.fromfunction(lambda i, j: i + j, (2, 2)))
r3 = listed(np.lexsort((np.array([1, 0]), np.array([1, 1]))))
r4 = listed(np.partition(np.array([3, 1, 2]), 1)[1])
r5 = listed(np.argpartition(np.array([3.0, 1.0, 2.0]), 1)[1])
r6 = listed(np.setdiff1d([1, 2, 3], [2]))
r7 = listed(np.intersect1d([1, 2, 3], [2, 3]))
r8 = listed(np.union1d([1, 2], [2, 3]))
r9 = listed(np.cov(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]])))
r10 = listed(np.corrcoef(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])))
r11 = listed(np.unravel_index(5, (2, 3)))
r12 = listed(np.ravel_multi_index((1, 2), (2, 3)))
r13 = listed(np.ix_([0, 1], [1, 2])[0].shape)
r14 = listed(np.r_[1:4, 0])

# %% calls 4
import numpy as np


def listed(v):
    if isinstance(v, (tuple, list)):
        return [listed(one) for one in v]
    return v.tolist() if hasattr(v, 'tolist') else str(v)


r1 = listed(np.c_[np.arange(2), np.arange(2)])
r2 = listed(np.s_[1:3])
r3 = listed(np.delete(np.arange(4), 1))
r4 = listed(np.insert(np.arange(3), 1, 9))
r5 = listed(np.resize(np.arange(3), (2, 2)))
r6 = listed(np.real(np.array([1 + 2j])))
r7 = listed(np.lcm(4, 6))
r8 = listed(np.gcd(12, 18))
r9 = listed(np.heaviside([-1.0, 0.0, 2.0], 0.5))
r10 = listed(np.array2string(np.arange(3)))
r11 = listed(np.block([[np.eye(1), np.zeros((1, 1))], [np.ones((1, 2))]]))
r12 = listed(np.nanpercentile(np.array([1.0, np.nan, 3.0]), 50))
r13 = listed(np.nanmedian(np.array([1.0, np.nan, 3.0])))
r14 = listed(np.nanvar(np.array([1.0, np.nan, 3.0])))

# %% calls 5
import numpy as np


def listed(v):
    if isinstance(v, (tuple, list)):
        return [listed(one) for one in v]
    return v.tolist() if hasattr(v, 'tolist') else str(v)


r1 = listed(np.nanargmax(np.array([1.0, np.nan, 3.0])))
r2 = listed(np.cbrt(27.0))
r3 = listed(np.fix(-1.5))
r4 = listed(np.copysign(1.0, -2.0))
r5 = listed(np.iterable([1]))
r6 = listed(np.poly1d([1, 2])(3))
r7 = listed(np.polyder([1, 2, 3]))
r8 = listed(np.vander([1, 2, 3], 3))
r9 = listed(np.kaiser(4, 5.0).round(6))
r10 = listed(np.unwrap([0.0, 6.0]))
r11 = listed(np.ediff1d([1, 4, 9]))
r12 = listed(np.i0(1.0))
r13 = listed(np.extract(np.array([True, False]), np.array([1, 2])))
r14 = listed(np.compress([True, False], np.array([1, 2])))

# %% calls 6
import numpy as np


def listed(v):
    if isinstance(v, (tuple, list)):
        return [listed(one) for one in v]
    return v.tolist() if hasattr(v, 'tolist') else str(v)


r1 = listed(np.histogram2d(np.arange(4.0), np.arange(4.0), bins=2)[0])
r2 = listed(np.linalg.lstsq(np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]]), np.array([1.0, 2.0, 3.0]), rcond=None)[0])
r3 = listed(np.linalg.matrix_power(np.array([[1, 1], [0, 1]]), 3))
r4 = listed(np.linalg.multi_dot([np.eye(2), np.ones((2, 2)), np.eye(2)]))
r5 = listed(np.linalg.cond(np.diag([1.0, 2.0])))
r6 = listed(np.nanmax(np.array([[1.0, np.nan], [np.nan, np.nan]]), axis=1))
r7 = listed(np.nansum(np.array([1.0, np.nan])))
r8 = listed(np.nanquantile(np.array([[1.0, np.nan, 2.0], [3.0, 4.0, 5.0]]), 0.5, axis=1))
r9 = listed(np.polyfit(np.arange(5.0), np.array([1.0, 3.0, 2.0, 5.0, 4.0]), 1))
r10 = listed(np.mgrid[0:1:3j])
r11 = listed(np.insert(np.arange(6).reshape(2, 3), 1, 9, axis=1))
r12 = listed(np.insert(np.arange(3), [0, 2], [7, 8]))
r13 = listed(np.delete(np.arange(6).reshape(2, 3), [0, 2], axis=1))
r14 = listed(np.pad(np.arange(4.0).reshape(2, 2), 1, mode='reflect'))

# %% calls 7
import numpy as np


def listed(v):
    if isinstance(v, (tuple, list)):
        return [listed(one) for one in v]
    return v.tolist() if hasattr(v, 'tolist') else str(v)


r1 = listed(np.gradient(np.array([[1.0, 4.0], [9.0, 16.0]]), axis=0))
r2 = listed(np.fft.ifft2(np.fft.fft2(np.eye(2))).real)
r3 = listed(np.poly1d([1, 2]).deriv()(3))
r4 = listed(np.logical_and.reduce(np.array([[True, False], [True, True]])))
r5 = listed(np.add.accumulate(np.arange(4)))
r6 = listed(np.minimum(3.0, np.arange(5)))
r7 = listed(np.roll(np.eye(3), 1, axis=0))

# %% arrays and tensors together
import numpy as np

a, x = np.ones(3), torch.ones(3)
r1 = []
for operation in ("a += x", "a -= x", "a *= x", "a *= torch.nn.Parameter(x)"):
    try:
        exec(operation)
    except Exception as e:
        r1.append(type(e).__name__ + ": " + str(e))
a /= x + 1
r2 = a.tolist()
x *= np.full(3, 2.0, dtype=np.float32)
r3 = x
r4 = x * a
r5 = np.float64(2) * x

# %% single numbers keep their types
import numpy as np

n = [np.float32(1.5) * 2, np.int64(7) // 2, np.int32(7) / 2, -np.float32(2), np.int64(3) + 0.5]
n += [np.float64(2) ** 3, 2 * np.float32(3), abs(np.int32(-4)), np.float32(1) + np.float64(2), np.int8(3) + 4]
r1 = [type(x).__name__ for x in n]
r2 = [x.item() for x in n]
r3 = np.float64(2.3456).round(2).item()
r4 = {np.int64(3): 1}[3]
r5 = [1, 2, 3][np.int64(1) + 1]
r6 = list(range(np.int64(2) * 2))
r7 = (np.mean([1, 2]) * 2).item()
