"""Made-up arguments of forward: how each is made, and the text of that."""

import re

from ._call import call

TARGETS = ("targets", "target", "labels", "label", "y")
_PLACES = re.compile(r"(^|_)(pos|positions?|time_?steps?|times?|steps?|segments?|types?)(_ids?)?$")


class Rule:
    """One argument of forward, how it is made, and the text of that."""

    def __init__(self, name, shape, below=None, keyword=False, dtype=None, value=None):
        self.name = name
        self.shape = shape
        self.below = below
        self.keyword = keyword
        self.dtype = dtype
        self.value = value
        # What forward calls it.
        self.parameter = name

    @property
    def is_tokens(self):
        """Whether they are ids of shape [batch, length]."""
        return self.below is not None and len(self.shape or ()) == 2

    @property
    def is_text(self):
        """Whether the ids are no places, steps or kinds of what stands beside them."""
        return self.is_tokens and not _PLACES.search(self.name)

    @property
    def is_target(self):
        return self.name in TARGETS

    @property
    def told(self):
        """How the numbers are made, for the report."""
        return self.text

    @property
    def lines(self):
        """The lines that make them."""
        return [f"{self.name} = {self.text}"]

    @property
    def text(self):
        if self.shape is None:
            return repr(self.value)
        size = f"({', '.join(map(str, self.shape))}{',' if len(self.shape) == 1 else ''})"
        suffix = (
            f", dtype=torch.{self.dtype}" if self.dtype not in (None, "int64", "float32") else ""
        )
        if self.below is not None:
            return f"torch.randint(0, {self.below}, {size}{suffix})"
        if self.value is not None:
            return f"torch.full({size}, {self.value!r})"
        return f"torch.randn{size}" if not suffix else f"torch.randn({size}{suffix})"

    def make(self):
        from ._dtypes import BY_NAME

        if self.shape is None:
            return self.value
        options = (
            {"dtype": BY_NAME[self.dtype]} if self.dtype not in (None, "int64", "float32") else {}
        )
        if self.below is not None:
            return call("randint", (0, self.below, self.shape), options)
        if self.value is not None:
            return call("full", (self.shape, self.value), {})
        return call("randn", (self.shape,), options)


class LayerRule(Rule):
    """A layer that gives what it takes."""

    @property
    def text(self):
        return "torch.nn.Identity()"

    def make(self):
        from .nn import Identity

        return Identity()


class SharesRule(Rule):
    """Numbers from 0 to 1."""

    @property
    def text(self):
        return f"torch.rand({self.shape})"

    def make(self):
        return call("rand", (self.shape,), {})


class CausalRule(Rule):
    """A mask under which each place sees those before it, and itself."""

    @property
    def text(self):
        return f"torch.ones({self.shape}, dtype=torch.bool).tril()"

    def make(self):
        return call("full", (self.shape, True), {}).tril()


class PaddedRule(Rule):
    """Images [batch, channels, height, width] in a class of the user's, with a mask that is true where they are padded."""

    def __init__(self, name, shape, cls, keyword=False):
        super().__init__(name, shape, None, keyword)
        self.cls = cls

    @property
    def parts(self):
        sides = (self.shape[0], *self.shape[2:])
        return [Rule("tensors", self.shape), Rule("mask", sides, value=False)]

    @property
    def text(self):
        inner = ", ".join(f"{it.name}={it.text}" for it in self.parts)
        return f"{self.cls.__name__}({inner})"

    def make(self):
        return self.cls(**{it.name: it.make() for it in self.parts})


class GivenRule(Rule):
    """An argument that an example makes; `name` is what the example calls it."""

    def __init__(self, name, parameter, value, vocabulary, told):
        is_whole = not value.is_floating_point() and not value.is_complex()
        super().__init__(name, tuple(value.shape), vocabulary if is_whole else None)
        self.parameter = parameter
        self._told = told

    @property
    def told(self):
        return self._told


class ListRule(Rule):
    """A list of tensors: `shape` is that of the first, images get half as large from one to the next.

    `widths` are the channels of each where they are not those of the first.
    """

    def __init__(self, name, shape, count, below=None, keyword=False, value=None, widths=()):
        super().__init__(name, shape, below, keyword, value=value)
        self.count = count
        self.widths = widths

    @property
    def is_tokens(self):
        return False

    def changed(self, shape=None, count=None, below=None):
        """The same with another size, or of another length."""
        return ListRule(
            self.name,
            shape or self.shape,
            count or self.count,
            below or self.below,
            self.keyword,
            self.value,
            self.widths if shape is None else (),
        )

    @property
    def items(self):
        return [
            Rule(self.name, self._shape(at), self.below, value=self.value)
            for at in range(self.count)
        ]

    def _shape(self, at):
        shape = list(self.shape)
        # Masks of images have no channels.
        sides = len(shape) - 2 if len(shape) == 4 or self.value is not None else 0
        if sides and len(shape) > 2:
            shape[-2:] = [max(1, side >> at) for side in shape[-2:]]
        if at < len(self.widths):
            shape[1 if len(shape) == 4 else -1] = self.widths[at]
        return tuple(shape)

    @property
    def text(self):
        items = self.items
        if self.count > 1 and all(it.shape == items[0].shape for it in items):
            return f"[{items[0].text} for _ in range({self.count})]"
        return f"[{', '.join(it.text for it in items)}]"

    def make(self):
        return [it.make() for it in self.items]


class DictRule(Rule):
    """A dict of tensors; `items` are the rules of its values, by the names of its keys."""

    def __init__(self, name, items, keyword=False):
        super().__init__(name, None, None, keyword)
        self.items = items

    @property
    def leaves(self):
        """The rules of what it holds, in dicts of it too."""
        return [leaf for it in self.items for leaf in leaves_of(it)]

    def changed(self, instead):
        """The same with other rules for what it holds, by their names."""
        items = [
            it.changed(instead) if isinstance(it, DictRule) else instead.get(it.name) or it
            for it in self.items
        ]
        return type(self)(self.name, items, self.keyword)

    @property
    def text(self):
        return f"{{{', '.join(f'{it.name!r}: {it.text}' for it in self.items)}}}"

    def make(self):
        return {it.name: it.make() for it in self.items}


def leaves_of(rule):
    return rule.leaves if isinstance(rule, DictRule) else [rule]


class TupleRule(DictRule):
    """A tuple of tensors, of which each has its own name in forward."""

    @property
    def text(self):
        return f"({', '.join(it.text for it in self.items)})"

    def make(self):
        return tuple(it.make() for it in self.items)


class ObjectRule(DictRule):
    """An object whose attributes are tensors, or dicts of them."""

    @property
    def text(self):
        return f'type("Batch", (), {super().text})()'

    def make(self):
        return type("Batch", (), super().make())()
