import LoginMachine
import Testing

@Suite("Calendar dates")
struct CalendarDateTests {
  private func date(_ text: String) -> CalendarDate? { CalendarDate(text) }

  @Test(
    "an existing date in the years 0001 to 9999 is accepted",
    arguments: [
      "0001-01-01", "1582-10-10", "1900-02-28", "1970-01-01", "2000-02-29", "2004-02-29", "2100-12-31", "9999-12-31",
    ])
  func exists(text: String) { #expect(date(text)?.text == text) }

  @Test(
    "an invalid date is refused",
    arguments: [
      "", "2004", "2004-02", "2004-2-29", "04-02-29", "2004-02-30", "2003-02-29", "1900-02-29", "2004-04-31",
      "2004-13-01", "2004-00-01", "2004-01-00", "2004-01-32", "0000-01-01", "+2004-01-01", "20040229", "2004/02/29",
      "2004-02-29 ", " 2004-02-29", "2004-02-2\u{661}", "２００４-02-29", "2004-02-29T00:00:00Z", "-001-01-01",
    ])
  func isNone(text: String) { #expect(date(text) == nil) }

  @Test("adding one day to a date gives the next calendar day, for every day of more than 400 years")
  func inOrder() throws {
    var day = try #require(date("1996-12-31"))
    let end = try #require(date("2401-03-01"))
    var count = 0
    while day < end {
      let next = day.adding(days: 1)
      #expect(day < next && next.adding(days: -1) == day)
      let (before, after) = (day.parts, next.parts)
      if after.day != before.day + 1 {
        #expect(after.day == 1 && before.day >= 28)
        #expect(after.month == before.month + 1 || (after.month == 1 && before.month == 12))
        #expect(CalendarDate(year: before.year, month: before.month, day: before.day + 1) == nil)
      }
      #expect(CalendarDate(year: after.year, month: after.month, day: after.day) == next)
      day = next
      count += 1
    }
    #expect(count == 147_618)
  }

  @Test(
    "the date of a time is the day in UTC",
    arguments: [
      (0, "1970-01-01"), (86_399_999, "1970-01-01"), (86_400_000, "1970-01-02"), (951_782_400_000, "2000-02-29"),
      (951_868_799_999, "2000-02-29"), (253_402_300_799_999, "9999-12-31"), (.max, "9999-12-31"),
    ] as [(UInt64, String)])
  func times(utc: UInt64, text: String) { #expect(CalendarDate(utc: utc).text == text) }

  @Test("adding days to a date never goes beyond the first and the last valid date")
  func ends() throws {
    let last = try #require(date("9999-12-30"))
    #expect(last.adding(days: 5).text == "9999-12-31" && last.adding(days: .max).text == "9999-12-31")
    #expect(last.adding(days: .min).text == "0001-01-01")
  }

  @Test(
    "age increases on the birthday, and for 29 February on 1 March of years without that day",
    arguments: [
      ("2000-06-15", "2016-06-14", 15), ("2000-06-15", "2016-06-15", 16), ("2000-06-15", "2000-06-15", 0),
      ("2000-06-15", "2000-06-14", nil), ("2000-12-31", "2001-01-01", 0), ("2004-02-29", "2020-02-28", 15),
      ("2004-02-29", "2020-02-29", 16), ("2004-02-29", "2022-02-28", 17), ("2004-02-29", "2022-03-01", 18),
      ("2003-02-28", "2020-02-28", 17), ("0001-01-01", "9999-12-31", 9998),
    ] as [(String, String, Int32?)])
  func ages(birth: String, today: String, age: Int32?) throws {
    #expect(try #require(date(birth)).age(on: #require(date(today))) == age)
  }
}
