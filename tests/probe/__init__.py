"""The real client as a witness: fetched by npm, run without network, home or login, given documents, and read.

driftgate itself runs nothing from upstream; these tests do, on request (`-m client`, `python -m tests.probe`). What the
client said is recorded in `tests/data/`, so that the plain tests hold driftgate to it without the client.
"""
