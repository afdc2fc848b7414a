#!/usr/bin/env bash
# Files or updates one issue per drift. EXIT, REPORT: outputs of run.sh. RUN_URL: the run to link to. GH_TOKEN, GH_REPO.
set -euo pipefail
venv=$RUNNER_TEMP/driftgate/venv
python=$venv/bin/python
if [ -d "$venv/Scripts" ]; then python=$venv/Scripts/python; fi # Windows
"$python" -I -m driftgate issues --exit-code="$EXIT" --run-url="$RUN_URL" -- "$REPORT"
