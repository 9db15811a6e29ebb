import AuthenticatorKit
import JSONCodec
import LoginProtocol

/// Removes, from recorded lines, the secrets that authenticators grant to the application. The
/// other bytes of a line are kept.
enum GrantedSecret {
  /// An authenticator's line in which a granted secret is replaced by a placeholder. The
  /// placeholder is valid if and only if the secret is.
  static func concealed(inAnswer line: UnsafeRawBufferPointer) -> [UInt8] {
    var document = JSONDocument()
    guard (try? document.parse(line)) != nil, let root = document.root, document.kind(root) == .object,
      let result = document.member("result", of: root), let secret = AuthenticatorAnswer.secret(document, of: result)
    else { return Array(line) }
    let length = AuthenticatorAnswer.canGrant(document, secret) ? 1 : AuthenticatorAnswer.maximumSecretBytes
    return replaced(document.fullText(secret), in: line, by: placeholder(length))
  }

  /// A line of the engine's output with a granted secret replaced; `nil` if it grants none.
  static func concealed(inOutput line: UnsafeRawBufferPointer) -> [UInt8]? {
    guard line.starts(with: ByteBuffer.grantedHead.withUTF8Buffer({ Array($0) })) else { return nil }
    var document = JSONDocument()
    guard (try? document.parse(line)) != nil, let root = document.root,
      let params = document.member("params", of: root), let secret = document.member("secret", of: params)
    else { return Array("{}".utf8) }
    return replaced(document.fullText(secret), in: line, by: placeholder(1))
  }

  /// A JSON string in which the letter `x` is repeated `length` times.
  private static func placeholder(_ length: Int) -> [UInt8] {
    [0x22] + [UInt8](repeating: 0x78, count: length) + [0x22]
  }

  private static func replaced(
    _ part: UnsafeRawBufferPointer, in line: UnsafeRawBufferPointer, by text: [UInt8]
  ) -> [UInt8] {
    guard let start = line.baseAddress, let partStart = part.baseAddress else { return [] }
    let offset = partStart - start
    return line[..<offset] + text + line[(offset + part.count)...]
  }
}
