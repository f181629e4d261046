from . import boxes, misc, stochastic_depth as _stochastic_depth  # noqa: F401
from .boxes import (  # noqa: F401
    box_area,
    box_convert,
    box_iou,
    clip_boxes_to_image,
    generalized_box_iou,
)
from .misc import (  # noqa: F401
    MLP,
    Conv2dNormActivation,
    Conv3dNormActivation,
    FrozenBatchNorm2d,
    Permute,
    SqueezeExcitation,
)
from .stochastic_depth import StochasticDepth, stochastic_depth  # noqa: F401
