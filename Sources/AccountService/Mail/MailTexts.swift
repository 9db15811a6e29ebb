import LoginMachine

/// The texts of a mail in a language, given as a BCP 47 tag or as an empty string when it is not known. Lines that are too long for a mail are broken.
typealias MailTexts = @Sendable (_ kind: MailKind, _ locale: String) -> MailText

/// What a mail says.
struct MailText: Sendable {
  let subject: String
  /// `{code}` and `{minutes}` stand for the code and for the minutes for which it can be used.
  let text: String
  /// What follows in a notice of what has happened several times: `{count}` and `{since}` stand for how often, and for the time of the first.
  let repeated: String

  /// The texts of a kind of mail, out of those of a language.
  init(_ kind: MailKind, _ texts: StringTable) {
    self.init(
      subject: texts.text("mail.\(kind.rawValue).subject"), text: texts.text("mail.\(kind.rawValue).text"),
      repeated: texts.text("mail.repeated.text"))
  }

  init(subject: String, text: String, repeated: String) {
    self.subject = subject
    self.text = text
    self.repeated = repeated
  }
}
