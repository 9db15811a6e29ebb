import LoginMachine

extension Definition {
  /// The member `check` of an input or a selection: that the authenticator is asked about the value while it is entered.
  ///
  /// - Parameter isInFlow: whether the item is one of a flow's. A challenge has no checks.
  func check(isInFlow: Bool) throws(FlowFileError) -> Item.Check? {
    guard let check = try optional("check") else { return nil }
    guard isInFlow else { throw check.error(found: "a check", expected: "none, as a challenge has no checks") }
    guard try optional("apiKey") != nil else {
      throw check.error(found: "a check", expected: "none, as the item has no \"apiKey\"")
    }
    guard try optional("readOnly")?.flag() != true else {
      throw check.error(found: "a check", expected: "none, as nobody edits the item")
    }
    try check.allowOnly(["afterMs"])
    return Item.Check(after: UInt64(try check.required("afterMs").wholeNumber(in: Item.Check.delays)))
  }
}
