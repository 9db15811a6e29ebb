package import JSONCodec

/// Views with transitions.
extension ShownScreen {
  /// A fault of an update's commands for a view that showed `before`: covers have to leave before
  /// anything enters.
  ///
  /// - Parameter isTranslation: whether the screen is the same in another language, with its
  ///   covers.
  package static func leavingFault(
    _ before: ShownScreen, _ document: borrowing JSONDocument, _ commands: JSONDocument.Node, isTranslation: Bool
  ) -> String? {
    if isTranslation { return nil }
    var (leaves, enters) = (false, false)
    var child = document.firstChild(commands)
    while let command = child {
      guard let node = document.member("command", of: command) else { return "a command has no name" }
      let name = document.text(node)
      if starts(name, with: "hide") { leaves = true }
      if starts(name, with: "show") { enters = true }
      if document.equals(node, "showAlert"), before.hasAlert { return "an alert replaces another" }
      if document.equals(node, "showScreen"), before.isCovered { return "a screen enters before the covers have left" }
      child = document.sibling(after: command, in: commands)
    }
    return leaves && enters ? "something enters before the covers have left" : nil
  }

  /// Whether anything covers the form.
  private var isCovered: Bool {
    !isEmpty
      && (activity == ShownScreen.isTrue || error != ShownScreen.null || notice != ShownScreen.null
        || alert != ShownScreen.null)
  }
}
