from tests.anchors.conftest import _no_proxy, make_options, options, registry, waits

__all__ = ["_no_proxy", "make_options", "options", "registry", "waits"]
