import FlowFiles
import Foundation
import JSONCodec
import LoginMachine
import TestSupport
import Testing
import ViewModel

/// Checks `Law.commandsAreTheDifference` in all transcripts. Transcripts are the contract, so a
/// wrong line in one of them has to be noticed too.
struct TranscriptLawTests {
  private static let folder = Checkout.root.appending(path: "protocol/transcripts").path

  /// The paths of all transcripts except two: in one, the engine reads lines later than they are
  /// listed, and in the other, in a batch.
  private static let files: [String] = {
    let paths = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return paths.filter { $0.hasSuffix(".jsonl") && !["session/lockstep.jsonl", "rpc/batch.jsonl"].contains($0) }
      .sorted()
  }()

  @Test("the commands of every update in every transcript lead to its snapshot")
  func transcripts() throws {
    var updates = 0
    for file in Self.files {
      let text = try String(contentsOfFile: Self.folder + "/" + file, encoding: .utf8)
      let steps = try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
      var reader = TranscriptReader(steps)
      reader.read()
      // A challenge is a new screen even if its name equals that of the screen before it, so that
      // report is not a fault.
      let breaches = reader.breaches.filter {
        !file.hasPrefix("challenge/") || !$0.contains("showScreen without a change of screen")
      }
      #expect(breaches == [], "\(file)")
      updates += reader.updates
    }
    #expect(Self.files.count >= 100 && updates >= 800)
  }

  @Test("the check of transcripts reports an update whose commands do not lead to its snapshot")
  func doctored() throws {
    let file = Self.folder + "/s3/latest-coalesces-edits.jsonl"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    // The first match is in a snapshot, because the snapshot of an update precedes its commands.
    let place = try #require(text.range(of: #""validity":"invalid","messages":[{"code":"password.missing""#))
    let wrong = text.replacingCharacters(
      in: place, with: #""validity":"unknown","messages":[{"code":"password.missing""#)
    var reader = TranscriptReader(try wrong.split(separator: "\n").map { try JSONValue(parsing: String($0)) })
    reader.read()
    #expect(!reader.breaches.isEmpty)
  }
}

/// Reads a transcript and keeps track of what each view shows.
private struct TranscriptReader {
  private struct View {
    var screen = ShownScreen()
    /// How many edits, presses and submits the view has sent.
    var events = 0
    var revision = 0
    /// The edits that the engine has refused, by their numbers among the session's events.
    var refused: [Int: (item: String, value: JSONValue)] = [:]
    /// The edits that no update has counted yet, with their numbers among the session's events.
    var edits: [(event: Int, item: String, value: JSONValue)] = []

    /// Enters into the screen the edits that updates have counted by now.
    mutating func enterEdits(upTo events: Int) {
      for edit in edits where edit.event <= events {
        screen.enter(Array(edit.value.text.utf8), into: Array(edit.item.utf8))
      }
      edits.removeAll { $0.event <= events }
    }
  }

  private let steps: [JSONValue]
  private var views: [String: View] = [:]
  /// The names of the sessions whose views acknowledge transitions.
  private var acknowledged: Set<String> = []
  /// The events that the engine has refused, each as its number, a space and the name of its
  /// session.
  private var refused: Set<String> = []
  /// Whether the view acknowledges transitions in the session that it has opened without a name.
  /// The engine names that session next.
  private var opensAcknowledged = false
  /// The names of the sessions for which the view has asked for another language that no update has
  /// shown yet.
  private var translated: Set<String> = []
  /// Whether an authenticator has sent a challenge with a screen that no update has shown yet. This
  /// is a new screen even if it looks like the screen before it.
  private var awaitsChallenge = false
  private(set) var updates = 0
  private(set) var breaches: [String] = []

  init(_ steps: [JSONValue]) { self.steps = steps }

  mutating func read() {
    findRefusals()
    for (index, step) in steps.enumerated() {
      for message in sent(step) { send(message) }
      if step["answer"]?["result"]?["screen"]?["id"] != nil { awaitsChallenge = true }
      for message in messages(step["out"]) {
        if message["method"]?.string == "session/update", let params = message["params"] {
          update(params, line: index + 1)
        } else {
          compare(message["result"], line: index + 1)
        }
      }
    }
  }

  private func messages(_ value: JSONValue?) -> [JSONValue] { value?.array ?? [value].compactMap { $0 } }

  /// The messages that the view sends in a step of the transcript. The step contains them as JSON
  /// or as raw text.
  private func sent(_ step: JSONValue) -> [JSONValue] {
    if let raw = step["raw"]?.string { return (try? JSONValue(parsing: raw)).map { messages($0) } ?? [] }
    return messages(step["in"])
  }

