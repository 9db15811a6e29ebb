/// What the accounts take from a flow definition.
struct FlowSettings: Sendable {
  /// The texts of mails.
  var mailTexts: MailTexts
  /// The fewest characters that the flow asks for in a new password; nil if it does not say.
  var minimumPasswordLength: Int?

  init(mailTexts: @escaping MailTexts, minimumPasswordLength: Int?) {
    self.mailTexts = mailTexts
    self.minimumPasswordLength = minimumPasswordLength
  }
}
