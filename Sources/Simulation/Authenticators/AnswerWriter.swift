import JSONCodec
import ViewModel

/// Writes what authenticators say.
struct AnswerWriter {
  /// Whether the answers are the frontend's, whose question ids are names; those of others are numbers.
  let isFrontend: Bool

  private func id(_ number: UInt64) -> String { isFrontend ? "\"authenticator-\(number)\"" : "\(number)" }

  /// The numbers of the questions that lines answer.
  static func answered(in bytes: [UInt8]) -> [UInt64] {
    bytes.withUnsafeBytes { all in
      var numbers: [UInt64] = []
      var start = 0
      while let place = firstOffset(of: #""id":"#, in: all, from: start) {
        var index = place + 5
        let name: StaticString = "\"authenticator-"
        if starts(UnsafeRawBufferPointer(rebasing: all[index...]), with: name) { index += name.utf8CodeUnitCount }
        var number: UInt64 = 0
        while index < all.count, (0x30...0x39).contains(all[index]), number < 1 << 55 {
          number = number * 10 + UInt64(all[index] - 0x30)
          index += 1
        }
        numbers.append(number)
        start = index
      }
      return numbers
    }
  }

  /// A good answer that ends the matter.
  func final(_ question: AskedQuestion, accepts: Bool) -> [UInt8] {
    if question.movesClock { return line(question, "{}") }
    if question.isCheck {
      return line(question, accepts ? #"{"outcome":"valid"}"# : #"{"outcome":"invalid","message":"No."}"#)
    }
    return line(question, accepts ? #"{"outcome":"accepted","principal":"ada"}"# : #"{"outcome":"rejected"}"#)
  }

  private func line(_ question: AskedQuestion, _ result: String) -> [UInt8] {
    Array("{\"jsonrpc\":\"2.0\",\"id\":\(id(question.number)),\"result\":\(result)}\n".utf8)
  }

  /// Any answer, most of them good.
  func any(_ question: AskedQuestion, _ random: inout SimulationRandom) -> [UInt8] {
    if question.movesClock { return line(question, random.pick(["{}", "{}", "null", #"{"x":1}"#])) }
    let key = question.keys.isEmpty ? "none" : String(decoding: random.pick(question.keys), as: UTF8.self)
    let message =
      #"{"code":"\#(random.pick(["m1", "invalidCredentials", "other.code"]))","text":"So \"it\" is","params":{"n":3}}"#
    if question.isCheck, !random.chance(8) {
      let outcome = random.pick([#""valid""#, #""invalid","message":\#(message)"#, #""notice","message":\#(message)"#])
      return line(question, #"{"outcome":\#(outcome)}"#)
    }
    switch random.below(20) {
    case 0..<3:
      let granted = random.pick(["", #","factors":["pwd"]"#, #","factors":["pwd","otp"],"secret":{"token":[1,"a"]}"#])
      return line(question, #"{"outcome":"accepted","principal":"ada \"b\"","data":{"a":[1,{}]}\#(granted)}"#)
    case 3:
      let more = random.pick(["", #","message":\#(message)"#, #","message":\#(message),"retryAfterMs":900"#])
      return line(question, #"{"outcome":"accepted"\#(more)}"#)
    case 4..<6: return line(question, #"{"outcome":"rejected","reason":"invalidCredentials"}"#)
    case 6..<8:
      return line(question, #"{"outcome":"rejected","items":{"\#(key)":[\#(message)],"unknown":[\#(message)]}}"#)
    case 8..<10:
      return line(
        question,
        #"{"outcome":"throttled","retryAfterMs":\#(random.pick([0, 1, 900, 60000, 31_536_000_000, 1 << 60]))}"#)
    case 10..<15: return line(question, challenge(message, key, &random))
    case 15:
      let screen = random.pick(["", #","screen":"screen0""#, #","screen":"login""#, #","screen":"nowhere""#])
      return line(question, #"{"outcome":"notice","message":\#(message)\#(screen)}"#)
    case 16:
      let data = random.chance(2) ? #","data":{"code":"directoryDown"}"# : ""
      return Array(
        "{\"jsonrpc\":\"2.0\",\"id\":\(id(question.number)),\"error\":{\"code\":1,\"message\":\"no\"\(data)}}\n".utf8)
    case 17: return line(question, random.pick([#"{"outcome":"perhaps"}"#, "{}", "7", #"{"outcome":"challenge"}"#]))
    case 18: return notice(question.attempt, message, &random) + line(question, #"{"outcome":"accepted"}"#)
    default:
      // Twice, the second time otherwise.
      return line(question, #"{"outcome":"rejected"}"#) + line(question, #"{"outcome":"accepted"}"#)
    }
  }

  func notice(_ attempt: UInt64, _ message: String, _ random: inout SimulationRandom) -> [UInt8] {
    let said = random.pick([
      #""message":\#(message)"#, #""alert":\#(message)"#,
      #""alert":{"title":"T","messages":[\#(message),\#(message)]}"#,
      #""message":5"#,
    ])
    return Array(#"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":\#(attempt),\#(said)}}"#.utf8)
      + [0x0A]
  }

  private func challenge(_ message: String, _ key: String, _ random: inout SimulationRandom) -> String {
    var text = #"{"outcome":"challenge""#
    if !random.chance(4) { text += #","screen":"# + random.pick(AnswerWriter.screens) }
    let waits = random.chance(4)
    if waits { text += #","wait":{"pollAfterMs":\#(random.pick([100, 2000, 3_600_000]))}"# }
    if random.chance(4), !waits { text += #","error":\#(message)"# }
    if random.chance(3) { text += #","notice":\#(message)"# }
    if random.chance(4) { text += #","items":{"\#(random.pick([key, "code", "way"]))":[\#(message)]}"# }
    if random.chance(3) { text += #","expiresInMs":\#(random.pick([1, 500, 100_000]))"# }
    if random.chance(2) { text += #","resume":"\#(random.pick(["R", "a \\\"token\\\"", "R2"]))""# }
    return text + "}"
  }

  /// Screens of challenges: something secret with links, items that come and go and have to be the same, nothing to enter, one that is wrong.
  static let screens = [
    #"{"id":"challenge.code","title":"A code","links":[{"id":"resend","title":"Again"},{"id":"other","title":"Another way"}],"#
      + #""sections":[{"id":"s","items":[{"id":"note","kind":"input","inputType":"text","value":"here","readOnly":true},"#
      + #"{"id":"key","apiKey":"key","kind":"external","type":"key","request":{ "a": [ 1.0 ] }},"#
      + #"{"id":"device","kind":"code","format":"plain","text":"WDJB-MJHT"},"#
      + #"{"id":"help","kind":"link","title":"Help","url":"mailto:help@example.com"},"#
      + #"{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","rules":[{"rule":"required","message":"m"}]}"#
      + #"]}]}"#,
    #"{"id":"challenge.change","title":"A \"new\" password","sections":[{"id":"s","title":"S","items":["#
      + #"{"id":"way","apiKey":"way","kind":"selection","options":[{"id":"a","title":"A"},{"id":"b","title":"B"}],"value":"a"},"#
      + #"{"id":"on","apiKey":"on","kind":"switch","value":false,"rules":[{"rule":"required","message":"m"}]}]},"#
      + #"{"id":"t","visibleWhen":{"item":"way","is":"b"},"items":["#
      + #"{"id":"new","apiKey":"new","kind":"input","inputType":"newPassword","rules":[{"rule":"minLength","length":3,"message":"m"}]},"#
      + #"{"id":"again","kind":"input","inputType":"newPassword","rules":[{"rule":"equalTo","item":"new","message":"n"}]}"#
      + #"]}]}"#,
    #"{"id":"challenge.wait","title":"Wait","sections":[{"id":"s","items":[{"id":"text","kind":"text","title":"It is 42."}]}]}"#,
    #"{"id":"challenge.nothing","title":"Nothing","sections":[]}"#,
    #"{"id":"challenge.wrong","title":"Wrong","sections":5}"#,
  ]
}
