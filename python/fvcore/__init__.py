"""fvcore: the registry, settings and initialisations that models are written with."""
