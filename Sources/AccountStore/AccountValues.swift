/// The rules for stored values. They hold for every authenticator's client, whatever its flow has checked before.
public enum AccountValues {
  /// The longest value in bytes of UTF-8; libcrypt takes no longer passphrase.
  public static let maximumBytes = 511

  /// What is wrong with an email address. It has to be one that can receive mail, see `Mailbox`.
  static func problem(email: String) -> ValueProblem? {
    if let problem = problem(text: email) { return problem }
    guard Mailbox.isUsable(email) else { return .invalid }
    return problem(foldingOf: email)
  }

  /// What is wrong with a user name: no `@` (that would make it look like an email address), no invisible characters,
  /// no space at either end.
  static func problem(userName: String) -> ValueProblem? {
    if let problem = problem(text: userName) { return problem }
    let scalars = userName.unicodeScalars
    guard !scalars.contains(where: { $0 == "@" || Folding.isInvisible($0) }) else { return .invalid }
    guard scalars.first != " ", scalars.last != " " else { return .invalid }
    return problem(foldingOf: userName)
  }

  /// What makes a password unusable even for a login: libcrypt would cut it at a NUL.
  static func problem(password: UnsafeRawBufferPointer) -> ValueProblem? {
    password.count > maximumBytes || password.contains(0) ? .unusable : nil
  }

  /// What is wrong with any text.
  static func problem(text: String) -> ValueProblem? {
    if text.isEmpty { return .missing }
    return text.utf8.count > maximumBytes || text.utf8.contains(0) ? .unusable : nil
  }

  private static func problem(foldingOf text: String) -> ValueProblem? {
    guard let folded = Folding.fold(text) else { return .invalid }
    return folded.utf8.count > maximumBytes ? .unusable : nil
  }
}
