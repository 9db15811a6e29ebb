/// A reference to the screen that a session shows. Two references to a challenge are equal only if
/// the challenge was shown without interruption in between. A change of language is no
/// interruption.
public enum ScreenReference: Equatable, Sendable {
  /// The flow's screen with this index.
  case flow(Int)
  /// A challenge, and the revision since which it has been shown. No other challenge of the session
  /// has the same revision.
  case challenge(since: UInt64, ChallengeScreen)

  /// Compares challenges by the revision in which they appeared, because a challenge that was
  /// translated is another object.
  public static func == (left: ScreenReference, right: ScreenReference) -> Bool {
    switch (left, right) {
    case (.flow(let own), .flow(let other)): own == other
    case (.challenge(let own, _), .challenge(let other, _)): own == other
    case (.flow, .challenge), (.challenge, .flow): false
    }
  }

  /// Whether this refers to the flow's screen with the index `index`.
  @inline(__always) func isFlow(_ index: Int) -> Bool {
    if case .flow(let own) = self { own == index } else { false }
  }

  /// The challenge that this refers to; `nil` for a screen of the flow.
  public var challenge: ChallengeScreen? {
    switch self {
    case .flow: nil
    case .challenge(_, let challenge): challenge
    }
  }
}
