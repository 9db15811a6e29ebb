#!/usr/bin/env bash
# A view for login-engine in bash and jq. It draws whatever screen it is given and knows nothing about logging in.
# Usage: login.sh [-f FLOW] [-l LOCALE] [ENGINE [ARGUMENT ...]]
# Without ENGINE: $LOGIN_ENGINE, else login-engine from PATH. Without LOCALE: the environment's.
# Exit status: 0 if a scene was shown last, 1 if the engine failed or the person left before.
set -uo pipefail
flow='' locale=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}
locale=${locale%%[.@]*} locale=${locale//_/-}
[[ $locale =~ ^[A-Za-z]{2,8}(-[A-Za-z0-9]+)*$ && $locale != POSIX ]] || locale=
while getopts f:l: option; do case $option in f) flow=$OPTARG ;; l) locale=$OPTARG ;; *) exit 2 ;; esac; done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- "${LOGIN_ENGINE:-login-engine}"
clean='gsub("[[:cntrl:]\u202a-\u202e\u2066-\u2069]"; " ")' # characters that could control the terminal or reorder a line
session=shell snapshot=null begun= waits=

die() { printf 'login.sh: %s\n' "$1" >&2; exit 1; }

# The input of `filter` is standard input, so that a secret is never an argument that `ps` shows.
send() { # METHOD FILTER [JQ-ARGUMENT ...]: the filter gives the params besides the session
  waits=yes
  jq -Rsc --arg method "$1" --arg session "$session" "${@:3}" \
    '{jsonrpc: "2.0", id: $method, method: $method, params: ({session: $session} + '"$2"')}' >&"$to" 2>/dev/null
}

# Reads a line from the engine: an update, or the response to the last request, before which its updates come. Fails if none comes in time.
receive() { # [SECONDS]
  local line status=0 fields shown=null problem= method= id=
  IFS= read -r -u "$from" ${1:+-t "$1"} line || status=$?
  begun+=$line; [ $status -le 128 ] || return 1 # the rest of the line is still to come
  [ $status -eq 0 ] || die 'the engine has stopped'
  fields=$(jq -r '(.params // .result // {}) as $it | @sh "shown=\($it.snapshot | tojson) options=\($it.options // null | tojson)
    method=\(.method // "" | tostring) id=\(.id // "" | tostring) problem=\(.error.message // $it.reason // "" | '"$clean"')"' <<<"$begun" 2>/dev/null) ||
    die 'the engine wrote a line that is not JSON'
  eval "$fields"; begun=
  [ -n "$method" ] || waits=
  [ "$shown" = null ] || snapshot=$shown
  [ -n "$problem" ] || return 0
  case $id in session/edit | session/press) printf '(%s)\n' "$problem" ;; *) die "$problem" ;; esac
}

await() { while [ -n "$waits" ]; do receive; done; } # the response

# The choices, numbered in this order; during an alert only its actions.
choosable='(has("role") or (.kind | IN("input", "selection", "switch")) and (.readOnly | not))'
elements='(if .alert then .alert.actions elif .scene then [.actions[] | select(.enabled)] else [.sections[].items[] | select('$choosable')] + .actions end)'

