"""The upstreams that driftgate knows: which sets each of them states, and how each set is found. Data, and one reader.

A new upstream is a row of `rows.UPSTREAMS` and, for one on npm, a row of `anchors.catalogue`.
"""
