/// The settings that the account service takes from a flow definition.
struct FlowSettings: Sendable {
  /// The texts of mails.
  var mailTexts: MailTexts
  /// The minimum length of a new password in the flow. Nil if the flow has no such rule.
  var minimumPasswordLength: Int?

  init(mailTexts: @escaping MailTexts, minimumPasswordLength: Int?) {
    self.mailTexts = mailTexts
    self.minimumPasswordLength = minimumPasswordLength
  }
}
