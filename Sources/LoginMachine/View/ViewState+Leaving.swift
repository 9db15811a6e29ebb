/// Two-step updates for views with transitions.
///
/// An activity, an error, a notice and an alert are covers: they cover the content of a view. A
/// cover must disappear before something else appears. A screen and a scene are content. Content
/// stays until other content replaces it.
extension ViewState {
  /// The first of two updates that lead from this state to `target`. It is this state without the
  /// covers that `target` does not show. `nil` if one update is enough, because no cover disappears
  /// or nothing appears.
  ///
  /// - Parameter showsSame: whether two messages look the same in a view.
  public func leaving(
    to target: borrowing ViewState, showsSame: (Message, Message) -> Bool = { $0 == $1 }
  ) -> ViewState? {
    guard mustLeave(before: target, showsSame) else { return nil }
    let stays = covers(keptBy: target)
    var rest = self
    if !stays.contains(.activity) { rest.showsActivity = false }
    rest.remove(
      error: !stays.contains(.error), notice: !stays.contains(.notice), alert: !stays.contains(.alert))
    return rest
  }

  /// Whether a cover must disappear before `target` can be shown.
  func mustLeave(before target: borrowing ViewState, _ showsSame: (Message, Message) -> Bool = { $0 == $1 }) -> Bool {
    covers != covers(keptBy: target) && enters(target, showsSame)
  }

  /// A set of things that can cover the content of a view.
  private struct Covers: OptionSet {
    let rawValue: UInt8
    static var activity: Covers { Covers(rawValue: 1) }
    static var error: Covers { Covers(rawValue: 2) }
    static var notice: Covers { Covers(rawValue: 4) }
    static var alert: Covers { Covers(rawValue: 8) }
  }

  /// The covers that this state shows.
  private var covers: Covers {
    var covers = Covers()
    if showsActivity { covers.insert(.activity) }
    if error != nil { covers.insert(.error) }
    if notice != nil { covers.insert(.notice) }
    if alert != nil { covers.insert(.alert) }
    return covers
  }

  /// The covers that both this state and `target` show. An error or a notice counts as kept even if
  /// its text changes. An alert counts as kept only if it is the same alert.
  private func covers(keptBy target: borrowing ViewState) -> Covers {
    guard showsSameScreen(as: target) else { return [] }
    var kept = covers.intersection(target.covers)
    if !showsSameAlert(as: target) { kept.remove(.alert) }
    return kept
  }

  /// Whether `target` shows something that this state does not.
  private func enters(_ target: borrowing ViewState, _ showsSame: (Message, Message) -> Bool) -> Bool {
    func isNew(_ message: Message?, after former: Message?) -> Bool {
      guard let message else { return false }
      return former.map { !showsSame($0, message) } ?? true
    }
    return !showsSameScreen(as: target) || target.showsActivity && !showsActivity
      || isNew(target.error, after: error) || isNew(target.notice, after: notice)
      || target.alert != nil && !showsSameAlert(as: target) || target.scene != nil && target.scene != scene
  }

  private func showsSameAlert(as other: borrowing ViewState) -> Bool {
    alertID == other.alertID && alert == other.alert
  }
}