draw() {
  jq -r '(.retryAt // {} | (.at // 0) / 1000 - now | if . > 0 then " \(ceil) s" else "" end) as $left |
    def named: (.title // "") + if .required then " *" else "" end; def heading: if .title then "\(named): " else "" end;
    def look:
      if .kind == "switch" then "[\(if .value then "x" elif .value == false then " " else "-" end)] \(named)"
      elif .kind == "selection" then heading + (.value as $value | first(.options[] | select(.id == $value).title) // "–")
      elif .role == "link" then "-> \(.title)"
      elif .role then if .enabled then "[ \(.title) ]" else "( \(.title) )" + $left end
      elif .kind == "link" then heading + .url
      elif .kind | IN("external", "code") then heading + (.text // "")
      elif .kind != "input" then .title // ""
      elif has("filled") then heading + if .filled then "********" else "" end
      elif (.value // "") == "" then heading + "(\(.placeholder // if .inputType == "date" then "YYYY-MM-DD" elif .value then "" else "–" end))"
      else heading + .value end;
    # Texts to print, and elements, which get numbers.
    def parts:
      if .alert then .alert | (.title // empty), (.text | split("\n")[]) | "alert: \(.)"
      else .sections[] | (.title // empty | "-- \(.)"), .items[] end;
    "", if .scene then "== scene: \(.scene.id)", (.scene | (.principal // empty | "principal: \(.)"), (.data // empty | "data: \(tojson)")), ([.actions[] | select(.enabled)] | to_entries[] | "\(.key + 1). \(.value | look)") else
      "== \(.title)",
      foreach (parts, (.alert // .).actions[]) as $part (0;
        if $part | type == "object" and '"$choosable"' then . + 1 else . end;
        . as $number | $part | if type == "string" then . else
          if '"$choosable"' then "\($number). " else "" end + look, (.messages // [] | .[] | "   ! \(.text)") end),
      (.notice // empty | "notice: \(.text)"), (.error // empty | "error: \(.text)"),
      (if .activity then "working ..." else empty end)
    end | '"$clean" <<<"$snapshot"
}

is() { jq -e "$1" <<<"$snapshot" >/dev/null; }

# Hides the input in a terminal. `read -s` would not turn the echo off again after a shell has stopped and continued the view.
# While `stty` runs, Ctrl-Z has to stop bash as well: otherwise bash would wait for the stopped `stty`.
hide() { trap - TSTP; trap hide CONT; stty -echo; trap suspend TSTP; printf 'value (not shown): ' >&2; }
# Handles Ctrl-Z: turns the echo on for the shell, and prints the prompt again when the view continues.
suspend() { trap - CONT TSTP; stty echo; kill -TSTP $$; hide; } # stops in `kill`, if a shell can continue it

# Edits, switches or presses the element with this number.
choose() { # LINE
  local it='' value=
  [[ ! $1 =~ ^[1-9][0-9]{0,3}$ ]] || it=$(jq -c "$elements[$1 - 1] // empty" <<<"$snapshot")
  [ -n "$it" ] || { jq -r "\"(Type one number from 1 to \($elements | length), or q to quit.)\"" <<<"$snapshot"; return; }
  case $(jq -r '.role // .kind, (if has("filled") and .inputType != "oneTimeCode" then "hidden" else "" end)' <<<"$it") in
    input?hidden)
      [ -z "$terminal" ] || hide
      # Ctrl-Z stops the engine too, and its SIGCHLD can keep `read` from running the trap. So each `read` is short.
      until IFS= read -r ${terminal:+-t 0.2} value; do [ $? -gt 128 ] || exit 1; done
      [ -z "$terminal" ] || { trap - CONT TSTP; stty echo; }; echo ;;
    input*) IFS= read -r -p 'value: ' value || exit 1 ;;
    selection*)
      if jq -e .optionCount <<<"$it" >/dev/null; then # the snapshot has only the chosen option
        send session/options '{item: $it}' --arg it "$(jq -r .id <<<"$it")" </dev/null
        await
        it=$(jq -c '.[0] + {options: .[1]}' <<<"[$it,$options]")
      fi
      jq -r '.options | to_entries[] | "   \(.key + 1) \(.value.title | '"$clean"')"' <<<"$it"
      read -r -p 'number (0 for none): ' value || exit 1
      jq -e --arg n "$value" '($n | test("^[0-9]+$")) and ($n | tonumber) <= (.options | length)' <<<"$it" >/dev/null ||
        { echo '(Type one number from the list, or 0 for none.)'; return; }
      it=$(jq -c --arg n "$value" '{id, kind, choice: [null, .options[].id][$n | tonumber]}' <<<"$it") ;;
  esac
  send "$(jq -r 'if .role then "session/press" else "session/edit" end' <<<"$it")" \
    'if $it.role then {action: $it.id} else {item: $it.id, value: (if $it.kind == "input" then .
      elif $it.kind == "selection" then $it.choice else $it.value | not end)} end' \
    --argjson it "$it" < <(printf %s "$value")
}

command -v jq >/dev/null || die 'jq is needed'; command -v -- "$1" >/dev/null || die "there is no engine at $1"
# The engine starts only once its pipes are duplicated: bash forgets those of a coprocess that has ended.
coproc ENGINE { read -r _ && exec "$@"; }
exec {from}<&"${ENGINE[0]}" {to}>&"${ENGINE[1]}"
eval "exec ${ENGINE[0]}<&- ${ENGINE[1]}>&-"
trap '' PIPE # the end of the engine's output is detected in `receive`
echo >&"$to"
trap 'exit 1' INT TERM HUP QUIT
terminal=$(stty -g 2>/dev/null)
trap 'trap "" TTOU; [ -z "$terminal" ] || stty "$terminal"; send session/close "{}" </dev/null; exec {to}>&-; wait' EXIT

# Everything is shown as soon as it is printed, so the engine need not wait for it.
send session/open '{transitions: "instant", supports: ["restoreSecret"]} + if $flow == "" then {} else {$flow} end + if $locale == "" then {} else {$locale} end' \
  --arg flow "$flow" --arg locale "$locale" </dev/null
while true; do
  await
  draw; left=1
  if is .scene; then left=0; is 'any(.actions[]; .enabled)' || exit 0; fi
  while is .activity; do # a person may choose during a request; a script waits
    if receive 0.2; then continue 2; elif [ -t 0 ] && read -r -t 0; then break; fi
  done
  read -r -p '> ' number || exit $left
  case $number in q) exit $left ;; *) choose "$number" ;; esac
done
