import JSONCodec
public import LoginMachine

/// Screens that an authenticator sends: written as those of flow definitions, with what they do not have left to the screen they follow.
public enum ChallengeFile {
  /// The id of the link that leaves a challenge, where it brings none.
  static let leaveID = "leave"
  /// The key of that link's title, and the text where the flow has none.
  static let leaveTitle = (key: "challenge.leave", text: "Back")

  /// Reads the screen of a challenge.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - name: what it is called in errors.
  ///   - origin: the screen that the conversation began on, whose request, success, alerts and actions are its own as well.
  ///   - strings: the flow's texts in the session's language.
  ///   - supported: the types of external items that the view can do.
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
  /// The screen of a challenge that this defines.
  fileprivate func challenge(
    _ origin: Screen, _ strings: StringTable, _ supported: Set<String>
  ) throws(FlowFileError) -> Screen {
    try allowOnly(["id", "title", "sections", "actions", "links", "leave"])
    let texts = Texts.asTheyStand
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

  /// The member `actions`, whose parts may be left out.
  private func primaryAction(
    _ origin: Screen.PrimaryAction, _ texts: Texts, _ taken: inout NameList
  ) throws(FlowFileError) -> Screen.PrimaryAction {
    let actions = try optional("actions")
    try actions?.allowOnly(["submit", "cancel", "retry"])
    let parts = (try actions?.optional("submit"), try actions?.optional("cancel"), try actions?.optional("retry"))
    // What is left out comes first, so that what is written is what clashes with it.
    if parts.0 == nil { taken.append(origin.submit.id) }
    if parts.1 == nil { taken.append(origin.cancel.id) }
    if parts.2 == nil { taken.append(origin.retry.id) }
    return Screen.PrimaryAction(
      submit: try parts.0?.part(texts, &taken) ?? origin.submit,
      cancel: try parts.1?.part(texts, &taken) ?? origin.cancel,
      retry: try parts.2?.part(texts, &taken) ?? origin.retry)
  }

  private func part(_ texts: Texts, _ taken: inout NameList) throws(FlowFileError) -> Screen.Action {
    try allowOnly(["id", "title"])
    return try action(texts, taken: &taken)
  }

  private func leaveAction(
    _ definition: Definition?, _ strings: StringTable, _ texts: Texts, _ taken: inout NameList
  ) throws(FlowFileError) -> Screen.Action {
    guard let definition else {
      let (key, text) = ChallengeFile.leaveTitle
      return Screen.Action(id: ChallengeFile.leaveID, title: strings[key] == nil ? text : key)
    }
    return try definition.part(texts, &taken)
  }
}
