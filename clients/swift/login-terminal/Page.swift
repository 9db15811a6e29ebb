/// What a terminal can show, and how the screen's language runs.
struct Look {
  let isColored: Bool
  /// Whether the terminal knows links, or at least passes over them.
  let hasLinks: Bool
  /// Whether rows begin on the right.
  let isMirrored: Bool
}

/// Rows of text while they are put together, and what of them must stay in sight.
///
/// Each row begins with a mark of two columns that shows where the focus is.
struct Page {
  let width: Int
  let look: Look
  private(set) var rows: [Row] = []
  /// Where the cursor stands, if anywhere.
  private(set) var cursor: (row: Int, column: Int)?
  private(set) var focusedRow = 0
  /// What belongs to the item with the focus, from its title to its last message.
  var focusedRows = 0..<1

  init(width: Int, look: Look) {
    self.width = max(4, width)
    self.look = look
  }

  var textWidth: Int { width - 2 }

  /// The beginning of a row, to be added when it is whole.
  mutating func row(isFocused: Bool = false) -> Row {
    if isFocused { focusedRow = rows.count }
    var row = Row()
    add(isFocused ? look.isMirrored ? " ‹" : "› " : "  ", to: &row)
    return row
  }

  func add(_ text: String, _ style: Style = .plain, link: Hyperlink? = nil, to row: inout Row) {
    row.add(
      look.isMirrored ? Direction.marking(text) : text, style, limit: width, isColored: look.isColored,
      link: look.hasLinks ? link : nil)
  }

  mutating func add(_ row: Row) { rows.append(look.isMirrored ? row.mirrored(to: width) : row) }

  mutating func addBlank() { rows.append(Row()) }

  /// Puts the cursor into the next row, so many columns from where rows begin.
  mutating func setCursor(_ column: Int) { cursor = (rows.count, look.isMirrored ? width - 1 - column : column) }

  /// Adds text in as many rows as it needs; a sign at its beginning sets all of it in.
  mutating func add(_ text: String, sign: String = "", _ style: Style = .plain, link: Hyperlink? = nil) {
    let lines = text.split(separator: "\n").flatMap {
      wrap(printable(String($0)), at: textWidth - displayWidth(sign))
    }
    add(lines: lines, sign: sign, style, link: link)
  }

  /// Adds text that has to stay as it is, blanks too.
  mutating func add(verbatim text: String, _ style: Style = .plain) {
    add(lines: chunks(printable(text), of: textWidth), style)
  }

  private mutating func add(lines: [String], sign: String = "", _ style: Style, link: Hyperlink? = nil) {
    var sign = look.isMirrored ? String(sign.reversed()) : sign
    for line in lines {
      var row = row()
      add(sign, style, to: &row)
      add(line, style, link: link, to: &row)
      add(row)
      sign = String(repeating: " ", count: displayWidth(sign))
    }
  }

  /// Which rows to show where there is room for only so many: those around the focus, with the messages of what has the focus if there is room for
  /// them, or others if they were moved up by some.
  func window(of space: Int, movedUp: Int = 0) -> Range<Int> {
    let space = max(1, space)
    let last = max(0, rows.count - space)
    let centred = max(focusedRow - space / 2, min(focusedRow, focusedRows.upperBound - space))
    let first = max(0, min(max(0, min(centred, last)) + movedUp, last))
    return first..<min(rows.count, first + space)
  }
}
