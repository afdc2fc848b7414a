"""How long an example takes says nothing on a busy machine, so Hypothesis sets it no deadline here."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
