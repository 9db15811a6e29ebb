import Accounts
import AuthenticatorKit

extension Arguments {
  /// Sets the rules for new passwords, except for their minimum length.
  mutating func setPasswordRules() throws(BlocklistError) {
    options.store.passwordRules.contextWords = options.contextWords
    // The command `check` reads the whole blocklist itself.
    guard let path = options.blocklist, verb != .check else { return }
    options.store.passwordRules.blocklist = try Blocklist(path: path)
  }

  /// Sets the minimum length of new passwords, from the first of these that gives one: the command
  /// line option, the rules of the flow, the general minimum. The flow's rules apply to `serve`;
  /// they apply to another command only if an option names the flow definition.
  mutating func setMinimumLength(_ flow: FlowSettings) {
    let fromFlow = verb == .serve || options.flow != nil ? flow.minimumPasswordLength : nil
    guard let length = options.minimumPasswordLength ?? fromFlow else { return }
    let limits = PasswordRules.minimumLengths
    options.store.passwordRules.minimumLength = min(max(length, limits.lowerBound), limits.upperBound)
  }

  /// The settings that the service asks the engine for, because no option gives them.
  var needs: Set<AuthenticatorSetting> {
    Set(
      [.secretValues] + (options.manualClock == nil ? [.clock] : [])
        + (options.flow == nil ? [.minimumLengths, .texts] : []))
  }
}
