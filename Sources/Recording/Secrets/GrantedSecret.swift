import AuthenticatorKit
import JSONCodec
import LoginProtocol

/// Takes out of lines the secrets that authenticators grant to the application. What stays is as it was, byte for byte.
enum GrantedSecret {
  /// What an authenticator writes, with another secret where one is granted: one that can be granted if that one can.
  static func concealed(inAnswer line: UnsafeRawBufferPointer) -> [UInt8] {
    var document = JSONDocument()
    guard (try? document.parse(line)) != nil, let root = document.root, document.kind(root) == .object,
      let result = document.member("result", of: root), let secret = AuthenticatorAnswer.secret(document, of: result)
    else { return Array(line) }
    let length = AuthenticatorAnswer.canGrant(document, secret) ? 1 : AuthenticatorAnswer.maximumSecretBytes
    return replaced(document.fullText(secret), in: line, by: placeholder(length))
  }

  /// What the engine writes to the view; `nil` if it grants nothing.
  static func concealed(inOutput line: UnsafeRawBufferPointer) -> [UInt8]? {
    guard line.starts(with: ByteBuffer.grantedHead.withUTF8Buffer({ Array($0) })) else { return nil }
    var document = JSONDocument()
    guard (try? document.parse(line)) != nil, let root = document.root,
      let params = document.member("params", of: root), let secret = document.member("secret", of: params)
    else { return Array("{}".utf8) }
    return replaced(document.fullText(secret), in: line, by: placeholder(1))
  }

  /// A string of so many `x`.
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
