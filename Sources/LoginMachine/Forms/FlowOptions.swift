/// The variants of behaviour that a flow chooses. The names are those of the members of a flow definition.
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
  /// How long an authenticator may take for an answer, in milliseconds.
  public var requestTimeout: UInt64 = 30_000
  /// How long a view may take to report a transition, in milliseconds.
  public var presentationTimeout: UInt64 = 5000

  public init() {}

  /// Whether items are ever shown as valid or invalid.
  @inlinable public var showsMarks: Bool {
    @inline(__always) get { invalid == .inline && marking != .none }
  }

  /// Whether a press that sends values counts while they are not valid, because it tells what is missing.
  @inlinable public var tellsWhatIsMissing: Bool { submit != .onlyWhenValid && (invalid == .alert || marking != .none) }

  /// When values are judged.
  public enum Validation: String, CaseIterable, Sendable {
    /// On every edit.
    case live
    /// When a submit is tried.
    case onSubmit
  }

  /// Which invalid items are shown as such while the person types.
  public enum Marking: String, CaseIterable, Sendable {
    /// The items that were edited; all items once a submit was tried.
    case touched
    /// All, from the first edit on.
    case all
    /// None, not even after a submit: no item has a validity or messages.
    case none
  }

  /// When the submit action is enabled, and whether a press of it counts while it is not.
  public enum SubmitStyle: String, CaseIterable, Sendable {
    /// While the values are valid. A press at any other time shows what is missing.
    case whenValid
    /// While the values are valid. A press at any other time is refused.
    case onlyWhenValid
    /// Always. A press shows what is missing.
    case always
  }

  /// Where something that is wrong is shown.
  public enum NoticeStyle: String, CaseIterable, Sendable {
    /// In the form.
    case inline
    /// In an alert that has to be dismissed first.
    case alert
  }

  /// Where the form goes on once the alert of a failure was dismissed.
  public enum AfterFailure: String, CaseIterable, Sendable {
    /// Where its values lead: they can be sent again as they are.
    case values
    /// At the beginning, with its values: they can be sent only after an edit.
    case initial
  }

  /// What the primary action is while a request is pending.
  public enum PendingStyle: String, CaseIterable, Sendable {
    /// The primary action becomes the cancel action.
    case cancel
    /// The primary action stays the submit action and is disabled: there is no way back but the answer.
    case cover
  }

  /// Whether a view is given time for what it shows.
  public enum Transitions: String, CaseIterable, Sendable {
    /// The engine does not wait for the view.
    case instant
    /// After a change that takes time, nothing more is shown until the view reports it.
    case acknowledged
  }

  /// What becomes of updates while a view takes its time.
  public enum TransitionPolicy: String, CaseIterable, Sendable {
    /// All updates wait, in their order.
    case queue
    /// Only the newest update waits.
    case latest
    /// Events of the view are refused meanwhile.
    case reject
  }
}
