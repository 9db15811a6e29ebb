/// The rules for stored values. They are checked for every request, whether or not the flow of the
/// form has already checked the values.
public enum AccountValues {
  /// The maximum length of a value in bytes of UTF-8: the longest passphrase that libcrypt accepts.
  public static let maximumBytes = 511

  /// Returns why a typed value can be neither an email address nor a user name. Nil if it may be
  /// one of them.
  static func problem(identifier typed: String) -> ValueProblem? {
    do throws(ValueProblem) {
      let text = TypedText.text(try TypedText.read(typed))
      return text.utf8.count > maximumBytes ? .unusable : nil
    } catch {
      return error
    }
  }

  /// Returns why a password cannot be used, not even for a login. Nil if it can be used. A NUL is
  /// refused because libcrypt would truncate the password there.
  static func problem(password: UnsafeRawBufferPointer) -> ValueProblem? {
    password.count > maximumBytes || password.contains(0) ? .unusable : nil
  }
}
