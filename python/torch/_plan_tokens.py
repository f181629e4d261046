"""Inputs from a file of tokens: windows of it, picked by the seed."""

from ._call import call
from ._host import host
from ._plan_arguments import PlanError
from ._plan_rules import Rule
from ._tensor import wrap


class TokenData:
    """The ids of a file, which the host reads where they are asked for."""

    def __init__(self, request):
        self.file = request["file"]
        self.tokenizer = request["tokenizer"]
        self.kind, count = host.open_tokens().split(" ")
        self.count = int(count)

    @property
    def name(self):
        return self.file.rpartition("/")[2].rpartition("\\")[2]

    @property
    def imports(self):
        if self.kind == "tokenizer":
            return ["from tokenizers import Tokenizer"]
        return ["import numpy"] if self.kind in ("uint16", "array") else []

    @property
    def text(self):
        """The ids as PyTorch would read them."""
        if self.kind == "uint16":
            return f"torch.from_numpy(numpy.fromfile({self.file!r}, dtype='<u2').astype('int64'))"
        if self.kind == "array":
            return f"torch.from_numpy(numpy.load({self.file!r}).astype('int64')).flatten()"
        if self.kind == "tokenizer":
            text = f"open({self.file!r}, encoding='utf-8').read()"
            encoded = (
                f"Tokenizer.from_file({self.tokenizer!r}).encode({text}, add_special_tokens=False)"
            )
            return f"torch.tensor({encoded}.ids)"
        return f"torch.frombuffer(bytearray(open({self.file!r}, 'rb').read()), dtype=torch.uint8).long()"

    @property
    def unit(self):
        return {"bytes": "bytes", "tokenizer": "tokens"}.get(self.kind, "ids")


class WindowRule(Rule):
    """As many windows as the batch has rows; targets are those of `inputs`, one token later."""

    def __init__(self, name, shape, below, keyword, data, inputs=None):
        super().__init__(name, tuple(shape), below, keyword)
        self.data = data
        self.inputs = inputs
        self.starts = None

    @property
    def told(self):
        rows, length = self.shape
        if self.inputs is not None:
            return f"as {self.inputs.name}, one token later"
        return (
            f"{rows} windows of {length} {self.data.unit} of {self.data.name}, picked by the seed"
        )

    @property
    def lines(self):
        rows, length = self.shape
        window = (
            f"data[i : i + {length}]" if self.inputs is None else f"data[i + 1 : i + {length + 1}]"
        )
        stacked = f"{self.name} = torch.stack([{window} for i in starts])"
        if self.inputs is not None:
            return [stacked]
        return [f"starts = torch.randint(0, len(data) - {length}, ({rows},))", stacked]

    def make(self):
        rows, length = self.shape
        if self.inputs is None:
            self._check_length(length)
            self.starts = call("randint", (0, self.data.count - length, (rows,)), {}).tolist()
            starts = self.starts
        else:
            starts = [start + 1 for start in self.inputs.starts]
        return wrap(host.token_windows(",".join(map(str, starts)), length, self.below or 0))

    def _check_length(self, length):
        if self.data.count > length:
            return
        raise PlanError(
            "data/too-short",
            f"The tokens '{self.data.file}' have {self.data.count} {self.data.unit}; "
            f"more than the {length} of a window are needed",
            f"Give more of them, or a shorter input: --input '{self.name}=int64[4,{max(self.data.count // 2, 1)}]'",
        )


def window_rules(rules, data):
    """The rules with windows in place of made-up tokens; None where no rule makes tokens."""
    found = []
    latest = None
    for rule in rules:
        if not rule.is_tokens:
            found.append(rule)
            continue
        is_target = rule.is_target and latest is not None and latest.shape == rule.shape
        made = WindowRule(
            rule.name, rule.shape, rule.below, rule.keyword, data, latest if is_target else None
        )
        if not is_target:
            latest = made
        found.append(made)
    return None if latest is None else found


def no_input(cls):
    return PlanError(
        "data/no-input",
        f"'{cls.__name__}' takes no tokens of shape [batch, length]",
        "--tokens is for models that embed token ids",
        cls.forward,
    )
