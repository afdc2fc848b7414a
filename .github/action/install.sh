#!/usr/bin/env bash
# Installs driftgate into an environment of its own: what is locked here, with hashes, and driftgate itself.
#
# SOURCE: the folder of driftgate's source. VERSION: a released version to install instead of it; empty: SOURCE.
# Python is always started isolated (-I): the repository that is checked out must not be where it finds its modules.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
venv=$RUNNER_TEMP/driftgate/venv

if [ -z "${VERSION:-}" ]; then
  what=$SOURCE
elif [[ "$VERSION" =~ ^[0-9][0-9A-Za-z.+!-]*$ ]]; then
  what=driftgate==$VERSION
else
  echo "::error title=driftgate: usage error::the input 'version' is not a version"
  exit 2
fi
python=
for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
  if "$name" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python=$name
    break
  fi
done
if [ -z "$python" ]; then
  echo "::error title=driftgate: blind::no Python 3.11 or later on this runner; add actions/setup-python before this step"
  exit 3
fi
mkdir -p "$RUNNER_TEMP/driftgate"
cd "$RUNNER_TEMP/driftgate" # never in the repository that is checked out
"$python" -I -m venv "$venv"
bin=$venv/bin
if [ -d "$venv/Scripts" ]; then bin=$venv/Scripts; fi # Windows
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_RETRIES=8
"$bin/python" -I -m pip install --quiet --require-hashes --only-binary :all: --requirement "$here/requirements.txt"
# Built with what is locked above; nothing else is fetched for it.
"$bin/python" -I -m pip install --quiet --no-deps --no-build-isolation "$what"
"$bin/python" -I -m pip check
