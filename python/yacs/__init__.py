"""YACS: settings as attributes."""
