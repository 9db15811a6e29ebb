package import SecretMemory

/// A recovery code: sixteen characters, displayed as four groups of four, for one use after the
/// password.
///
/// A code has 80 random bits. Codes that are printed together share a salt, so that an attempt
/// costs one hash however many codes there are. An attacker who has the file can therefore compare
/// each guess with all these codes at once, which is no danger: there are 2^80 possible codes.
public enum RecoveryCode {
  static let length = 16
  static let groupLength = 4
  /// The number of codes that an account can have.
  public static let counts = 1...100

  /// Generates a code, without separators between its groups.
  package static func fresh() -> SecretBytes { CodeAlphabet.fresh(length: length) }

  /// Returns the typed code in the form of `fresh`. Nil if the text cannot be a code.
  package static func normal(_ typed: UnsafeRawBufferPointer) -> SecretBytes? {
    TypedCode.letters(typed, count: length)
  }
}

/// The recovery code that was used, by its position.
public struct RecoveryCodeUse: Equatable, Sendable {
  /// The position of the code among those that were printed together, starting at 1.
  public let number: Int
  /// The number of codes that were printed together.
  public let count: Int
  /// The number of the account's codes that can still be used.
  public let left: Int

  public init(number: Int, count: Int, left: Int) {
    self.number = number
    self.count = count
    self.left = left
  }
}

/// Recovery codes that were printed together. They cannot be read again later, because only their
/// hashes are stored.
public final class PrintedCodes: Sendable {
  public let account: Account
  /// The number of codes.
  public let count: Int
  /// All codes, concatenated.
  private let characters: SecretBytes

  init(account: Account, count: Int, characters: consuming SecretBytes) {
    self.account = account
    self.count = count
    self.characters = characters
  }

  /// Lends a text with one code per line. Each code is written in groups separated by hyphens. Its
  /// memory is wiped afterwards.
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
  /// Lends each code in turn, in groups separated by hyphens. Its memory is wiped afterwards.
  public func forEach(_ body: (UnsafeRawBufferPointer) -> Void) {
    withLines { lines in
      for line in lines.split(separator: UInt8(ascii: "\n")) { body(UnsafeRawBufferPointer(rebasing: line)) }
    }
  }
}
