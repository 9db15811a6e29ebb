import SecretMemory
import Testing

@Suite("Lines with secrets")
struct SecretLineTests {
  /// A line whose secrets are marked by angle brackets.
  private func line(_ marked: String) -> SecretLine {
    var bytes: [UInt8] = []
    var secrets: [Range<Int>] = []
    var start = 0
    for byte in marked.utf8 {
      switch byte {
      case UInt8(ascii: "<"): start = bytes.count
      case UInt8(ascii: ">"): secrets.append(start..<bytes.count)
      default: bytes.append(byte)
      }
    }
    return bytes.withUnsafeBytes { SecretLine(copying: $0, secrets: secrets) }
  }

  private func text(_ line: SecretLine, from start: Int = 0) -> String {
    line.withBytes { String(decoding: $0[start...], as: UTF8.self) }
  }

  @Test("a secret line is a copy of the bytes from which it is made")
  func copying() {
    let line = line(#"{"p":"<hunter2>"}"#)
    #expect(text(line) == #"{"p":"hunter2"}"#)
    #expect(line.count == 15)
  }

  @Test("the unsent characters of a secret become x, and the line keeps its length and stays valid JSON")
  func blanking() {
    let line = line(#"{"p":"<hunter2>","q":1,"r":"<pw>"}"#)
    line.blankSecrets(sent: 0)
    #expect(text(line) == #"{"p":"xxxxxxx","q":1,"r":"xx"}"#)
  }

  @Test("the sent part of a secret line is zeroed, wherever it ends", arguments: 0...30)
  func everySplit(sent: Int) {
    let whole = #"{"p":"xxxxxxx","q":1,"r":"xx"}"#
    let line = line(#"{"p":"<hunter2>","q":1,"r":"<pw>"}"#)
    line.blankSecrets(sent: sent)
    #expect(line.withBytes { $0[..<sent].allSatisfy { $0 == 0 } })
    #expect(text(line, from: sent) == String(whole.dropFirst(sent)))
  }

  @Test(
    "if a character of a secret was sent in part, its remaining bytes are kept",
    arguments: [#"\n"#, #"\u00e9"#, "é", "€", "😀"])
  func characters(character: String) {
    let count = character.utf8.count
    for sent in 1..<(2 + count) {
      let line = line("\"<\(character)ab>\"")
      line.blankSecrets(sent: sent)
      let left = line.withBytes { Array($0[sent...]) }
      let rest = sent == 1 ? [UInt8](repeating: 0x78, count: count) : Array(character.utf8.dropFirst(sent - 1))
      #expect(left == rest + Array("xx\"".utf8), "\(character), \(sent)")
    }
  }

  @Test("a secret line does not trap if ranges of secrets or the number of sent bytes exceed the line")
  func outside() {
    let line = Array("ab".utf8).withUnsafeBytes { SecretLine(copying: $0, secrets: [1..<9, 5..<7]) }
    line.blankSecrets(sent: 0)
    #expect(text(line) == "ax")
    line.blankSecrets(sent: 9)
    #expect(line.withBytes { $0.allSatisfy { $0 == 0 } })
    #expect(SecretLine(copying: UnsafeRawBufferPointer(start: nil, count: 0)).count == 0)
  }

  @Test("an escape at the end of a secret does not reach beyond the secret")
  func brokenEscape() {
    let line = line("<a\\>b")
    line.blankSecrets(sent: 0)
    #expect(text(line) == "xxb")
  }
}
