/// A date and time in UTC, to the second. Times before 1970 or after the year 9999 are clamped to
/// those limits.
struct CalendarTime {
  let year, month, day, hour, minuteOfHour, second: Int64
  /// The day of the week, from 0 for Sunday to 6 for Saturday.
  let weekday: Int64

  /// Converts a time in milliseconds since 1970. The algorithm is `civil_from_days` of Howard
  /// Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  init(milliseconds: Int64) {
    let seconds = min(max(milliseconds / 1_000, 0), 253_402_300_799)
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    // Days since 0000-03-01. Years start in March here, so that a leap day is the last day of its
    // year.
    let shifted = days + 719_468
    let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    (hour, minuteOfHour, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    // 1 January 1970 was a Thursday.
    weekday = (days + 4) % 7
  }

  /// The date and time in the format of RFC 3339: `2026-11-21T10:03:00Z`.
  var internet: String { date + "T" + clock + "Z" }

  /// The date in the format of RFC 3339: `2026-11-21`.
  var date: String { Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2) }

  /// The date and time as shown to users, to the minute: `2026-11-21 10:03 UTC`.
  var minute: String { date + " " + Self.padded(hour, 2) + ":" + Self.padded(minuteOfHour, 2) + " UTC" }

  /// The date and time in the format of mail headers (RFC 5322): `Sat, 21 Nov 2026 10:03:00 +0000`.
  var mail: String {
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return days[Int(weekday)] + ", " + Self.padded(day, 2) + " " + months[Int(month - 1)] + " " + Self.padded(year, 4)
      + " " + clock + " +0000"
  }

  private var clock: String {
    Self.padded(hour, 2) + ":" + Self.padded(minuteOfHour, 2) + ":" + Self.padded(second, 2)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
