import LoginMachine

/// RFC 3339 times in UTC with milliseconds.
enum UTCTime {
  /// The text of a time in milliseconds since 1970, such as `2026-11-22T23:05:00.250Z`. Dates after
  /// 9999-12-31 are written as 9999-12-31.
  static func text(_ milliseconds: UInt64) -> [UInt8] {
    let (year, month, day) = CalendarDate(utc: milliseconds).parts
    let time = milliseconds % 86_400_000
    let (hours, minutes) = (time / 3_600_000, time / 60_000 % 60)
    let (seconds, rest) = (time / 1000 % 60, time % 1000)
    return digits(UInt64(max(year, 0)), 4) + [0x2D] + digits(UInt64(max(month, 0)), 2) + [0x2D]
      + digits(UInt64(max(day, 0)), 2) + [0x54] + digits(hours, 2) + [0x3A] + digits(minutes, 2) + [0x3A]
      + digits(seconds, 2) + [0x2E] + digits(rest, 3) + [0x5A]
  }

  /// A number with leading zeros, `count` digits long.
  private static func digits(_ number: UInt64, _ count: Int) -> [UInt8] {
    let text = Array(String(number).utf8)
    return [UInt8](repeating: 0x30, count: max(0, count - text.count)) + text
  }
}
