"""Any closed set of an upstream artefact: found by the name that it is exported under, or by members and use.

    from driftgate.finders.find import find_sets
    from driftgate.finders.model import Finder

    find_sets({"permission_modes": Finder(export="PermissionMode")}, artefacts)

How a set is found (`model`) is data and loads nothing; finding it (`find`) loads the parsers.
"""
