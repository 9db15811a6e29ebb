package import SecretMemory

/// The codes that an account can ask for after its password, each once: sixteen characters, shown as four groups of four.
///
/// 80 random bits. The codes of one printing have one salt, so that a try is one hash however many there are; that helps
/// who steals the file by a factor of how many there are, which is nothing against 2^80.
public enum RecoveryCode {
  static let length = 16
  static let groupLength = 4
  /// How many there can be for an account.
  public static let counts = 1...100

  /// A new code, without marks between its groups.
  package static func fresh() -> SecretBytes { CodeAlphabet.fresh(length: length) }

  /// What was typed, as `fresh` writes it. Nil when it is no code of anybody's.
  package static func normal(_ typed: UnsafeRawBufferPointer) -> SecretBytes? {
    CodeAlphabet.normal(typed, length: length)
  }
}

/// The codes of one printing. Nobody can read them again.
public final class PrintedCodes: Sendable {
  public let account: Account
  /// How many there are.
  public let count: Int
  /// All of them, one after another.
  private let characters: SecretBytes

  init(account: Account, count: Int, characters: consuming SecretBytes) {
    self.account = account
    self.count = count
    self.characters = characters
  }

  /// Lends a text with one code a line, in groups with hyphens between them. The memory is wiped afterwards.
  public func withLines<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var text = SecretBytes()
    characters.withBytes { bytes in
      for (index, byte) in bytes.enumerated() {
        let place = index % RecoveryCode.length
        if place > 0, place % RecoveryCode.groupLength == 0 { text.append(byte: UInt8(ascii: "-")) }
        text.append(byte: byte)
        if place == RecoveryCode.length - 1 { text.append(byte: UInt8(ascii: "\n")) }
      }
    }
    return text.withBytes(body)
  }
}
