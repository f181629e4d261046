"""labml: what models call to have their numbers followed, which a run does not do."""
