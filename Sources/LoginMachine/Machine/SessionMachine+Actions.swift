/// The actions of a session.
extension SessionMachine {
  /// The current role of the primary action.
  public var primaryRole: Action {
    @inline(__always) get { primaryRole(in: phase.name) }
  }

  /// The role of the primary action in the given phase.
  @inline(__always) func primaryRole(in phase: Phase.Name) -> Action {
    switch phase {
    case .initial, .unvalidated, .validated: .submit
    case .requestPending: flow.options.pending == .cancel || isWaiting ? .cancel : .submit
    case .requestFailed: flow.options.failure == .inline ? .retry : .submit
    case .requestSucceeded: screen.primary.again == nil ? .submit : .again
    }
  }

  /// An action on a screen.
  public enum Action: Equatable, Sendable {
    case submit, cancel, retry
    /// Starts the session again after a login.
    case again
    case link(Int)
    /// Dismisses the current alert.
    case dismiss
  }

  /// A role of the primary action: an `Action` in one byte.
  public enum PrimaryRole: UInt8, Sendable {
    case submit, cancel, retry, again

    @inline(__always) init(_ action: Action) {
      switch action {
      case .submit, .link, .dismiss: self = .submit
      case .cancel: self = .cancel
      case .retry: self = .retry
      case .again: self = .again
      }
    }

    public var action: Action {
      switch self {
      case .submit: .submit
      case .cancel: .cancel
      case .retry: .retry
      case .again: .again
      }
    }
  }

  /// Whether `action` is on the screen, enabled or not.
  public func shows(_ action: Action) -> Bool {
    switch action {
    case .submit, .cancel, .retry, .again: action == primaryRole
    case .link: true
    case .dismiss: alert != nil
    }
  }

  /// The revision in which `action` last appeared or changed its role.
  public func since(_ action: Action) -> UInt64 {
    switch action {
    case .submit, .cancel, .retry, .again: primarySince
    case .link(let link): max(screenSince, requestLinksSince(of: link))
    case .dismiss: extrasBox?.value.overlay.alertSince ?? 0
    }
  }

  /// Whether a press of `action` is accepted now. Unless the flow accepts only valid submits, a
  /// press of a disabled submit is accepted too, because it shows what is missing.
  public func accepts(_ action: Action) -> Bool {
    if case .dismiss = action { return alert != nil }
    guard !hasExtras || alert == nil else { return false }
    switch (phase, action) {
    case (.initial, .submit):
      // A form without required items can be sent unchanged.
      return !isThrottled && !waitsForEdit && (flow.options.submit != .onlyWhenValid || draft.isValid)
    case (.unvalidated, .submit): return !isThrottled && flow.options.submit != .onlyWhenValid
    case (.validated, .submit): return !isThrottled
    // A throttle of the submit's request does not affect a retry of a link's request.
    case (.requestFailed, .retry): return (!isThrottled || failedLinkRequest != nil) && action == primaryRole
    case (.requestPending, .cancel): return flow.options.pending == .cancel || isWaiting
    case (.initial, .link(let link)), (.unvalidated, .link(let link)), (.validated, .link(let link)),
      (.requestFailed, .link(let link)):
      return !withholds(link)
    case (.requestSucceeded, .again): return screen.primary.again != nil
    case (.initial, .cancel), (.initial, .retry), (.unvalidated, .cancel), (.unvalidated, .retry),
      (.validated, .cancel), (.validated, .retry), (.requestFailed, .submit), (.requestFailed, .cancel),
      (.requestPending, .submit), (.requestPending, .retry), (.requestPending, .link), (.requestSucceeded, _),
      (_, .again), (_, .dismiss):
      return false
    }
  }
}
