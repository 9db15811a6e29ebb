import Accounts
import Glibc
import SecretMemory

/// A composed mail, ready for delivery. Its memory is wiped when the last reference is released.
final class Mail: Sendable {
  let recipient: String
  /// Header and body in UTF-8, with LF line ends as `sendmail` expects.
  let message: SecretBytes
  /// A unique name for the mail, of letters, digits and hyphens.
  let name: String

  /// Composes a mail. Returns nil if the recipient's address cannot be used in a header.
  ///
  /// - Parameter sender: The sender's address.
  init?(_ letter: MailDraft, texts: MailText, from sender: String) {
    recipient = EmailAddress.mailbox(of: letter.address)
    guard Mailbox.isUsable(recipient) else { return nil }
    let time = CalendarTime(milliseconds: letter.now)
    name = time.internet.filter { $0 != "-" && $0 != ":" } + "-" + Self.random()
    let header = """
      From: \(sender)
      To: \(recipient)
      Subject: \(MailHeader.text(texts.subject))
      Date: \(time.mail)
      Message-ID: <\(name)@\(Self.host(of: sender))>
      MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8
      Content-Transfer-Encoding: 8bit
      Auto-Submitted: auto-generated


      """
    var message = SecretBytes()
    Self.append(header, to: &message)
    Self.append(MailLines.broken(texts.text), letter.code, to: &message)
    if letter.repetition.count > 1 {
      message.append(byte: 0x0A)
      Self.append(MailLines.broken(Self.filled(texts.repeated, letter.repetition)), nil, to: &message)
    }
    self.message = message
  }

  /// The part of an address after the `@`.
  private static func host(of address: String) -> Substring { address.split(separator: "@").last ?? "localhost" }

  private static func filled(_ text: String, _ repetition: MailDraft.Repetition) -> String {
    var filled = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      filled += rest[..<open]
      rest = rest[open...]
      let place = ["{count}", "{since}"].first { rest.hasPrefix($0) }
      switch place {
      case "{count}"?: filled += "\(repetition.count)"
      case "{since}"?: filled += CalendarTime(milliseconds: repetition.sinceMs).minute
      default: filled += "{"
      }
      rest = rest.dropFirst(place?.count ?? 1)
    }
    return filled + rest
  }

  /// Appends the text with its placeholders replaced.
  private static func append(_ text: String, _ issued: IssuedCode?, to message: inout SecretBytes) {
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      append(rest[..<open], to: &message)
      rest = rest[open...]
      if let issued, rest.hasPrefix("{code}") {
        append(issued, to: &message)
        rest = rest.dropFirst(6)
      } else if issued != nil, rest.hasPrefix("{minutes}") {
        append("\(ResetCode.lifetimeMs / 60_000)", to: &message)
        rest = rest.dropFirst(9)
      } else {
        message.append(byte: UInt8(ascii: "{"))
        rest = rest.dropFirst()
      }
    }
    append(rest, to: &message)
    if text.utf8.last != 0x0A { message.append(byte: 0x0A) }
  }

  /// Appends the code in two groups, which are easier to read and to say.
  private static func append(_ issued: IssuedCode, to message: inout SecretBytes) {
    issued.code.withBytes { code in
      message.append(UnsafeRawBufferPointer(rebasing: code.prefix(code.count / 2)))
      message.append(byte: UInt8(ascii: "-"))
      message.append(UnsafeRawBufferPointer(rebasing: code.dropFirst(code.count / 2)))
    }
  }

  private static func append(_ text: some StringProtocol, to message: inout SecretBytes) {
    Array(text.utf8).withUnsafeBytes { message.append($0) }
  }

  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next(), radix: 16)
  }

  /// This computer's name, or `localhost` if the name cannot be used in an address.
  static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
    let name = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let text = String(decoding: name, as: UTF8.self)
    let isASCII = name.allSatisfy { $0 < 0x80 }
    return isASCII && Mailbox.isUsable("a@" + text) ? text : "localhost"
  }
}
