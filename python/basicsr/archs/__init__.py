"""Networks; only the parts of them."""
