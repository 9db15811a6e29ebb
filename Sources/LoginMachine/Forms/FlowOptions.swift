/// The variants of behaviour that a flow chooses. The names are those of the members of a flow
/// definition.
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
  /// The maximum time for an authenticator's answer, in milliseconds.
  public var requestTimeout: UInt64 = 30_000
  /// The maximum time for a view to report a transition, in milliseconds.
  public var presentationTimeout: UInt64 = 5000

  public init() {}

  /// Whether items are ever shown as valid or invalid.
  @inlinable public var showsMarks: Bool {
    @inline(__always) get { invalid == .inline && marking != .none }
  }

  /// Whether a press on submit with invalid values is accepted, because it shows what is missing.
  @inlinable public var showsInvalidItems: Bool { submit != .onlyWhenValid && (invalid == .alert || marking != .none) }

  /// When values are validated.
  public enum Validation: String, CaseIterable, Sendable {
    /// On every edit.
    case live
    /// On a submit.
    case onSubmit
  }

  /// Which invalid items are shown as such while the user types.
  public enum Marking: String, CaseIterable, Sendable {
    /// Edited items; all items once a submit was attempted.
    case touched
    /// All items, from the first edit on.
    case all
    /// No items, even after a submit: no item has a validity or messages.
    case none
  }

  /// When the submit action is enabled, and whether a press is accepted while it is disabled.
  public enum SubmitStyle: String, CaseIterable, Sendable {
    /// While the values are valid. A press at any other time shows what is missing.
    case whenValid
    /// While the values are valid. A press at any other time is refused.
    case onlyWhenValid
    /// Always. A press shows what is missing.
    case always
  }

  /// Where errors are shown.
  public enum NoticeStyle: String, CaseIterable, Sendable {
    /// In the form.
    case inline
    /// In an alert that has to be dismissed.
    case alert
  }

  /// The state of the form after the alert of a failure is dismissed.
  public enum AfterFailure: String, CaseIterable, Sendable {
    /// The state that its values have: they can be sent again unchanged.
    case values
    /// The initial state with its values: they can be sent only after an edit.
    case initial
  }

  /// What the primary action is while a request is pending.
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
    /// After a change that takes time to present, the engine shows nothing more until the view
    /// reports that the transition has ended.
    case acknowledged
  }

  /// How updates are handled during a transition.
  public enum TransitionPolicy: String, CaseIterable, Sendable {
    /// All updates wait, in order.
    case queue
    /// Only the newest update waits.
    case latest
    /// The view's events are refused.
    case reject
  }
}
