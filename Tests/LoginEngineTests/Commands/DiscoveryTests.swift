import Foundation
import JSONCodec
import System
import TestSupport
import Testing

@Suite("Discovery of the protocol", .waits)
struct DiscoveryTests {
  private static let document = Checkout.root.appendingPathComponent("protocol/openrpc.json")

  @Test("rpc.discover returns protocol/openrpc.json byte for byte, without whitespace between tokens")
  func discover() throws {
    let file = Array(try Data(contentsOf: Self.document))
    let engine = try RunningEngine()
    try engine.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#)
    let line = try #require(try engine.rawLine())
    let head = Array(#"{"jsonrpc":"2.0","id":1,"result":"#.utf8)
    #expect(line.starts(with: head) && line.last == 0x7D)
    let answered = Array(line.dropFirst(head.count).dropLast())
    #expect(answered == compact(file))
    // The compact text parses to the same value as the file.
    #expect(try JSONValue(parsing: answered).text == JSONValue(parsing: file).text)
    #expect(try engine.finish().status == .exited(0))
  }

  /// Removes the whitespace between the tokens of a JSON text, without using the engine's code.
  /// Strings are matched first, so that the whitespace in them stays.
  private func compact(_ file: [UInt8]) -> [UInt8] {
    let text = String(decoding: file, as: UTF8.self)
    return Array(
      text.replacing(#/("(?:[^"\\]|\\.)*")|\s+/#) { match in match.output.1.map(String.init) ?? "" }.utf8)
  }

  @Test("openrpc.json lists exactly the methods of the engine")
  func methods() throws {
    let document = try JSONValue(parsing: Array(try Data(contentsOf: Self.document)))
    let names = try #require(document["methods"]?.array).compactMap { $0["name"]?.string }
    let engine = try RunningEngine(["--clock", "manual"])
    for name in names {
      let reply = try engine.ask(#"{"jsonrpc":"2.0","id":1,"method":"\#(name)","params":{"unknown":1}}"#).last
      #expect(reply?.errorCode == "invalidParams" || reply?.errorCode == "unknownSession", "\(name)")
    }
    let reply = try engine.ask(#"{"jsonrpc":"2.0","id":1,"method":"rpc.nothing"}"#).last
    let message = try #require(reply?["error"]?["message"]?.string)
    #expect(Set(message.matches(of: #/[\w$]+[\/.]\w+\b/#).map { String($0.output) }) == Set(names))
  }

  @Test("all files of the protocol have the same protocol version, and the changelog begins with it")
  func version() throws {
    let folder = Self.document.deletingLastPathComponent()
    let changes = try String(contentsOf: folder.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changes.firstMatch(of: #/\n## (\d+\.\d+)\n/#)).output.1
    let document = try JSONValue(parsing: Array(try Data(contentsOf: Self.document)))
    #expect(document["info"]?["version"]?.string == String(newest))
    let engine = try RunningEngine()
    let reply = try engine.ask(#"{"jsonrpc":"2.0","id":1,"method":"engine/describe"}"#).last
    #expect(reply?["result"]?["protocol"]?.string == String(newest))
    let readme = try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.hasPrefix("# The login-engine protocol, version \(newest)\n"))
  }
}
