/// The id of a question to an authenticator. An engine never uses an id twice.
public struct QuestionID: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The number on the wire.
  public let number: UInt64

  @inlinable public init(number: UInt64) { self.number = number }
  @inlinable public init(integerLiteral number: UInt64) { self.init(number: number) }

  /// The id after this one. The greatest id is its own successor, but an engine would need
  /// centuries to reach it.
  @inlinable public var next: QuestionID { QuestionID(number: number == .max ? .max : number + 1) }

  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// Takes half the time of the synthesised hash, which sets up a hasher for a single number.
  @inlinable public func _rawHashValue(seed: Int) -> Int { number._rawHashValue(seed: seed) }

  @inlinable public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The id of a conversation: a first question and its follow-ups until the result of the request is
/// known.
///
/// The id on the wire is the number of the first question. All follow-ups refer to this number.
public struct ConversationID: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The number on the wire.
  public let number: UInt64

  @inlinable public init(number: UInt64) { self.number = number }
  @inlinable public init(integerLiteral number: UInt64) { self.init(number: number) }

  /// The id of the conversation that a question starts.
  @inlinable public init(first question: QuestionID) { self.init(number: question.number) }

  /// The first question of the conversation.
  @inlinable public var firstQuestion: QuestionID { QuestionID(number: number) }

  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// Takes half the time of the synthesised hash, which sets up a hasher for a single number.
  @inlinable public func _rawHashValue(seed: Int) -> Int { number._rawHashValue(seed: seed) }

  @inlinable public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
