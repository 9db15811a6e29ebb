package import JSONCodec

/// Since when things have been on the screen, which decides what is stale, and where the keyboard is.
extension ShownScreen {
  /// Notes the revision of the update whose commands were carried out last.
  package mutating func note(_ revision: UInt64) {
    guard arrivals != .none else { return }
    // In another language it is the same screen, if nothing else has changed it meanwhile.
    let since = arrivals == .new ? revision : nil
    for section in sections.indices {
      for item in sections[section].items.indices { sections[section].items[item].note(since) }
    }
    for action in actions.indices { actions[action].note(since) }
    arrivals = .none
  }

  /// The action that ends the alert, and the revision in which the alert came; `nil` if there is no alert.
  package func endOfAlert(_ document: inout JSONDocument) -> (action: [UInt8], since: UInt64)? {
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

  /// What is wrong with the place of the keyboard: it is on something that can be used, and nowhere while nothing can be.
  package func faultOfFocus(_ revision: UInt64, _ document: inout JSONDocument) -> String? {
    guard !isEmpty, focus != ShownScreen.null else { return nil }
    let place: (on: [UInt8], since: UInt64)? = focus.withUnsafeBytes { bytes in
      guard (try? document.parse(bytes)) != nil, let root = document.root,
        let id = document.member("on", of: root),
        let since = document.member("since", of: root).flatMap({ document.wholeNumber($0) })
      else { return nil }
      return (Array(document.text(id)), since)
    }
    guard let place, (1...revision).contains(place.since) else {
      return "the keyboard is put nowhere: \(string(focus))"
    }
    if activity == ShownScreen.isTrue { return "the keyboard is somewhere while a request is pending" }
    if hasAlert {
      return endOfAlert(&document)?.action == place.on ? nil : "the keyboard is not on the alert: \(string(focus))"
    }
    let isUsable = part(place.on)?.contains(#""editable":true"#) ?? false
    return isUsable || actions.first?.id == place.on ? nil : "the keyboard is on what cannot be used: \(string(focus))"
  }
}
