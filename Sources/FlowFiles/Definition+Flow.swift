import LoginForms

extension Definition {
  private static let longestTime = 3_600_000

  /// The flow that this defines, and its texts. `bytes` is the file.
  func flow(
    in bytes: [UInt8], common: @escaping @Sendable () -> Texts?
  ) throws(FlowFileError) -> (flow: Flow, texts: Texts) {
    try allowOnly([
      "flow", "start", "validation", "marking", "submit", "invalid", "failure", "pending", "transitions", "policy",
      "requestTimeoutMs", "presentationTimeoutMs", "screens", "defaultLocale", "strings",
    ])
    let id = try required("flow").name()
    let manner = try manner()
    let texts = try Texts(strings: required("strings"), defaultLocale: required("defaultLocale"), in: bytes)
    let (screens, indices) = try screens(texts, manner)
    let flow = Flow(
      id: id,
      start: try optional("start")?.index(of: indices) ?? 0,
      screens: screens,
      manner: manner,
      strings: StringTables(locales: texts.locales) { texts.filled($0, with: common()) },
      defaultLocale: texts.defaultLocale)
    return (flow, texts)
  }

  private func manner() throws(FlowFileError) -> Flow.Manner {
    var manner = Flow.Manner()
    try take("validation", into: &manner.validation)
    try take("marking", into: &manner.marking)
    manner.submit = manner.validation == .live ? .whenValid : .always
    try take("submit", into: &manner.submit)
    if manner.validation == .onSubmit, manner.submit == .whenValid {
      throw try required("submit").error(expected: "\"always\", as nothing is validated before a submit")
    }
    try take("invalid", into: &manner.invalid)
    try take("failure", into: &manner.failure)
    try take("pending", into: &manner.pending)
    try take("transitions", into: &manner.transitions)
    try take("policy", into: &manner.policy)
    let time = 1...Definition.longestTime
    if let limit = try optional("requestTimeoutMs") { manner.requestTimeout = UInt64(try limit.wholeNumber(in: time)) }
    if let limit = try optional("presentationTimeoutMs") {
      manner.presentationTimeout = UInt64(try limit.wholeNumber(in: time))
    }
    return manner
  }

  /// Sets `setting` to what the member `key` says, if there is one.
  private func take<Choice>(_ key: StaticString, into setting: inout Choice) throws(FlowFileError)
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    if let definition = try optional(key) { setting = try definition.choice(Choice.self) }
  }

  /// All screens, and which of them has which id.
  private func screens(
    _ texts: Texts, _ manner: Flow.Manner
  ) throws(FlowFileError) -> ([Screen], [String: Int]) {
    let definitions = try required("screens").elements(1...FlowFile.maximumScreens)
    var taken = Set<String>()
    var indices: [String: Int] = [:]
    for (index, definition) in definitions.enumerated() {
      indices[try definition.required("id").name(notIn: &taken, of: "screen")] = index
    }
    let screens = try definitions.map { (definition) throws(FlowFileError) in
      try definition.screen(texts, indices, manner)
    }
    return (screens, indices)
  }

  /// The index of the screen of this name.
  func index(of screens: [String: Int]) throws(FlowFileError) -> Int {
    guard let index = screens[try name()] else {
      throw error(expected: "the id of a screen")
    }
    return index
  }
}
