"""Transforms of torchvision within a model, and a pipeline of data beside it that nothing calls."""
import numpy as np
import torch
import torchvision
from torch import nn
from torchvision import transforms
from torchvision.transforms import functional as TF
from torchvision.transforms import InterpolationMode

# Values within the package are its own affair.
GOLDEN = ("parameters", "modules")

unused = transforms.Compose(
    [transforms.RandomResizedCrop(8), transforms.ColorJitter(0.4, 0.4), transforms.RandomHorizontalFlip(), transforms.ToTensor()]
)


def data():
    return torchvision.datasets.MNIST("nowhere", transform=unused)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.prepared = transforms.Compose(
            [
                transforms.Resize((12, 10)),
                transforms.CenterCrop(8),
                transforms.RandomHorizontalFlip(p=0.5),
                transforms.RandomVerticalFlip(p=0.5),
                transforms.RandomCrop(6, padding=1),
                transforms.Normalize((0.5, 0.4, 0.3), (0.2, 0.3, 0.4)),
                transforms.Lambda(lambda x: x * 2),
            ]
        )
        self.resize = transforms.Resize(7, interpolation=InterpolationMode.BICUBIC, max_size=9)
        self.normalize = transforms.Normalize(mean=[0.1], std=[0.7])
        self.gray = transforms.Grayscale()
        self.pad = transforms.Pad((1, 2), padding_mode="reflect")
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        y = self.conv(self.prepared(x)).mean()
        z = self.pad(self.normalize(self.gray(self.resize(x)))).pow(2).mean()
        larger = TF.center_crop(x, (20, 9)).sum() + TF.resize(x[0], 5, antialias=False).sum()
        picture = (np.arange(60).reshape(4, 5, 3) * 4).astype(np.uint8)
        made = TF.convert_image_dtype(transforms.ToTensor()(picture), torch.uint8).float().mean()
        nearest = TF.resize(x, [5, 4], InterpolationMode.NEAREST).sum()
        return y + z + larger + made + nearest


def build():
    return Model()


def step(model):
    x = torch.linspace(-2, 2, 2 * 3 * 16 * 14).sin().view(2, 3, 16, 14).requires_grad_()
    return model(x)


# Tables of a file's own have all of its names.
of_pictures = (InterpolationMode.BOX, InterpolationMode.HAMMING, InterpolationMode.LANCZOS)
