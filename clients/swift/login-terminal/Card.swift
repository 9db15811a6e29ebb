/// Draws the frame around a screen (the card), and the box that can lie over the screen.
extension Screen {
  /// The number of rows inside the card that are available for its content.
  var space: Int { max(1, rows - 4) }

  /// The page, how many of its rows are shown, and the messages that stay visible below these rows.
  ///
  /// Messages about the whole form, such as a wrong password, are always visible. If scrolling
  /// would hide them, they are shown below the scrolled rows. If they are long, the page contains
  /// them as well, where the user can read them to the end.
  private func layout() -> (page: Page, space: Int, news: ArraySlice<Row>) {
    let page = page()
    guard session.ending == nil, !session.model.hasScene, session.model.alert == nil, page.rows.count > space else {
      return (page, space, [])
    }
    var news = Page(width: page.width, look: look)
    for add in self.news { add(&news) }
    let shown = page.rows[page.window(of: space)]
    if news.rows.allSatisfy(shown.contains) { return (page, space, []) }
    let room = max(min(1, space - 1), space - 2)
    let rest = news.rows.count > room ? page : self.page(hasFormMessages: false)
    let pinned = news.rows.prefix(room)
    return (rest, space - pinned.count, pinned)
  }

  func frame() -> Frame {
    let (page, space, news) = layout()
    let window = page.window(of: space, movedUp: isScrollingForm ? scroll : 0)
    var shown = Array(page.rows[window] + news)
    let box = box()
    if let box { lay(box, over: &shown) }
    var frame = Frame()
    frame.rows.append(edge("╭", title: session.model.hasScene ? "" : session.model.title, "╮"))
    for row in shown {
      var line = Row()
      if look.isMirrored { line.add(Direction.rowMark, limit: cardWidth) }
      line.add("│ ", .faint, limit: cardWidth)
      line.add(row)
      line.pad(to: cardWidth - 2)
      line.add(" │", .faint, limit: cardWidth)
      frame.rows.append(line)
    }
    frame.rows.append(edge("╰", title: "", "╯"))
    var footer = Row()
    let reading = page.rows.count > space && box == nil ? "PgUp, PgDn: read   " : ""
    footer.add("  " + reading + hint, .faint, limit: columns)
    frame.rows.append(footer)
    if let refusal = session.refusal {
      var row = Row()
      row.add("  " + refusal, .bad, limit: columns, isColored: look.isColored)
      frame.rows.append(row)
    }
    if box == nil, let cursor = page.cursor, window.contains(cursor.row) {
      frame.cursor = (cursor.row - window.lowerBound + 1, cursor.column + 2)
    }
    frame.rows = Array(frame.rows.prefix(rows))
    return frame
  }

  private func edge(_ left: String, title: String, _ right: String) -> Row {
    var heading = Row()
    if !title.isEmpty {
      heading.add(" \(look.isMirrored ? Direction.marking(title) : title) ", .strong, limit: cardWidth - 4)
    }
    var parts = [line(1), heading, line(cardWidth - 3 - heading.width)]
    if look.isMirrored { parts.reverse() }
    var row = Row()
    row.add(left, .faint, limit: cardWidth)
    for part in parts { row.add(part) }
    row.add(right, .faint, limit: cardWidth)
    return row
  }

  private func line(_ length: Int) -> Row {
    var row = Row()
    row.add(String(repeating: "─", count: max(0, length)), .faint, limit: cardWidth)
    return row
  }

  // MARK: The box of an alert or of a selection's options

  /// By how many rows the text of an alert can be scrolled; 0 if the whole text fits.
  private var furthestScroll: Int {
    session.model.alert.map { max(0, text(of: $0).rows.count - room(under: $0)) } ?? 0
  }

  /// Whether scrolling moves the form. While an alert lies over the form, scrolling moves the
  /// alert's text instead.
  private var isScrollingForm: Bool { session.ending != nil || session.model.hasScene || session.model.alert == nil }

  /// The limits within which the shown content can be scrolled, in rows: positive is up, negative
  /// is down.
  var scrollLimits: ClosedRange<Int> {
    guard isScrollingForm else { return 0...furthestScroll }
    let (page, space, _) = layout()
    let first = page.window(of: space).lowerBound
    return -first...max(-first, page.rows.count - space - first)
  }

  /// The rows in the box over the form; `nil` if there is no box.
  private func box() -> [Row]? {
    guard session.ending == nil, !session.model.hasScene else { return nil }
    if let alert = session.model.alert {
      let answers = answers(to: alert)
      let read = text(of: alert).rows.dropFirst(min(max(0, scroll), furthestScroll))
      return Array(read.prefix(room(under: alert))) + answers.rows[answers.window(of: space - 2)]
    }
    guard let list else { return nil }
    var page = Page(width: cardWidth - 8, look: look)
    for (index, option) in list.options.enumerated() {
      var row = page.row(isFocused: index == list.index)
      page.add(option.title, index == list.index ? .focused : .plain, to: &row)
      page.add(row)
    }
    return Array(page.rows[page.window(of: space - 2)])
  }

  private func room(under alert: ViewModel.Alert) -> Int { max(0, space - 2 - alert.actions.count) }

  private func text(of alert: ViewModel.Alert) -> Page {
    var page = Page(width: cardWidth - 8, look: look)
    if let title = alert.title { page.add(title, .strong) }
    for line in alert.lines { page.add(line) }
    page.addBlank()
    return page
  }

  private func answers(to alert: ViewModel.Alert) -> Page {
    var page = Page(width: cardWidth - 8, look: look)
    for action in alert.actions {
      let isFocused = focus == .answer(action.id)
      var row = page.row(isFocused: isFocused)
      page.add(button(action), isFocused ? .focused : action.isDestructive ? .critical : .strong, to: &row)
      page.add(row)
    }
    return page
  }

  /// Draws a box over the middle of the shown rows.
  private func lay(_ box: [Row], over shown: inout [Row]) {
    let width = cardWidth - 4
    let line = String(repeating: "━", count: width - 2)
    var lines = [Row()]
    lines[0].add("┏\(line)┓", limit: width)
    for content in box {
      var row = Row()
      row.add("┃ ", limit: width)
      row.add(content)
      row.pad(to: width - 2)
      row.add(" ┃", limit: width)
      lines.append(row)
    }
    var last = Row()
    last.add("┗\(line)┛", limit: width)
    lines.append(last)

    while shown.count < min(lines.count, space) { shown.append(Row()) }
    let first = max(0, (shown.count - lines.count) / 2)
    for (row, line) in zip(first..<shown.count, lines) { shown[row] = line }
  }

  private var hint: String {
    if session.ending != nil || session.model.hasScene { return session.farewell }
    if session.model.alert != nil {
      return (furthestScroll > 0 ? "Up, Down: read   " : "") + "Tab: move   Enter: answer   Ctrl-C: quit"
    }
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
