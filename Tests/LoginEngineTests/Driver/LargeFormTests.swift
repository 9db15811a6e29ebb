import Foundation
import JSONCodec
import TestSupport
import Testing

/// A form of 200 items in 20 sections, given with `--flow`.
@Suite(.waits) struct LargeFormTests {
  @Test("the sections of a form with 200 items appear and disappear as their conditions require")
  func large() throws {
    let engine = try RunningEngine(["--flow", Fixtures.path("flows/large.json")])
    let opened = try engine.ask(Line.open("a", flow: "large", id: 1))
    let first = try #require(opened.first?["params"]?["snapshot"])
    // Four sections have a condition, which a switch that is off or unset does not meet.
    #expect(try sections(first) > 15)
    var last = first
    // Turns all switches on, and makes the selections that show the most sections.
    for number in 0..<20 {
      last = try change("more\(number)", "true", engine) ?? last
      last = try change("kind\(number)", #""blue""#, engine) ?? last
    }
    #expect(try sections(last) == 20)
    #expect(try items(last) == 200)
    for number in 0..<20 { last = try change("more\(number)", "false", engine) ?? last }
    #expect(try sections(last) == 16)
    #expect(try items(last) == 16 * 8)
  }

  private func change(_ item: String, _ value: String, _ engine: RunningEngine) throws -> JSONValue? {
    let line =
      #"{"jsonrpc":"2.0","id":2,"method":"session/edit","params":{"session":"a","item":"\#(item)","value":\#(value)}}"#
    // The switch of a section may be hidden together with the section.
    return try engine.ask(line).first { $0["method"]?.string == "session/update" }?["params"]?["snapshot"]
  }

  private func sections(_ snapshot: JSONValue) throws -> Int {
    try #require(snapshot["sections"]?.array).count
  }

  private func items(_ snapshot: JSONValue) throws -> Int {
    try #require(snapshot["sections"]?.array).reduce(0) { $0 + ($1["items"]?.array?.count ?? 0) }
  }
}
