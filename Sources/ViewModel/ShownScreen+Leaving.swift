package import JSONCodec

/// The order in which parts leave and appear in views with transitions.
extension ShownScreen {
  /// Returns what is wrong with the order of an update's commands, for a view that showed `before`;
  /// `nil` if nothing is. The activity, the error, the notice and the alert have to be hidden
  /// before anything new is shown.
  ///
  /// - Parameter isTranslation: whether the update only shows everything again in another language.
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

  /// Whether an activity, an error, a notice or an alert is shown.
  private var isCovered: Bool {
    !isEmpty
      && (activity == ShownScreen.isTrue || error != ShownScreen.null || notice != ShownScreen.null
        || alert != ShownScreen.null)
  }
}
