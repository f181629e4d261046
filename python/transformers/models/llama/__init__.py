"""Layers of LLaMA."""
