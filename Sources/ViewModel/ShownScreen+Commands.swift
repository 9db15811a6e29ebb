package import JSONCodec

/// Applying commands.
extension ShownScreen {
  /// The parts of the screen that the commands of one update have named so far.
  private struct Named {
    var items: [[UInt8]] = []
    var removedItems: [[UInt8]] = []
    var removedSections: [[UInt8]] = []
    var hasInserted = false
  }

  /// Applies the commands of an update. Returns the first fault, which is a command that cannot be
  /// applied or that changes nothing; `nil` if there is none.
  ///
  /// - Parameter refused: the item whose edit was refused. A command may set its value even if the
  ///   value is unchanged.
  package mutating func apply(
    _ document: borrowing JSONDocument, _ commands: JSONDocument.Node, restoring refused: [UInt8]? = nil
  ) -> String? {
    guard document.kind(commands) == .array else { return "the commands are not an array" }
    var complaint: String?
    var named = Named()
    var child = document.firstChild(commands)
    while let command = child {
      if let fault = apply(one: command, document, &named, refused), complaint == nil {
        complaint = "\(fault), in \(string(document.fullText(commands)))"
      }
      child = document.sibling(after: command, in: commands)
    }
    return complaint
  }

  private mutating func apply(
    one command: JSONDocument.Node, _ document: borrowing JSONDocument, _ named: inout Named, _ refused: [UInt8]?
  ) -> String? {
    guard let name = document.member("command", of: command) else { return "a command has no name" }
    func value(_ key: StaticString) -> [UInt8]? {
      document.member(key, of: command).map { Array(document.fullText($0)) }
    }
    if document.equals(name, "setItem") {
      guard let id = document.member("item", of: command), let place = place(of: document.text(id)) else {
        return "there is no such item"
      }
      let item = Array(document.text(id))
      if named.items.contains(item) { return "\(string(item)) is named by two commands" }
      named.items.append(item)
      return sections[place.section].items[place.item].set(
        document, command, except: ("command", "item"), mayRepeat: item == refused)
    }
    if document.equals(name, "setAction") {
      guard let id = document.member("action", of: command),
        let index = actions.firstIndex(where: { same($0.id, document.text(id)) })
      else { return "there is no such action" }
      return actions[index].set(document, command, except: ("command", "action"))
    }
    if document.equals(name, "setState") { return ShownScreen.set(&state, value("state"), "state") }
    if document.equals(name, "showScreen") { return showScreen(document, command) }
    if document.equals(name, "replaceAction") {
      guard let id = document.member("action", of: command), let with = document.member("newAction", of: command),
        let index = actions.firstIndex(where: { same($0.id, document.text(id)) })
      else { return "there is no action to replace" }
      let part = ShownPart(document, with)
      let isSame = part.id == actions[index].id
      actions[index] = part
      if arrivals == .none { arrivals = .new }
      return isSame ? "an action is replaced by itself" : nil
    }
    if document.equals(name, "showActivity") { return ShownScreen.set(&activity, ShownScreen.isTrue, "activity") }
    if document.equals(name, "hideActivity") { return ShownScreen.set(&activity, ShownScreen.isFalse, "activity") }
    if document.equals(name, "showError") { return ShownScreen.set(&error, value("error"), "error") }
    if document.equals(name, "hideError") { return ShownScreen.set(&error, ShownScreen.null, "error") }
    if document.equals(name, "showNotice") { return ShownScreen.set(&notice, value("notice"), "notice") }
    if document.equals(name, "hideNotice") { return ShownScreen.set(&notice, ShownScreen.null, "notice") }
    if document.equals(name, "showAlert") { return ShownScreen.set(&alert, value("alert"), "alert") }
    if document.equals(name, "hideAlert") { return ShownScreen.set(&alert, ShownScreen.null, "alert") }
    if document.equals(name, "showScene") { return ShownScreen.set(&scene, value("scene"), "scene") }
    if document.equals(name, "setRetryAt") { return ShownScreen.set(&retryAt, value("retryAt"), "retryAt") }
    if document.equals(name, "setFocus") { return ShownScreen.set(&focus, value("focus"), "focus") }
    if document.equals(name, "insertItem") || document.equals(name, "insertSection") {
      named.hasInserted = true
      return insert(document, command, named)
    }
    if document.equals(name, "removeItem") || document.equals(name, "removeSection") {
      let fault = remove(document, command, &named)
      return named.hasInserted ? "a removal comes after an insertion" : fault
    }
    return "there is no such command: \(document.string(name))"
  }

