import JSONCodec
import TestSupport
import Testing

@Suite("Random texts, truncated and damaged")
struct RandomTextTests {
  static let corpus: [String] = [
    #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s1","item":"email","value":"ada@example.com"},"id":17}"#,
    #"[{"a":[1,-2.5e+10,0.125,true,false,null]},"\u00e9\ud83d\ude00\n\"\\\/\b\f\r\t",[[],{}],"é€😀퟿"]"#,
    " { \"k\" : [ 1 , 2 ] , \"\\u0061\\uD834\\uDD1E\" : { \"x\" : \"\" } }",
    #""plain text longer than eight bytes \ud834\udd1e end""#, "[-0,0e0,1E-2,[[[[[]]]]]]",
    "{" + (0..<20).map { "\"k\($0)\":{\"v\":\($0)}" }.joined(separator: ",") + "}", "null", "true", "[false]",
    #"{"":""}"#,
  ]

  @Test("every prefix of a valid text is refused as truncated, and nothing beyond its end is read", arguments: corpus)
  func prefixes(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(refusal(of: bytes) == nil)
    let memory = GuardedMemory(capacity: bytes.count)
    for length in 0..<bytes.count {
      let error = refusal(of: bytes[..<length], in: memory)
      let blank = bytes[..<length].allSatisfy { $0 == 0x20 }
      #expect(error == (blank ? JSONError(.empty, at: 0) : JSONError(.truncated, at: length)), "\(length)")
      memory.with(bytes[..<length]) { buffer in
        var document = JSONDocument()
        _ = try? document.parse(buffer)
        let seen = walk(document)
        #expect(seen <= length)
      }
    }
  }

  @Test(
    "parsing a damaged text never reads out of bounds, and if the text is valid, it keeps its content when written",
    arguments: seeds)
  func mutations(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let memory = GuardedMemory(capacity: 4096)
    let telling = Array("{}[]\",:\\u0dDcCeE+-. \n\0\u{1F}\u{80}\u{10FFFF}tfn".utf8) + [0xC0, 0xED, 0xF4, 0xFF]
    var document = JSONDocument()
    var (taken, refused) = (0, 0)
    let rounds = Workload.amount(40_000)
    for round in 0..<rounds {
      var text = Array((Self.corpus.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<max(text.count, 1), using: &random)
        let byte =
          random.chance(3) ? UInt8.random(in: 0...255, using: &random) : telling.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text.insert(byte, at: min(place, text.count))
        case 1 where !text.isEmpty: text.remove(at: place)
        case 2 where !text.isEmpty: text.insert(contentsOf: text[place...].prefix(9), at: place)
        default: if !text.isEmpty { text[place] = byte }
        }
      }
      let again: (JSONValue, JSONValue)? = try memory.with(text, atEnd: round % 2 == 0) { bytes in
        var accepted = true
        do throws(JSONError) { try document.parse(bytes) } catch {
          accepted = false
          if error.offset < 0 || error.offset > bytes.count { Issue.record("seed \(seed), round \(round): \(error)") }
        }
        if walk(document) > bytes.count { Issue.record("seed \(seed), round \(round): more values than bytes") }
        guard accepted, let root = document.root else { return nil }
        let value = JSONValue(document, root)
        return (value, try JSONValue(parsing: value.text))
      }
      if let (value, copy) = again {
        taken += 1
        if value != copy { Issue.record("seed \(seed), round \(round): \(text)") }
        if String(validating: text, as: UTF8.self) == nil {
          Issue.record("seed \(seed), round \(round): not UTF-8: \(text)")
        }
      } else {
        refused += 1
      }
    }
    #expect(
      taken > rounds / 40 && refused > rounds / 40,
      "seed \(seed): the damage is too small or too great to tell anything")
  }

  @Test("random values keep their content when written in any notation and read again", arguments: seeds)
  func roundTrips(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for round in 0..<Workload.amount(3_000) {
      let value = RandomJSON.value(depth: 5, &random)
      let text = value.text
      let copy = try JSONValue(parsing: text)
      #expect(copy == value, "seed \(seed), round \(round): \(text)")
      #expect(copy.text == text, "seed \(seed), round \(round)")
      let spelt = RandomJSON.spelling(of: value, &random)
      #expect(try JSONValue(parsing: spelt) == value, "seed \(seed), round \(round): \(spelt)")
    }
  }
}

/// Creates random values, and texts for them with the white space and escapes that another writer
/// might use.
enum RandomJSON {
  static let numbers = [
    "0", "-0", "1", "1.50", "1e5", "1E+05", "-123456789012345678901234567890.5e-7", "18446744073709551616",
  ]
  static let scalars = Array(
    "aZ09 \"\\/\u{0}\u{1}\u{8}\u{9}\u{A}\u{C}\u{D}\u{1F}\u{7F}\u{80}é\u{7FF}\u{800}€\u{D7FF}\u{E000}\u{FFFF}\u{10000}😀\u{10FFFF}"
      .unicodeScalars)

  static func string(_ random: inout SeededRandom) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...20, using: &random) { text.append(scalars.randomElement(using: &random) ?? "a") }
    return String(text)
  }

  static func value(depth: Int, _ random: inout SeededRandom) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(random.chance(2))
    case 2: return .number(numbers.randomElement(using: &random) ?? "0")
    case 3, 4: return .string(string(&random))
    case 5: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, &random) })
    default:
      let count = random.chance(4) ? Int.random(in: 11...16, using: &random) : Int.random(in: 0...4, using: &random)
      return .object(
        (0..<count).map { index in .init("\(index):" + string(&random), value(depth: depth - 1, &random)) })
    }
  }

  static func spelling(of value: JSONValue, _ random: inout SeededRandom) -> String {
    switch value {
    case .string(let text): return spelling(of: text, &random)
    case .array(let elements):
      return "[" + elements.map { blank(&random) + spelling(of: $0, &random) + blank(&random) }.joined(separator: ",")
        + "]"
    case .object(let members):
      let parts = members.shuffled(using: &random).map { member in
        blank(&random) + spelling(of: member.key, &random) + blank(&random) + ":" + blank(&random)
          + spelling(of: member.value, &random)
      }
      return "{" + parts.joined(separator: ",") + blank(&random) + "}"
    default: return value.text + blank(&random)
    }
  }

  private static func blank(_ random: inout SeededRandom) -> String {
    random.chance(3) ? ["\r\n", " ", "\t"].randomElement(using: &random) ?? "" : ""
  }

  private static func spelling(of text: String, _ random: inout SeededRandom) -> String {
    var spelt = "\""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || random.chance(3) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: random.chance(2))
          spelt += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        spelt.unicodeScalars.append(scalar)
      }
    }
    return spelt + "\""
  }
}
