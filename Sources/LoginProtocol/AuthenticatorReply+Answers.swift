public import JSONCodec
public import LoginForms
public import LoginMachine

/// What the result of a question says.
extension AuthenticatorReply {
  /// What is known of the question when its answer is read.
  public struct Subject {
    public let flow: Flow
    /// The screen that a failure leads back to: the one that the request was made on.
    public let screen: Screen
    /// The challenge that is shown now.
    public let challenge: ChallengeScreen?
    /// Whether something else than the submit made the request: a link, or the screen itself when it was entered.
    public let isBesideSubmit: Bool

    public init(
      _ screen: Screen, of flow: Flow, showing challenge: ChallengeScreen? = nil, isBesideSubmit: Bool = false
    ) {
      self.screen = screen
      self.flow = flow
      self.challenge = challenge
      self.isBesideSubmit = isBesideSubmit
    }
  }

  /// What is wrong with an answer.
  public struct Problem: Error, ExpressibleByStringLiteral, Sendable {
    public let text: StaticString
    public init(stringLiteral text: StaticString) { self.text = text }
  }

  /// The answer that `result` gives to a question.
  ///
  /// - Parameters:
  ///   - unknownKeys: where the apiKeys go of which something is said although no item has them.
  ///   - readScreen: reads the screen of a challenge; `nil` if it cannot be shown.
  public static func answer(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, about subject: Subject,
    unknownKeys: inout [String], readScreen: (_ node: JSONDocument.Node) -> ChallengeScreen?
  ) throws(Problem) -> Answer {
    guard document.kind(result) == .object, let name = document.member("outcome", of: result) else {
      throw "it has no outcome"
    }
    guard let outcome = Outcome.allCases.first(where: { document.equals(name, $0.text) }) else {
      throw "its outcome is not one that is known"
    }
    switch outcome {
    case .accepted: return try accepted(document, result, isBesideSubmit: subject.isBesideSubmit)
    case .rejected: return try rejected(document, result, subject.screen, &unknownKeys)
    case .throttled: return try throttled(document, result)
    case .notice: return try notice(document, result, subject.flow)
    case .challenge: return .challenge(try challenge(document, result, subject, &unknownKeys, readScreen))
    }
  }

  /// What a result can say of a question.
  public enum Outcome: CaseIterable, Sendable {
    case accepted, rejected, throttled, notice, challenge

    /// The word on the wire.
    public var text: StaticString {
      switch self {
      case .accepted: "accepted"
      case .rejected: "rejected"
      case .throttled: "throttled"
      case .notice: "notice"
      case .challenge: "challenge"
      }
    }
  }

  private static func accepted(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, isBesideSubmit: Bool
  ) throws(Problem) -> Answer {
    let principal = try optional(document, "principal", of: result, or: "its principal is not a string") {
      string(document, $0)
    }
    let data = try optional(document, "data", of: result, or: "its data is not an object") {
      document.kind($0) == .object ? Array(document.fullText($0)) : nil
    }
    let factors = try factors(document, result)
    try checkSecret(document, result)
    var message = try optionalMessage(document, "message", of: result)
    let wait = try optional(document, "retryAfterMs", of: result, or: "its retryAfterMs is not a whole number") {
      document.wholeNumber($0)
    }
    // What follows a submit is for the flow to say.
    guard isBesideSubmit else { return .accepted(principal: principal, data: data, factors: factors) }
    for parameter in wait.map({ waitingParameters($0) }) ?? [] {
      if message?.parameters.contains(where: { $0.name == parameter.name }) == false {
        message?.parameters.append(parameter)
      }
    }
    return .accepted(principal: principal, data: data, message: message, retryAfter: wait, factors: factors)
  }

  /// What a message says of a wait of so many milliseconds.
  private static func waitingParameters(_ wait: UInt64) -> [Message.Parameter] {
    let seconds = wait / 1000 + (wait % 1000 == 0 ? 0 : 1)
    return [.init("seconds", .number(String(seconds))), .init("retryAfterMs", .number(String(wait)))]
  }

  private static func rejected(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, _ screen: Screen, _ unknownKeys: inout [String]
  ) throws(Problem) -> Answer {
    let reason = try optional(document, "reason", of: result, or: "its reason is not a name") {
      codeName(document, $0)
    }
    let said = try optionalMessage(document, "message", of: result)
    let (remarks, others) = try remarksOnItems(document, result, screen, &unknownKeys)
    let message = said ?? reason.map { Message($0) } ?? others ?? remarks.first?.message ?? Message(.unknownError)
    return .failed(message, items: remarks)
  }

  private static func throttled(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node
  ) throws(Problem) -> Answer {
    guard let node = document.member("retryAfterMs", of: result), let wait = document.wholeNumber(node) else {
      throw "its retryAfterMs is not a whole number"
    }
    let said = try optionalMessage(document, "message", of: result)
    var message = Message(.throttled, waitingParameters(wait), text: said?.text)
    message.severity = said?.severity
    message.isVerbatim = said?.isVerbatim ?? false
    return .failed(message, items: [], retryAfter: wait)
  }

  private static func notice(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, _ flow: Flow
  ) throws(Problem) -> Answer {
    guard let message = try optionalMessage(document, "message", of: result) else { throw "its message is not one" }
    let screen = try optional(document, "screen", of: result, or: "its screen is none of the flow's") { node in
      document.kind(node) == .string ? flow.screens.firstIndex { equals(document, node, $0.id) } : nil
    }
    return .notice(message, screen: screen)
  }

  /// What the member `items` says of the items of a screen, and the first that it says of what cannot show it.
  static func remarksOnItems(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, _ screen: Screen, _ unknownKeys: inout [String]
  ) throws(Problem) -> (remarks: [Draft.Remark], others: Message?) {
    guard let items = present(document, "items", result) else { return ([], nil) }
    guard document.kind(items) == .object else { throw "its items is not an object" }
    var remarks: [Draft.Remark] = []
    var others: Message?
    var child = document.firstChild(items)
    while let key = child, let list = document.sibling(after: key, in: items) {
      guard document.kind(list) == .array else { throw "the messages of an item are not an array" }
      let item =
        screen.items.firstIndex { $0.apiKey.map { equals(document, key, $0) } ?? false }
        ?? screen.items.firstIndex { $0.field.map { equals(document, key, $0) } ?? false }
      if item == nil { unknownKeys.append(document.string(key)) }
      var element = document.firstChild(list)
      while let node = element {
        guard let message = message(document, node) else { throw "a message of an item is not one" }
        if let item, screen.items[item].showsValidity {
          remarks.append(Draft.Remark(item: item, message: message))
        } else {
          others = others ?? message
        }
        element = document.sibling(after: node, in: list)
      }
      child = document.sibling(after: list, in: items)
    }
    return (remarks, others)
  }
}
