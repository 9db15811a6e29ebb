/// A moment as RFC 3339 writes it in UTC, to the second: `2026-11-21T10:03:00Z`.
enum ISODate {
  /// Source of the calendar's arithmetic: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
  /// `civil_from_days`. Times before 1970 or after the year 9999 are shown as those limits.
  static func text(milliseconds: Int64) -> String {
    let seconds = min(max(milliseconds / 1_000, 0), 253_402_300_799)
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    // Days since 0000-03-01; years here begin in March, so that a leap day is the last of its year.
    let shifted = days + 719_468
    let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(second / 3_600, 2) + ":"
      + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
