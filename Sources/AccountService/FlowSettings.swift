/// What the accounts take from a flow definition.
public struct FlowSettings: Sendable {
  /// The texts of mails.
  public let mailTexts: MailTexts
  /// The fewest characters that the flow asks for in a new password; nil if it does not say.
  public let minimumPasswordLength: Int?

  public init(mailTexts: @escaping MailTexts, minimumPasswordLength: Int?) {
    self.mailTexts = mailTexts
    self.minimumPasswordLength = minimumPasswordLength
  }
}

/// Reads what the accounts take from a flow definition, or, without a file, from the built-in flow.
public typealias FlowSettingsSource = (_ flowFile: String?) throws -> FlowSettings
