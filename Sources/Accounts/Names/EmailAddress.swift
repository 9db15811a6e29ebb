/// An email address, read from what a person types. It is one that can receive mail, see `Mailbox`.
package struct EmailAddress: Equatable, Sendable {
  /// As it was typed, but for what `TypedText` leaves out or replaces.
  package let text: String
  /// The same for all spellings of the address.
  package let key: NameKey
  /// What stands in mails: the domain has A-labels, if it has letters beyond ASCII.
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

  /// What stands in a mail to an address that an account has.
  package static func mailbox(of address: String) -> String {
    (try? EmailAddress(address))?.mailbox ?? address
  }
}
