import JSONCodec
import LoginMachine

extension Definition {
  private enum Kind: String, CaseIterable { case input, selection, `switch`, text, link, code, external }

  /// Reads the kind of the item that this value defines. Checks which members items of this kind
  /// can have, except for the members that `FormReader` reads.
  func itemKind(_ texts: DefinitionStrings) throws(FlowFileError) -> Item.Kind {
    switch try required("kind").choice(Kind.self) {
    case .input:
      try allowOnly([
        "as", "id", "apiKey", "kind", "title", "rules", "emphasis", "visibleWhen", "inputType", "placeholder",
        "keyboard",
        "autofill", "enterKey", "hint", "value", "readOnly", "check",
      ])
      return try inputKind()
    case .selection:
      try allowOnly([
        "as", "id", "apiKey", "kind", "title", "hint", "rules", "emphasis", "visibleWhen", "options", "value", "check",
      ])
      return try selectionKind(texts)
    case .switch:
      try allowOnly(["as", "id", "apiKey", "kind", "title", "hint", "rules", "emphasis", "visibleWhen", "value"])
      return .switch(initial: try nullable("value")?.flag())
    case .text:
      try allowOnly(["id", "kind", "title", "emphasis", "visibleWhen"])
      return .text
    case .link:
      try allowOnly(["id", "kind", "title", "url", "emphasis", "visibleWhen"])
      return .link(url: try required("url").pageURL())
    case .code:
      try allowOnly(["id", "kind", "title", "text", "format", "emphasis", "visibleWhen"])
      return .code(text: try required("text").codeText(), try required("format").choice(Item.CodeFormat.self))
    case .external:
      try allowOnly([
        "as", "id", "apiKey", "kind", "title", "hint", "rules", "emphasis", "visibleWhen", "type", "request", "text",
        "otherwise",
      ])
      return .external(
        Item.External(
          type: try required("type").name(), request: try nullable("request")?.json(),
          text: try nullable("text")?.stringKey(texts)))
    }
  }

  /// The member `otherwise` of an external item: the items that replace it.
  func otherwise() throws(FlowFileError) -> Definition? {
    guard let otherwise = try optional("otherwise"), try required("kind").choice(Kind.self) == .external else {
      return nil
    }
    return otherwise
  }

  /// Reads any JSON value within the limits for external items, as compact JSON.
  private func json() throws(FlowFileError) -> [UInt8] {
    let value = JSONValue(file.document, node)
    let text = Array(value.text.utf8)
    let (bytes, levels) = (Item.External.maximumBytes, Item.External.maximumDepth)
    guard text.count <= bytes, value.depth <= levels else {
      throw error(
        expected: "at most \(bytes) bytes of compact JSON, and at most \(levels) nested arrays and objects")
    }
    return text
  }

  private func pageURL() throws(FlowFileError) -> String {
    guard kind == .string, PageURL.isPageURL(file.document.string(node).utf8) else {
      throw error(
        expected: "a URL that begins with https://, http:// or mailto:, of at most \(PageURL.maximumBytes) bytes, "
          + "without user information and characters that have to be percent-encoded")
    }
    return file.document.string(node)
  }

  private func codeText() throws(FlowFileError) -> String {
    guard kind == .string, CodeText.isCodeText(file.document.string(node).utf8) else {
      throw error(expected: "a text of 1 to \(CodeText.maximumBytes) bytes without control characters")
    }
    return file.document.string(node)
  }

  /// Reads the member `readOnly` of an input. A secret cannot be read-only, because its value would
  /// be invisible.
  func isReadOnly(_ kind: Item.Kind) throws(FlowFileError) -> Bool {
    guard case .input(let type, _) = kind, let readOnly = try optional("readOnly") else { return false }
    guard try !readOnly.flag() || !type.isSecret else {
      throw readOnly.error(expected: "false, as the item is secret")
    }
    return try readOnly.flag()
  }

  private func inputKind() throws(FlowFileError) -> Item.Kind {
    let type = try required("inputType").choice(Item.InputType.self)
    guard let value = try optional("value") else { return .input(type) }
    guard !type.isSecret else { throw value.error(found: "a value", expected: "none, as the item is secret") }
    return .input(type, initial: value.kind == .null ? nil : try value.valueText())
  }

  private func selectionKind(_ texts: DefinitionStrings) throws(FlowFileError) -> Item.Kind {
    var ids = NameList()
    var options: [Item.Option] = []
    for option in try required("options").elements(1...FlowFile.maximumOptions) {
      try option.allowOnly(["id", "title"])
      options.append(
        Item.Option(
          id: try option.required("id").name(notIn: &ids, of: "option of the selection"),
          title: try option.required("title").stringKey(texts)))
    }
    guard let value = try nullable("value") else { return .selection(options) }
    guard ids.contains(try value.text()) else {
      let isShort = options.count <= Item.maximumShownOptions
      throw value.error(expected: isShort ? "one of \(list(options.map(\.id)))" : "the id of one of the options")
    }
    return .selection(options, initial: try value.text())
  }

  /// Reads the member `hint`, and for inputs the members `keyboard`, `autofill` and `enterKey`.
  func hints(_ texts: DefinitionStrings) throws(FlowFileError) -> Item.Hints {
    var hints = Item.Hints(
      keyboard: try optional("keyboard")?.choice(Item.Keyboard.self),
      enterKey: try optional("enterKey")?.choice(Item.EnterKey.self),
      description: try nullable("hint")?.stringKey(texts))
    if let autofill = try optional("autofill") {
      let tokens = try autofill.text()
      guard Autofill.isValid(tokens) else {
        throw autofill.error(
          expected: "tokens of HTML's autocomplete, such as \"username\", \"username webauthn\" or \"billing email\"")
      }
      hints.autofill = tokens
    }
    return hints
  }
}
