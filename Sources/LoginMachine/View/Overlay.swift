/// What covers a session's form or prevents its use: alerts, a notice, a throttle.
struct Overlay: Equatable, Sendable {
  /// The first is shown; each stays until it is dismissed.
  var alerts: [Alert] = []
  /// The revision since which the first alert has been shown.
  var alertSince: UInt64 = 0
  /// Information for the user that is not an error.
  var notice: Message?
  /// The active throttle.
  var throttle: Throttle?
  /// Whether the values failed and cannot be sent again before an edit.
  var waitsForEdit = false

  var isEmpty: Bool { alerts.isEmpty && notice == nil && throttle == nil && !waitsForEdit }
}
