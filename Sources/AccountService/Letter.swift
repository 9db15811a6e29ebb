import AccountStore

/// A mail to be composed.
struct Letter: Sendable {
  let kind: MailKind
  /// Nil for an address that nobody has.
  let recipient: String?
  /// Nil for a notice.
  let code: IssuedCode?
  /// A BCP 47 tag, or empty.
  let locale: String
  /// Milliseconds since 1970 by the service's clock.
  let now: Int64

  /// A code to an address of an account, or nil for an address that nobody has.
  init(_ kind: MailKind, _ code: IssuedCode?, locale: String, now: Int64) {
    self.kind = kind
    recipient = code?.address
    self.code = code ?? .toNobody()
    self.locale = locale
    self.now = now
  }

  /// A notice to the person of an account.
  init(_ kind: MailKind, to account: Account, locale: String, now: Int64) {
    self.kind = kind
    recipient = account.email
    code = nil
    self.locale = locale
    self.now = now
  }

  /// A notice to the person of an account, or to nobody.
  init(_ kind: MailKind, toOwnerOf account: Account?, locale: String, now: Int64) {
    self.kind = kind
    recipient = account?.email
    code = account == nil ? .toNobody() : nil
    self.locale = locale
    self.now = now
  }

  /// Whether it is to arrive anywhere.
  var isReal: Bool { recipient != nil }

  /// What stands in its header.
  var address: String { recipient ?? code?.address ?? "" }
}
