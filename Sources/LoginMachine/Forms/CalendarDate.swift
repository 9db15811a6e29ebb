/// A day in the years 1 to 9999 of the proleptic Gregorian calendar (ISO 8601).
public struct CalendarDate: Hashable, Comparable, Sendable {
  /// Days since 0001-01-01.
  private let number: Int32

  /// The number of days in 400 years, the period of the calendar.
  private static let daysOfCycle: Int32 = 146_097
  /// The number of days from 0001-01-01 to 1970-01-01.
  private static let daysBefore1970: UInt64 = 719_162
  private static let last: Int32 = 3_652_058

  private init(number: Int32) { self.number = number }

  /// Parses `YYYY-MM-DD` (ISO 8601, extended format); `nil` if the text has another form or the day
  /// does not exist.
  public init?(_ text: Span<UInt8>) {
    guard text.count == 10, text[4] == 0x2D, text[7] == 0x2D, let year = digits(text, 0..<4),
      let month = digits(text, 5..<7), let day = digits(text, 8..<10)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Creates the given day; `nil` if it does not exist or the year is not in 1 to 9999.
  public init?(year: Int32, month: Int32, day: Int32) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...CalendarDate.days(of: month, in: year) ~= day else { return nil }
    var number = CalendarDate.days(before: year) + day - 1
    for earlier in 1..<month { number += CalendarDate.days(of: earlier, in: year) }
    self.init(number: number)
  }

  /// The day in UTC at a time given in milliseconds since 1970-01-01, without leap seconds (as in
  /// POSIX). Times after the year 9999 give its last day.
  public init(utc milliseconds: UInt64) {
    let days = milliseconds / 86_400_000 + CalendarDate.daysBefore1970
    number = Int32(exactly: days).map { min($0, CalendarDate.last) } ?? CalendarDate.last
  }

  public static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.number < right.number }

  /// The date `days` later, or earlier if negative, clamped to the first or last date.
  public func adding(days: Int32) -> CalendarDate {
    let (sum, overflow) = number.addingReportingOverflow(days)
    guard !overflow else { return CalendarDate(number: days < 0 ? 0 : CalendarDate.last) }
    return CalendarDate(number: max(0, min(sum, CalendarDate.last)))
  }

  /// Year, month and day, each counted from 1.
  public var parts: (year: Int32, month: Int32, day: Int32) {
    // The estimated year is never too late and at most a few years too early.
    var year = number / CalendarDate.daysOfCycle * 400 + number % CalendarDate.daysOfCycle / 366 + 1
    while CalendarDate.days(before: year + 1) <= number { year += 1 }
    var rest = number - CalendarDate.days(before: year)
    var month: Int32 = 1
    while rest >= CalendarDate.days(of: month, in: year) {
      rest -= CalendarDate.days(of: month, in: year)
      month += 1
    }
    return (year, month, rest + 1)
  }

  /// The age in years, on `day`, of a person born on this date; `nil` if `day` is before this date.
  /// In a year without 29 February, a person born on 29 February becomes a year older on 1 March.
  public func age(on day: CalendarDate) -> Int32? {
    guard self <= day else { return nil }
    let (birth, now) = (parts, day.parts)
    return now.year - birth.year - ((now.month, now.day) < (birth.month, birth.day) ? 1 : 0)
  }

  /// The date in ISO 8601: `YYYY-MM-DD`.
  public var text: String {
    let (year, month, day) = parts
    return [(year, 4), (month, 2), (day, 2)].map { number, width in
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }.joined(separator: "-")
  }

  /// The number of days in the years before `year`.
  private static func days(before year: Int32) -> Int32 {
    let years = year - 1
    return years * 365 + years / 4 - years / 100 + years / 400
  }

  private static func days(of month: Int32, in year: Int32) -> Int32 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// The decimal number whose digits are the bytes in `range`; `nil` if a byte is not a digit.
private func digits(_ text: Span<UInt8>, _ range: Range<Int>) -> Int32? {
  var number: Int32 = 0
  for index in range {
    guard 0x30...0x39 ~= text[index] else { return nil }
    number = number * 10 + Int32(text[index] - 0x30)
  }
  return number
}
