"""Layers of T5."""
