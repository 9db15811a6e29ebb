/// The words of a mail with a reset code for a language, given as a BCP 47 tag or as an empty string when it is not known:
/// a subject, and a text in which `{code}` and `{minutes}` stand for the code and for how long it can be used. No line of the
/// text may be over 900 bytes long (RFC 5322 allows 998).
public typealias MailTexts = @Sendable (_ locale: String) -> (subject: String, text: String)

/// The words that there are when nobody brings others.
public enum ResetMailTexts {
  /// By RFC 4647's lookup, with English for who asks for a language that is not here.
  public static let builtIn: MailTexts = { locale in
    var range = locale.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    while !range.isEmpty {
      if let texts = table[range.joined(separator: "-")] { return texts }
      range.removeLast()
      // A single letter announces what came after it.
      if let last = range.last, last.utf8.count == 1 { range.removeLast() }
    }
    return english
  }

  private static let table = ["en": english, "de": german]

  private static let english = (
    subject: "Your code for a new password",
    text: """
    Somebody, probably you, has asked for a new password for your account.

    Your code is

        {code}

    It can be used once, within {minutes} minutes.
    If it was not you, ignore this mail: your password stays as it is.

    """
  )

  private static let german = (
    subject: "Ihr Code für ein neues Passwort",
    text: """
    Jemand, wahrscheinlich Sie selbst, möchte ein neues Passwort für Ihr Konto setzen.

    Ihr Code lautet

        {code}

    Er gilt {minutes} Minuten lang und nur einmal.
    Waren Sie es nicht, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.

    """
  )
}
