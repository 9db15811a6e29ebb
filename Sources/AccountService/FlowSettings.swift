/// What the accounts take from a flow definition.
struct FlowSettings: Sendable {
  /// The texts of mails.
  let mailTexts: MailTexts
  /// The fewest characters that the flow asks for in a new password; nil if it does not say.
  let minimumPasswordLength: Int?

  init(mailTexts: @escaping MailTexts, minimumPasswordLength: Int?) {
    self.mailTexts = mailTexts
    self.minimumPasswordLength = minimumPasswordLength
  }
}
