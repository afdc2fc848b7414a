"""Upstream's JavaScript: cut out of bytes, parsed in small slices, evaluated as far as schemas need it."""
