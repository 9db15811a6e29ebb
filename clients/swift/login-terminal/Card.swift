/// The frame around a screen, and what lies over it.
extension Screen {
  func card(around page: Page) -> Frame {
    let space = max(1, rows - 4)
    let window = page.window(of: space)
    var shown = Array(page.rows[window])
    let box = box()
    if let box { lay(box, over: &shown, space: space) }
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
    if let refusal = session.refusal {
      var row = Row()
      row.add("  " + refusal, .bad, limit: columns, isColored: isColored)
      frame.rows.append(row)
    }
    if box == nil, let cursor = page.cursor, window.contains(cursor.row) {
      frame.cursor = (cursor.row - window.lowerBound + 1, cursor.column + 2)
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

  // MARK: An alert, or the options of a selection

  /// What stands in the box over the form; `nil` while there is none.
  private func box() -> Page? {
    guard session.ending == nil, !session.model.hasScene else { return nil }
    var page = Page(width: cardWidth - 8, isColored: isColored)
    if let alert = session.model.alert {
      if let title = alert.title { page.add(title, .strong) }
      for line in alert.lines { page.add(line) }
      page.addBlank()
      for action in alert.actions {
        let isFocused = focus == .answer(action.id)
        var row = page.row(isFocused: isFocused)
        page.add(button(action), isFocused ? .focused : action.isDestructive ? .critical : .strong, to: &row)
        page.add(row)
      }
      return page
    }
    guard let list else { return nil }
    for (index, option) in list.options.enumerated() {
      var row = page.row(isFocused: index == list.index)
      page.add(option.title, index == list.index ? .focused : .plain, to: &row)
      page.add(row)
    }
    return page
  }

  /// Puts a box over the middle of the rows; if there are more in it than there is room for, those around its focus.
  private func lay(_ box: Page, over shown: inout [Row], space: Int) {
    let line = String(repeating: "━", count: box.width + 2)
    var lines = [Row()]
    lines[0].add("┏\(line)┓", limit: box.width + 4)
    for content in box.rows[box.window(of: space - 2)] {
      var row = Row()
      row.add("┃ ", limit: box.width + 4)
      row.add(content)
      row.pad(to: box.width + 2)
      row.add(" ┃", limit: box.width + 4)
      lines.append(row)
    }
    var last = Row()
    last.add("┗\(line)┛", limit: box.width + 4)
    lines.append(last)

    while shown.count < min(lines.count, space) { shown.append(Row()) }
    let first = max(0, (shown.count - lines.count) / 2)
    for (row, line) in zip(first..<shown.count, lines) { shown[row] = line }
  }

  private var hint: String {
    if session.ending != nil || session.model.hasScene { return "Enter: start over   q: quit" }
    if session.model.alert != nil { return "Tab: move   Enter: answer   Ctrl-C: quit" }
    if list != nil { return "Up, Down: move   Enter: choose   Esc: back   Ctrl-C: quit" }
    let title = session.model.primary?.title ?? ""
    if session.model.isActive { return "Esc: \(title)   Ctrl-C: quit" }
    if case .item(let id) = focus, let item = session.model.item(id) {
      if item.isSelection { return "Left, Right, Space: choose   Enter: \(title)   Ctrl-C: quit" }
      if item.isSwitch { return "Tab: move   Space: switch   Enter: \(title)   Ctrl-C: quit" }
    }
    return "Tab: move   Enter: \(title)   Ctrl-C: quit"
  }
}
