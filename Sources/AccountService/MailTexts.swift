/// The texts of a mail in a language, given as a BCP 47 tag or as an empty string when it is not known: a subject, and a text in which `{code}` and
/// `{minutes}` stand for the code and for the minutes for which it can be used. Lines that are too long for a mail are broken.
public typealias MailTexts = @Sendable (_ kind: MailKind, _ locale: String) -> (subject: String, text: String)
