/// The figures of a run as a picture: what the engine does, with what was measured beside it in the same run.
///
/// A figure that was not measured is left out, and so is a panel without figures.
struct Chart {
  /// One thing that was measured.
  struct Row {
    let title: String
    /// The engine's bar, and what is written behind it.
    let own: Bar
    /// The bar of the program beside it.
    var other: Bar?
  }

  struct Bar {
    let value: Double
    let text: String
  }

  /// Rows that are measured in the same unit, so that their bars have one scale.
  struct Panel {
    let title: String
    /// What the bars of the other program are.
    var otherName: String?
    let rows: [Row]
    /// The value of the longest bar; of panels with the same unit, all have the same.
    var scale = 0.0

    var largest: Double { rows.flatMap { [$0.own.value, $0.other?.value ?? 0] }.max() ?? 0 }
  }

  let panels: [Panel]

  init(_ figures: [Figure]) {
    let figures = Figures(figures)
    var typing = [
      Panel(
        title: "Typing events a second, each answered with a full snapshot",
        otherName: "cat, copying the same answers", rows: figures.crowds("typing")),
      Panel(title: "Typing events a second, each answered with commands only", rows: figures.crowds("commands")),
    ]
    let most = typing.map(\.largest).max() ?? 0
    for index in typing.indices { typing[index].scale = most }
    var single = [
      Panel(
        title: "A request and its answer, on one core, in microseconds", otherName: "cat, echoing the answer",
        rows: figures.row("round trip", "roundtrip.median", beside: "roundtrip.cat.median")),
      Panel(
        title: "From start to the first snapshot, in milliseconds", otherName: "a C program that does nothing",
        rows: figures.row("start", "start.first", beside: "start.empty", divisor: 1_000)),
    ]
    for index in single.indices { single[index].scale = single[index].largest }
    panels = (typing + single).filter { !$0.rows.isEmpty }
  }

  /// The figures of a run by their keys.
  private struct Figures {
    private let values: [String: Double]

    init(_ figures: [Figure]) { values = .init(figures.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }) }

    func crowds(_ part: String) -> [Row] {
      Table.crowds.flatMap { count, name -> [Row] in
        guard let value = values["\(part).\(count).wall"] else { return [] }
        let copied = values["\(part).\(count).catRatio"].map { value.per($0) }
        return [Row(title: name, own: bar(value), other: copied.map(bar))]
      }
    }

    func row(_ title: String, _ key: String, beside otherKey: String, divisor: Double = 1) -> [Row] {
      guard let value = values[key] else { return [] }
      return [Row(title: title, own: bar(value / divisor), other: values[otherKey].map { bar($0 / divisor) })]
    }

    private func bar(_ value: Double) -> Bar { Bar(value: value, text: Table.rounded(value)) }
  }
}
