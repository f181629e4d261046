"""Trained weights are not here: models have the values that they are made with."""

from normscope_boot.assumptions import assume


def without_weights(name, weights, pretrained):
    """Tells of a model that was asked for with trained weights."""
    if weights is not None or pretrained:
        assume(f"torchvision's trained weights of '{name}' are not here: it has initial values")
