"""A model's name is known by its function alone: nothing is looked up here."""


def register_model(fn):
    return fn
