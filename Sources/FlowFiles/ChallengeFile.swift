import JSONCodec
public import LoginMachine

/// Screens sent by an authenticator, in the notation of flow definitions. Members that a screen
/// lacks are taken from the flow's screen on which the conversation began.
public enum ChallengeFile {
  /// The id of the link that leaves a challenge, if the challenge does not define one.
  static let leaveID = "leave"
  /// The key of the title of the link that leaves a challenge, and the title to use if the flow has
  /// no text under this key.
  static let leaveTitle = (key: "challenge.leave", text: "Back")

  /// Reads the screen of a challenge.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: the name of the text in errors.
  ///   - origin: the screen on which the conversation began. The challenge inherits its request,
  ///     success, alerts and actions.
  ///   - strings: the flow's texts in the session's language.
  ///   - supported: the types of external items that the view supports.
  public static func read(
    _ bytes: [UInt8], name: String, origin: Screen, strings: StringTable, supported: Set<String> = []
  ) throws(FlowFileError) -> Screen {
    let file: DefinitionFile
    do {
      file = try DefinitionFile(bytes, name: name)
    } catch {
      throw FlowFileError(error, in: bytes, file: name)
    }
    return try file.root.challenge(origin, strings, supported)
  }
}

extension Definition {
  /// Reads this value as the screen of a challenge.
  fileprivate func challenge(
    _ origin: Screen, _ strings: StringTable, _ supported: Set<String>
  ) throws(FlowFileError) -> Screen {
    try allowOnly(["id", "title", "sections", "actions", "links", "leave"])
    let texts = DefinitionStrings.literal
    let sections = try required("sections")
    let (types, forms) = try sections.variants { (views) throws(FlowFileError) in
      var form = FormReader(texts: texts, strings: strings, supported: views.supported)
      try form.read(sections)
      views.alternativeTypes = form.alternativeTypes
      return form
    }
    let form = forms[FlowAlternatives.variant(of: types, supporting: supported)]
    var taken = NameList()
    if let alert = origin.alert { taken.append(alert.dismiss.id) }
    let leave = try optional("leave")
    if leave == nil { taken.append(ChallengeFile.leaveID) }
    let primary = try primaryAction(origin.primary, texts, &taken)
    var links: [Screen.Link] = []
    for link in try optional("links")?.elements(0...FlowFile.maximumScreens) ?? [] {
      try link.allowOnly(["id", "title"])
      links.append(Screen.Link(action: try link.action(texts, taken: &taken), target: .ask))
    }
    links.append(Screen.Link(action: try leaveAction(leave, strings, texts, &taken), target: .leave))
    return Screen(
      id: try required("id").name(), title: try required("title").stringKey(texts), request: origin.request,
      sections: form.sections, items: form.items, primary: primary, links: links, alert: origin.alert,
      success: origin.success)
  }

  /// Reads the member `actions` of a challenge. Actions that the challenge does not define are
  /// taken from `origin`.
  private func primaryAction(
    _ origin: Screen.PrimaryAction, _ texts: DefinitionStrings, _ taken: inout NameList
  ) throws(FlowFileError) -> Screen.PrimaryAction {
    let actions = try optional("actions")
    try actions?.allowOnly(["submit", "cancel", "retry"])
    let parts = (try actions?.optional("submit"), try actions?.optional("cancel"), try actions?.optional("retry"))
    // Inherited ids are reserved first, so that a clash is reported where the challenge writes the
    // other id.
    if parts.0 == nil { taken.append(origin.submit.id) }
    if parts.1 == nil { taken.append(origin.cancel.id) }
    if parts.2 == nil { taken.append(origin.retry.id) }
    return Screen.PrimaryAction(
      submit: try parts.0?.part(texts, &taken) ?? origin.submit,
      cancel: try parts.1?.part(texts, &taken) ?? origin.cancel,
      retry: try parts.2?.part(texts, &taken) ?? origin.retry)
  }

  private func part(_ texts: DefinitionStrings, _ taken: inout NameList) throws(FlowFileError) -> Screen.Action {
    try allowOnly(["id", "title"])
    return try action(texts, taken: &taken)
  }

  private func leaveAction(
    _ definition: Definition?, _ strings: StringTable, _ texts: DefinitionStrings, _ taken: inout NameList
  ) throws(FlowFileError) -> Screen.Action {
    guard let definition else {
      let (key, text) = ChallengeFile.leaveTitle
      return Screen.Action(id: ChallengeFile.leaveID, title: strings[key] == nil ? text : key)
    }
    return try definition.part(texts, &taken)
  }
}
