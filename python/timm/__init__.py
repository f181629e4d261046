"""The layers of timm that vision transformers are written with; its own models are not here."""

__version__ = "1.0.29"
