/// An email address as typed by a user, which can receive mail: see `Mailbox`.
package struct EmailAddress: Equatable, Sendable {
  /// The address as typed, cleaned up by `TypedText`.
  package let text: String
  /// The key of the address, equal for all of its spellings.
  package let key: NameKey
  /// The address as written in mails. If the domain has letters beyond ASCII, it is replaced by its
  /// A-labels.
  package let mailbox: String

  package init(_ typed: String) throws(ValueProblem) {
    let scalars = try TypedText.read(typed)
    guard let at = scalars.lastIndex(of: "@") else { throw .invalid }
    let (local, host) = (scalars[..<at], scalars[(at + 1)...])
    guard let domain = DomainName.ascii(host), let folded = Folding.fold(TypedText.text(local)) else { throw .invalid }
    let typedHost = TypedText.text(host.map { DomainName.isDot($0) ? "." : $0 })
    let isASCII = host.allSatisfy(\.isASCII)
    text = TypedText.text(local) + "@" + typedHost
    mailbox = TypedText.text(local) + "@" + (isASCII ? typedHost : domain)
    key = NameKey(text: folded + "@" + domain)
    guard Mailbox.isUsable(mailbox) else { throw .invalid }
    guard [text, mailbox, key.text].allSatisfy({ $0.utf8.count <= AccountValues.maximumBytes }) else { throw .unusable }
  }

  /// Returns the form of an account's address that is written in mails.
  package static func mailbox(of address: String) -> String {
    (try? EmailAddress(address))?.mailbox ?? address
  }
}
