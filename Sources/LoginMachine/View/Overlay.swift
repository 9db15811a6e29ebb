/// What lies over the form of a session and keeps it from being used or sent: alerts, a notice, a throttle.
struct Overlay: Equatable, Sendable {
  /// The first is shown; each ends only when it is dismissed.
  var alerts: [Alert] = []
  /// The revision since which the first alert has been shown.
  var alertSince: UInt64 = 0
  /// Something to read that is no failure.
  var notice: Message?
  /// The active throttle.
  var throttle: Throttle?
  /// Whether the values came to nothing and are not sent again before an edit.
  var waitsForEdit = false

  var isEmpty: Bool { alerts.isEmpty && notice == nil && throttle == nil && !waitsForEdit }
}
