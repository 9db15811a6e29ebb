public import AuthenticatorKit
public import JSONCodec
public import LoginMachine

/// Reads the results that authenticators send in reply to questions.
extension AuthenticatorReply {
  /// What the engine knows about a question when it reads the answer.
  public struct Subject {
    public let flow: Flow
    /// The screen on which the request was made. If the request fails, the view returns to it.
    public let screen: Screen
    /// The challenge that the session shows now; `nil` if it shows none.
    public let challenge: ChallengeScreen?
    /// Whether a press of a link or an initial request of the screen asked the question, rather
    /// than a submit of the form.
    public let isBesideSubmit: Bool
    /// The time at which the answer is read, in milliseconds since 1970 (UTC). If the answer names
    /// a factor with which the user proved their identity, but no time of that proof, the proof
    /// gets this time.
    public let time: UInt64

    public init(
      _ screen: Screen, of flow: Flow, showing challenge: ChallengeScreen? = nil, isBesideSubmit: Bool = false,
      at time: UInt64
    ) {
      self.screen = screen
      self.flow = flow
      self.challenge = challenge
      self.isBesideSubmit = isBesideSubmit
      self.time = time
    }
  }

  /// An authenticator's answer, as read by the engine.
  public struct Reading {
    public let answer: Answer
    /// The secret that the answer grants to the application; `nil` if the answer contains none.
    public let secret: SensitiveJSON?

    init(_ answer: Answer, granting secret: SensitiveJSON? = nil) {
      self.answer = answer
      self.secret = secret
    }
  }

  /// Reads the answer to a question from `result`.
  ///
  /// - Parameters:
  ///   - unknownKeys: receives the names in the answer that belong to no item of the screen.
  ///   - readScreen: reads the screen of a challenge; returns `nil` if it cannot be shown.
  public static func answer(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, about subject: Subject,
    unknownKeys: inout [String], readScreen: (_ text: SensitiveJSON) -> ChallengeScreen?
  ) throws(InvalidAnswer) -> Reading {
    switch try AuthenticatorAnswer(document, result) {
    case .accepted(let principal, let data, let said, let secret, let message, let wait):
      let proofs = said?.map { Proof($0.factor, at: $0.at ?? min(subject.time, GivenProof.maximumTime)) }
      // After an accepted submit, the flow decides what is shown, so the answer's message is
      // ignored.
      guard subject.isBesideSubmit else {
        return Reading(.accepted(principal: principal, data: data, proofs: proofs), granting: secret)
      }
      let notice = message.map { message in wait.map { message.with(wait: $0) } ?? message }
      return Reading(
        .accepted(principal: principal, data: data, message: notice, retryAfter: wait, proofs: proofs),
        granting: secret)
    case .rejected(let reason, let said, let items):
      let (remarks, others) = remarks(items, on: subject.screen, &unknownKeys)
      let message = said ?? reason.map { Message($0) } ?? others ?? remarks.first?.message ?? Message(.unknownError)
      return Reading(.failed(message, items: remarks))
    case .throttled(let wait, let said):
      var message = Message(.throttled, text: said?.text).with(wait: wait)
      message.severity = said?.severity
      message.isVerbatim = said?.isVerbatim ?? false
      return Reading(.failed(message, items: [], retryAfter: wait))
    case .notice(let message, let id):
      let screen = id.flatMap { id in subject.flow.screens.firstIndex { sameBytes($0.id, id) } }
      guard id == nil || screen != nil else { throw "its screen is not in the flow" }
      return Reading(.notice(message, screen: screen))
    case .challenge(let said):
      return Reading(.challenge(try challenge(said, subject, &unknownKeys, readScreen)))
    }
  }

  private static func challenge(
    _ said: AuthenticatorChallenge, _ subject: Subject, _ unknownKeys: inout [String],
    _ readScreen: (_ text: SensitiveJSON) -> ChallengeScreen?
  ) throws(InvalidAnswer) -> Challenge {
    var challenge = Challenge(screen: nil)
    if let text = said.screen {
      guard let screen = readScreen(text) else { throw "its screen cannot be shown" }
      challenge.screen = screen
    }
    guard let shown = challenge.screen ?? subject.challenge else { throw "it has no screen, and none is shown" }
    let (remarks, others) = remarks(said.items, on: shown.screen, &unknownKeys)
    challenge.items = remarks
    challenge.pollAfter = said.pollAfterMs
    challenge.expiresIn = said.expiresInMs
    challenge.resume = said.resume
    challenge.error = said.error ?? (said.pollAfterMs == nil ? others : nil)
    challenge.notice = said.notice ?? (said.pollAfterMs == nil ? nil : others)
    return challenge
  }

  /// The messages to show at the screen's items, and the first message about an item that does not
  /// exist or cannot show messages.
  private static func remarks(
    _ items: [AuthenticatorAnswer.ItemMessages], on screen: Screen, _ unknownKeys: inout [String]
  ) -> (remarks: [Draft.Remark], others: Message?) {
    var remarks: [Draft.Remark] = []
    var others: Message?
    for said in items {
      let item =
        screen.items.firstIndex { $0.apiKey.map { sameBytes($0, said.key) } ?? false }
        ?? screen.items.firstIndex { $0.field.map { sameBytes($0, said.key) } ?? false }
      if item == nil { unknownKeys.append(said.key) }
      for message in said.messages {
        if let item, screen.items[item].showsValidity {
          remarks.append(Draft.Remark(item: item, message: message))
        } else {
          others = others ?? message
        }
      }
    }
    return (remarks, others)
  }
}

/// Whether two texts have the same bytes in UTF-8. The result can be false for texts that Swift
/// considers equal.
private func sameBytes(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

extension CheckVerdict {
  /// Converts an authenticator's verdict on a value.
  public init(_ answer: CheckAnswer) {
    self =
      switch answer {
      case .valid: .valid
      case .invalid(let message): .invalid(message)
      case .notice(let message): .notice(message)
      }
  }
}

extension Message {
  /// The message with the parameters `seconds` and `retryAfterMs`, made from the time in
  /// milliseconds that the user has to wait. Parameters that the message already has are kept.
  fileprivate func with(wait: UInt64) -> Message {
    var message = self
    let seconds = wait / 1000 + (wait % 1000 == 0 ? 0 : 1)
    for (name, number) in [("seconds", seconds), ("retryAfterMs", wait)]
    where !parameters.contains(where: { $0.name == name }) {
      message.parameters.append(.init(name, .number(String(number))))
    }
    return message
  }
}

extension ByteBuffer {
  /// The start of a line that grants a secret to the application (`session/granted`).
  public static var grantedHead: StaticString { #"{"jsonrpc":"2.0","method":"session/granted","params":{"session":"# }

  /// Appends the line that grants a secret to the application.
  public mutating func appendGranted(_ secret: SensitiveJSON, session: [UInt8]) {
    append(ByteBuffer.grantedHead)
    session.withUnsafeBytes { appendJSONString($0) }
    append(#","secret":"#)
    secret.withBytes { append($0) }
    append("}}\n")
  }
}
