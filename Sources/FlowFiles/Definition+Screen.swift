import LoginMachine

extension Definition {
  /// Reads a screen. `screens` has the ids of all screens.
  func screen(
    _ texts: DefinitionStrings, _ shared: SharedParts, _ screens: NameList, _ options: FlowOptions,
    _ views: inout ViewCapabilities
  ) throws(FlowFileError) -> Screen {
    try allowOnly(["id", "title", "request", "sections", "actions", "links", "begins", "alert", "success"])
    var form = FormReader(texts: texts, shared: shared, supported: views.supported)
    try form.read(try required("sections"))
    views.alternativeTypes.formUnion(form.alternativeTypes)
    var actions = NameList()
    let primary = try required("actions").primaryAction(texts, taken: &actions)
    var links: [Screen.Link] = []
    for link in try optional("links")?.elements(0...FlowFile.maximumScreens) ?? [] {
      links.append(try link.link(texts, screens, taken: &actions))
    }
    return Screen(
      id: try required("id").name(), title: try required("title").stringKey(texts),
      request: try required("request").name(), sections: form.sections, items: form.items, primary: primary,
      links: links, initialRequests: try initialRequests(screens), alert: try alert(texts, options, taken: &actions),
      success: try required("success").success(screens))
  }

  private func primaryAction(_ texts: DefinitionStrings, taken: inout NameList) throws(FlowFileError)
    -> Screen.PrimaryAction
  {
    try allowOnly(["submit", "cancel", "retry", "again"])
    let (submit, cancel, retry) = (try required("submit"), try optional("cancel"), try optional("retry"))
    let again = try optional("again")
    try submit.allowOnly(["id", "title"])
    // The ids of omitted roles are reserved first, so that a clash is reported where the definition
    // writes the other id.
    try cancel.reserveID(Screen.defaultCancel, &taken)
    try retry.reserveID(Screen.defaultRetry, &taken)
    if again != nil { try again.reserveID(Screen.defaultAgain, &taken) }
    return Screen.PrimaryAction(
      submit: try submit.action(texts, taken: &taken),
      cancel: try cancel.part(Screen.defaultCancel, texts, &taken),
      retry: try retry.part(Screen.defaultRetry, texts, &taken),
      again: again == nil ? nil : try again.part(Screen.defaultAgain, texts, &taken))
  }

  func action(_ texts: DefinitionStrings, taken: inout NameList) throws(FlowFileError) -> Screen.Action {
    Screen.Action(
      id: try required("id").name(notIn: &taken, of: "action of the screen"),
      title: try required("title").stringKey(texts))
  }

  func success(_ screens: NameList) throws(FlowFileError) -> Screen.Success {
    try allowOnly(["scene", "screen"])
    switch (try optional("scene"), try optional("screen")) {
    case (let scene?, nil): return .scene(try scene.name())
    case (nil, let screen?): return .screen(try screen.index(of: screens))
    case (nil, nil): throw error(found: "neither \"scene\" nor \"screen\"", expected: "one of them")
    case (.some, .some): throw error(found: "both \"scene\" and \"screen\"", expected: "one of them")
    }
  }

  /// Reads the member `alert` of a screen. It must have a title for each kind of alert that the
  /// flow's options make possible.
  private func alert(
    _ texts: DefinitionStrings, _ options: FlowOptions, taken: inout NameList
  ) throws(FlowFileError) -> Screen.AlertModel? {
    let definition = try optional("alert")
    if options.invalid == .alert { try checkAlert(definition, says: "invalid") }
    if options.failure == .alert { try checkAlert(definition, says: "failure") }
    guard let definition else { return nil }
    try definition.allowOnly(["dismiss", "invalid", "failure", "notice"])
    var titles: [Screen.AlertKind: Screen.StringKey] = [:]
    titles[.invalid] = try definition.optional("invalid")?.stringKey(texts)
    titles[.failure] = try definition.optional("failure")?.stringKey(texts)
    titles[.notice] = try definition.optional("notice")?.stringKey(texts)
    let dismiss = try definition.required("dismiss")
    try dismiss.allowOnly(["id", "title", "role"])
    return Screen.AlertModel(
      dismiss: try dismiss.action(texts, taken: &taken),
      role: try dismiss.optional("role")?.choice(Screen.AlertRole.self) ?? .dismiss,
      titles: titles)
  }

  /// Checks that the member `alert` has the title `key`. The flow needs this title, because its
  /// option of the same name says that such messages are shown in alerts.
  private func checkAlert(_ alert: Definition?, says key: StaticString) throws(FlowFileError) {
    let reason = "one, as the flow's member \(quoted(key.description)) is \"alert\""
    guard let alert else { throw error(found: "no member \"alert\"", expected: reason) }
    guard try alert.optional(key) != nil else {
      throw alert.error(found: "no member \(quoted(key.description))", expected: reason)
    }
  }
}

/// A role of the primary button in a definition. The role may be omitted, and so may its id and its
/// title.
extension Definition? {
  fileprivate func reserveID(_ action: Screen.Action, _ taken: inout NameList) throws(FlowFileError) {
    try self?.allowOnly(["id", "title"])
    if try self?.optional("id") == nil { taken.append(action.id) }
  }

  fileprivate func part(
    _ action: Screen.Action, _ texts: DefinitionStrings, _ taken: inout NameList
  ) throws(FlowFileError) -> Screen.Action {
    Screen.Action(
      id: try self?.optional("id")?.name(notIn: &taken, of: "action of the screen") ?? action.id,
      title: try self?.optional("title")?.stringKey(texts) ?? action.title)
  }
}

extension Screen {
  /// The ids and titles of roles that a definition may omit. The common texts contain these titles.
  fileprivate static let defaultCancel = Action(id: "cancel", title: DefinitionStrings.cancelTitle)
  fileprivate static let defaultRetry = Action(id: "retry", title: DefinitionStrings.retryTitle)
  fileprivate static let defaultAgain = Action(id: "again", title: DefinitionStrings.againTitle)
}
