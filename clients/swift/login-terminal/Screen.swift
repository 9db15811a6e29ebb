/// Draws any screen as a card of rows. It is told the session and where the focus is, and changes neither.
struct Screen {
  let session: Session
  let focus: Focus
  let columns: Int
  let rows: Int
  let tick: Int
  let isColored: Bool

  private var cardWidth: Int { max(12, min(columns, 66)) }
  private var textWidth: Int { cardWidth - 6 }

  /// The body while it grows, and what must stay in sight.
  private struct Body {
    var rows: [Row] = []
    var cursor: (row: Int, column: Int)?
    var focusedRow = 0
  }

  func frame() -> Frame {
    var body = Body()
    if let ending = session.ending {
      addText(ending, to: &body)
    } else if session.model.hasScene {
      addScene(to: &body)
    } else {
      addForm(to: &body)
    }
    return card(around: body)
  }

  // MARK: The body

  private func addForm(to body: inout Body) {
    let model = session.model
    for section in model.sections {
      for item in section {
        add(item, to: &body)
        blank(&body)
      }
    }
    for text in model.alert { addText(text, sign: "‼ ", .strong, to: &body) }
    if let error = model.error {
      addText(error, sign: "✗ ", .bad, to: &body)
      blank(&body)
    }
    if model.isActive {
      let signs = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
      addText("…", sign: "\(signs[tick % signs.count]) ", .strong, to: &body)
      blank(&body)
    }
    for action in model.actions { add(action, to: &body) }
  }

  private func add(_ item: ViewModel.Item, to body: inout Body) {
    let isFocused = focus == .item(item.id)
    if isFocused { body.focusedRow = body.rows.count }
    if item.isSwitch {
      let mark = session.flag(of: item).map { $0 ? "[x]" : "[ ]" } ?? "[-]"
      var row = marked(isFocused)
      add(mark, item.isEditable ? .plain : .faint, to: &row)
      add(" \(item.title ?? "")", item.isEditable ? .plain : .faint, to: &row)
      if isFocused { body.cursor = (body.rows.count, 4) }
      body.rows.append(row)
    } else {
      if let title = item.title { addText(title, .strong, to: &body) }
      addField(item, isFocused: isFocused, to: &body)
    }
    for message in item.messages { addText(message, sign: "! ", .bad, to: &body) }
  }

  private func addField(_ item: ViewModel.Item, isFocused: Bool, to body: inout Body) {
    let draft = session.text(of: item)
    let text = item.isSecret ? String(repeating: "•", count: draft?.string.count ?? 8) : printable(draft?.string ?? "")
    let visible = tail(text, fitting: textWidth - 1)
    var row = marked(isFocused)
    if isFocused && item.isEditable { body.cursor = (body.rows.count, row.width + displayWidth(visible)) }
    if text.isEmpty {
      add(item.placeholder ?? "", .faint, to: &row)
    } else {
      add(visible, item.isEditable ? .plain : .faint, to: &row)
    }
    body.rows.append(row)
    var line = marked(false)
    add(String(repeating: "─", count: textWidth), item.isInvalid ? .bad : .faint, to: &line)
    body.rows.append(line)
  }

  private func add(_ action: ViewModel.Action, to body: inout Body) {
    let isFocused = action.isPrimary ? focus == .primary : focus == .link(action.id)
    if isFocused { body.focusedRow = body.rows.count }
    var row = marked(isFocused)
    if action.isPrimary {
      let title = action.isEnabled ? "[ \(action.title) ]" : "( \(action.title) )"
      add(title, isFocused ? .focused : action.isEnabled ? .strong : .faint, to: &row)
      body.rows.append(row)
      blank(&body)
    } else {
      add(action.title, isFocused ? .focused : action.isEnabled ? .link : .faint, to: &row)
      body.rows.append(row)
    }
  }

  private func addScene(to body: inout Body) {
    for (name, value) in session.model.scene { addText("\(name): \(value)", to: &body) }
  }

  private func addText(_ text: String, sign: String = "", _ style: Style = .plain, to body: inout Body) {
    let indent = displayWidth(sign)
    for (index, line) in wrap(printable(text), at: textWidth - indent).enumerated() {
      var row = marked(false)
      add(index == 0 ? sign : String(repeating: " ", count: indent), style, to: &row)
      add(line, style, to: &row)
      body.rows.append(row)
    }
  }

  private func blank(_ body: inout Body) { body.rows.append(Row()) }

  private func marked(_ isFocused: Bool) -> Row {
    var row = Row()
    add(isFocused ? "› " : "  ", to: &row)
    return row
  }

  private func add(_ text: String, _ style: Style = .plain, to row: inout Row) {
    row.add(text, style, limit: textWidth + 2, isColored: isColored)
  }

  // MARK: The card around it

  private func card(around body: Body) -> Frame {
    let space = max(1, rows - 4)
    let first = max(0, min(body.focusedRow - space / 2, body.rows.count - space))
    let shown = body.rows.dropFirst(first).prefix(space)
    var frame = Frame()
    frame.rows.append(edge("╭─", title: session.model.hasScene ? "" : session.model.title, "╮"))
    for row in shown {
      var line = Row()
      line.add("│ ", .faint, limit: cardWidth)
      line.add(row)
      line.pad(to: cardWidth - 2)
      line.add(" │", .faint, limit: cardWidth)
      frame.rows.append(line)
    }
    frame.rows.append(edge("╰─", title: "", "╯"))
    var footer = Row()
    footer.add("  " + hint, .faint, limit: columns)
    frame.rows.append(footer)
    if let notice = session.notice {
      var row = Row()
      row.add("  " + notice, .bad, limit: columns, isColored: isColored)
      frame.rows.append(row)
    }
    if let cursor = body.cursor, shown.indices.contains(cursor.row) {
      frame.cursor = (cursor.row - first + 1, cursor.column + 2)
    }
    frame.rows = Array(frame.rows.prefix(rows))
    return frame
  }

  private func edge(_ left: String, title: String, _ right: String) -> Row {
    var row = Row()
    row.add(left, .faint, limit: cardWidth)
    if !title.isEmpty { row.add(" \(title) ", .strong, limit: cardWidth - 2) }
    row.add(String(repeating: "─", count: max(0, cardWidth - 1 - row.width)), .faint, limit: cardWidth - 1)
    row.add(right, .faint, limit: cardWidth)
    return row
  }

  private var hint: String {
    if session.ending != nil || session.model.hasScene { return "Enter: start over   q: quit" }
    return session.model.isActive
      ? "Esc: \(session.model.primary?.title ?? "")   Ctrl-C: quit"
      : "Tab: move   Space: switch   Enter: \(session.model.primary?.title ?? "")   Ctrl-C: quit"
  }
}
