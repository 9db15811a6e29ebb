import AuthenticatorKit
import JSONCodec
import LoginMachine
import ViewModel

/// A message that an authenticator sends for the user to read. It has its own name because
/// `Message` means a message from a view in this module.
typealias AuthenticatorMessage = LoginMachine.Message

/// Writes the lines that authenticators send.
struct AnswerWriter {
  /// Whether the answers come from the frontend, whose question ids are strings. The question ids
  /// of authenticator processes are numbers.
  let isFrontend: Bool

  /// The numbers of the questions that are answered by the lines in these bytes.
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

  /// A valid answer that decides: it accepts or rejects, and asks the user for nothing more.
  func final(_ question: AskedQuestion, accepts: Bool) -> [UInt8] {
    if question.movesClock { return done(question) }
    if question.isCheck { return line(question, accepts ? .valid : .invalid(AuthenticatorMessage(saying: "No."))) }
    return line(question, accepts ? .accepted(principal: "ada") : .rejected())
  }

  /// An answer from an authenticator process to a question that was already answered or cancelled.
  func late(_ number: UInt64, accepts: Bool) -> [UInt8] {
    let answer: AuthenticatorAnswer = accepts ? .accepted() : .rejected()
    return written { answer.write(to: &$0, id: MessageID(number)) }
  }

  /// A random answer, usually a valid one.
  func any(_ question: AskedQuestion, _ random: inout SimulationRandom) -> [UInt8] {
    if question.movesClock { return line(question, random.pick(["{}", "{}", "null", #"{"x":1}"#])) }
    let key = question.keys.isEmpty ? "none" : String(decoding: random.pick(question.keys), as: UTF8.self)
    let message = AnswerWriter.message(random.pick(["m1", "invalidCredentials", "other.code"]))
    if question.isCheck, !random.chance(8) {
      return line(question, random.pick([CheckAnswer.valid, .invalid(message), .notice(message)]))
    }
    switch random.below(20) {
    case 0..<3:
      let proofs: [GivenProof]? = random.pick([
        nil, [.init("pwd")], [.init("pwd", at: 7), .init("otp")],
      ])
      let secret = random.chance(3) ? SensitiveJSON { $0.append(#"{"token":[1,"a"]}"#) } : nil
      return line(
        question,
        .accepted(
          principal: "ada \"b\"", data: Array(#"{"a":[1,{}]}"#.utf8), proofs: proofs, secret: secret))
    case 3:
      let (said, wait): (AuthenticatorMessage?, UInt64?) = random.pick([
        (nil, nil), (message, nil), (message, UInt64(900)),
      ])
      return line(question, .accepted(message: said, retryAfterMs: wait))
    case 4..<6: return line(question, .rejected(reason: "invalidCredentials"))
    case 6..<8: return line(question, .rejected(items: [.init(key, [message]), .init("unknown", [message])]))
    case 8..<10:
      return line(question, .throttled(retryAfterMs: random.pick([0, 1, 900, 60000, 31_536_000_000, 1 << 60])))
    case 10..<15: return line(question, .challenge(challenge(message, key, &random)))
    case 15: return line(question, .notice(message, screen: random.pick([nil, "screen0", "login", "nowhere"])))
    case 16:
      let failure = AuthenticatorFailure(1, random.chance(2) ? "directoryDown" : nil, "no")
      return written { failure.write(to: &$0, id: id(question)) }
    case 17: return line(question, random.pick([#"{"outcome":"perhaps"}"#, "{}", "7", #"{"outcome":"challenge"}"#]))
    case 18: return notice(question.attempt, message, &random) + line(question, .accepted())
    default:
      // Two answers; the second contradicts the first.
      return line(question, .rejected()) + line(question, .accepted())
    }
  }

  func notice(_ attempt: UInt64, _ message: AuthenticatorMessage, _ random: inout SimulationRandom) -> [UInt8] {
    let notification = random.pick([
      AuthenticatorNotification(attempt: attempt, message: message),
      AuthenticatorNotification(attempt: attempt, alert: GivenAlert([message])),
      AuthenticatorNotification(attempt: attempt, alert: GivenAlert(title: "T", [message, message])), nil,
    ])
    guard let notification else {
      return Array(
        #"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":\#(attempt),"message":5}}"#.utf8)
        + [0x0A]
    }
    return written { notification.write(to: &$0) }
  }

  /// A message for the user with the given code, one parameter and a text.
  static func message(_ code: String) -> AuthenticatorMessage {
    AuthenticatorMessage(code, [.init("n", .number("3"))], text: #"So "it" is"#)
  }

  private func challenge(
    _ message: AuthenticatorMessage, _ key: String, _ random: inout SimulationRandom
  ) -> AuthenticatorChallenge {
    var challenge = AuthenticatorChallenge()
    if !random.chance(4) {
      let screen = random.pick(AnswerWriter.screens)
      challenge.screen = SensitiveJSON { $0.append(screen) }
    }
    if random.chance(4) { challenge.pollAfterMs = random.pick([100, 2000, 3_600_000]) }
    if random.chance(4), challenge.pollAfterMs == nil { challenge.error = message }
    if random.chance(3) { challenge.notice = message }
    if random.chance(4) { challenge.items = [.init(random.pick([key, "code", "way"]), [message])] }
    if random.chance(3) { challenge.expiresInMs = random.pick([1, 500, 100_000]) }
    if random.chance(2) { challenge.resume = random.pick(["R", #"a "token""#, "R2"]) }
    return challenge
  }

  // MARK: Lines

  private func id(_ question: AskedQuestion) -> MessageID {
    guard isFrontend else { return MessageID(question.number) }
    return MessageID(text: Array("\"authenticator-\(question.number)\"".utf8), number: question.number)
  }

  private func line(_ question: AskedQuestion, _ answer: AuthenticatorAnswer) -> [UInt8] {
    written { answer.write(to: &$0, id: id(question)) }
  }

  private func line(_ question: AskedQuestion, _ answer: CheckAnswer) -> [UInt8] {
    written { answer.write(to: &$0, id: id(question)) }
  }

  private func done(_ question: AskedQuestion) -> [UInt8] { written { id(question).writeDone(to: &$0) } }

  /// A response to the question. `result` is the JSON text of its result, which may be invalid.
  private func line(_ question: AskedQuestion, _ result: String) -> [UInt8] {
    written { buffer in
      buffer.append(#"{"jsonrpc":"2.0","id":"#)
      buffer.append(id(question).text)
      buffer.append(#","result":"#)
      buffer.append(result)
      buffer.append("}\n")
    }
  }

  private func written(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
    var buffer = ByteBuffer()
    write(&buffer)
    return buffer.array()
  }

  /// The screens that challenges show: one with links and an input for a secret, one with items
  /// that appear and disappear or must be equal, two without inputs, and one whose definition is
  /// invalid.
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
