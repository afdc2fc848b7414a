"""The contract and the classifier: what this package declares, and what becomes of a document by it."""
