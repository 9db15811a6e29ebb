import Foundation
import JSONCodec
import LoginMachine
import Testing

@testable import EngineCore

/// Plays a view with one session and its authenticator. The session can move to another core: it is
/// saved, and opened there.
final class MovingSession {
  private(set) var harness: Harness
  private let flows: [Flow]
  private var moves = 0
  /// The numbers of the open questions, keyed by method and request.
  private(set) var open: [String: [Int]] = [:]
  /// The numbers of questions' conversations, keyed by the questions' numbers.
  private var attempts: [Int: Int] = [:]
  /// The params of the last question.
  private(set) var lastAsked: JSONValue?
  /// The saved form with which the session has moved last.
  private(set) var saved: JSONValue?

  init(_ flow: Flow, flows: [Flow], run: String) throws {
    self.flows = flows
    harness = try Harness(flows: flows) { $0.run = run }
    try send("session/open", #""flow":"\#(flow.id)","transitions":"instant""#)
  }

  @discardableResult
  func send(_ method: String, _ params: String = "") throws -> JSONValue {
    let rest = params.isEmpty ? "" : "," + params
    harness.view(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"session":"s"\#(rest)}}"#)
    try hear()
    let lines = harness.takeOutput()
    return try JSONValue(parsing: #require(lines.last { $0.contains(#""id":1,"#) }))
  }

  /// Reads the lines that the authenticator was sent since the last call.
  private func hear() throws {
    for line in harness.takeSent() {
      let value = try JSONValue(parsing: line)
      guard let params = value["params"], let method = value["method"]?.string else { continue }
      if method == "authenticator/cancel" {
        // The questions of a cancelled conversation need no answer.
        let attempt = params["attempt"]?.integer
        for key in open.keys { open[key]?.removeAll { attempts[$0] == attempt } }
      } else if let id = value["id"]?.integer {
        lastAsked = params
        attempts[id] = params["attempt"]?.integer
        open["\(method) \(params["request"]?.text ?? "")", default: []].append(id)
      }
    }
    open = open.filter { !$0.value.isEmpty }
  }

  func answer(_ asked: String, _ result: String) throws {
    guard let id = open[asked]?.last else { return }
    open[asked]?.removeLast()
    harness.answer(#"{"jsonrpc":"2.0","id":\#(id),\#(result)}"#)
    try hear()
    _ = harness.takeOutput()
  }

  func wait(_ milliseconds: UInt64) throws {
    harness.wait(until: harness.now + milliseconds)
    try hear()
    _ = harness.takeOutput()
  }

  func save() throws -> JSONValue? {
    let reply = try send("session/save")
    return reply["result"]?["saved"]
  }

  /// Saves the session and opens it in a new core. Returns whether it could be saved.
  func move() throws -> Bool {
    guard let value = try save() else { return false }
    saved = value
    let before = try snapshot()
    let now = harness.now
    moves += 1
    let moves = moves
    harness = try Harness(flows: flows) { $0.run = "moved\(moves)" }
    harness.wait(until: now)
    open = [:]
    attempts = [:]
    let reply = try send("session/open", #""saved":\#(value.text)"#)
    #expect(reply["result"]?["revision"]?.integer == before["revision"]?.integer.map { $0 + 1 }, "\(reply.text)")
    return true
  }

  func snapshot() throws -> JSONValue {
    try #require(try send("session/snapshot")["result"])
  }

  /// What the view shows, without numbers of revisions.
  func shown() throws -> JSONValue {
    Self.shown(try snapshot())
  }

  static func shown(_ result: JSONValue) -> JSONValue {
    .object([
      .init("events", result["events"] ?? .null), .init("snapshot", (result["snapshot"] ?? .null).withoutRevisions),
    ])
  }
}

extension JSONValue {
  /// The value without the members that are revisions: `since` of the focus, and the id of an
  /// alert.
  fileprivate var withoutRevisions: JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.filter { $0.key != "since" && !($0.key == "id" && $0.value.integer != nil) }
          .map { .init($0.key, $0.value.withoutRevisions) })
    case .array(let elements): .array(elements.map(\.withoutRevisions))
    case .null, .bool, .number, .string: self
    }
  }

  /// All items of a snapshot, or of an object that contains one.
  var shownItems: [JSONValue] {
    ((self["snapshot"] ?? self)["sections"]?.array ?? []).flatMap { $0["items"]?.array ?? [] }
  }
}
