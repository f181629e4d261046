"""Registries of OpenMMLab's models, and what the models themselves import."""
