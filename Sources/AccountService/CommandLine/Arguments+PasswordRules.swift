import Accounts
import AuthenticatorKit

extension Arguments {
  /// Sets what new passwords have to be, other than their length.
  mutating func setPasswordRules() throws(BlocklistError) {
    options.store.passwordRules.contextWords = options.contextWords
    // check looks through all of it.
    guard let path = options.blocklist, verb != .check else { return }
    options.store.passwordRules.blocklist = try Blocklist(path: path)
  }

  /// Sets how long new passwords have to be. The option counts before the flow, and the flow's own rule only where it serves those who fill
  /// in that flow's forms: an administrator without a flow gets what holds for all.
  mutating func setMinimumLength(_ flow: FlowSettings) {
    let fromFlow = verb == .serve || options.flow != nil ? flow.minimumPasswordLength : nil
    guard let length = options.minimumPasswordLength ?? fromFlow else { return }
    let limits = PasswordRules.minimumLengths
    options.store.passwordRules.minimumLength = min(max(length, limits.lowerBound), limits.upperBound)
  }

  /// What the service wants to be told, if its options do not say it.
  var needs: Set<AuthenticatorNeed> {
    Set(
      [.secretValues] + (options.manualClock == nil ? [.clock] : [])
        + (options.flow == nil ? [.minimumLengths, .texts] : []))
  }
}
