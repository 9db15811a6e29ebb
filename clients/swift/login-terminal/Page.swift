/// Rows of text while they are put together, and what of them must stay in sight.
///
/// Each row begins with a mark of two columns that shows where the focus is.
struct Page {
  let width: Int
  let isColored: Bool
  private(set) var rows: [Row] = []
  /// Where the cursor stands, if anywhere.
  var cursor: (row: Int, column: Int)?
  private(set) var focusedRow = 0

  init(width: Int, isColored: Bool) {
    self.width = max(4, width)
    self.isColored = isColored
  }

  var textWidth: Int { width - 2 }

  /// The beginning of a row, to be added when it is whole.
  mutating func row(isFocused: Bool = false) -> Row {
    if isFocused { focusedRow = rows.count }
    var row = Row()
    add(isFocused ? "› " : "  ", to: &row)
    return row
  }

  func add(_ text: String, _ style: Style = .plain, to row: inout Row) {
    row.add(text, style, limit: width, isColored: isColored)
  }

  mutating func add(_ row: Row) { rows.append(row) }

  mutating func addBlank() { rows.append(Row()) }

  /// Adds text in as many rows as it needs; a sign at its beginning sets all of it in.
  mutating func add(_ text: String, sign: String = "", _ style: Style = .plain) {
    let indent = displayWidth(sign)
    var sign = sign
    for line in text.split(separator: "\n") {
      for piece in wrap(printable(String(line)), at: textWidth - indent) {
        var row = row()
        add(sign, style, to: &row)
        add(piece, style, to: &row)
        rows.append(row)
        sign = String(repeating: " ", count: indent)
      }
    }
  }

  /// Which rows to show where there is room for only so many.
  func window(of space: Int) -> Range<Int> {
    let space = max(1, space)
    let first = max(0, min(focusedRow - space / 2, rows.count - space))
    return first..<min(rows.count, first + space)
  }
}
