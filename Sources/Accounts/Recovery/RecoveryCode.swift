package import SecretMemory

/// The codes that an account can demand after its password, each once: sixteen characters, shown as four groups of
/// four.
///
/// A code has 80 random bits. The codes of one printing share one salt, so that an attempt costs one hash, however many
/// codes there are. A thief of the file gains a factor of the number of codes, which is nothing against 2^80.
public enum RecoveryCode {
  static let length = 16
  static let groupLength = 4
  /// How many codes an account can have.
  public static let counts = 1...100

  /// A new code, without separators between its groups.
  package static func fresh() -> SecretBytes { CodeAlphabet.fresh(length: length) }

  /// The code that was typed, in the form of `fresh`. Nil if the text cannot be a code.
  package static func normal(_ typed: UnsafeRawBufferPointer) -> SecretBytes? {
    TypedCode.letters(typed, count: length)
  }
}

/// Which of an account's codes was used.
public struct RecoveryCodeUse: Equatable, Sendable {
  /// Its place in the printing, from 1 on.
  public let number: Int
  /// How many codes were printed.
  public let count: Int
  /// How many can still be used.
  public let left: Int

  public init(number: Int, count: Int, left: Int) {
    self.number = number
    self.count = count
    self.left = left
  }
}

/// The codes of one printing. They cannot be read again.
public final class PrintedCodes: Sendable {
  public let account: Account
  /// How many codes there are.
  public let count: Int
  /// All codes, one after another.
  private let characters: SecretBytes

  init(account: Account, count: Int, characters: consuming SecretBytes) {
    self.account = account
    self.count = count
    self.characters = characters
  }

  /// Lends a text with one code a line, in groups with hyphens between them. Its memory is wiped afterwards.
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

extension PrintedCodes {
  /// Lends each code in turn, in groups with hyphens between them. Its memory is wiped afterwards.
  public func forEach(_ body: (UnsafeRawBufferPointer) -> Void) {
    withLines { lines in
      for line in lines.split(separator: UInt8(ascii: "\n")) { body(UnsafeRawBufferPointer(rebasing: line)) }
    }
  }
}
