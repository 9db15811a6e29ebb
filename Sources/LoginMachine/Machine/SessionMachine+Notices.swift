/// Events that are not sent by the view.
extension SessionMachine {
  /// Applies `change`, and raises the revision if what is shown has changed.
  private mutating func receive(_ change: (inout SessionMachine) -> Void) -> Step {
    var (before, after) = (ViewState(), ViewState())
    before.project(self)
    change(&self)
    after.project(self)
    guard before != after else { return .unseen() }
    revision += 1
    return .shown()
  }

  /// Shows a progress message of the authenticator. Refused unless the request to which the
  /// conversation belongs is pending.
  public mutating func notify(_ message: Message?, _ alert: Alert?, of id: ConversationID) -> Step {
    guard case .requestPending(let question) = phase, conversationID ?? ConversationID(first: question.id) == id,
      message != nil || alert != nil
    else { return .refused }
    return receive { machine in
      if let message { machine.show(notice: message) }
      guard let alert else { return }
      if machine.screen.alert == nil { machine.show(notice: alert.messages.first) } else { machine.show(alert) }
      if machine.alert == alert, machine.overlay.alerts.count == 1 {
        machine.focus(on: .dismissal, since: machine.revision + 1)
      }
    }
  }

  /// Shows a notice, unless the notice that is shown already has the same text. Returns whether the
  /// notice changed.
  @discardableResult mutating func show(notice: Message?) -> Bool {
    guard !showsSame(self.notice, notice) else { return false }
    overlay.notice = notice
    return true
  }

  /// Whether two lists of messages about items look the same in a view.
  func showsSame(_ left: [Draft.Remark], _ right: [Draft.Remark]) -> Bool {
    left.count == right.count
      && Set(left.map(\.item)).allSatisfy { item in
        left.filter { $0.item == item }.elementsEqual(right.filter { $0.item == item }) {
          $0.isNotice == $1.isNotice && showsSame($0.message, $1.message)
        }
      }
  }

  /// Whether two messages look the same in the current language.
  func showsSame(_ left: Message?, _ right: Message?) -> Bool {
    if left == right { return true }
    let locales = flow.strings.locales
    let strings = locales.indices.contains(Int(language)) ? flow.strings[locales[Int(language)]] : nil
    return (strings ?? StringTable([:])).showsSame(left, right)
  }

  /// Whether the answer to a question throttles requests on the current screen or on one that was
  /// left.
  public func hasThrottle(of question: QuestionID) -> Bool {
    throttle == question || shelf.contains { $0.pause?.value.throttle.question == question }
      || throttledLinks.contains { $0.question == question }
  }

  /// Ends the throttle that the answer to a question caused. Refused if the throttle has already
  /// ended.
  public mutating func endThrottle(of question: QuestionID) -> Step {
    if let index = shelf.firstIndex(where: { $0.pause?.value.throttle.question == question }) {
      shelf[index].pause = nil
      return .unseen()
    }
    if throttledLinks.contains(where: { $0.question == question }) { return receive { $0.release(question) } }
    guard throttle == question else { return .refused }
    return receive { machine in
      machine.overlay.throttle = nil
      if case .requestFailed(let failure) = machine.phase, machine.failedLinkRequest == nil,
        machine.flow.options.failure == .inline
      {
        machine.phase = .requestFailed(
          Failure(message: Message(.throttleOver), firstQuestion: failure.firstQuestion, source: failure.source))
      }
    }
  }
}
