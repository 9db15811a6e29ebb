import AccountStore

extension Arguments {
  /// Sets what new passwords have to be. The option counts before the flow, and the flow's own rule only where it serves those who fill
  /// in that flow's forms: an administrator without a flow gets what holds for all.
  mutating func setPasswordRules(_ flow: FlowSettings) throws(BlocklistError) {
    let fromFlow = verb == .serve || options.flow != nil ? flow.minimumPasswordLength : nil
    if let length = options.minimumPasswordLength ?? fromFlow {
      let limits = PasswordRules.minimumLengths
      options.store.passwordRules.minimumLength = min(max(length, limits.lowerBound), limits.upperBound)
    }
    options.store.passwordRules.contextWords = options.contextWords
    // check looks through all of it.
    guard let path = options.blocklist, verb != .check else { return }
    options.store.passwordRules.blocklist = try Blocklist(path: path)
  }
}
