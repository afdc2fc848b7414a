"""The contract as an observed surface: upstream carries every field that it reads."""

from dataclasses import replace

from driftgate.classifier.contract import CONTRACT
from driftgate.classifier.surfaces import surface_from


def observed_contract(version="2.1.296"):
    fields = {
        row: {name: replace(rule, carried=True) for name, rule in rules.items()}
        for row, rules in CONTRACT.fields.items()
    }
    return replace(surface_from(replace(CONTRACT, fields=fields), "upstream"), version=version)
