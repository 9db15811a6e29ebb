/// Writes the table of protocol/guides/performance.md, in Markdown.
enum Table {
  /// One row of the table: its title, the key of its figure, and the key of the figure of another
  /// program that was measured in the same run.
  private struct Row {
    let title: String
    let key: String
    var unit = ""
    var divisor = 1.0
    var other: (text: String, key: String, end: String)?
  }

  /// The crowds of the typing benchmark that have rows: the number of their sessions, and the words
  /// for them in the title of the row.
  private static let crowds = [
    (1, "1 session"), (1_000, "1,000 sessions"), (100_000, "100,000 sessions"), (1_000_000, "1,000,000 sessions"),
  ]

  private static let rows: [Row] =
    crowds.map { count, name in
      Row(
        title: "typing events a second, each answered with a full snapshot: \(name)", key: "typing.\(count).wall",
        other: ("", "typing.\(count).catRatio", " of `cat`'s speed for these bytes"))
    }
    + crowds.map { count, name in
      Row(title: "typing events a second, each answered with commands only: \(name)", key: "commands.\(count).wall")
    }
    + [
      Row(title: "what a typing event costs more with 1,000,000 sessions", key: "typing.1000000.added", unit: " µs"),
      Row(title: "memory of a session with an address and a password typed", key: "memory.1000000", unit: " bytes"),
      Row(title: "sessions opened a second", key: "opening.sessions"),
      Row(
        title: "a request and its answer, both programs on one core", key: "roundtrip.median", unit: " µs",
        other: ("`cat` echoing the answer: ", "roundtrip.cat.median", " µs")),
      Row(
        title: "from start to the first snapshot", key: "start.first", unit: " ms", divisor: 1_000,
        other: ("a C program that does nothing: ", "start.empty", " ms")),
      Row(title: "the engine's own time for a login, one at a time", key: "login.single", unit: " µs"),
      Row(title: "the engine's own time for a login, many at a time", key: "login.together", unit: " µs"),
    ]

  /// The table with these figures. A cell without a figure is empty.
  static func markdown(_ figures: [Figure]) -> String {
    func value(_ key: String, _ divisor: Double) -> String? {
      figures.first { $0.key == key }.map { rounded($0.value / divisor) }
    }
    let lines = rows.map { row in
      let own = value(row.key, row.divisor).map { $0 + row.unit } ?? ""
      let other = row.other.flatMap { other in
        value(other.key, row.divisor).map { other.text + $0 + other.end }
      }
      return "| \(row.title) | \(own) | \(other ?? "") |"
    }
    return (["| | `login-engine` | beside it |", "|---|--:|---|"] + lines).map { $0 + "\n" }.joined()
  }

  /// The number rounded to three significant digits.
  static func rounded(_ value: Double) -> String {
    guard value >= 100 else { return value.readable }
    var step = 1.0
    while value / step >= 1_000 { step *= 10 }
    return ((value / step).rounded() * step).readable
  }
}
