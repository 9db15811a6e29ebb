import LoginMachine

/// Returns the texts of a mail in a language, given as a BCP 47 tag or as an empty string if
/// unknown. Lines that are too long for a mail are broken later.
typealias MailTexts = @Sendable (_ kind: MailKind, _ locale: String) -> MailText

/// The texts of one kind of mail.
struct MailText: Sendable {
  let subject: String
  /// The body. `{code}` and `{minutes}` stand for the code and its lifetime in minutes.
  let text: String
  /// The text that is added to a notice about several events. In this text, `{count}` stands for
  /// the number of events and `{since}` for the time of the first event.
  let repeated: String

  /// Creates the texts of one kind of mail from all texts of a language.
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
