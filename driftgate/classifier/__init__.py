"""The parts of the classifier, from a field's value up to an entry; `driftgate.hooks_config` puts them together."""
