"""VGG networks (Simonyan and Zisserman 2014, arXiv 1409.1556)."""

from torch import nn

from ._weights import without_weights

# Stages of 3×3 convolutions, of these widths, by the letters of the paper's table 1; a pool ends each.
_STAGES = {
    "A": ([64], [128], [256] * 2, [512] * 2, [512] * 2),
    "B": ([64] * 2, [128] * 2, [256] * 2, [512] * 2, [512] * 2),
    "D": ([64] * 2, [128] * 2, [256] * 3, [512] * 3, [512] * 3),
    "E": ([64] * 2, [128] * 2, [256] * 4, [512] * 4, [512] * 4),
}


class VGG(nn.Module):
    """[batch, 3, height, width] to [batch, num_classes]."""

    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096),
            nn.ReLU(True),
            nn.Dropout(dropout),
            nn.Linear(4096, 4096),
            nn.ReLU(True),
            nn.Dropout(dropout),
            nn.Linear(4096, num_classes),
        )
        if init_weights:
            self.apply(_initialise)

    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)).flatten(1))


def _initialise(m):
    if isinstance(m, nn.Conv2d):
        nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
    elif isinstance(m, nn.BatchNorm2d):
        nn.init.ones_(m.weight)
    elif isinstance(m, nn.Linear):
        nn.init.normal_(m.weight, 0, 0.01)
    if getattr(m, "bias", None) is not None:
        nn.init.zeros_(m.bias)


def _features(letter, batch_norm):
    layers, width = [], 3
    for stage in _STAGES[letter]:
        for planes in stage:
            layers.append(nn.Conv2d(width, planes, 3, padding=1))
            if batch_norm:
                layers.append(nn.BatchNorm2d(planes))
            layers.append(nn.ReLU(inplace=True))
            width = planes
        layers.append(nn.MaxPool2d(2, 2))
    return nn.Sequential(*layers)


def _vgg(name, letter, batch_norm=False):
    """The function that makes a VGG of that depth."""

    def make(pretrained=False, progress=True, *, weights=None, **options):
        without_weights(name, weights, pretrained)
        if weights is not None or pretrained:
            options["init_weights"] = False
        return VGG(_features(letter, batch_norm), **options)

    make.__name__ = make.__qualname__ = name
    return make


vgg11 = _vgg("vgg11", "A")
vgg11_bn = _vgg("vgg11_bn", "A", batch_norm=True)
vgg13 = _vgg("vgg13", "B")
vgg13_bn = _vgg("vgg13_bn", "B", batch_norm=True)
vgg16 = _vgg("vgg16", "D")
vgg16_bn = _vgg("vgg16_bn", "D", batch_norm=True)
vgg19 = _vgg("vgg19", "E")
vgg19_bn = _vgg("vgg19_bn", "E", batch_norm=True)