  private static func set(_ member: inout [UInt8], _ value: [UInt8]?, _ name: String) -> String? {
    guard let value else { return "\(name) is set to nothing" }
    guard value != member else { return "\(name) is named and unchanged" }
    member = value
    return nil
  }

  private mutating func showScreen(_ document: borrowing JSONDocument, _ command: JSONDocument.Node) -> String? {
    guard let screen = document.member("screen", of: command), let state = document.member("state", of: command),
      let title = document.member("title", of: command), let sections = document.member("sections", of: command),
      let locale = document.member("locale", of: command),
      let direction = document.member("direction", of: command),
      let actions = document.member("actions", of: command), document.count(command) == 8
    else { return "showScreen does not have its members" }
    let former = self.screen
    let isOther = isEmpty || self.scene != ShownScreen.null || mayBeTranslated
    let arrivals = mayBeTranslated ? Arrivals.translated : .new
    self = ShownScreen()
    self.arrivals = arrivals
    self.screen = Array(document.fullText(screen))
    self.state = Array(document.fullText(state))
    self.title = Array(document.fullText(title))
    self.locale = Array(document.fullText(locale))
    self.direction = Array(document.fullText(direction))
    self.actions = ShownScreen.parts(document, actions)
    self.sections = ShownScreen.sections(document, sections)
    activity = ShownScreen.isFalse
    (error, notice, alert, scene) = (ShownScreen.null, ShownScreen.null, ShownScreen.null, ShownScreen.null)
    (retryAt, focus) = (ShownScreen.null, ShownScreen.null)
    // A challenge is another screen even if it looks like the previous one. So is a screen after a
    // scene, or in another language.
    return former == self.screen && !isChallenge && !isOther ? "showScreen without a change of screen" : nil
  }

  private mutating func insert(
    _ document: borrowing JSONDocument, _ command: JSONDocument.Node, _ named: Named
  ) -> String? {
    guard let index = document.member("index", of: command).flatMap({ document.wholeNumber($0) }).map({ Int($0) })
    else { return "an insertion has no index" }
    if arrivals == .none { arrivals = .new }
    if let item = document.member("newItem", of: command) {
      guard let id = document.member("section", of: command),
        let section = sections.firstIndex(where: { same($0.id, document.text(id)) }),
        index <= sections[section].items.count
      else { return "there is no such place for an item" }
      let part = ShownPart(document, item)
      let fault = insertionFault(part, named)
      sections[section].items.insert(part, at: index)
      return fault
    }
    guard let value = document.member("newSection", of: command), index <= sections.count else {
      return "there is no such place for a section"
    }
    let section = Section(document, value)
    if sections.contains(where: { $0.id == section.id }) { return "a section is inserted although it exists" }
    if named.removedSections.contains(section.id) { return "a section is removed and inserted again" }
    let faults = section.items.compactMap { insertionFault($0, named) }
    sections.insert(section, at: index)
    return faults.first
  }

  private func insertionFault(_ part: ShownPart, _ named: Named) -> String? {
    if self.part(part.id) != nil { return "\(string(part.id)) is inserted although it exists" }
    return named.removedItems.contains(part.id) ? "\(string(part.id)) is removed and inserted again" : nil
  }

  private mutating func remove(
    _ document: borrowing JSONDocument, _ command: JSONDocument.Node, _ named: inout Named
  ) -> String? {
    if let id = document.member("section", of: command),
      let index = sections.firstIndex(where: { same($0.id, document.text(id)) })
    {
      named.removedSections.append(sections[index].id)
      named.removedItems += sections[index].items.map(\.id)
      sections.remove(at: index)
      return nil
    }
    guard let id = document.member("item", of: command), let place = place(of: document.text(id)) else {
      return "nothing is removed"
    }
    named.removedItems.append(sections[place.section].items[place.item].id)
    sections[place.section].items.remove(at: place.item)
    return nil
  }
}
