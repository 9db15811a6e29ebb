package import System

/// Reads options whose values are passed to other programs, which may refuse some names.
extension OptionReader where Value == String {
  /// Reads the issuer that authenticator apps show next to codes. Colons are refused: in the URI
  /// that apps read, a colon ends the issuer even when escaped, and many apps then refuse the URI.
  /// See https://github.com/google/google-authenticator/wiki/Key-Uri-Format.
  package static var issuer: OptionReader {
    OptionReader { text, option throws(UsageError) in
      let scalars = text.unicodeScalars
      guard (1...64).contains(scalars.count), !scalars.contains(where: { $0 == ":" || isInvisible($0) }),
        scalars.first != " ", scalars.last != " "
      else {
        throw UsageError(
          "\(option) takes 1 to 64 characters without colons, control characters and invisible ones, and no space at either end"
        )
      }
      return text
    }
  }

  /// Reads the sender address of mails.
  package static var mailAddress: OptionReader {
    OptionReader { text, option throws(UsageError) in
      guard isMailAddress(text) else {
        throw UsageError(
          "\(option) takes a mail address such as no-reply@example.com, without a name, in ASCII (a domain of other letters as xn--…)"
        )
      }
      return text
    }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
    case .spaceSeparator: scalar != " "
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether a text is a mail address that needs no quotes in a header: words separated by dots, an
  /// `@`, and a host name (RFC 5321, section 4.1.2).
  private static func isMailAddress(_ text: String) -> Bool {
    guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")), text.utf8.count <= 254 else { return false }
    let (local, host) = (text[..<at], text[text.index(after: at)...])
    let words = local.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return local.utf8.count <= 64 && local.utf8.first != UInt8(ascii: "-")
      && words.allSatisfy { !$0.isEmpty && $0.allSatisfy(isWord) }
      && HostName.isHostName(host.lowercased()) && !HostName.isAddress(String(host))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-=?^_`{}~".utf8.contains(byte)
    }
  }
}
