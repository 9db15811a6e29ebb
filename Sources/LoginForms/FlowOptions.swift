/// The variants of behaviour that a flow chooses. The names are those of the members of a flow definition.
public struct FlowOptions: Equatable, Sendable {
  public var validation = Validation.live
  public var marking = Marking.touched
  public var submit = SubmitStyle.whenValid
  public var invalid = NoticeStyle.inline
  public var failure = NoticeStyle.inline
  public var pending = PendingStyle.cancel
  public var transitions = Transitions.instant
  public var policy = TransitionPolicy.queue
  /// How long an authenticator may take for an answer, in milliseconds.
  public var requestTimeout: UInt64 = 30_000
  /// How long a view may take to report a transition, in milliseconds.
  public var presentationTimeout: UInt64 = 5000

  public init() {}

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
  }

  /// When the submit action is enabled.
  public enum SubmitStyle: String, CaseIterable, Sendable {
    case whenValid, always
  }

  /// Where something that is wrong is shown.
  public enum NoticeStyle: String, CaseIterable, Sendable {
    /// In the form.
    case inline
    /// In an alert that has to be dismissed first.
    case alert
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
