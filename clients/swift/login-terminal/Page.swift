/// How text is drawn: what the terminal can do, and the direction of the screen's language.
struct Appearance {
  let isColored: Bool
  /// Whether the terminal supports hyperlinks, or at least ignores them.
  let hasLinks: Bool
  /// Whether rows begin on the right.
  let isMirrored: Bool
}

/// Collects the rows of a page, and records which of them must stay visible.
///
/// The first two columns of each row show whether the row has the focus.
struct Page {
  let width: Int
  let look: Appearance
  private(set) var rows: [Row] = []
  /// The row and the column of the cursor; `nil` if no cursor is shown.
  private(set) var cursor: (row: Int, column: Int)?
  private(set) var focusedRow = 0
  /// The rows of the focused item, from its title to its last message.
  var focusedRows = 0..<1

  init(width: Int, look: Appearance) {
    self.width = max(4, width)
    self.look = look
  }

  var textWidth: Int { width - 2 }

  /// Starts a new row. Add it to the page when it is complete.
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

  /// Puts the cursor into the row that is added next. `column` is counted from the side on which
  /// rows begin.
  mutating func setCursor(_ column: Int) { cursor = (rows.count, look.isMirrored ? width - 1 - column : column) }

  /// Adds a text, wrapped to the width of the page. `sign` is put before the first row, and the
  /// other rows are indented by its width.
  mutating func add(_ text: String, sign: String = "", _ style: Style = .plain, link: Hyperlink? = nil) {
    let lines = text.split(separator: "\n").flatMap {
      wrap(printable(String($0)), at: textWidth - displayWidth(sign))
    }
    add(lines: lines, sign: sign, style, link: link)
  }

  /// Adds a text without wrapping it, with all its spaces.
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

  /// The range of rows to show if only `space` rows fit. These are the rows around the focused
  /// item, with its messages if there is room. The range is moved by as many rows as the user has
  /// scrolled.
  func window(of space: Int, movedUp: Int = 0) -> Range<Int> {
    let space = max(1, space)
    let last = max(0, rows.count - space)
    let centred = max(focusedRow - space / 2, min(focusedRow, focusedRows.upperBound - space))
    let first = max(0, min(max(0, min(centred, last)) + movedUp, last))
    return first..<min(rows.count, first + space)
  }
}
