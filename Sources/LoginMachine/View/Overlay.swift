/// What covers a session's form or prevents its use: alerts, a notice, a throttle.
struct Overlay: Equatable, Sendable {
  /// The alerts that were not dismissed yet, in order. The first one is shown.
  var alerts: [Alert] = []
  /// The revision since which the first alert has been shown.
  var alertSince: UInt64 = 0
  /// Information for the user that is not an error.
  var notice: Message?
  /// The throttle of the current screen, if there is one.
  var throttle: Throttle?
  /// Whether a request with the current values failed and these values can be sent again only after
  /// an edit.
  var waitsForEdit = false

  var isEmpty: Bool { alerts.isEmpty && notice == nil && throttle == nil && !waitsForEdit }
}
