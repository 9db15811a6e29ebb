import SecretMemory
import Testing

@testable import EngineCore

@Suite("Lines for an authenticator")
struct OutgoingLinesTests {
  private func question(_ id: UInt64, of first: UInt64? = nil) -> OutgoingLines.SentQuestion {
    .init(key: key(id, of: first), silence: 0)
  }

  /// Removes all remaining lines from the queue and returns their texts.
  private func rest(_ lines: inout OutgoingLines) -> [String] {
    var texts: [String] = []
    while let (line, _) = lines.next() {
      texts.append(String(text(line).dropLast()))
      lines.advance(line.count - lines.sent)
    }
    return texts
  }

  @Test("lines to an authenticator are sent in order, but lines that were put ahead are sent before all others")
  func order() {
    var lines = OutgoingLines()
    lines.append(line("q1"), question(1))
    lines.append(line("notice"))
    lines.putAhead(line("describe"))
    lines.putAhead(line("clock"))
    #expect(!lines.isEmpty)
    #expect(lines.hasQuestions)
    #expect(rest(&lines) == ["describe", "clock", "q1", "notice"])
    #expect(lines.isEmpty)
    #expect(!lines.hasQuestions)
    #expect(lines.next() == nil)
  }

  @Test("an inserted line is sent before all lines of which no byte was sent", arguments: [0, 1])
  func insertion(sent: Int) {
    var lines = OutgoingLines()
    lines.append(line("q1"), question(1))
    lines.append(line("q2"), question(2))
    lines.advance(sent)
    lines.insertBeforeUnsent(line("told"))
    #expect(lines.sent == sent)
    #expect(lines.begun == (sent > 0 ? conversation(1) : nil))
    #expect(lines.remove(conversation(2))?.key == key(2))
    #expect(rest(&lines) == (sent > 0 ? ["q1", "told"] : ["told", "q1"]))
  }

  @Test("the queue returns the next line together with its question only until a part of the line was sent")
  func parts() {
    var lines = OutgoingLines()
    lines.append(line("q1"), question(1))
    #expect(lines.next()?.question?.key == key(1))
    lines.advance(0)
    #expect(lines.begun == nil)
    lines.advance(1)
    #expect(lines.sent == 1)
    #expect(lines.begun == conversation(1))
    #expect(lines.next()?.question == nil)
    #expect(!lines.hasQuestions)
    #expect(!lines.isEmpty)
    lines.advance(2)
    #expect(lines.sent == 0)
    #expect(lines.begun == nil)
    #expect(lines.isEmpty)
  }

  @Test("a question to an authenticator can be withdrawn until a part of it was sent")
  func takingBack() {
    var lines = OutgoingLines()
    lines.append(line("q1"), question(1))
    lines.append(line("q2"), question(2))
    lines.append(line("q9"), question(9, of: 3))
    #expect(lines.remove(conversation(2))?.key == key(2))
    #expect(lines.remove(conversation(2)) == nil)
    lines.advance(1)
    #expect(lines.remove(conversation(1)) == nil)
    #expect(lines.remove(conversation(9)) == nil)
    #expect(lines.remove(conversation(3))?.key == key(9, of: 3))
    #expect(rest(&lines) == ["q1"])
  }

  @Test("the secrets in the unsent part of a line are blanked, and the line is sent to its end")
  func blanking() {
    var lines = OutgoingLines()
    lines.append(line(#"{"p":"hunter2"}"#, secret: 6..<13), question(1))
    lines.advance(8)
    lines.blankFirst()
    let left = lines.next().map { String(text($0.line).dropFirst(8)) }
    #expect(left == "xxxxx\"}\n")
    #expect(lines.next()?.line.withBytes { Array($0[..<8]) } == [UInt8](repeating: 0, count: 8))
    lines.advance(8)
    #expect(lines.isEmpty)
  }

  @Test("when an authenticator is restarted, the next process gets the questions of which no byte was sent")
  func questionsOnly() {
    var lines = OutgoingLines()
    lines.putAhead(line("describe"))
    lines.append(line("q1"), question(1))
    lines.append(line("cancel"))
    lines.append(line("q2"), question(2))
    lines.append(line("q3"), question(3))
    lines.advance(9)
    lines.advance(2)
    _ = lines.remove(conversation(2))
    lines.keepQuestionsOnly()
    #expect(lines.sent == 0)
    #expect(lines.remove(conversation(1)) == nil)
    lines.putAhead(line("describe again"))
    lines.append(line("q4"), question(4))
    #expect(lines.remove(conversation(4))?.key == key(4))
    #expect(rest(&lines) == ["describe again", "q3"])
  }

  @Test("if a process got only part of the line before the first question, the next process gets that question")
  func aheadBegun() {
    var lines = OutgoingLines()
    lines.putAhead(line("describe"))
    lines.append(line("q1"), question(1))
    lines.append(line("q2"), question(2))
    lines.advance(3)
    #expect(lines.begun == nil)
    lines.keepQuestionsOnly()
    #expect(rest(&lines) == ["q1", "q2"])
  }

  @Test("removing all lines for an authenticator returns the questions of which no byte was sent")
  func givingUp() {
    var lines = OutgoingLines()
    for number: UInt64 in 1...4 { lines.append(line("q\(number)"), question(number)) }
    lines.advance(1)
    _ = lines.remove(conversation(3))
    #expect(lines.removeAll() == [key(2), key(4)])
    #expect(lines.isEmpty)
    #expect(lines.sent == 0)
  }

  @Test(
    "questions can still be withdrawn after the queue has freed the memory of sent and withdrawn lines",
    arguments: 0..<4)
  func compaction(begun: Int) {
    var lines = OutgoingLines()
    for number: UInt64 in 1...400 { lines.append(line("q\(number)"), question(number)) }
    for _ in 0..<10 { if let (line, _) = lines.next() { lines.advance(line.count) } }
    lines.advance(begun)
    var left: Set<UInt64> = Set(11...400)
    if begun > 0 { left.remove(11) }
    for number: UInt64 in 11...400 where number % 10 != 1 {
      #expect(lines.remove(conversation(number)) != nil)
      left.remove(number)
    }
    for number in left.sorted() where number % 20 == 1 {
      #expect(lines.remove(conversation(number))?.key == key(number))
      left.remove(number)
    }
    let begunLine: [UInt64] = begun > 0 ? [11] : []
    #expect(rest(&lines) == (begunLine + left.sorted()).map { "q\($0)" })
    #expect(!lines.hasQuestions)
  }

  @Test("the queue of lines for an authenticator releases the memory of lines that were sent")
  func many() {
    var lines = OutgoingLines()
    for number: UInt64 in 1...3000 { lines.append(line("q"), question(number)) }
    for _ in 0..<2500 { lines.advance(2) }
    #expect(lines.remove(conversation(2500)) == nil)
    #expect(lines.remove(conversation(2501))?.key == key(2501))
    #expect(lines.remove(conversation(3000))?.key == key(3000))
    #expect(rest(&lines).count == 498)
  }
}
