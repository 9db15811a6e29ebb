import Accounts
import AuthenticatorKit

extension Arguments {
  /// Sets the rules for new passwords except their length.
  mutating func setPasswordRules() throws(BlocklistError) {
    options.store.passwordRules.contextWords = options.contextWords
    // The command `check` checks the whole list itself.
    guard let path = options.blocklist, verb != .check else { return }
    options.store.passwordRules.blocklist = try Blocklist(path: path)
  }

  /// Sets the minimum length of new passwords. The option takes precedence over the flow. A flow's
  /// rule applies only to `serve` and with an explicit flow; other commands use the general
  /// minimum.
  mutating func setMinimumLength(_ flow: FlowSettings) {
    let fromFlow = verb == .serve || options.flow != nil ? flow.minimumPasswordLength : nil
    guard let length = options.minimumPasswordLength ?? fromFlow else { return }
    let limits = PasswordRules.minimumLengths
    options.store.passwordRules.minimumLength = min(max(length, limits.lowerBound), limits.upperBound)
  }

  /// The settings that the service asks the engine for, unless its options give them.
  var needs: Set<AuthenticatorSetting> {
    Set(
      [.secretValues] + (options.manualClock == nil ? [.clock] : [])
        + (options.flow == nil ? [.minimumLengths, .texts] : []))
  }
}
