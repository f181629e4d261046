"""What a tensor's numbers are to Python: computed at once where only the graph knows them."""

from . import _mapped, _meta
from ._host import host, site


class Numbers:
    """Part of Tensor."""

    # What of it torch.vmap maps over, and whether it was made by a call that vmap saw.
    _mapped = 0
    _is_seen = False

    def item(self):
        if self.numel() != 1:
            raise RuntimeError(
                f"a Tensor with {self.numel()} elements cannot be converted to Scalar"
            )
        return self._numbers("item")[0]

    def _only_number(self, what):
        """The number of a tensor of one element; `what` is the type of C++ that it has to fit."""
        if self.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        number = self.item()
        if not isinstance(number, complex):
            return number
        if number.imag != 0:
            raise RuntimeError(f"value cannot be converted to type {what} without overflow")
        return number.real

    def _numbers(self, why):
        """All elements, row-major, as Python numbers: computed at once where only the graph knows them."""
        _meta.refuse_numbers(self, why)
        _mapped.refuse_numbers(self, why)
        return self._parsed(host.numbers(self._id, site(), why))

    def _parsed(self, text):
        dtype = self.dtype
        items = text.split(",") if text else []
        if dtype.is_complex:
            flat = list(map(float, items))
            return [complex(re, im) for re, im in zip(flat[::2], flat[1::2])]
        if dtype.name == "bool":
            return [item == "1" for item in items]
        return list(map(float if dtype.is_floating_point else int, items))

    def tolist(self):
        flat = self._numbers("tolist")
        return _nested(flat, self.shape)

    def numbers_to_show(self, edge=None):
        """Flat and nested, for a text: nothing is decided by them.

        Of axes longer than twice `edge`, only so many at either end. The parts of a complex
        number are an axis too.
        """
        longest = max((2, *self.shape)) if edge is None else 2 * edge
        flat = self._parsed(host.numbers_to_show(self._id, longest))
        return flat, _nested(flat, [min(size, longest) for size in self.shape])

    def __bool__(self):
        if self.numel() != 1:
            if self.numel() == 0:
                raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self._numbers("bool")[0])

    def __int__(self):
        return int(self._only_number("int64_t"))

    def __float__(self):
        return float(self._only_number("double"))

    def __complex__(self):
        if self.dtype.is_complex and self.numel() == 1:
            return self.item()
        return complex(self._only_number("complex"))

    def __index__(self):
        if self.dtype.is_floating_point or self.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __format__(self, spec):
        if self.dim() == 0:
            return format(self.numbers_to_show()[1], spec)
        return object.__format__(repr(self), spec) if spec else repr(self)

    def __repr__(self):
        from ._printing import tensor_text

        return tensor_text(self)

    def __getattr__(self, name):
        from ._unsupported import missing_attribute

        raise missing_attribute(self, name)

    def numpy(self, *, force=False):
        from numpy._array import to_numpy

        if _meta.is_marked(self):
            raise TypeError(
                "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to "
                "host memory first."
            )
        return to_numpy(self, force)

    def __array__(self, dtype=None):
        from numpy._array import to_numpy

        return to_numpy(self, False)


def _nested(flat, shape):
    if not shape:
        return flat[0]
    if len(shape) == 1:
        return flat
    step = len(flat) // shape[0] if shape[0] else 0
    return [_nested(flat[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]
