/// What a new password has to be (NIST SP 800-63B, section on passwords). Passwords that exist are never held against it.
public struct PasswordRules: Sendable {
  /// The fewest characters (Unicode scalars of the normal form) where the password is all that an account asks for.
  public var minimumLength = 15
  /// The fewest characters where an account asks for a code as well.
  public static let minimumLengthWithCode = 8
  /// What an administrator may choose as the minimum.
  public static let minimumLengths = minimumLengthWithCode...64
  /// Names that everybody may try: that of the service and the like.
  public var contextWords: [String] = []
  /// Passwords that are known, besides those that are built in.
  public var blocklist: Blocklist?

  public init() {}

  func minimum(asksForCode: Bool) -> Int {
    asksForCode ? min(minimumLength, Self.minimumLengthWithCode) : minimumLength
  }

  /// What is wrong with a new password of an account that is not known, or must not tell. The length is that for an account that asks for a
  /// code, unless it is too short for any: then most people have to know the other one.
  public func problem(newPassword: UnsafeRawBufferPointer) throws(AccountStoreError) -> ValueProblem? {
    let problem = try problem(newPassword: newPassword, asksForCode: true)
    if case .tooShort = problem { return .tooShort(minimum: minimumLength) }
    return problem
  }

  /// What is wrong with a new password. `names` are those of its person; `asksForCode`: whether the account asks for more than it.
  public func problem(
    newPassword typed: UnsafeRawBufferPointer, names: [String] = [], asksForCode: Bool
  ) throws(AccountStoreError) -> ValueProblem? {
    if typed.isEmpty { return .missing }
    if let problem = AccountValues.problem(password: typed) { return problem }
    // A paste brings control characters along, and no keyboard has them. A password that is not UTF-8 cannot come back in a login, whose JSON is UTF-8.
    if PasswordText.hasControls(typed) || !PasswordText.isText(typed) { return .unusable }
    return try PasswordText.withNormal(typed) { normal throws(AccountStoreError) -> ValueProblem? in
      guard normal.count <= AccountValues.maximumBytes else { return .unusable }
      // Every byte but a continuation byte begins a scalar.
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
  /// What others may know of the person, for `PasswordRules`.
  var names: [String] { [email, EmailAddress.mailbox(of: email), userName] }
}
