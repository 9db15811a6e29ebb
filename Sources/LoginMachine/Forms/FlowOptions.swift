/// A flow's choices between variants of behaviour. The names are those of the members in flow
/// definitions.
public struct FlowOptions: Equatable, Sendable {
  public var validation = Validation.live
  public var marking = Marking.touched
  public var submit = SubmitStyle.whenValid
  public var invalid = NoticeStyle.inline
  public var failure = NoticeStyle.inline
  public var afterFailure = AfterFailure.values
  public var pending = PendingStyle.cancel
  public var transitions = Transitions.instant
  public var policy = TransitionPolicy.queue
  /// The maximum time until an authenticator answers a request, in milliseconds.
  public var requestTimeout: UInt64 = 30_000
  /// The maximum time until a view reports that a transition has ended, in milliseconds.
  public var presentationTimeout: UInt64 = 5000

  public init() {}

  /// Whether items are ever shown as valid or invalid.
  @inlinable public var showsMarks: Bool {
    @inline(__always) get { invalid == .inline && marking != .none }
  }

  /// Whether a press on submit is accepted while values are invalid. The press then shows what is
  /// missing.
  @inlinable public var showsInvalidItems: Bool { submit != .onlyWhenValid && (invalid == .alert || marking != .none) }

  /// When values are validated.
  public enum Validation: String, CaseIterable, Sendable {
    /// On every edit of a value.
    case live
    /// When the user presses submit.
    case onSubmit
  }

  /// Which invalid items are shown as invalid while the user types.
  public enum Marking: String, CaseIterable, Sendable {
    /// Items that the user has edited; all items once the user has pressed submit.
    case touched
    /// All items, from the first edit of any item on.
    case all
    /// No items, even after a press on submit: no item shows validity or messages.
    case none
  }

  /// When the submit action is enabled, and whether a press is accepted while it is disabled.
  public enum SubmitStyle: String, CaseIterable, Sendable {
    /// Submit is enabled while the values are valid. A press while it is disabled shows what is
    /// missing.
    case whenValid
    /// Submit is enabled while the values are valid. A press while it is disabled is refused.
    case onlyWhenValid
    /// Submit is always enabled. A press while values are invalid shows what is missing.
    case always
  }

  /// Where errors are shown.
  public enum NoticeStyle: String, CaseIterable, Sendable {
    /// In the form, next to the items.
    case inline
    /// In an alert that has to be dismissed.
    case alert
  }

  /// The state of the form after the alert of a failure is dismissed.
  public enum AfterFailure: String, CaseIterable, Sendable {
    /// The state that follows from the values: if they are valid, they can be sent again unchanged.
    case values
    /// The form keeps its values but returns to its initial state. The values can be sent only
    /// after an edit.
    case initial
  }

  /// What happens to the primary action while a request is pending.
  public enum PendingStyle: String, CaseIterable, Sendable {
    /// The primary action becomes the cancel action.
    case cancel
    /// The primary action stays the submit action and is disabled. The user can only wait for the
    /// answer.
    case cover
  }

  /// Whether the engine waits for a view's transitions.
  public enum Transitions: String, CaseIterable, Sendable {
    /// The engine does not wait for the view.
    case instant
    /// After a change that takes time to present, the engine sends no further updates until the
    /// view reports that the transition has ended.
    case acknowledged
  }

  /// How the engine handles updates and events while a view shows a transition.
  public enum TransitionPolicy: String, CaseIterable, Sendable {
    /// All updates are kept and sent in order.
    case queue
    /// Only the newest unsent update is kept. Older unsent updates are dropped.
    case latest
    /// The view's events are refused until the transition has ended.
    case reject
  }
}
