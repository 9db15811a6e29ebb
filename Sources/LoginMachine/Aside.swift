public import LoginForms

/// Something that a person has to acknowledge before anything else.
public struct Alert: Equatable, Sendable {
  /// What it is about, which decides its title if it brings none.
  public let kind: Screen.AlertKind
  /// A title of its own.
  public let title: String?
  /// What it says, a line each.
  public let messages: [Message]

  public init(_ kind: Screen.AlertKind, title: String? = nil, messages: [Message]) {
    self.kind = kind
    self.title = title
    self.messages = messages
  }
}

/// What most sessions have nothing of most of the time. A session holds it at the end of a reference, so that it costs nothing while there is none.
@usableFromInline struct Aside: Equatable, Sendable {
  /// The first is shown; each ends only when it is dismissed.
  var alerts: [Alert] = []
  /// The revision since which the first alert has been shown.
  var alertSince: UInt64 = 0
  /// Something to read that is no failure.
  var notice: Message?
  /// The attempt whose answer said that it is too early for another, until that time is over.
  var throttle: AttemptID?
  /// The first attempt with the values that still stand, after an alert said that it came to nothing.
  var unsettled: AttemptID?
  /// The revisions since which items have been on the screen without a break, where that is not as long as the screen has.
  var itemsSince: [Int: UInt64] = [:]
  /// What became of a request that was answered with a challenge.
  var conversation: Indirect<Conversation>?

  var isEmpty: Bool {
    alerts.isEmpty && notice == nil && throttle == nil && unsettled == nil && itemsSince.isEmpty
      && conversation == nil
  }
}

/// It is too early for another request of a screen that was left.
struct Pause: Equatable, Sendable {
  /// The attempt whose answer said so.
  var attempt: AttemptID
  /// What was shown of it, if it still is about the same values.
  var failure: Failure?
}

/// A value at the end of a reference.
@usableFromInline indirect enum Indirect<Value: Equatable & Sendable>: Equatable, Sendable {
  case value(Value)

  var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}

extension Indirect<Aside> {
  @usableFromInline var hasAlert: Bool { !value.alerts.isEmpty }

  /// The revision since which an item has been on the screen, if that is not as long as the screen has.
  @usableFromInline func arrival(of item: Int) -> UInt64? { value.itemsSince[item] }
}
