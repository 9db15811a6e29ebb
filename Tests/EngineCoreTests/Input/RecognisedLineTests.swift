import EngineCore
import TestSupport
import Testing

@Suite("An edit line whose shape is remembered")
struct RecognisedLineTests {
  private static let params = [
    #""session":"s""#, #""session":"t""#, #""session":"\u0073""#, #""session":1"#, #""item":"email""#,
    #""item":"password""#,
    #""item":"remember""#, #""item":"nobody""#, #""item":"ema\u0069l""#, #""value":"ada""#, #""value":"""#,
    #""value":"ü\"""#,
    #""value":true"#, #""value":[1]"#, #""value":{"a":1}"#, #""revision":1"#, #""revision":99"#, #""revision":"1""#,
    #""revision":1.0"#,
    #""more":1"#, #""action":"submit""#,
  ]

  private static func line(_ random: inout SeededRandom) -> String {
    let blank = random.chance(4) ? " " : ""
    var members = random.chance(3) ? [] : [#""session":"s""#, #""item":"email""#, #""value":"ada@example.com""#]
    for _ in 0..<random.pick([0, 0, 1, 2, 3]) {
      let place = Int.random(in: 0...members.count, using: &random)
      if random.chance(2), place < members.count {
        members[place] = random.pick(params)
      } else {
        members.insert(random.pick(params), at: place)
      }
    }
    var bytes = Array(
      (#"{"jsonrpc":"2.0","method":"session/edit","params":{\#(members.joined(separator: "," + blank))}\#(blank)}"#)
        .utf8)
    if random.chance(12) { bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random)) }
    if random.chance(20) { bytes += Array(#","id":7}"#.utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func core() throws -> Harness {
    let harness = try Harness()
    for session in ["s", "t"] {
      harness.view(#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"\#(session)","flow":"standard"}}"#)
    }
    _ = harness.takeOutput()
    return harness
  }

  @Test(
    "a core that remembers the shapes of lines gives each line the same answer as a core that does not",
    arguments: seeds)
  func sameAnswers(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let (knowing, reading) = (try core(), try core())
    for _ in 0..<2000 {
      let line = Self.line(&random)
      // So many lines of other shapes that remembered shapes are dropped.
      for blanks in 1...8 {
        let blanks = String(repeating: " ", count: blanks)
        reading.view(#"{"jsonrpc":"2.0",\#(blanks)"method":"session/snapshot","params":{"session":"s"}}"#)
      }
      knowing.view(line)
      reading.view(line)
      #expect(knowing.takeOutput() == reading.takeOutput(), "\(line)")
    }
  }
}
