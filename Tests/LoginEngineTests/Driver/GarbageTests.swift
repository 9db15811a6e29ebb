import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Checks the law `outputIsProtocol` for arbitrary input.
@Suite(.waits) struct GarbageTests {
  @Test(
    "during 20,000 random and damaged input lines, every line of output is valid, and the engine still works afterwards"
  )
  func garbage() throws {
    let seed = SeededRandom.seed(in: "GARBAGE_SEED")
    var garbage = Garbage(random: SeededRandom(seed: seed))
    let directory = try Directory()
    let engine = try RunningEngine(
      ["--max-line-bytes", "3000", "--max-sessions", "50"] + directory.authenticator("while ask; do accept; done"),
      in: directory)
    let text = (0..<20_000).map { _ in garbage.line() }
    let writer = Thread { [engine] in
      for line in text {
        do { try engine.send(bytes: line + [0x0A]) } catch { return }
      }
      try? engine.send(Line.open("after the garbage, nobody else has this name", id: 424_242))
    }
    writer.start()
    let heard = try engine.until { $0["id"]?.integer == 424_242 }
    #expect(heard.count > 10_000, "seed \(seed)")
    let code = heard.last?.errorCode
    #expect(code == nil || code == "limitExceeded", "seed \(seed)")
    let (messages, status) = try engine.finish()
    #expect(messages.allSatisfy { $0.isUpdate }, "seed \(seed)")
    #expect(status == .exited(0), "seed \(seed)")
  }

  /// Generates lines of input: valid, damaged and random ones.
  struct Garbage {
    var random: SeededRandom

    /// The next line: half of all lines are well formed, the others are damaged or random.
    mutating func line() -> [UInt8] {
      if Int.random(in: 0..<10, using: &random) == 0 {
        let length = Int.random(in: 0..<200, using: &random)
        return (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }.filter { $0 != 0x0A }
      }
      var bytes = Array(call().utf8)
      if Bool.random(using: &random) { return bytes }
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(Array(#""{}[],:\u0"#.utf8).randomElement(using: &random) ?? 0, at: place)
        case 3: bytes.removeSubrange(place...)
        case 4: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
        default: bytes.insert(contentsOf: [UInt8](repeating: 0x5B, count: 80), at: place)
        }
      }
      return bytes.filter { $0 != 0x0A }
    }

    private mutating func call() -> String {
      let session = random.pick(["a", "b", "c", "\u{e9}", "s1", String(repeating: "n", count: 128)])
      let id = Bool.random(using: &random) ? Int.random(in: 0..<1000, using: &random) : nil
      switch Int.random(in: 0..<12, using: &random) {
      case 0: return Line.open(session, screen: random.pick(["login", "setup", "none"]), id: id)
      case 1: return Line.close(session, id: id)
      case 2: return Line.snapshot(session, id: id ?? 1)
      case 3: return Line.call("session/list", id: id, [])
      case 4: return Line.call("engine/describe", id: id, [])
      case 5: return Line.batch((0..<Int.random(in: 0..<5, using: &random)).map { _ in call() })
      case 6, 7:
        return Line.press(session, random.pick(["submit", "cancel", "retry", "setup", "login"]), id: id)
      default:
        let value = random.pick([
          "", "x", "ada@example.com", "\u{1F600}\u{0}\u{7F}\"\\", String(repeating: "v", count: 2500),
        ])
        let revision = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0..<30, using: &random) : nil
        return Line.edit(
          session, random.pick(["email", "password", "userName", "remember", "none"]), value, revision: revision, id: id
        )
      }
    }
  }
}
