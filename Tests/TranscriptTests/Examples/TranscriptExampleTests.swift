import Foundation
import Testing

/// How an example is run depends on the language of its block. CONTRIBUTING.md describes this in
/// words.
extension Example {
  var runner: (() throws -> Void)? {
    switch (language, document) {
    case ("jsonl", _): replays
    case ("json", "protocol/flows.md"): isTaken
    case ("json", _): isSpoken
    case ("sh", _) where text.hasPrefix("#!"): decides
    case ("sh", _) where Setting.of(self)?.isRunElsewhere == true: standsInRun
    case ("sh", _): prints
    case ("terminal", _): Setting.of(self).map { setting in { try isDrawn(setting) } }
    case ("python", "README.md"): isASource
    case ("python", _): decides
    case ("mermaid", _): isTheDiagram
    case ("js", _), ("tsx", _), ("swift", _), ("go", _), ("rust", _), ("java", _): isASource
    default: nil
    }
  }
}

@Suite("The examples in the documents")
struct TranscriptExampleTests {
  @Test("every fenced block of every document is run by a test")
  func all() {
    #expect(Example.all.count >= 50)
    #expect(Example.all.filter { $0.runner == nil }.map(\.testDescription) == [])
  }

  @Test("each example in the documents does what its document says", arguments: Example.all)
  func each(example: Example) throws { try example.runner?() }

  @Test(
    "every setting in which examples of documents are run belongs to an example that exists",
    arguments: Setting.all)
  func settings(setting: Setting) {
    #expect(
      Example.all.contains { Setting.of($0)?.containing == setting.containing && $0.document == setting.document })
  }

  @Test(
    "the tests of examples fail for a fenced block that no test would run",
    arguments: ["", "text", "console", "terminal", "bash"])
  func idle(language: String) {
    let examples = Example.read("# A\n```\(language)\nlogin-engine --help\n```\n", document: "protocol/README.md")
    #expect(examples.count == 1 && examples.allSatisfy { $0.runner == nil })
  }

  @Test("the tests of examples fail for a fenced block without an end")
  func open() {
    let examples = Example.read("# A\n```sh\ntrue\n```\n```sh\ntrue\n", document: "protocol/README.md")
    #expect(examples.count == 2 && examples.last?.runner == nil)
  }

  @Test("the tests of examples fail for a wrong statement in a document", arguments: Mistake.all)
  func wrong(mistake: Mistake) throws {
    let examples = Example.read("# A\n```\(mistake.text)\n```\n", document: mistake.document)
    try #require(examples.count == 1)
    #expect(throws: (any Error).self) { try examples[0].runner?() }
  }
}

/// A document with a wrong example.
struct Mistake: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let document: String
  let text: String

  private init(_ name: String, in document: String, _ text: String) {
    (testDescription, self.document, self.text) = (name, document, text)
  }

  private static let open = #"{"jsonrpc":"2.0","id":1,"method":"session/open"}"#
  private static let submit =
    #"{"jsonrpc":"2.0","id":1,"method":"authenticator/submit","params":{"attempt":1,"request":"login","values":"#

  private static func answered(_ result: String) -> String { #"{"jsonrpc":"2.0","id":1,"result":\#(result)}"# }

  static let all = [
    Mistake("commands that fail", in: "README.md", "sh\nfalse\ntrue"),
    Mistake("no such program", in: "README.md", "sh\nno-such-program | cat"),
    Mistake("other output", in: "README.md", "sh\necho 1\n```\nprints\n```text\n2"),
    Mistake("more output", in: "README.md", "sh\necho 1; echo 2\n```\nprints\n```text\n1"),
    Mistake("another package", in: "README.md", "sh\napt-get install -y libsqlite3-dev"),
    Mistake(
      "another answer in a transcript", in: "protocol/errors.md",
      "jsonl\n{\"in\":\(open)}\n{\"out\":\(answered("{}"))}"),
    Mistake(
      "another answer", in: "protocol/README.md", "json\n\(open)\n\(answered(#"{"session":"s1","revision":2}"#))"),
    Mistake("a member too few", in: "protocol/README.md", "json\n\(open)\n\(answered(#"{"session":"s1"}"#))"),
    Mistake(
      "a member too many", in: "protocol/README.md",
      "json\n\(open)\n\(answered(#"{"session":"s1","revision":1,"events":0}"#))"),
    Mistake("no line of the protocol", in: "protocol/README.md", "json\n{\"session\":\"s1\"}"),
    Mistake("half a line", in: "protocol/README.md", "json\n{\"session\":"),
    Mistake("another question", in: "protocol/authenticators.md", #"json\#n\#(submit){},"locale":"en"}}"#),
    Mistake(
      "an answer that the engine cannot use", in: "protocol/authenticators.md",
      "json\n" + answered(#"{"outcome":"challenge","screen":{"id":"code"}}"#)),
    Mistake(
      "an answer to nothing", in: "protocol/authenticators.md",
      "json\n\(answered(#"{"outcome":"accepted"}"#))\n\(answered(#"{"outcome":"accepted"}"#))"),
    Mistake(
      "a description that is not told", in: "protocol/authenticators.md",
      #"json\#n{"jsonrpc":"2.0","id":"describe","result":{"name":5}}"#),
    Mistake("another member of an alert", in: "protocol/flows.md", #"json\#n{"dismiss":{"id":"a","titel":"alert.b"}}"#),
    Mistake("an item that is not there", in: "protocol/flows.md", #"json\#n{"item":"nothing","is":true}"#),
    Mistake("half a flow", in: "protocol/flows.md", #"json\#n{"flow":"a"}"#),
    Mistake("no part of a flow", in: "protocol/flows.md", #"json\#n{"wheel":"a"}"#),
    Mistake(
      "other code than is built", in: "protocol/guides/library.md", "swift\nimport EngineCore\nimport Foundation"),
    Mistake("another diagram", in: "protocol/diagrams/immediate.md", "mermaid\nstateDiagram-v2"),
  ]
}
