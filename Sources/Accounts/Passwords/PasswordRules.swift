/// The rules for new passwords (NIST SP 800-63B, section on passwords). They are never applied to
/// existing passwords.
public struct PasswordRules: Sendable {
  /// The minimum length of a password if the account requires nothing besides the password, in
  /// characters (Unicode scalars of the normal form).
  public var minimumLength = 15
  /// The minimum length of a password if the account also requires a code, in characters.
  public static let minimumLengthWithCode = 8
  /// The values that an administrator may choose for the minimum length.
  public static let minimumLengths = minimumLengthWithCode...64
  /// Words that an attacker would guess for any account, such as the name of the service.
  public var contextWords: [String] = []
  /// Forbidden passwords, in addition to the built-in rules.
  public var blocklist: Blocklist?

  public init() {}

  func minimum(asksForCode: Bool) -> Int {
    asksForCode ? min(minimumLength, Self.minimumLengthWithCode) : minimumLength
  }

  /// Checks a new password for an account that is unknown or must not be revealed.
  ///
  /// The password is checked against the minimum length for accounts that require a code. If it is
  /// shorter, the reported minimum is that for accounts without codes, because most users have such
  /// an account.
  public func problem(newPassword: UnsafeRawBufferPointer) throws(AccountStoreError) -> ValueProblem? {
    let problem = try problem(newPassword: newPassword, asksForCode: true)
    if case .tooShort = problem { return .tooShort(minimum: minimumLength) }
    return problem
  }

  /// Returns why a new password is refused. Nil if it is allowed.
  ///
  /// - Parameters:
  ///   - names: The names of the user.
  ///   - asksForCode: Whether the account requires a code after the password.
  public func problem(
    newPassword typed: UnsafeRawBufferPointer, names: [String] = [], asksForCode: Bool
  ) throws(AccountStoreError) -> ValueProblem? {
    if typed.isEmpty { return .missing }
    if let problem = AccountValues.problem(password: typed) { return problem }
    // Control characters come from pasting; no keyboard types them. A password that is not UTF-8
    // could not be sent in a login, whose JSON is UTF-8.
    if PasswordText.hasControls(typed) || !PasswordText.isText(typed) { return .unusable }
    return try PasswordText.withNormal(typed) { normal throws(AccountStoreError) -> ValueProblem? in
      guard normal.count <= AccountValues.maximumBytes else { return .unusable }
      // Every byte except a continuation byte starts a scalar.
      let length = normal.count { $0 & 0b1100_0000 != 0b1000_0000 }
      let minimum = minimum(asksForCode: asksForCode)
      guard length >= minimum else { return .tooShort(minimum: minimum) }
      let guess = PasswordText.withFolded(normal) { text -> ValueProblem? in
        if CommonPasswords.contain(text) { return .common }
        return ContextWords(contextWords + names).make(up: text) ? .guessable : nil
      }
      if let guess { return guess }
      guard let blocklist else { return nil }
      if try blocklist.contains(normal) { return .common }
      if normal.elementsEqual(typed) { return nil }
      return try blocklist.contains(typed) ? .common : nil
    }
  }
}

extension Account {
  /// What others may know about the user, for `PasswordRules`.
  var names: [String] { [email, EmailAddress.mailbox(of: email), userName] }
}
