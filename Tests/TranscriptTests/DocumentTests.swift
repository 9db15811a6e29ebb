import Foundation
import Testing

/// The pages of the protocol, as far as what they show can be run.
@Suite("The pages in protocol/")
struct DocumentTests {
  static let root = (Behaviour.folder as NSString).deletingLastPathComponent

  static func page(_ name: String) throws -> String {
    try String(contentsOfFile: Behaviour.folder + "/" + name, encoding: .utf8)
  }

  /// What stands between the marks of code in a language, in order.
  static func blocks(_ language: String, of page: String) -> [String] {
    page.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  /// The headings of a page's third level.
  static func headings(_ page: String) -> [Substring] {
    page.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { $0.dropFirst(4) }
  }

  @Test("every example of errors.md is what the engine says")
  func errors() throws {
    let page = try Self.page("errors.md")
    let examples = Self.blocks("jsonl", of: page)
    #expect(examples.count >= 18)
    let folder = try TemporaryFolder()
    for (index, example) in examples.enumerated() { _ = try folder.write(example, to: "\(index).jsonl") }
    let replay = try Replay(examples.indices.map { folder.file("\($0).jsonl") })
    #expect(replay.output == "\(examples.count) passed, 0 failed\n", "\(replay.output)")
    // An example shows the error that it stands under.
    for section in page.components(separatedBy: "\n### ").dropFirst() {
      guard let example = Self.blocks("jsonl", of: section).first, let heading = section.split(separator: "\n").first,
        let name = heading.split(separator: "`").last
      else { continue }
      #expect(example.contains(#""code":"\#(name)""#), "\(heading)")
    }
  }

  @Test("errors.md lists the RPC errors that the engine has, with their numbers")
  func rpcErrors() throws {
    let source = try String(contentsOfFile: Self.root + "/Sources/LoginProtocol/RPCError.swift", encoding: .utf8)
    var declared = Set(source.matches(of: #/RPCError\(\s*(-?\d+), "(\w+)"/#).map { "\($0.1) `\($0.2)`" })
    #expect(declared.count >= 14)
    declared.insert("-32603 `internalError`")
    let listed = try Self.headings(Self.page("errors.md")).filter { !$0.hasPrefix("`") }.map(String.init)
    #expect(Set(listed) == declared)
    #expect(listed.count == declared.count)
  }

  @Test("errors.md lists the network codes of messages.json")
  func networkCodes() throws {
    let list = try #require(
      JSONSerialization.jsonObject(with: Data(Self.page("messages.json").utf8)) as? [String: Any])
    let codes = try #require(list["messages"] as? [[String: Any]]).compactMap { $0["code"] as? String }
    let listed = try Self.headings(Self.page("errors.md")).filter { $0.hasPrefix("`") }
    #expect(Set(listed.map { "\($0)" }) == Set(codes.filter { $0.hasPrefix("network.") }.map { "`\($0)`" }))
  }

  @Test("the update that README.md shows is one that the engine writes")
  func update() throws {
    let shown = try #require(Self.blocks("json", of: Self.page("README.md")).first)
    let update = try #require(JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: Any])
    let engine = try Program(
      [],
      input: [
        (#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s1"}}"# + "\n", 0),
        (Self.change("email", "ada@example.com"), 0), (Self.change("password", "correct horse"), 0),
      ])
    let line = try #require(engine.text.split(separator: "\n").last)
    let written = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(
      Self.shape(update).isSubset(of: Self.shape(written)), "\(Self.shape(update).subtracting(Self.shape(written)))")
  }

  private static func change(_ item: String, _ value: String) -> String {
    let params = #"{"session":"s1","item":"\#(item)","value":"\#(value)"}"#
    return #"{"jsonrpc":"2.0","method":"session/change","params":\#(params)}"# + "\n"
  }

  /// The places of a value at which something stands, whatever it is; the elements of an array at one.
  private static func shape(_ value: Any, at place: String = "") -> Set<String> {
    switch value {
    case let object as [String: Any]:
      object.reduce(into: [place]) { $0.formUnion(shape($1.value, at: place + "/" + $1.key)) }
    case let array as [Any]: array.reduce(into: [place]) { $0.formUnion(shape($1, at: place + "/*")) }
    default: [place]
    }
  }

  @Test(
    "every example in JSON can be read, as a whole or line by line",
    arguments: ["README.md", "authenticators.md", "flows.md"])
  func json(name: String) throws {
    let examples = try Self.blocks("json", of: Self.page(name))
    #expect(!examples.isEmpty)
    for example in examples where !Self.isJSON(example[...]) {
      for line in example.split(separator: "\n") { #expect(Self.isJSON(line), "\(line)") }
    }
  }

  private static func isJSON(_ text: Substring) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
  }

  @Test("the question that authenticators.md shows is one that the engine asks")
  func question() throws {
    let shown = try #require(
      Self.blocks("json", of: Self.page("authenticators.md")).first { $0.contains("authenticator/submit") })
    let question = try #require(JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: Any])
    let transcript = try String(contentsOfFile: TranscriptTests.folder + "/session/cancel.jsonl", encoding: .utf8)
    let line = try #require(transcript.split(separator: "\n").first { $0.hasPrefix(#"{"ask""#) })
    let step = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(Self.shape(question) == Self.shape(step["ask"] as Any))
  }

  @Test("the definition that flows.md begins with can be used")
  func definition() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(#require(Self.blocks("json", of: Self.page("flows.md")).first), to: "small.json")
    #expect(try Program(["flow", "check", file]).status == 0)
    let engine = try Program(
      ["--flow", file], input: [(#"{"jsonrpc":"2.0","id":1,"method":"session/open"}"# + "\n", 0)])
    #expect(engine.text.contains(#""result":{"session":"s1","revision":1}"#))
  }

  @Test("the manual page has every option and command that --help has", arguments: [[], ["replay"], ["mock"]])
  func manualPage(command: [String]) throws {
    let page = try Self.page("login-engine.1").replacing("Fl -", with: "Fl --").replacing(", -", with: ", --")
    let help = try Program(command + ["--help"]).text
    let options = Set(help.matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) })
    #expect(options.count >= 3)
    for option in options { #expect(page.contains("Fl \(option)") || page.contains(", \(option)"), "\(option)") }
    for subcommand in help.matches(of: #/login-engine ([a-z]+) /#).map({ String($0.1) }) {
      #expect(page.contains(".Cm \(subcommand)\n"), "\(subcommand)")
    }
  }

  @Test("the filters of the page about transcripts work on traces")
  func filters() throws {
    let folder = try TemporaryFolder()
    _ = try Replay([
      "--command", "\(Replay.executable) --trace \(folder.file("trace.jsonl"))",
      TranscriptTests.folder + "/session/late-answer.jsonl",
    ])
    let commands = try #require(Self.blocks("sh", of: Self.page("transcripts/README.md")).last)
    let shell = try Program(["-c", "cd \(folder.path) && set -e\n\(commands)"], executable: "/bin/bash")
    #expect(shell.status == 0, "\(shell.error)")
    #expect(shell.text.contains(#""requestPending""#))
    #expect(shell.text.contains(#""kind":"late""#))
  }
}
