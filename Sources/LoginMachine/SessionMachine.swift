public import LoginForms

/// The login state machine of one session: events in, what is to be done out, and no other effect.
///
/// Each event is a method. A method that can be refused changes nothing when it refuses.
public struct SessionMachine: Equatable, Sendable {
  public let flow: Flow
  public private(set) var phase: Phase = .initial
  /// The index of the current screen.
  public private(set) var screenIndex: Int
  /// What has been entered into the current screen.
  public private(set) var draft: Draft
  /// What had been entered into screens that were left, without secrets.
  private var shelf: [Shelved] = []
  /// The number of accepted events, beginning with 1 for the opening.
  public private(set) var revision: UInt64 = 1
  /// The number of changes and performs offered by the view, accepted or not.
  public private(set) var events: UInt64 = 0
  /// The revision since which the current screen has been shown without a break.
  public private(set) var screenSince: UInt64 = 1
  /// The revision since which the primary action has been the one it is.
  public private(set) var primarySince: UInt64 = 1

  private struct Shelved: Equatable, Sendable {
    var screen: Int
    var draft: Draft
  }

  /// A session at the beginning of a screen. `screen` must be one of the flow's.
  public init(flow: Flow, screen: Int) {
    self.flow = flow
    screenIndex = screen
    draft = Draft(of: flow.screens[screen])
  }

  /// The current screen.
  public var screen: Screen { flow.screens[screenIndex] }

  public static func == (left: Self, right: Self) -> Bool {
    left.flow === right.flow && left.phase == right.phase && left.screenIndex == right.screenIndex
      && left.draft == right.draft && left.shelf == right.shelf && left.revision == right.revision
      && left.events == right.events && left.screenSince == right.screenSince
      && left.primarySince == right.primarySince
  }

  // MARK: Opening

  /// Enters a value to begin with, before anything has been shown.
  public mutating func begin(with text: Span<UInt8>, in item: Int) {
    draft.enter(text, into: item, of: screen)
    phase = standing
  }

  /// Puts a switch into the position to begin with, before anything has been shown.
  public mutating func begin(with isOn: Bool, in item: Int) {
    draft.set(isOn, at: item, of: screen)
    phase = standing
  }

  // MARK: Edits

  /// Counts a change or perform of the view; to be called for each, before it is judged.
  public mutating func countEvent() { events += 1 }

  /// Whether items may be edited now.
  public var acceptsEdits: Bool { phase.isOpen }

  /// A plain input's new text. Refused unless `acceptsEdits`.
  public mutating func change(_ item: Int, to text: Span<UInt8>) -> Bool {
    guard acceptsEdits else { return false }
    draft.enter(text, into: item, of: screen)
    edited()
    return true
  }

  /// A switch's new position. Refused unless `acceptsEdits`.
  public mutating func change(_ item: Int, to isOn: Bool) -> Bool {
    guard acceptsEdits else { return false }
    draft.set(isOn, at: item, of: screen)
    edited()
    return true
  }

  /// A secret was entered or emptied; its bytes are elsewhere. Refused unless `acceptsEdits`.
  public mutating func changeSecret(_ item: Int, isFilled: Bool, failing: RuleSet) -> Bool {
    guard acceptsEdits else { return false }
    draft.noteSecret(isFilled: isFilled, failing: failing, at: item)
    edited()
    return true
  }

  /// The bytes of a secret had to be given up, because view and engine disagreed on them. Returns whether anything changed.
  public mutating func loseSecret(_ item: Int) -> Bool {
    guard draft.entries[item].isFilled else { return false }
    let before = primaryPart
    draft.forgetSecret(at: item, of: screen)
    if case .validated = phase { phase = standing }
    advance(from: before)
    return true
  }

  private mutating func edited() {
    let before = primaryPart
    if flow.marking == .all { draft.markAll() }
    phase = standing
    advance(from: before)
  }

  // MARK: Actions

  /// What can be pressed on a screen.
  public enum Action: Equatable, Sendable {
    case submit, cancel, retry
    case link(Int)
  }

  /// What a press leads to.
  public enum PressOutcome: Equatable, Sendable {
    /// The state does not take it.
    case refused
    /// Nothing beyond the new state.
    case done
    /// Ask the authenticator.
    case submit(Submission)
    /// Tell the authenticator that nobody waits any more.
    case cancel(AttemptID)
    /// Destroy the secrets of the screen that was left.
    case wipeSecrets
  }

