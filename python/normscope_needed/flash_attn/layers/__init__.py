"""Layers beside the attention."""
