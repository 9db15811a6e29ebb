import TestSupport

/// Random lines of a view, some of them valid.
struct RandomWalk {
  /// The prefix of all secrets. No other text contains it.
  static let secret = "geheim-"

  /// Values that the view enters into an external item.
  private static let places = [
    #"{"at":[1.5,{"by":"\#(secret)inner"}],"for":"\#(secret)short"}"#,
    #"["\#(secret)right"]"#,
    #""\#(secret)long-enough-for-all""#, #"{ "at": 1.50 }"#, "52.125", "null", "{}",
  ]

  private var generator: SeededRandom
  private var number = 0

  init(seed: UInt64) { generator = SeededRandom(seed: seed) }

  private mutating func pick<T>(_ choices: [T]) -> T { generator.pick(choices) }
  private mutating func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }

  /// Random lines of a view, each with the pause after it in microseconds.
  mutating func lines(_ count: Int) -> [(text: String, pause: UInt32)] {
    var lines: [(text: String, pause: UInt32)] = []
    for _ in 0..<count {
      lines.append((line() + "\n", happens(0.25) ? pick([500, 5000, 20_000, 60_000]) : 0))
    }
    if happens(0.3) { lines.append((#"{"id":3,"password":"\#(Self.secret)unterminated"#, 0)) }
    return lines
  }

  private mutating func line() -> String {
    switch Double.random(in: 0..<1, using: &generator) {
    case ..<0.08:
      return "[" + (0..<Int.random(in: 0..<7, using: &generator)).map { _ in message() }.joined(separator: ",") + "]"
    case ..<0.12:
      var text = Array(message())
      text.insert(
        contentsOf: pick(["\"", "}", "\\", "x", "\u{1}", "é"]), at: Int.random(in: 0...text.count, using: &generator))
      return String(text)
    case ..<0.14: return #"{"id":\#(number),"value":"\#(Self.secret)"# + String(repeating: "long", count: 200) + #""}"#
    case ..<0.34:
      let session = pick(["a", "b", "c"])
      let values = [("email", "ada@example.com"), ("userName", "adalove"), ("password", Self.secret + "right")]
      let edits = (values + [("repetition", Self.secret + "right")]).map { item, value in
        #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"\#(session)","item":"\#(item)","value":"\#(value)"}}"#
      }
      return edits.joined(separator: "\n") + "\n"
        + call("session/press", #""session":"\#(session)","action":"submit""#)
    default: return message()
    }
  }

  private mutating func message() -> String {
    let session = #""session":"\#(pick(["a", "b", "c", "d"]))""#
    switch Double.random(in: 0..<1, using: &generator) {
    case ..<0.12: return call("session/open", #"\#(session),"flow":"\#(flow())""#)
    case ..<0.16:
      let way = pick(["acknowledged", "instant"])
      return call(
        "session/open",
        #"\#(session),"flow":"\#(flow())","transitions":"\#(way)","policy":"\#(pick(["queue", "latest", "reject"]))""#)
    case ..<0.18: return call("session/open", #"\#(session),"values":{"password":"\#(Self.secret)begun"}"#)
    case ..<0.19: return call("session/locale", #"\#(session),"locale":"\#(pick(["de", "en", "de-AT", "xx"]))""#)
    case ..<0.23: return submit(session)
    case ..<0.52: return change(session)
    case ..<0.80:
      let actions = ["submit", "cancel", "retry", "setup", "forgotPassword", "login", "dismiss", "back"]
      return call("session/press", #"\#(session),"action":"\#(pick(actions))""#)
    case ..<0.87:
      return call("session/presented", #"\#(session),"revision":\#(Int.random(in: 1...12, using: &generator))"#)
    case ..<0.89: return call("session/close", session)
    case ..<0.91: return call("session/snapshot", session)
    case ..<0.93: return call(pick(["session/list", "engine/describe"]), "")
    case ..<0.95: return call("clock/advance", #""milliseconds":\#(pick([0, 10, 5000, 40_000]))"#)
    case ..<0.96: return call("session/perfrom", #""value":"\#(Self.secret)misspelled""#)
    case ..<0.97: return #"{"id":1,"password":"\#(Self.secret)lost"}"#
    case ..<0.98: return #""\#(Self.secret)alone""#
    default:
      return call(
        "session/edit", #"\#(session),"item":"password","value":"\#(Self.secret)x","pasword":"\#(Self.secret)y""#)
    }
  }

  /// A submit of several values, right or wrong, in an existing or a new session.
  private mutating func submit(_ session: String) -> String {
    let password = pick([#""\#(Self.secret)right""#, "5", #""""#, #"{"a":"\#(Self.secret)inner"}"#])
    let other = #","\#(pick(["userName", "nothing", "remember"]))":\#(pick([#""adalove""#, "true"]))"#
    let more = happens(0.3) ? other : ""
    let values = #""values":{"email":"ada@example.com","password":\#(password)\#(more)}"#
    guard happens(0.3) else { return call("session/submit", #"\#(session),\#(values)"#) }
    let detail = happens(0.3) ? #","detail":"commands""# : ""
    return call("session/submit", #""flow":"\#(flow())",\#(values)\#(detail)"#)
  }

  private mutating func flow() -> String { pick(["standard", "acknowledged", "coordinators", "staged", "dynamic"]) }

  private mutating func change(_ session: String) -> String {
    var item = pick(["email", "userName", "password", "repetition", "code", "remember", "contact", "extra", "nickname"])
    if item == "nickname", number.isMultiple(of: 2) { item = "place" }
    let plain = [#""""#, #""a""#, #""ada@example.com""#, "true", "null", "5", #""phone""#, #""\"\\\u0041\n""#]
    let secrets = [#"""#, #"short"#, "ünïcode", #"\u0041\""#, "long-enough-for-all"].map { #""\#(Self.secret)\#($0)""# }
    let isSecret = ["password", "repetition", "code"].contains(item)
    let value =
      item == "place"
      ? pick(Self.places)
      : isSecret ? pick(secrets.dropFirst() + [#""""#, "5", #"{"a":"\#(Self.secret)inner"}"#]) : pick(plain)
    let revision = happens(0.1) ? #","revision":\#(Int.random(in: 0...9, using: &generator))"# : ""
    return call("session/edit", #"\#(session),"item":"\#(item)","value":\#(value)\#(revision)"#)
  }

  private mutating func call(_ method: String, _ params: String) -> String {
    number += 1
    let id = happens(0.5) ? #""id":\#(pick([String(number), #""n\#(number)""#, #""\u006e""#])),"# : ""
    return #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":{\#(params)}}"#
  }

  /// An authenticator with random, mostly wrong behaviour, as a script that takes a random seed as
  /// its argument.
  static let authenticator = #"""
    #!/bin/bash
    RANDOM=$1
    say() { printf '%s\n' "$1"; }
    while IFS= read -r line; do
      [[ $line =~ \"id\":([0-9]+) ]] || continue
      id=${BASH_REMATCH[1]}
      result='{"jsonrpc":"2.0","id":'$id',"result":'
      case $((RANDOM % 15)) in
      0) say "$result"'{"outcome":"accepted","principal":"ada","data":{"a": 1}}}' ;;
      1) say "$result"'{"outcome":"accepted"}}' ;;
      2) say "$result"'{"outcome":"rejected","reason":"invalidCredentials"}}' ;;
      3) say "$result"'{"outcome":"throttled","retryAfterMs":'$((RANDOM % 300))'}}' ;;
      4) say "$result"'{"outcome":"notice","message":{"code":"hello","text":"Hello"}}}' ;;
      5) say "$result"'{"outcome":"what"}}' ;;
      6) say 'nonsense' ;;
      7) exit 0 ;;
      8) say '{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":'$id',"alert":{"code":"x","text":"X"}}}'
         sleep 0.02; say "$result"'{"outcome":"accepted"}}' ;;
      9) exec <&-; sleep 0.05; say "$result"'{"outcome":"rejected"}}'; exit 0 ;;
      10) sleep 0.05; say '{"jsonrpc":"2.0","id":'$id',"error":{"code":1,"message":"no","data":{"code":"sorry"}}}' ;;
      11) ;;
      12) say "$result"'{"outcome":"rejected"}}'; exit 0 ;;
      *) say "$result"'{"outcome":"challenge","screen":{"id":"second","title":"Second","sections":[{"id":"s","items":[{"id":"code","kind":"input","inputType":"oneTimeCode","title":"Code","apiKey":"code"},{"id":"place","kind":"external","type":"map.place","title":"Place","apiKey":"place"}]}]}}}' ;;
      esac
    done
    """#
}
