/// An authenticator with random, mostly wrong behaviour, which repeats parts of its questions.
enum OddAuthenticator {
  /// The authenticator as a script for bash, which takes a random seed as its argument. `moods` is
  /// the number of behaviours among which it chooses; the first ones are correct.
  static func script(moods: Int) -> String { text.replacing("MOODS", with: "\(moods)") }

  private static let text = #"""
    #!/bin/bash
    RANDOM=$1
    say() { printf '%s\n' "$1"; }
    [ $((RANDOM % 20)) = 0 ] && exit 0
    [ $((RANDOM % 20)) = 0 ] && exec <&-
    while IFS= read -r line; do
      [[ $line =~ \"id\":\"?([a-z0-9/]+) ]] || continue
      id=${BASH_REMATCH[1]}
      if [ "$id" = describe ]; then
        case $((RANDOM % 4)) in
        0) say '{"jsonrpc":"2.0","id":"describe","result":{"name":"n","version":"1"}}';;
        1) say '{"jsonrpc":"2.0","id":"describe","result":{"requests":["login","register"]}}';;
        esac; continue
      fi
      secret=x
      [[ $line =~ (geheim-[a-z-]*) ]] && secret=${BASH_REMATCH[1]}
      result='{"jsonrpc":"2.0","id":'$id',"result":'
      ch='{"id":"second","title":"Second '$ECHO'","sections":[{"id":"s","items":[{"id":"code","kind":"input","inputType":"oneTimeCode","title":"Code","apiKey":"code"},{"id":"place","kind":"external","type":"map.place","title":"Place","apiKey":"place"}]}]'
      case $((RANDOM % MOODS)) in
      0) say "$result"'{"outcome":"accepted","principal":"ada '$secret'","data":{"a": 1,"b":["'$secret'x",{"'$secret'":"y\u0041"}]}}}' ;;
      1) say "$result"'{"outcome":"accepted"}}' ;;
      2) say "$result"'{"outcome":"rejected","reason":"invalidCredentials"}}' ;;
      3) say "$result"'{"outcome":"throttled","retryAfterMs":'$((RANDOM % 300))',"message":{"code":"x","text":"not '$secret'"}}}' ;;
      4) say "$result"'{"outcome":"notice","message":{"code":"hello","text":"Hello '$secret'"}}}' ;;
      5) say "$result"'{"outcome":"what"}}' ;;
      6) say 'nonsense '$secret ;;
      7) exit 0 ;;
      8) say '{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":'$id',"alert":{"code":"x","text":"X '$secret'"}}}'
         sleep 0.02; say "$result"'{"outcome":"accepted"}}' ;;
      9) exec <&-; sleep 0.05; say "$result"'{"outcome":"rejected"}}'; exit 0 ;;
      10) sleep 0.05; say '{"jsonrpc":"2.0","id":'$id',"error":{"code":1,"message":"no","data":{"code":"sorry"}}}' ;;
      11) ;;
      12) say "$result"'{"outcome":"rejected","items":{"password":[{"code":"bad","text":"'$secret' is bad","params":{"x":"'$secret'"}}]}}}'; exit 0 ;;
      13) say "$result"'{"outcome":"challenge","screen":'"$ch"'}}}' ;;
      14) say "$result"'{"outcome":"challenge","pollAfterMs":'$((RANDOM % 200))',"expiresInMs":'$((RANDOM % 500 + 1))',"screen":'"$ch"'}}}' ;;
      15) say "$result"'{"outcome":"challenge","pollAfterMs":30,"screen":{"id":"wait","title":"Wait for '$secret'","sections":[]}}}' ;;
      16) sleep 0.3; say "$result"'{"outcome":"rejected"}}' ;;
      17) say '{"jsonrpc":"2.0","id":'$id',"error":{"code":1,"message":"'$secret'","data":{"code":"'$secret'"}}}' ;;
      18) exec <&-; sleep 0.5; exit 0;;
      19) say '{"jsonrpc":"2.0","id":99,"result":{"outcome":"accepted","principal":"'$secret'"}}' ;;
      20) say '{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":'$id',"message":{"code":"w","text":"busy '$secret'"}}}';;
      21) sleep 0.1; exit 3;;
      *) say "$result"'{"outcome":"rejected"}}' ;;
      esac
    done

    """#
}
