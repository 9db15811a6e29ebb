/// Which screen is shown. Two are equal only if the screen was shown without a break, be it in different languages.
public enum ScreenReference: Equatable, Sendable {
  /// The flow's screen of this index.
  case flow(Int)
  /// A screen that an authenticator has sent, and the revision since which it has been shown: no two challenges of a session have the same.
  case challenge(since: UInt64, ChallengeScreen)

  /// A challenge may be in another language, and then is another object: it is told by its revision.
  public static func == (left: ScreenReference, right: ScreenReference) -> Bool {
    switch (left, right) {
    case (.flow(let own), .flow(let other)): own == other
    case (.challenge(let own, _), .challenge(let other, _)): own == other
    case (.flow, .challenge), (.challenge, .flow): false
    }
  }

  /// Whether it is the flow's screen of an index.
  @inline(__always) func isFlow(_ index: Int) -> Bool {
    if case .flow(let own) = self { own == index } else { false }
  }

  /// The screen that an authenticator has sent, if it is one.
  public var challenge: ChallengeScreen? {
    switch self {
    case .flow: nil
    case .challenge(_, let challenge): challenge
    }
  }
}
