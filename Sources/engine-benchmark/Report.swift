import JSONCodec

/// All figures, as a table for people or as JSON for programs.
struct Report {
  var figures: [Figure] = []
  /// The conditions under which the figures were measured, such as the computer.
  var notes: [(key: String, text: String)] = []

  func text() -> String {
    let header = ["", "median", "unit", "lowest to highest", "aim", ""]
    let rows = [header] + figures.map { Self.cells($0) }
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - cell.count)
        line += column == 1 ? space + cell + "  " : cell + space + "  "
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    for note in notes { text += "\n\(note.key): \(note.text)" }
    return text + "\n"
  }

  private static func cells(_ figure: Figure) -> [String] {
    let range =
      figure.lowest == figure.highest ? "" : "\(figure.lowest.readable) to \(figure.highest.readable)"
    let aim =
      switch figure.aim {
      case .none: ""
      case .atLeast(let limit): "at least \(limit.readable)"
      case .atMost(let limit): "at most \(limit.readable)"
      }
    return [
      figure.title, figure.value.readable, figure.unit, range, aim, figure.isReached.map { $0 ? "yes" : "NO" } ?? "",
    ]
  }

  func json() -> String {
    var text = ByteBuffer()
    text.append("{\"notes\":{")
    for (index, note) in notes.enumerated() {
      if index > 0 { text.append(",") }
      text.appendJSONString(note.key)
      text.append(":")
      text.appendJSONString(note.text)
    }
    text.append("},\"figures\":[")
    for (index, figure) in figures.enumerated() {
      text.append(index > 0 ? ",\n{\"key\":" : "\n{\"key\":")
      text.appendJSONString(figure.key)
      text.append(",\"title\":")
      text.appendJSONString(figure.title)
      text.append(",\"unit\":")
      text.appendJSONString(figure.unit)
      text.append(",\"median\":\(Self.number(figure.value))")
      text.append(",\"lowest\":\(Self.number(figure.lowest)),\"highest\":\(Self.number(figure.highest))")
      switch figure.aim {
      case .none: break
      case .atLeast(let limit): text.append(",\"atLeast\":\(Self.number(limit))")
      case .atMost(let limit): text.append(",\"atMost\":\(Self.number(limit))")
      }
      if let isReached = figure.isReached { text.append(",\"reached\":\(isReached)") }
      text.append("}")
    }
    text.append("]}")
    return String(decoding: text.array(), as: UTF8.self)
  }

  private static func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }
}
