import LoginMachine

extension Definition {
  /// Reads a link, which leads to another screen or makes a request.
  func link(
    _ texts: DefinitionStrings, _ screens: NameList, taken: inout NameList
  ) throws(FlowFileError) -> Screen.Link {
    guard let request = try optional("request") else {
      try allowOnly(["id", "title", "screen", "values", "request"])
      return Screen.Link(
        action: try action(texts, taken: &taken), screen: try linkTarget().index(of: screens),
        values: try optional("values")?.choice(Screen.LinkValues.self) ?? .stay)
    }
    guard try optional("screen") == nil else {
      throw error(found: "both \"screen\" and \"request\"", expected: "one of them")
    }
    try allowOnly(["id", "title", "request", "sends", "success"])
    return Screen.Link(
      action: try action(texts, taken: &taken),
      target: .request(
        Screen.LinkRequest(
          try request.name(), sends: try optional("sends")?.choice(Screen.LinkRequest.Contents.self) ?? .nothing,
          success: try optional("success")?.success(screens))))
  }

  private func linkTarget() throws(FlowFileError) -> Definition {
    guard let target = try optional("screen") else {
      throw error(found: "neither \"screen\" nor \"request\"", expected: "one of them")
    }
    return target
  }
}
