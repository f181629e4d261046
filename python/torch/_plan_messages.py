"""What messages of errors tell of the inputs that a model was called with, as patterns."""

import re

UNPACKED = re.compile(r"(?:not enough|too many) values to unpack \(expected (\d+)")
DIMS = re.compile(r"expected (\d+) dims\. Received (\d+)-dim")
CONV_DIMS = re.compile(
    r"Expected (?:\d)D \(unbatched\) or (\d)D \(batched\) input to conv\w*, but got input of size: \[([\d, ]*)\]"
)
CHANNELS = re.compile(
    r"weight of size \[[\d, ]*\], expected input\[([\d, ]*)\] to have (\d+) channels"
)
PRODUCT = re.compile(r"shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)")
NORMALIZED = re.compile(
    r"expected input with shape \[\*, (?:\d+, )*(\d+)\], but got input of size\s*\[([\d, ]*)\]"
)
EXPECTED_LAST = re.compile(
    r"(?:input_size\. Expected (\d+), got (\d+)|embedding dimension of (\d+), but got (\d+))"
)
RUNNING = re.compile(r"running_mean should contain (\d+) elements not (\d+)")
PERMUTED = re.compile(r"input\.dim\(\) = (\d+) is not equal to len\(dims\) = (\d+)")
MEETING = re.compile(
    r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)|sizes (\d+) and (\d+) meet at axis"
    r"|has size (\d+) for operand \d+ which does not broadcast with previously seen size (\d+)"
)
# What comparing it gives is a bool.
OF_NONE = re.compile(r"NoneType|'bool' object|must be Tensor, not (bool|int|float)")
# A number, where a tensor is wanted.
OF_NUMBER = re.compile(
    r"expected Tensor as element \d+ in argument \d+, but got (int|float)|must be Tensor, not (int|float)"
)
TRUTH = re.compile(r"Boolean value of Tensor with more than one value")
RESHAPED = re.compile(r"shape '\[([\d, ]+)\]' is invalid for input of size (\d+)")
SHAPES = re.compile(r"of shapes \[([\d, ]*)\] and \[([\d, ]*)\]")
AT_AXIS_1 = re.compile(r"at (axis|non-singleton dimension) 1\b")
TOO_SMALL = re.compile(
    r"[Kk]ernel size can't be greater|Output size is too small|more than 1 spatial element|Expected size \d+ but got size \d+"
)
DIVISION = re.compile(r"can't divide axis of length (\d+) in chunks of (\d+)")
NO_MATRIX = re.compile(r"must be a matrix, got (\d)-D")
INDICES = re.compile(
    r"indices.*(?:Long|Int)|embedding.*(?:Long|Int)|Expected dtype int\S* for index|index tensor|used as indices",
    re.DOTALL,
)

AXIS = re.compile(r"Dimension out of range \(expected to be in range of .*but got (\d+)\)")
WANTS_FLOATS = re.compile(
    r"same dtype.*(Long|Int)\b.*Float|expected.*Float.*(Long|Int)\b|same dtype.*Float.*(Long|Int)\b",
    re.DOTALL,
)

BATCHED = re.compile(r"batch[12] must be a 3D tensor")

TARGET_OF_SAMPLE = re.compile(
    r"0D or 1D target tensor expected|input batch_size \(\d+\) to match target batch_size"
)
TARGET_OF_WHOLE = re.compile(r"expected target dtype to be Long|expected scalar type Long")
BESIDE = re.compile(
    r"Sizes of tensors must match except in dimension 1\. Expected size (\d+) but got size (\d+)"
)
ONE_HOT = re.compile(r"one_hot is only applicable to index tensor")
TARGET_BEYOND = re.compile(r"Target \d+ is out of bounds")
