/// The texts of a mail with a reset code in a language, given as a BCP 47 tag or as an empty string when it is not known:
/// a subject, and a text in which `{code}` and `{minutes}` stand for the code and for the minutes for which it can be used. No line of the
/// text may be over 900 bytes long (RFC 5322 allows 998).
public typealias MailTexts = @Sendable (_ locale: String) -> (subject: String, text: String)
