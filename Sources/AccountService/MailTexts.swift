/// The texts of a mail with a reset code in a language, given as a BCP 47 tag or as an empty string when it is not known:
/// a subject, and a text in which `{code}` and `{minutes}` stand for the code and for the minutes for which it can be used. Lines that are too long for a
/// mail are broken.
public typealias MailTexts = @Sendable (_ locale: String) -> (subject: String, text: String)

/// Finds the texts that a flow definition has, or, without a file, those of the built-in flow.
public typealias MailTextSource = (_ flowFile: String?) throws -> MailTexts
