"""Any closed set of an upstream artefact: found by the name that it is exported under, or by members and use.

    from driftgate.extraction.finders.search import find_sets
    from driftgate.extraction.finders.finder import Finder

    find_sets({"permission_modes": Finder(export="PermissionMode")}, artefacts)

How a set is found (`model`) is data and loads nothing; finding it (`find`) loads the parsers.
"""
