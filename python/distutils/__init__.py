"""What files import of a package that Python itself no longer has."""
