import LoginMachine

extension Definition {
  private static let longestTime = 3_600_000

  /// Reads this value as a flow with its texts. `common` returns the texts that replace those
  /// missing in the flow. It is called only when they are needed.
  func flow(common: @escaping @Sendable () -> DefinitionStrings?) throws(FlowFileError) -> (
    flow: Flow, texts: DefinitionStrings
  ) {
    try allowOnly([
      "flow", "description", "start", "validation", "marking", "submit", "invalid", "failure", "afterFailure",
      "pending",
      "transitions", "policy", "requestTimeoutMs", "presentationTimeoutMs", "items", "defaultRules", "screens",
      "defaultLocale", "strings",
    ])
    let id = try required("flow").name()
    // The description is only for people who read the definition, so it is checked and dropped.
    _ = try optional("description")?.valueText()
    let options = try options()
    let texts = try DefinitionStrings(strings: required("strings"), defaultLocale: required("defaultLocale"))
    let (definitions, ids) = try screenDefinitions()
    let shared = try SharedParts(of: self, texts)
    let start = try optional("start")
    let strings = StringTables(locales: texts.locales) { texts.filled($0, with: common()) }
    let startIndex = try start?.index(of: ids) ?? 0
    func flow(_ screens: [Screen], _ alternatives: FlowAlternatives? = nil) -> Flow {
      Flow(
        id: id, start: startIndex, screens: screens, options: options, strings: strings,
        defaultLocale: texts.defaultLocale, alternatives: alternatives)
    }
    let (screens, alternatives) = try required("screens").screensAndAlternatives(
      { (views) throws(FlowFileError) in
        try definitions.map { (definition) throws(FlowFileError) in
          try definition.screen(texts, shared, ids, options, &views)
        }
      }, flow: { flow($0) })
    try required("screens").checkInitialRequests(screens)
    return (flow(screens, alternatives), texts)
  }

  private func options() throws(FlowFileError) -> FlowOptions {
    var options = FlowOptions()
    try readChoice("validation", into: &options.validation)
    try readChoice("marking", into: &options.marking)
    options.submit = options.validation == .live ? .whenValid : .always
    try readChoice("submit", into: &options.submit)
    if options.validation == .onSubmit, options.submit != .always {
      throw try required("submit").error(expected: "\"always\", as nothing is validated before a submit")
    }
    try readChoice("invalid", into: &options.invalid)
    if options.marking == .none, options.submit == .always, options.invalid == .inline {
      let other = #""touched" or "all", or the flow's member "invalid" to be "alert""#
      throw try required("marking").error(expected: other + ", as a submit would not tell what is wrong")
    }
    try readChoice("failure", into: &options.failure)
    try readChoice("afterFailure", into: &options.afterFailure)
    if options.afterFailure == .initial, options.failure != .alert {
      throw try required("afterFailure").error(
        expected: #""values", as the flow's member "failure" is not "alert""#)
    }
    try readChoice("pending", into: &options.pending)
    try readChoice("transitions", into: &options.transitions)
    try readChoice("policy", into: &options.policy)
    let time = 1...Definition.longestTime
    if let limit = try optional("requestTimeoutMs") { options.requestTimeout = UInt64(try limit.wholeNumber(in: time)) }
    if let limit = try optional("presentationTimeoutMs") {
      options.presentationTimeout = UInt64(try limit.wholeNumber(in: time))
    }
    return options
  }

  /// Sets `setting` to the value of the member `key`, if it exists.
  private func readChoice<Choice>(_ key: StaticString, into setting: inout Choice) throws(FlowFileError)
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    if let definition = try optional(key) { setting = try definition.choice(Choice.self) }
  }

  /// The definitions of all screens, and their ids.
  private func screenDefinitions() throws(FlowFileError) -> ([Definition], NameList) {
    let definitions = try required("screens").elements(1...FlowFile.maximumScreens)
    var ids = NameList()
    for definition in definitions { _ = try definition.required("id").name(notIn: &ids, of: "screen") }
    return (definitions, ids)
  }

  /// Reads the id of a screen. Returns its index.
  func index(of screens: NameList) throws(FlowFileError) -> Int {
    guard let index = screens.index(of: try name()) else {
      throw error(expected: "the id of a screen")
    }
    return index
  }
}
