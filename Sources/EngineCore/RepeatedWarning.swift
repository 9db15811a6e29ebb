/// A rate limit for warnings that a view or an authenticator can cause at will. The first 20
/// warnings of a minute are logged one by one, and the others are left out. The first warning after
/// that minute states how many were left out.
struct RepeatedWarning {
  private static var perMinute: Int { 20 }
  private static var minute: UInt64 { 60_000 }

  private var start: UInt64 = 0
  private var count = 0

  /// The line to log for a warning; `nil` if the warning is left out. `now` is steady time in
  /// milliseconds.
  mutating func line(_ text: String, at now: UInt64) -> String? {
    let left = count - RepeatedWarning.perMinute
    guard count > 0, now < start &+ RepeatedWarning.minute else {
      (start, count) = (now, 1)
      return left > 0 ? text + " (and \(left) others since the last that is here)" : text
    }
    count += 1
    return count > RepeatedWarning.perMinute ? nil : text
  }
}
