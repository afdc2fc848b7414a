#!/usr/bin/env bash
# Runs one command of driftgate in the workspace, and says what came of it as outputs and in the job's summary.
#
# INSTALLED: the outcome of the installation. COMMAND, AGAINST, FILES, FORMAT, FAIL_ON, FOLDER: the inputs of the action.
# Ends with 0 whatever the verdict is: `verdict.sh`, a step of its own, is what turns the job red.
set -euo pipefail
venv=$RUNNER_TEMP/driftgate/venv
python=$venv/bin/python
if [ -d "$venv/Scripts" ]; then python=$venv/Scripts/python; fi # Windows
log=$RUNNER_TEMP/driftgate/log.txt
json=$RUNNER_TEMP/driftgate/report.json
markdown=$RUNNER_TEMP/driftgate/report.md
export DRIFTGATE_CACHE=${DRIFTGATE_CACHE:-$RUNNER_TEMP/driftgate/cache} # what the action may keep from run to run
mkdir -p "$RUNNER_TEMP/driftgate"
: >"$log"
rm -f "$json" "$markdown"

# Whatever happens below, the outputs are set; the words are ours, never an input's.
code=3 findings=0
finish() {
  local verdict=blind report=$log drift=false blind=false
  case $code in 0) verdict=agrees ;; 1) verdict=drift drift=true ;; 2) verdict="usage error" ;; *) code=3 blind=true ;; esac
  if [ -f "$json" ]; then report=$json; fi
  printf 'verdict=%s\nexit=%s\ndrift=%s\nblind=%s\nfindings=%s\nreport=%s\n' \
    "$verdict" "$code" "$drift" "$blind" "$findings" "$report" >>"$GITHUB_OUTPUT"
}
trap finish EXIT
give_up() { # CODE WHAT
  printf '%s\n' "$2" | tee "$log" >&2
  rm -f "$json" "$markdown"
  code=$1 findings=0
  exit 0
}

if [ "$INSTALLED" != success ]; then give_up 3 "driftgate could not be installed"; fi
cd -- "$FOLDER" || give_up 2 "the input 'working-directory' is not a folder"

# Python never looks for its modules in the workspace (-I): what is checked out must not be able to speak for driftgate.
driftgate() { "$python" -I -m driftgate "$@"; }

# How many findings a report of ours has. Anything else than one that says what the process said is no report: what
# ends with 0 and leaves nothing of the kind has not looked.
count='
import json, os, sys
path, command, code = sys.argv[1:]
try:
    report = json.load(open(path, encoding="utf-8"))
    if (report["command"], report["exit"]) != (command, int(code)):
        sys.exit("its report is of %s, exit %s" % (report["command"], report["exit"]))
    if command == "check":
        found = {finding["fingerprint"] for finding in report["findings"]}
        outside = any(os.path.isabs(mirror["source"]) for mirror in report["mirrors"])
        print("none" if outside or not report["mirrors"] else len(found))
    else:
        print(sum(len(file["rejections"]) + len(file["dropped"]) for file in report["files"]))
except (OSError, ValueError, LookupError, TypeError, AttributeError) as problem:
    sys.exit("no report that can be read: " + repr(problem))
'

arguments=()
case $COMMAND in
  check)
    # Without targets the check is the offline one, also where the project's configuration names some.
    read -r -d '' -a targets <<<"${AGAINST:-snapshot}" || true
    for target in "${targets[@]}"; do arguments+=("--against=$target"); done
    if [ -n "$FORMAT" ]; then arguments+=("--format=$FORMAT"); fi
    if [ -n "$FAIL_ON" ]; then arguments+=("--fail-on=$FAIL_ON"); fi
    arguments+=("--output=json:$json" "--output=markdown:$markdown")
    ;;
  classify)
    arguments+=(--)
    while IFS= read -r file; do
      if [ -n "$file" ]; then arguments+=("$file"); fi
    done <<<"$FILES"
    ;;
  refresh) ;;
  *)
    echo "::error title=driftgate: usage error::the input 'command' is none of check, classify, refresh"
    give_up 2 "the input 'command' is none of check, classify, refresh"
    ;;
esac
set +e
driftgate "$COMMAND" "${arguments[@]}" 2>&1 | tee "$log"
code=${PIPESTATUS[0]}
if [ "$COMMAND" = classify ] && [ "$code" -le 1 ]; then
  driftgate classify --format=json "${arguments[@]}" >"$json" 2>/dev/null
fi
set -e
if [ "$COMMAND" != refresh ] && [ "$code" -le 1 ]; then
  problem=$RUNNER_TEMP/driftgate/problem.txt
  if ! findings=$("$python" -I -c "$count" "$json" "$COMMAND" "$code" 2>"$problem"); then
    give_up 3 "driftgate ended with $code and left no report of that: $(cat "$problem")"
  fi
  # A configuration outside of the workspace is not the one of what is checked out.
  if [ "$findings" = none ]; then
    give_up 2 "no driftgate configuration in the workspace; was the repository checked out?"
  fi
elif [ "$COMMAND" = check ] && [ -f "$json" ]; then
  findings=$("$python" -I -c "$count" "$json" "$COMMAND" "$code" 2>/dev/null) || findings=0
  if [ "$findings" = none ]; then findings=0; fi
fi
# The summary is the markdown report; without one, what was printed, indented so that it stays a code block.
if [ -f "$markdown" ]; then
  cat "$markdown" >>"$GITHUB_STEP_SUMMARY"
else
  { printf '## driftgate\n\n'; sed 's/^/    /' "$log"; } >>"$GITHUB_STEP_SUMMARY"
fi
