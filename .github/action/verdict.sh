#!/usr/bin/env bash
# The last word of the job, and its colour. EXIT, FINDINGS: outputs of run.sh.
set -euo pipefail
case ${EXIT:-3} in
  0) echo "driftgate: agrees" ;;
  1)
    echo "::error title=driftgate: drift::what is declared here is not what upstream has ($FINDINGS findings)"
    exit 1
    ;;
  2)
    echo "::error title=driftgate: usage error::driftgate was called or configured wrongly; see the log"
    exit 2
    ;;
  *)
    echo "::error title=driftgate: blind::driftgate could not look, or could not be sure of what it saw; see the log"
    exit 3
    ;;
esac