  private func isAcknowledged(_ params: JSONValue) -> Bool {
    if let transitions = params["transitions"]?.string { return transitions == "acknowledged" }
    return params["flow"]?.string.flatMap { BuiltInFlows.flow(named: $0) }?.options.transitions == .acknowledged
  }

  private mutating func findRefusals() {
    var sessions: [String: String] = [:]
    for message in steps.flatMap(sent) {
      if let id = message["id"], let session = message["params"]?["session"]?.string { sessions[id.text] = session }
    }
    for message in steps.flatMap({ messages($0["out"]) }) {
      let session = message["id"].map { sessions[$0.text] } ?? message["params"]?["session"]?.string
      let error = message["error"] ?? message["params"]?["error"]
      if let session, let events = error?["data"]?["events"] { refused.insert("\(events.text) \(session)") }
    }
  }

  private mutating func send(_ message: JSONValue) {
    guard let method = message["method"]?.string, let params = message["params"] else { return }
    guard let session = params["session"]?.string else {
      if ["session/open", "session/submit"].contains(method) { opensAcknowledged = isAcknowledged(params) }
      return
    }
    switch method {
    case "session/open":
      guard views[session] == nil else { return }
      views[session] = View()
      if isAcknowledged(params) { acknowledged.insert(session) } else { acknowledged.remove(session) }
    case "session/locale": translated.insert(session)
    case "session/close": views[session] = nil
    case "session/edit", "session/press", "session/submit":
      guard var view = views[session] else { return }
      view.events += 1
      if let item = params["item"]?.string {
        let value = params["value"]
        if refused.contains("\(view.events) \(session)") {
          view.refused[view.events] = (item, value ?? .null)
        } else if let value {
          view.edits.append((view.events, item, value))
        }
      }
      views[session] = view
    default: break
    }
  }

  /// Compares a snapshot in a reply with what the view shows. If the view acknowledges transitions,
  /// the reply to a submit may be newer than what the view shows, so it is not compared.
  private mutating func compare(_ result: JSONValue?, line: Int) {
    guard let snapshot = result?["snapshot"], let session = result?["session"]?.string, let view = views[session],
      !acknowledged.contains(session) || result?["queued"] != nil,
      let difference = view.screen.difference(from: snapshot.text)
    else { return }
    breaches.append("line \(line): a snapshot is not what the commands have led to: \(difference)")
  }

  private mutating func update(_ params: JSONValue, line: Int) {
    guard let session = params["session"]?.string, let events = params["events"].flatMap({ Int($0.text) }),
      let revision = params["revision"].flatMap({ Int($0.text) })
    else {
      breaches.append("line \(line): it is not an update")
      return
    }
    // An update without commands contains only a snapshot, so there is nothing to compare.
    guard let commands = params["commands"] else { return }
    if views[session] == nil, opensAcknowledged { acknowledged.insert(session) }
    var view = views[session] ?? View()
    view.enterEdits(upTo: events)
    // A submit may have opened this session. It counts as an event, although the session's name was
    // unknown when it was sent.
    view.events = max(view.events, events)
    updates += 1
    // If the view acknowledges transitions, only an update with the current revision can be the
    // answer to a refused edit.
    let isBeside = !acknowledged.contains(session) || revision == view.revision
    let restored = isBeside ? view.refused.removeValue(forKey: events) : nil
    if let restored, restored.value != .null {
      view.screen.enter(Array(restored.value.text.utf8), into: Array(restored.item.utf8))
    }
    view.revision = revision
    let isTranslation = translated.contains(session) && commands[0]?["command"]?.string == "showScreen"
    if isTranslation { translated.remove(session) }
    let before = view.screen
    view.screen.mayBeTranslated = isTranslation
    var found = [view.screen.apply(commands.text, restoring: restored?.item)].compactMap { $0 }
    if acknowledged.contains(session), let fault = leavingFault(before, commands, isTranslation) {
      found.append(fault)
    }
    // Updates that have only commands are compared later, with the replies to session/snapshot.
    if let difference = params["snapshot"].flatMap({ view.screen.difference(from: $0.text) }) {
      found.append(difference)
    }
    if awaitsChallenge { found.removeAll { $0.hasPrefix("showScreen without a change of screen") } }
    awaitsChallenge = false
    breaches += found.map { "line \(line): \($0)" }
    views[session] = view
  }

  private func leavingFault(_ before: ShownScreen, _ commands: JSONValue, _ isTranslation: Bool) -> String? {
    var document = JSONDocument()
    return Array(commands.text.utf8).withUnsafeBytes { bytes in
      guard (try? document.parse(bytes)) != nil, let root = document.root else { return "they are no JSON" }
      return ShownScreen.leavingFault(before, document, root, isTranslation: isTranslation)
    }
  }
}
