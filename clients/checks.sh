# Shared code of the clients' checks; sourced, not run. `engine` and `name` are set by the check.
passed=0 failed=0
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
export LC_ALL=C.UTF-8

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); printf 'FAILED: %s\n' "$1" >&2; }
check() { local what=$1; shift; if "$@"; then pass; else fail "$what"; fi; }
shows() { grep -qF -- "$1" "$scratch/output"; }
shows_line() { grep -qxF -- "$1" "$scratch/output"; }
hides() { ! grep -qF -- "$1" "$scratch/output"; }

# Runs a client with these lines as its input, bounded in time. Leaves its output in $scratch/output.
gives() { # STATUS LINE ... -- COMMAND ...
  local wanted=$1 lines=() status=0; shift
  while [ "$1" != -- ]; do lines+=("$1"); shift; done; shift
  printf '%s\n' "${lines[@]}" | timeout -k 2 120 "$@" >"$scratch/output" 2>&1 || status=$?
  [ $status -eq "$wanted" ] || { printf 'status %s instead of %s:\n' $status "$wanted" >&2; tail -n 12 "$scratch/output" >&2; return 1; }
}

# The other flow once more, with alerts where it has messages in the form.
alerting=$scratch/alerting.json
jq '.flow = "meldung" | .validation = "onSubmit" | .invalid = "alert" | .failure = "alert"
    | .strings.de += {x1: "Verstanden", x2: "So geht das nicht", x3: "Fehlgeschlagen", x4: "Nachricht"}
    | .screens[].alert = {dismiss: {id: "gut", title: "x1", role: "destructive"}, invalid: "x2", failure: "x3", notice: "x4"}' \
  "$here/other-flow.json" >"$alerting" || exit 1

# The other flow once more, with terminal control sequences in every text: ESC, BEL, the CSI of eight bits, and an override of the direction.
commanding=$scratch/commanding.json
jq '.flow = "befehl" | .strings |= map_values(map_values("\u001b[31m\u0007\u009b1m\u202e" + .))' "$here/other-flow.json" >"$commanding" || exit 1
# Whether none of that is in the output.
commands_nothing() { ! LC_ALL=C grep -qP '[\x1b\x07]|\xc2\x9b|\xe2\x80\xae' "$scratch/output"; }

# A flow with more options than a snapshot shows.
countries=$here/../protocol/transcripts/flows/countries.json
# A flow that starts over after success.
kiosk=$here/../protocol/transcripts/flows/kiosk.json

# An authenticator that accepts every login, after two messages.
talking=$scratch/talking
cat >"$talking" <<'END'
#!/bin/bash
while read -r line; do
  jq -cn --argjson it "$line" 'select($it.method == "authenticator/submit") | $it.params.attempt as $attempt
    | ("Erstens.\nMit Zusatz.", "Zweitens." | {jsonrpc: "2.0", method: "authenticator/notify",
        params: {$attempt, alert: {title: "Nachricht", messages: (split("\n") | map({code: "said", text: .}))}}}),
      {jsonrpc: "2.0", method: "authenticator/notify", params: {$attempt, message: {code: "soon", text: "Gleich."}}},
      (if $it.method == "authenticator/submit" then {jsonrpc: "2.0", id: $it.id, result: {outcome: "accepted", principal: "ada"}}
       else empty end)'
done
END
chmod +x "$talking"

# Succeeds if no id of a flow and no state occurs in a client's source, except ids that are also words of the protocol.
is_ignorant() { # FILE ...
  local words
  words=$(jq -r '.. | objects | .id // empty' "$here"/../protocol/flows/*.json "$here/other-flow.json" | sort -u |
    grep -vxE 'alert|code|data|dismiss|error|item|message|notice|screen|text|title|value' | paste -sd '|') || return 1
  ! grep -nE "[\"'](${words})[\"']|requestPending|requestFailed|requestSucceeded|unvalidated|validated" "$@"
}

# Runs a program that prints `N passed, N failed` at its end, and adds these counts.
sums() { # WHAT COMMAND ...
  "${@:2}" | tee "$scratch/sums" | sed '$d'
  if [[ $(tail -n 1 "$scratch/sums") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
  else
    fail "$1"
  fi
}

finish() {
  printf '%s passed, %s failed\n' $passed $failed
  [ $failed -eq 0 ] && [ $passed -gt 0 ]
}
