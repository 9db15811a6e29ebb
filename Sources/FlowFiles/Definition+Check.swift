import LoginMachine

extension Definition {
  /// Reads the member `check` of an input or a selection: the authenticator checks the value while
  /// it is entered.
  ///
  /// - Parameter isInFlow: whether the item is in a flow. Items of a challenge cannot be checked.
  func check(isInFlow: Bool) throws(FlowFileError) -> Item.Check? {
    guard let check = try optional("check") else { return nil }
    guard isInFlow else { throw check.error(found: "a check", expected: "none, as a challenge has no checks") }
    guard try optional("apiKey") != nil else {
      throw check.error(found: "a check", expected: "none, as the item has no \"apiKey\"")
    }
    guard try optional("readOnly")?.flag() != true else {
      throw check.error(found: "a check", expected: "none, as the item is read-only")
    }
    try check.allowOnly(["afterMs"])
    return Item.Check(after: UInt64(try check.required("afterMs").wholeNumber(in: Item.Check.delays)))
  }
}
