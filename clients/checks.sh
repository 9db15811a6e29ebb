# What the checks of the clients share; sourced, not run. `engine` and `name` are set by the check.
passed=0 failed=0
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
export LC_ALL=C.UTF-8

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); printf 'FAILED: %s\n' "$1" >&2; }
check() { local what=$1; shift; if "$@"; then pass; else fail "$what"; fi; }
shows() { grep -qF -- "$1" "$scratch/output"; }
hides() { ! grep -qF -- "$1" "$scratch/output"; }

# Runs a client with these lines as its input, bounded in time. Leaves what it said in $scratch/output.
gives() { # STATUS LINE ... -- COMMAND ...
  local wanted=$1 lines=() status=0; shift
  while [ "$1" != -- ]; do lines+=("$1"); shift; done; shift
  printf '%s\n' "${lines[@]}" | timeout -k 2 30 "$@" >"$scratch/output" 2>&1 || status=$?
  [ $status -eq "$wanted" ] || { printf 'status %s instead of %s:\n' $status "$wanted" >&2; tail -n 12 "$scratch/output" >&2; return 1; }
}

# No id of a flow, and no state, stands in the text of a client.
is_ignorant() { # FILE ...
  local words
  words=$(jq -r '.. | objects | .id // empty' "$here/../protocol/flows/standard.json" "$here/other-flow.json" | sort -u | paste -sd '|') || return 1
  ! grep -nE "[\"'](${words})[\"']|requestPending|requestFailed|requestSucceeded|unvalidated|validated" "$@"
}

finish() {
  printf '%s passed, %s failed\n' $passed $failed
  [ $failed -eq 0 ] && [ $passed -gt 0 ]
}
