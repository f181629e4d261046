"""Layers of models that files build theirs of; the models themselves are not here."""
