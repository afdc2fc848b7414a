"""How long an example takes says nothing on a busy machine, so Hypothesis sets it no deadline here.

Of documents of every kind many are rejected, and a property of what loads has to pass over those.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
settings.load_profile("patient")
