# What every view that draws as the gallery's views do has to do; sourced after ../checks.sh, not run. `engine` is set by the check.
fails_well() { # COMMAND ...: fails with an error message
  ! timeout -k 2 120 "$@" </dev/null >"$scratch/output" 2>&1 && grep -q . "$scratch/output"
}

secret='right "horse\ bättery'

# Checks a view: its drawings of one flow and another, what a person types, alerts, refused edits, and an engine that ends.
behaves() { # NAME COMMAND
  local name=$1 view=$2 flow in command
  for flow in "" "$here/other-flow.json"; do
    in=" ($name${flow:+, other-flow.json})"
    command=("$view" "$engine" --accounts "$scratch/accounts$in" ${flow:+--flow "$flow"})
    check "the view signs up$in" gives 0 5 1 ada@example.com 2 ada 3 "$secret" 4 -- "${command[@]}"
    check "the view shows the scene$in" shows '== scene: '
    check "the view shows the principal$in" shows_line '   ada'
    check "the view never shows the secret$in" hides horse
    check "the view logs in at the second attempt$in" gives 0 1 ada@example.com 2 wrong 4 2 "$secret" 3 4 -- "${command[@]}"
    check "the view shows why the first attempt failed$in" grep -qE '^(> )?! ' "$scratch/output"
    check "the view shows a switch that is on$in" shows ': [x]'
    check "the view ends without a scene$in" gives 1 4 -- "${command[@]}"
    check "the view shows messages under items$in" shows '   ! '
  done
  in=" ($name)"
  command=("$view" --verify "$engine" --flow "$here/other-flow.json" --accounts "$scratch/other$in")
  check "the view follows items and sections that appear and disappear$in" gives 1 6 1 3 2 Linz 3 4 123456 5 "$secret" 1 1 2 1 '' 1 9 -- "${command[@]}"
  check "the view shows the title of a section$in" shows_line '-- Herkunft'
  check "the view shows a text without a number$in" shows_line 'Alle Angaben bleiben hier.'
  check "the view shows where a link leads$in" shows_line 'Mehr dazu: https://beispiel.at/daten?wozu=fragebogen'
  check "the view shows title and text of an unknown kind$in" shows_line 'Karte: Hier nicht zu sehen.'
  check "the view shows a read-only item without a number$in" shows_line 'Bogen: Nr. 7'
  check "the view shows an item without a title by its value$in" shows_line '6. (–)'
  check "the view shows that nothing is chosen$in" shows_line '1. Stadt: –'
  check "the view shows a switch that was never set$in" shows_line '2. Mehr angeben: [ ]'
  check "the view lists the options$in" shows_line '   3. Eine andere'
  check "the view shows one choice, and then another$in" test "$(grep -oxE '1\. Stadt: (Wien|Eine andere)' "$scratch/output" | sort -u | wc -l)" -eq 2
  check "the view shows an absent value, and then a value$in" test "$(grep -oxE '2\. Ort: (\(–\)|Linz)' "$scratch/output" | sort -u | wc -l)" -eq 2
  check "the view shows that a choice is required$in" shows '   ! Bitte eine Stadt'
  check "the view never shows the secrets$in" hides horse
  check "the view explains what can be chosen$in" gives 1 '' 0 99 '2 unseen' help -- "$view" "$engine" --authenticator demo
  check "the view explains it after each invalid line$in" test "$(grep -cxF '> ! Type one number from 1 to 6.' "$scratch/output")" -eq 5
  check "the view does not repeat the invalid lines$in" hides unseen
  check "the view explains which options can be chosen$in" gives 1 6 1 9 '3 x' 2 -- "${command[@]}"
  check "the view explains it after each invalid option$in" \
    test "$(grep -cxF 'value: ! Type one number from 1 to 3, or nothing for none.' "$scratch/output")" -eq 2
  check "the view accepts a valid option after that$in" shows_line '1. Stadt: Graz'
  check "the view accepts a code that is too long$in" gives 1 6 2 3 123456 3 "$(printf %4097s x)" -- "${command[@]}"
  check "the view shows that the engine's refusal has emptied the field$in" \
    test "$(grep -oE 'Ziffern: .*' "$scratch/output" | uniq | paste -sd '|')" = 'Ziffern: (–)|Ziffern: ********|Ziffern: (–)'
  check "the view draws a notice$in" gives 1 7 1 ada@example.com 2 -- "${command[@]}"
  check "the view shows the text of the notice$in" shows_line '! Wir haben geschrieben, wenn es das Konto gibt.'
  command=("$view" "$engine" --flow "$alerting" --accounts "$scratch/alerts$in")
  check "the view shows an alert instead of the form$in" gives 1 4 1 1 x@y.zz 2 wrong 4 1 -- "${command[@]}"
  check "the view shows the title and text of the alert$in" grep -qPzo '\nSo geht das nicht\n   ! Die Adresse fehlt.\n' "$scratch/output"
  check "the view offers only the action of the alert$in" shows_line '1. [Verstanden]'
  check "the view shows consecutive alerts$in" gives 0 1 x@y.zz 2 "$secret" 4 1 1 -- \
    "$view" "$engine" --flow "$alerting" --authenticator "$talking"
  check "the view shows the first alert, the second and then the scene$in" \
    test "$(grep -oE 'Mit Zusatz|Zweitens|== scene' "$scratch/output" | uniq | paste -sd '|')" = 'Mit Zusatz|Zweitens|== scene'
  check "the view shows texts with control characters$in" gives 1 6 1 3 1 '' 9 -- "$view" "$engine" --flow "$commanding" --authenticator demo
  check "the view prints no control characters$in" commands_nothing
  check "the view marks the places of the control characters$in" shows '�[31m'
  check "the view shows the rest of these texts$in" shows Herkunft
  check "the view chooses from a long list$in" gives 1 2 83 2 250 249 -- "$view" "$engine" --flow "$countries" --authenticator demo
  check "the view lists the options that the snapshot leaves out$in" shows_line '   249. Åland Islands'
  check "the view shows the last of a long list$in" shows_line '2. Country: Åland Islands'
  check "the view serves the next person$in" \
    gives 0 1 ada@example.com 2 ada 3 1 1 bob@example.com 2 bob 3 -- "$view" "$engine" --flow "$kiosk" --authenticator demo
  check "the view logs in one person after another$in" \
    test "$(grep -A 1 '^== scene: ' "$scratch/output" | grep -o '   .*@.*' | paste -sd ' ')" = '   ada@example.com    bob@example.com'
  # A view that reported nothing would wait for this flow's ten minutes at each step.
  "$engine" flow print staged | jq '.presentationTimeoutMs = 600000' >"$scratch/staged.json"
  check "the view never waits in a flow with acknowledged transitions$in" \
    gives 0 1 ada 2 password 3 1 1 -- "$view" "$engine" --flow "$scratch/staged.json" --authenticator "$talking"
  check "the view undoes an edit that the engine refuses$in" gives 1 1 ada@example.com 1 "$(printf %5000s x)" 3 -- "$view" "$engine" --authenticator demo
  check "the view shows that the edit was refused$in" grep -qE '^(> )?(value: )?! .*4096' "$scratch/output"
  check "the view shows the value that the engine has$in" test "$(grep -F '1. Email' "$scratch/output" | tail -n 1)" = '1. Email: ada@example.com'
  check "the view ends with the engine$in" gives 1 -- "$view" /bin/false
  check "the view reports that the engine has stopped$in" shows 'the engine has stopped'
  check "the view fails if there is no engine$in" fails_well "$view" /nonexistent
}
