/// What a view or an authenticator can have the log say as often as it likes: the first few of a minute one by one, and how many others there were with the
/// next one after that.
struct RepeatedWarning {
  private static var perMinute: Int { 20 }
  private static var minute: UInt64 { 60_000 }

  private var start: UInt64 = 0
  private var count = 0

  /// The line to be written, if it is; `now` in steady milliseconds.
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
