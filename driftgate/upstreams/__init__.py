"""The upstreams that driftgate knows: their packages, which sets each of them states, how each set is found. Data.

A new upstream is a row of `catalogue`, and no more.
"""
