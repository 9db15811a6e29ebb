import JSONCodec
public import LoginMachine

/// Where a question comes from: what an authenticator is told of the session beside what was entered.
public struct QuestionOrigin {
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  /// The id of the flow.
  public let flow: String
  /// The id of the flow's screen that the request was made on, also while a challenge is shown.
  public let screen: String
  /// The language tag of what the person reads.
  public let locale: String
  /// The name of the engine's run. Together with a question's number it makes a key that no other question has, in this run or any other.
  public let run: String
  /// Who is in already, as the frontend vouches; `nil` if nobody is.
  public let principal: String?
  /// What the view said about the session when it was opened: a JSON object's text; `nil` for nothing.
  public let context: [UInt8]?
  /// What the view said that it can do; `nil` if it said nothing of that.
  public let supports: [String]?
  /// The names of the secrets that the view gave when the session was opened, in their order.
  public let secretNames: [String]
  /// The keys of questions that were put by other engines, by the numbers that they have here.
  public let keys: [QuestionID: String]

  public init(
    session: [UInt8], flow: String, screen: String, locale: String, run: String, principal: String? = nil,
    context: [UInt8]? = nil, supports: [String]? = nil, secretNames: [String] = [], keys: [QuestionID: String] = [:]
  ) {
    self.session = session
    self.flow = flow
    self.screen = screen
    self.locale = locale
    self.run = run
    self.principal = principal
    self.context = context
    self.supports = supports
    self.secretNames = secretNames
    self.keys = keys
  }
}

extension QuestionOrigin {
  /// The idempotency key of a question that repeats none.
  public func key(of question: QuestionID) -> String { keys[question] ?? "\(run)-\(question.number)" }

  /// Appends that key as a string. Most keys are put together where they are written.
  func appendKey(of question: QuestionID, to buffer: inout ByteBuffer) {
    guard keys.isEmpty else { return buffer.appendJSONString(key(of: question)) }
    buffer.append(0x22)
    var run = run
    run.withUTF8 { buffer.appendJSONEscaped(UnsafeRawBufferPointer($0)) }
    buffer.append(0x2D)
    buffer.append(decimal: question.number)
    buffer.append(0x22)
  }
}

/// A secret that is part of a question.
public enum QuestionSecret: Equatable, Sendable {
  /// What was typed into the item of this index.
  case item(Int)
  /// One that the view gave when the session was opened: its index among `secretNames`.
  case opening(Int)
}

extension AuthenticatorWire {
  /// Appends where a question comes from, and its idempotency key: the same for a question and all its retries.
  static func appendOrigin(
    _ origin: QuestionOrigin, of question: Question, to buffer: inout ByteBuffer,
    _ appendSecret: (QuestionSecret, inout ByteBuffer) -> Void
  ) {
    appendPlace(origin, to: &buffer)
    buffer.append(#","key":"#)
    origin.appendKey(of: question.retryOf ?? question.id, to: &buffer)
    appendAbilities(origin, to: &buffer)
    guard !origin.secretNames.isEmpty else { return }
    buffer.append(#","secrets":{"#)
    for (index, name) in origin.secretNames.enumerated() {
      if index > 0 { buffer.append(0x2C) }
      buffer.appendJSONString(name)
      buffer.append(#":""#)
      appendSecret(.opening(index), &buffer)
      buffer.append(0x22)
    }
    buffer.append(0x7D)
  }

  /// Appends where in which session a question was asked.
  static func appendPlace(_ origin: QuestionOrigin, to buffer: inout ByteBuffer) {
    buffer.append(#","session":"#)
    origin.session.withUnsafeBytes { buffer.appendJSONString($0) }
    buffer.append(#","flow":"#)
    buffer.appendJSONString(origin.flow)
    buffer.append(#","screen":"#)
    buffer.appendJSONString(origin.screen)
  }

  /// Appends who is in, what the view said of the session, and what it can do.
  static func appendAbilities(_ origin: QuestionOrigin, to buffer: inout ByteBuffer) {
    if let principal = origin.principal {
      buffer.append(#","principal":"#)
      buffer.appendJSONString(principal)
    }
    if let context = origin.context {
      buffer.append(#","context":"#)
      buffer.append(context)
    }
    guard let supports = origin.supports else { return }
    buffer.append(#","supports":["#)
    for (index, name) in supports.enumerated() {
      if index > 0 { buffer.append(0x2C) }
      buffer.appendJSONString(name)
    }
    buffer.append(0x5D)
  }
}