  /// An action was pressed. `attempt` is the number to use if the authenticator is asked.
  public mutating func press(_ action: Action, attempt: AttemptID) -> PressOutcome {
    let before = primaryPart
    let outcome: PressOutcome
    switch (phase, action) {
    case (.initial, .submit), (.unvalidated, .submit), (.validated, .submit):
      outcome = submit(attempt, retryOf: nil)
    case (.requestFailed(let failure), .retry):
      outcome = submit(attempt, retryOf: failure.firstAttempt)
    case (.requestPending(let attempt), .cancel) where flow.pending == .cancel:
      phase = standing
      outcome = .cancel(attempt.id)
    case (.initial, .link(let link)), (.unvalidated, .link(let link)), (.validated, .link(let link)),
      (.requestFailed, .link(let link)):
      visit(screen.links[link].screen)
      outcome = .wipeSecrets
    case (.initial, .cancel), (.initial, .retry), (.unvalidated, .cancel), (.unvalidated, .retry),
      (.validated, .cancel), (.validated, .retry), (.requestFailed, .submit), (.requestFailed, .cancel),
      (.requestPending, _), (.requestSucceeded, _):
      return .refused
    }
    advance(from: before)
    return outcome
  }

  private mutating func submit(_ id: AttemptID, retryOf first: AttemptID?) -> PressOutcome {
    draft.markAll()
    guard let values = draft.validated() else {
      phase = .unvalidated
      return .done
    }
    draft.dropAnswers()
    let attempt = Attempt(id: id, retryOf: first)
    phase = .requestPending(attempt)
    return .submit(Submission(attempt: attempt, screen: screen, values: values))
  }

  private mutating func visit(_ target: Int) {
    draft.forgetSecrets(of: screen)
    shelf.append(Shelved(screen: screenIndex, draft: draft))
    if let index = shelf.firstIndex(where: { $0.screen == target }) {
      draft = shelf.remove(at: index).draft
    } else {
      draft = Draft(of: flow.screens[target])
    }
    // A way from a screen to itself does not take away what is shown.
    if target != screenIndex {
      screenSince = revision + 1
      primarySince = revision + 1
    }
    screenIndex = target
    phase = draft == Draft(of: screen) ? .initial : standing
  }

  // MARK: Answers

  /// What an answer leads to.
  public enum AnswerOutcome: Equatable, Sendable {
    /// Nobody waits for this attempt any more; nothing has changed.
    case late
    /// Nothing beyond the new state.
    case done
    /// Destroy all secrets of the session.
    case wipeSecrets
  }

  /// The authenticator's answer to an attempt, or why there is none.
  public mutating func answer(_ answer: Answer, to id: AttemptID) -> AnswerOutcome {
    guard case .requestPending(let attempt) = phase, attempt.id == id else { return .late }
    let before = primaryPart
    let outcome: AnswerOutcome
    switch answer {
    case .accepted(let principal, let data):
      shelf = []
      draft = Draft(of: screen)
      phase = .requestSucceeded(Scene(id: screen.successScene, principal: principal, data: data))
      outcome = .wipeSecrets
    case .failed(let message, let items):
      for item in items { draft.add(item.message, to: item.item) }
      phase = .requestFailed(Failure(message: message, firstAttempt: attempt.retryOf ?? attempt.id))
      outcome = .done
    }
    advance(from: before)
    return outcome
  }

  // MARK: What follows from the values

  /// The phase that the values alone call for.
  private var standing: Phase { draft.isValid ? .validated : .unvalidated }

  /// Which of its three parts the primary action plays.
  public var primaryPart: Action {
    switch phase {
    case .initial, .unvalidated, .validated, .requestSucceeded: .submit
    case .requestPending: flow.pending == .cancel ? .cancel : .submit
    case .requestFailed: .retry
    }
  }

  /// Whether `action` is on the screen, enabled or not.
  public func shows(_ action: Action) -> Bool {
    switch action {
    case .submit, .cancel, .retry: action == primaryPart
    case .link: true
    }
  }

  /// The revision since which `action` has been what it is, or was replaced by another.
  public func since(_ action: Action) -> UInt64 {
    switch action {
    case .submit, .cancel, .retry: primarySince
    case .link: screenSince
    }
  }

  private mutating func advance(from before: Action) {
    revision += 1
    if primaryPart != before { primarySince = revision }
  }
}
