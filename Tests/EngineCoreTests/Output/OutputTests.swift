import JSONCodec
import LoginMachine
import LoginProtocol
import SecretMemory
import Testing

@testable import EngineCore

@Suite("Pending output")
struct OutputTests {
  private func fill(_ output: inout Output, _ count: Int) {
    output.updates.output.append([UInt8](repeating: 0x78, count: count))
  }

  @Test("the output accepts bytes while it is below the limit, and has to be written from the flush size on")
  func limits() {
    var output = Output()
    fill(&output, Output.flushSize - 1)
    #expect(output.isDue == false)
    fill(&output, 1)
    #expect(output.isDue == true)
    fill(&output, Output.defaultLimit - Output.flushSize - 1)
    #expect(output.hasRoom == true)
    fill(&output, 1)
    #expect(output.hasRoom == false)
    output.liftLimit()
    #expect(output.hasRoom == true)
    output.restoreLimit()
    #expect(output.hasRoom == false)
  }

  @Test("if the reader accepts no bytes, the output does not have to be written until the reader accepts some")
  func blocked() {
    var output = Output()
    fill(&output, Output.flushSize * 2)
    #expect(output.write { _ in .full } == nil)
    #expect(output.isDue == false)
    #expect(output.count == Output.flushSize * 2)
    #expect(output.write { .wrote($0.count) } == nil)
    #expect(output.isEmpty == true)
    fill(&output, Output.flushSize)
    #expect(output.isDue == true)
  }

  @Test("output that the reader accepts in pieces is written completely, once and in order")
  func pieces() {
    var output = Output()
    output.updates.output.append("first\nsecond\n")
    var written = ""
    let reason = output.write { bytes in
      let count = min(3, bytes.count)
      written += text(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      return .wrote(count)
    }
    #expect(reason == nil)
    #expect(written == "first\nsecond\n")
    #expect(output.isEmpty == true)
  }

  @Test(
    "if the reported number of written bytes is 0 or less, none count as written, and if it is too high, all do",
    arguments: [0, -1, 7, .max])
  func counts(count: Int) {
    var output = Output()
    output.updates.output.append("first\n")
    #expect(output.write { _ in .wrote(count) } == nil)
    #expect(output.isEmpty == (count > 0))
    fill(&output, Output.flushSize)
    #expect(output.isDue == (count > 0))
    #expect(output.write { .wrote($0.count) } == nil)
    #expect(output.isEmpty == true)
  }

  @Test("writing to a reader that is gone returns the reason, and the rest of the output can be discarded")
  func closed() {
    var output = Output()
    output.updates.output.append("first\n")
    #expect(output.write { _ in .closed(reason: "gone") } == "gone")
    #expect(output.isEmpty == false)
    output.giveUp()
    #expect(output.isEmpty == true)
  }

  @Test("an observer sees every line of output once, whether it is called before or after the line is written")
  func telling() {
    var output = Output()
    func untold() -> [String] {
      var lines: [String] = []
      output.withUnobserved { line, _ in lines.append(text(line)) }
      return lines
    }
    output.updates.output.append("a\nb\n")
    #expect(untold() == ["a", "b"])
    #expect(untold().isEmpty)
    output.updates.output.append("c\n")
    _ = output.write { _ in .full }
    #expect(untold().isEmpty, "observed while writing")
    var isFirst = true
    _ = output.write { _ in
      defer { isFirst = false }
      return isFirst ? .wrote(2) : .full
    }
    output.updates.output.append("d\n")
    #expect(untold() == ["d"])
    output.giveUp()
    output.updates.output.append("e\n")
    #expect(untold() == ["e"])
  }

  @Test(
    "the written part of a secret is wiped from the output at once, even if the reader does not accept the rest"
  )
  func writtenSecrets() {
    var output = Output()
    output.append(line(#"{"password":"hunter2"}"#))
    fill(&output, 100)
    let start = output.updates.output.withBytes { $0.baseAddress }
    var isFirst = true
    _ = output.write { _ in
      defer { isFirst = false }
      return isFirst ? .wrote(23) : .full
    }
    #expect(output.count == 100)
    let written = start.map { Array(UnsafeRawBufferPointer(start: $0, count: 23)) } ?? []
    #expect(written == [UInt8](repeating: 0, count: 23))
  }

  @Test("an observer gets each question in the output together with the session that asks it")
  func asking() throws {
    let screen = try TestSessions().template.flow.screens[0]
    var output = Output()
    func untold() -> [String] {
      var lines: [String] = []
      output.withUnobserved { line, asking in
        lines.append(text(line) + (asking.map { " for " + String(decoding: $0.session, as: UTF8.self) } ?? ""))
      }
      return lines
    }
    func ask(_ text: String, for session: String) {
      output.append(line(text), asking: AskingSession(session: Array(session.utf8), screen: screen))
    }
    output.updates.output.append("a\n")
    ask("q1", for: "s")
    output.append(line("notice"))
    ask("q2", for: "t")
    #expect(untold() == ["a", "q1 for s", "notice", "q2 for t"])
    _ = output.write { _ in .full }
    ask("q3", for: "u")
    #expect(untold() == ["q3 for u"])
    output.giveUp()
    output.updates.output.append("b\n")
    #expect(untold() == ["b"])
  }

  @Test(
    "after output with a secret was written or discarded, its memory no longer contains the secret",
    arguments: [true, false])
  func secrets(isWritten: Bool) {
    var output = Output()
    output.append(line(#"{"password":"hunter2"}"#))
    let start = output.updates.output.withBytes { $0.baseAddress }
    let count = output.count
    if isWritten { _ = output.write { .wrote($0.count) } } else { output.giveUp() }
    #expect(output.isEmpty == true)
    // So small a buffer keeps its memory, so the memory can be examined.
    let rest = start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    #expect(rest.allSatisfy { $0 == 0 })
    #expect(rest.count == 23)
  }
}
