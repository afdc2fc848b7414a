"""The use cases: observe a surface, check the declared constants, refresh the snapshot, compare any two things.

Everything is put together here and nothing is printed: a use case returns a value that a report renders.
"""
