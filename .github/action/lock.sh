#!/usr/bin/env bash
# Writes requirements.txt again: what the action installs, for every system and Python from 3.11 on, with hashes.
# Needs uv (`pip install uv`). Run it after a change of the dependencies in pyproject.toml; a test says when.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
{
  echo "# Written by .github/action/lock.sh; what the action installs, and what driftgate is built with."
  echo hatchling | uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
    --no-header --no-annotate pyproject.toml -
} >.github/action/requirements.txt
