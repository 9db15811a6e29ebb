import Testing

@testable import EngineCore

@Suite("Warnings that a client can cause at will")
struct RepeatedWarningTests {
  @Test("at most twenty warnings a minute are logged, and the first one after the minute states how many were left out")
  func limit() {
    var warning = RepeatedWarning()
    let lines = (0..<100).compactMap { warning.line("refused \($0)", at: 1_000 + $0) }
    #expect(lines == (0..<20).map { "refused \($0)" })
    #expect(warning.line("later", at: 61_000) == "later (and 80 others since the last that is here)")
    #expect(warning.line("later", at: 61_001) == "later")
    #expect(warning.line("much later", at: .max) == "much later")
  }
}
