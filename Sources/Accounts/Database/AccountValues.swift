/// The rules for stored values. They hold for every authenticator's client, whatever its flow has checked before.
public enum AccountValues {
  /// The longest value in bytes of UTF-8; libcrypt takes no longer passphrase.
  public static let maximumBytes = 511

  /// What is wrong with what was typed as an email address or a user name, so that it can be neither.
  static func problem(identifier typed: String) -> ValueProblem? {
    do throws(ValueProblem) {
      let text = TypedText.text(try TypedText.read(typed))
      return text.utf8.count > maximumBytes ? .unusable : nil
    } catch {
      return error
    }
  }

  /// What makes a password unusable even for a login: libcrypt would cut it at a NUL.
  static func problem(password: UnsafeRawBufferPointer) -> ValueProblem? {
    password.count > maximumBytes || password.contains(0) ? .unusable : nil
  }
}
