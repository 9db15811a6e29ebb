import Foundation
import JSONCodec
import LoginMachine
import Testing

@testable import EngineCore

/// A core that opens the saved forms of sessions of other cores. It checks the law of saving: a
/// saved form can be opened, the opened session shows the same as the original except for what is
/// not saved, and its saved form is the same.
final class SavedMirror {
  private let flows: [Flow]
  private var harness: Harness
  private var rounds = 0

  init(_ flows: [Flow]) throws {
    self.flows = flows
    harness = try Harness(flows: flows) { $0.run = "mirror" }
  }

  /// How a session in its current state violates the law of saving; `nil` if it does not.
  func fault(of session: MovingSession) throws -> String? {
    let shown = try session.shown()
    guard let saved = try session.save() else {
      return shown["snapshot"]?["scene"]?.isNull == false ? nil : "it cannot be saved: \(shown.text)"
    }
    rounds += 1
    // A new core is used now and then, because the numbers and tables of a core grow. The clock of
    // a core cannot go back.
    if rounds % 500 == 0 || harness.now > session.harness.now {
      harness = try Harness(flows: flows) { $0.run = "mirror" }
    }
    harness.wait(until: session.harness.now)
    let (opened, error) = try open(saved)
    guard let opened else { return "what is saved does not open: \(error) of \(saved.text)" }
    let again = opened.saved
    if saved["request"]?["resume"] != nil {
      // A `resume` text can be used only once, so the opened session is saved without it.
      guard again["request"]?["message"]?["code"]?.string == "challengeInterrupted" else {
        return "a challenge is opened twice: \(again.text)"
      }
      let (third, error) = try open(again)
      guard let third else { return "what is saved again does not open: \(error) of \(again.text)" }
      return SavedMirror.isSame(third.saved, again) ? nil : "\(again.text) is saved as \(third.saved.text)"
    }
    if !SavedMirror.isSame(again, saved) { return "\(saved.text) is saved as \(again.text)" }
    if SavedMirror.keepsAll(shown["snapshot"] ?? .null, saved), opened.shown != shown {
      return "\(shown.text) is shown as \(opened.shown.text)"
    }
    return nil
  }

  private func open(_ saved: JSONValue) throws -> (opened: (saved: JSONValue, shown: JSONValue)?, error: String) {
    harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"session":"m","saved":\#(saved.text)}}"#)
    let reply = try reply()
    guard reply["result"] != nil else { return (nil, reply.text) }
    harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/save","params":{"session":"m"}}"#)
    let again = try #require(try self.reply()["result"]?["saved"])
    harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/snapshot","params":{"session":"m"}}"#)
    let shown = MovingSession.shown(try #require(try self.reply()["result"]))
    harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/close","params":{"session":"m"}}"#)
    #expect(try self.reply()["result"] != nil)
    _ = harness.takeSent()
    return ((again, shown), "")
  }

  private func reply() throws -> JSONValue {
    try JSONValue(parsing: #require(harness.takeOutput().last { $0.hasPrefix(#"{"jsonrpc":"2.0","id":1,"#) }))
  }

  /// Whether two saved forms are the same except for the revision, which grows when a session
  /// opens.
  static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    func members(_ value: JSONValue) -> JSONValue { .object((value.members ?? []).filter { $0.key != "revision" }) }
    return members(left) == members(right)
  }

  /// Whether the saved form contains everything that the snapshot shows. It lacks secrets, values
  /// of external items, challenges, and requests whose values may contain secrets. A hidden item
  /// may have a value that is not saved, which only the saved notice reveals.
  private static func keepsAll(_ snapshot: JSONValue, _ saved: JSONValue) -> Bool {
    let code = saved["request"]?["message"]?["code"]?.string
    return code != "challengeInterrupted" && code != "network.interrupted"
      && saved["notice"]?["code"]?.string != "secretsNotKept"
      && snapshot.shownItems.allSatisfy { keeps($0) }
  }

  /// Whether the value of an item is saved, or the item has none.
  static func keeps(_ item: JSONValue) -> Bool {
    item["filled"]?.bool != true && (item["kind"]?.string != "external" || item["value"]?.isNull != false)
  }
}
