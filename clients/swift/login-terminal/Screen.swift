/// Draws a screen of a flow as a card of rows. It reads the session, the focus and the open list of
/// options and changes none of them.
struct Screen {
  let session: Session
  let focus: Focus
  let list: OptionList?
  /// By how many rows the text of the alert is scrolled. Without an alert: by how many rows the
  /// form is scrolled.
  let scroll: Int
  let columns: Int
  let rows: Int
  let tick: Int
  let look: Appearance

  /// How many columns the card is wide: comfortable for reading, or wider if a QR code needs it.
  var cardWidth: Int {
    let pictures = session.model.items.compactMap { pictureSize(of: $0)?.columns }
    return max(12, min(columns, max(66, (pictures.max() ?? 0) + 6)))
  }

  /// The rows inside the card. There may be more than fit.
  ///
  /// - Parameter hasFormMessages: whether the rows include messages about the whole form.
  func page(hasFormMessages: Bool = true) -> Page {
    var page = Page(width: cardWidth - 4, look: look)
    if let ending = session.ending {
      page.add(ending)
    } else if session.model.hasScene {
      for (name, value) in session.model.scene { page.add("\(name): \(value)") }
    } else {
      addForm(to: &page, hasFormMessages: hasFormMessages)
    }
    return page
  }

  private func addForm(to page: inout Page, hasFormMessages: Bool) {
    let model = session.model
    for section in model.sections {
      if let title = section.title {
        page.add("── \(title) ──", .strong)
        page.addBlank()
      }
      for item in section.items where item.hasValue || item.reading != nil {
        let first = page.rows.count
        add(item, to: &page)
        if focus == .item(item.id) { page.focusedRows = first..<page.rows.count }
        page.addBlank()
      }
    }
    if hasFormMessages {
      for add in news {
        add(&page)
        page.addBlank()
      }
    }
    if model.isActive {
      let signs = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
      page.add("…", sign: "\(signs[tick % signs.count]) ", .strong)
      page.addBlank()
    }
    for action in model.actions { add(action, to: &page) }
  }

  /// The messages about the whole form, each as a function that adds it to a page.
  var news: [(inout Page) -> Void] {
    let notice = session.model.notice.map { ($0.text, $0.look(else: "» ", .strong)) }
    let error = session.model.error.map { ($0.text, $0.look(else: "✗ ", .bad)) }
    return [notice, error].compactMap { $0 }.map { text, look in { $0.add(text, sign: look.sign, look.style) } }
  }

  // MARK: Items

  private func add(_ item: ViewModel.Item, to page: inout Page) {
    let isFocused = focus == .item(item.id)
    switch item.kind {
    case "switch":
      addSwitch(item, isFocused, to: &page)
    case "selection":
      addTitle(of: item, to: &page)
      addSelection(item, isFocused, to: &page)
    case "input" where item.isReadOnly:
      if let title = item.title { page.add(title, .strong) }
      page.add(item.text.flatMap { $0.isEmpty ? nil : $0 } ?? "–", style(of: item))
    case "input":
      addTitle(of: item, to: &page)
      addField(item, isFocused, to: &page)
    case "code":
      if let title = item.title { page.add(title, .strong) }
      addCode(item, to: &page)
    default:
      let link = item.url.flatMap(Hyperlink.init)
      page.add(item.reading ?? "", link == nil ? style(of: item) : .link, link: link)
    }
    if let hint = item.hint { page.add(hint, .faint) }
    for message in item.messages {
      let look = message.look(else: "! ", item.isInvalid ? .bad : .strong)
      page.add(message.text, sign: look.sign, look.style)
    }
  }

  /// Adds the title of an item, with a sign if a value is required.
  private func addTitle(of item: ViewModel.Item, to page: inout Page) {
    if let title = item.title { page.add(title + (item.isRequired ? " *" : ""), .strong) }
  }

  private func addSwitch(_ item: ViewModel.Item, _ isFocused: Bool, to page: inout Page) {
    let mark = session.flag(of: item).map { $0 ? "[x]" : "[ ]" } ?? "[-]"
    if isFocused { page.setCursor(4) }
    var row = page.row(isFocused: isFocused)
    page.add(mark, item.isEditable ? .plain : .faint, to: &row)
    page.add(" ", to: &row)
    if let title = item.title { page.add(title + (item.isRequired ? " *" : ""), style(of: item), to: &row) }
    page.add(row)
  }

  private func addSelection(_ item: ViewModel.Item, _ isFocused: Bool, to page: inout Page) {
    let choice = session.choice(of: item)
    let title = session.options(of: item).first { $0.id == choice }?.title
    var row = page.row(isFocused: isFocused)
    if isFocused { page.setCursor(row.width) }
    let visible = tail(printable(title ?? "–"), fitting: page.textWidth - 3)
    page.add(visible, title == nil ? .faint : style(of: item), to: &row)
    page.add(" ", to: &row)
    page.add("▾", item.isEditable ? .plain : .faint, to: &row)
    page.add(row)
    addLine(under: item, to: &page)
  }

  private func addField(_ item: ViewModel.Item, _ isFocused: Bool, to page: inout Page) {
    let draft = session.text(of: item)
    let isHidden = item.isMasked || item.isSecret && draft == nil
    let text = isHidden ? String(repeating: "•", count: draft?.string.count ?? 8) : printable(draft?.string ?? "")
    let visible = tail(text, fitting: page.textWidth - 1)
    var row = page.row(isFocused: isFocused)
    if isFocused && item.isEditable {
      // In a row that begins on the right, left-to-right text ends next to the focus sign.
      let isAhead = !look.isMirrored || Direction.beginsFromRight(visible)
      page.setCursor(isAhead ? row.width + displayWidth(visible) : row.width - 1)
    }
    if text.isEmpty {
      page.add(item.placeholder ?? (draft == nil ? "–" : ""), .faint, to: &row)
    } else {
      var parts = [(visible, style(of: item))]
      if item.isDate && isFocused { parts.append((DateEntry.rest(of: text, item.placeholder), .faint)) }
      // A date is written from left to right in every language.
      for part in look.isMirrored ? parts.reversed() : parts { page.add(part.0, part.1, to: &row) }
    }
    page.add(row)
    addLine(under: item, to: &page)
  }

  private func addLine(under item: ViewModel.Item, to page: inout Page) {
    var line = page.row()
    page.add(String(repeating: "─", count: page.textWidth), item.isInvalid ? .bad : .faint, to: &line)
    page.add(line)
  }

  func style(of item: ViewModel.Item) -> Style {
    if item.isField && !item.isEditable { return .faint }
    return switch item.emphasis {
    case .normal: .plain
    case .subdued: .faint
    case .prominent: .strong
    case .critical: .critical
    }
  }

  // MARK: Actions

  func add(_ action: ViewModel.Action, to page: inout Page) {
    let isFocused = focus == (action.isPrimary ? .primary : .link(action.id))
    var row = page.row(isFocused: isFocused)
    if action.isPrimary {
      page.add(button(action), isFocused ? .focused : action.isEnabled ? .strong : .faint, to: &row)
    } else {
      page.add(action.title, isFocused ? .focused : action.isEnabled ? .link : .faint, to: &row)
    }
    if let wait = action.wait, let seconds = session.countdown.secondsLeft(of: wait) {
      page.add(" ", to: &row)
      page.add("\(seconds) s", .faint, to: &row)
    }
    page.add(row)
    if action.isPrimary { page.addBlank() }
  }

  func button(_ action: ViewModel.Action) -> String {
    action.isEnabled ? "[ \(action.title) ]" : "( \(action.title) )"
  }
}
