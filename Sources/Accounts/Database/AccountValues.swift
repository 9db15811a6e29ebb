/// The rules for stored values. They apply to every client of an authenticator, whatever its flow
/// has already checked.
public enum AccountValues {
  /// The maximum length of a value in bytes of UTF-8. libcrypt accepts no longer passphrase.
  public static let maximumBytes = 511

  /// Returns why a typed value can be neither an email address nor a user name, or nil.
  static func problem(identifier typed: String) -> ValueProblem? {
    do throws(ValueProblem) {
      let text = TypedText.text(try TypedText.read(typed))
      return text.utf8.count > maximumBytes ? .unusable : nil
    } catch {
      return error
    }
  }

  /// Returns why a password cannot be used, even for a login, or nil: libcrypt would truncate it at
  /// a NUL.
  static func problem(password: UnsafeRawBufferPointer) -> ValueProblem? {
    password.count > maximumBytes || password.contains(0) ? .unusable : nil
  }
}
