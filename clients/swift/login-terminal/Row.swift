/// The style of a text. It never carries meaning alone: without colours every sign is still visible
/// as a character.
enum Style {
  case plain, strong, faint, focused, link, bad, good, critical
  /// Black on white, so that a camera can read a QR code. Without colours, the light modules are
  /// drawn instead of the dark ones.
  case picture

  /// The escape sequence that starts the style.
  func code(isColored: Bool) -> String {
    switch self {
    case .plain: ""
    case .strong: "\u{1B}[1m"
    case .faint: "\u{1B}[2m"
    case .focused: "\u{1B}[7m"
    case .link: "\u{1B}[4m"
    case .bad: isColored ? "\u{1B}[31m" : ""
    case .good: isColored ? "\u{1B}[32m" : ""
    case .picture: isColored ? "\u{1B}[30;47m" : ""
    case .critical: isColored ? "\u{1B}[1;31m" : "\u{1B}[1;4m"
    }
  }
}

/// One row of the terminal while pieces of text are added, with its width in columns.
struct Row: Equatable {
  /// The pieces of text in the row, each with its escape sequences.
  private var pieces: [String] = []
  private(set) var width = 0

  var text: String { pieces.joined() }

  /// Adds as much of the text as fits if the whole row may have `limit` columns.
  mutating func add(
    _ piece: String, _ style: Style = .plain, limit: Int, isColored: Bool = true, link: Hyperlink? = nil
  ) {
    var fitting = ""
    for character in printable(piece) {
      let more = displayWidth(character)
      if width + more > limit { break }
      fitting.append(character)
      width += more
    }
    let code = style.code(isColored: isColored)
    let styled = code + fitting + (code.isEmpty ? "" : "\u{1B}[0m")
    pieces.append(link.map { $0.beginning + styled + Hyperlink.end } ?? styled)
  }

  /// Adds the pieces of another row to this one.
  mutating func add(_ row: Row) {
    pieces += row.pieces
    width += row.width
  }

  mutating func pad(to column: Int) {
    guard width < column else { return }
    pieces.append(String(repeating: " ", count: column - width))
    width = column
  }

  /// A row with the same pieces from right to left, with spaces before them so that it ends at
  /// `column`.
  func mirrored(to column: Int) -> Row {
    var row = self
    row.pad(to: column)
    row.pieces.reverse()
    return row
  }
}

/// All that the terminal shows: its rows from the top, and the position of the cursor, if it is
/// shown.
struct Frame: Equatable {
  var rows: [Row] = []
  var cursor: (row: Int, column: Int)?

  static func == (one: Frame, other: Frame) -> Bool {
    one.rows == other.rows && one.cursor?.row == other.cursor?.row && one.cursor?.column == other.cursor?.column
  }

  /// The bytes to write so that the terminal shows this frame instead of `shown`. Only rows that
  /// differ are written.
  func bytes(after shown: Frame?) -> [UInt8] {
    if let shown, shown == self { return [] }
    var out = "\u{1B}[?25l"
    if shown == nil { out += "\u{1B}[0m\u{1B}[2J" }
    for index in 0..<max(rows.count, shown?.rows.count ?? 0) {
      let row = index < rows.count ? rows[index] : Row()
      if let shown, index < shown.rows.count, shown.rows[index] == row { continue }
      out += "\u{1B}[\(index + 1);1H\u{1B}[K\(row.text)"  // erased first: at the last column it would erase the text
    }
    if let cursor { out += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
    return Array(out.utf8)
  }
}
