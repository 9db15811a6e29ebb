/// The number of one question to an authenticator. An engine never uses one twice.
public struct QuestionID: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The number on the wire.
  public let number: UInt64

  @inlinable public init(number: UInt64) { self.number = number }
  @inlinable public init(integerLiteral number: UInt64) { self.init(number: number) }

  /// The number after this one. An engine would have to ask for centuries until they are used up; the last one is its own successor.
  @inlinable public var next: QuestionID { QuestionID(number: number == .max ? .max : number + 1) }

  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// What the compiler would make sets up a hasher for one number; a number alone is hashed in half the time.
  @inlinable public func _rawHashValue(seed: Int) -> Int { number._rawHashValue(seed: seed) }

  @inlinable public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The number of a conversation: a first question and all that follow it until it is known what became of the request.
///
/// On the wire it is the number of the first question, by which the authenticator knows all that follow.
public struct ConversationID: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The number on the wire.
  public let number: UInt64

  @inlinable public init(number: UInt64) { self.number = number }
  @inlinable public init(integerLiteral number: UInt64) { self.init(number: number) }

  /// The conversation that a question begins.
  @inlinable public init(first question: QuestionID) { self.init(number: question.number) }

  /// The question that the conversation began with.
  @inlinable public var firstQuestion: QuestionID { QuestionID(number: number) }

  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// What the compiler would make sets up a hasher for one number; a number alone is hashed in half the time.
  @inlinable public func _rawHashValue(seed: Int) -> Int { number._rawHashValue(seed: seed) }

  @inlinable public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
