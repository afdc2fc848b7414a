"""Any closed set of an upstream artefact: found by the name that it is exported under, or by members and use.

    from driftgate.extraction.finders.search import find_sets
    from driftgate.upstreams.finder import Finder

    find_sets({"permission_modes": Finder(export="PermissionMode")}, artefacts)

How a set is found is data and loads nothing; finding it (`search`) loads the parsers.
"""
