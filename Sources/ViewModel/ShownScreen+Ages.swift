package import JSONCodec

/// Records in which revision each part of the screen appeared: an event is stale if it is older
/// than the part that it is about. Also checks the focus.
extension ShownScreen {
  /// In all parts that appeared with the last applied update, records the revision of that update.
  package mutating func note(_ revision: UInt64) {
    guard arrivals != .none else { return }
    // A screen that is only shown in another language counts as the same screen. But it cannot be
    // told whether something else changed with the language, so the revision becomes unknown.
    let since = arrivals == .new ? revision : nil
    for section in sections.indices {
      for item in sections[section].items.indices { sections[section].items[item].note(since) }
    }
    for action in actions.indices { actions[action].note(since) }
    arrivals = .none
  }

  /// The action that dismisses the alert, and the revision since which the alert has been shown;
  /// `nil` if there is no alert.
  package func alertDismissal(_ document: inout JSONDocument) -> (action: [UInt8], since: UInt64)? {
    guard hasAlert else { return nil }
    return alert.withUnsafeBytes { bytes in
      guard (try? document.parse(bytes)) != nil, let root = document.root,
        let actions = document.member("actions", of: root), let first = document.firstChild(actions),
        let id = document.member("id", of: first),
        let since = document.member("id", of: root).flatMap({ document.wholeNumber($0) })
      else { return nil }
      return (Array(document.text(id)), since)
    }
  }

  /// Returns what is wrong with the focus; `nil` if nothing is. The focus must be on something that
  /// the user can use, or be unspecified.
  package func focusFault(_ revision: UInt64, _ document: inout JSONDocument) -> String? {
    guard !isEmpty, focus != ShownScreen.null else { return nil }
    let place: (on: [UInt8], since: UInt64)? = focus.withUnsafeBytes { bytes in
      guard (try? document.parse(bytes)) != nil, let root = document.root,
        let id = document.member("on", of: root),
        let since = document.member("since", of: root).flatMap({ document.wholeNumber($0) })
      else { return nil }
      return (Array(document.text(id)), since)
    }
    guard let place, (1...revision).contains(place.since) else {
      return "the focus has no valid position: \(string(focus))"
    }
    if activity == ShownScreen.isTrue { return "the focus is set while a request is pending" }
    if hasAlert {
      return alertDismissal(&document)?.action == place.on ? nil : "the focus is not on the alert: \(string(focus))"
    }
    let isUsable = part(place.on)?.contains(#""editable":true"#) ?? false
    return isUsable || actions.first?.id == place.on ? nil : "the focus is on something unusable: \(string(focus))"
  }
}
