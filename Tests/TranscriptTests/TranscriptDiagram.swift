import Foundation
import JSONCodec

/// An arrow of a flow's diagram for one event.
struct Transition: Hashable, CustomStringConvertible {
  var flow: String
  var from: String
  var to: String
  /// The label of the arrow: the id of an action, `edit`, or a text in brackets.
  var label: String

  var description: String { "\(flow): \(from) --> \(to) : \(label)" }
}

/// A built-in flow: the diagram on its page in `protocol/diagrams`, and the names of its alerts.
struct Diagram: Sendable {
  let transitions: Set<Transition>
  let screens: Set<String>
  /// The names of the flow's own alerts, keyed by screen and by title in any language.
  private let titles: [String: [String: String]]

  static let all: [String: Diagram] = {
    let folder = URL(fileURLWithPath: TranscriptTests.folder).deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/diagrams")) ?? []
    var diagrams: [String: Diagram] = [:]
    for name in names.map({ ($0 as NSString).deletingPathExtension }) { diagrams[name] = try? Diagram(name) }
    return diagrams
  }()

  private init(_ flow: String) throws {
    let definition = try protocolFile("flows/\(flow).json")
    let page = URL(fileURLWithPath: TranscriptTests.folder).deletingLastPathComponent()
      .appendingPathComponent("diagrams/\(flow).md")
    var transitions: Set<Transition> = []
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
      guard let arrow = line.wholeMatch(of: #/  (\w+) --> (\w+) : (.+)/#) else { continue }
      let labels = arrow.3.replacing("[rejected, items]", with: "[rejected items]").replacing(" (disabled)", with: "")
      for label in labels.split(separator: ", ") {
        transitions.insert(
          Transition(flow: flow, from: String(arrow.1), to: String(arrow.2), label: String(label)))
      }
    }
    self.transitions = transitions
    var titles: [String: [String: String]] = [:]
    let tables = definition["strings"]?.members?.map(\.value) ?? []
    for screen in definition["screens"]?.array ?? [] {
      var kinds: [String: String] = [:]
      for kind in ["invalid", "failure"] {
        guard let key = screen.at("alert", kind)?.string else { continue }
        for title in tables.compactMap({ $0[key]?.string }) { kinds[title] = kind }
      }
      titles[screen["id"]?.string ?? ""] = kinds
    }
    self.titles = titles
    screens = Set(titles.keys)
  }

  /// The diagram's name of the state that a snapshot shows.
  func name(of snapshot: JSONValue, isThrottled: Bool) -> String {
    let screen = snapshot["screen"]?.string ?? ""
    var name = screen.replacing(/\W/, with: "_") + "_" + (snapshot["state"]?.string ?? "")
    if isThrottled { name += "_throttled" }
    if let alert = snapshot["alert"], alert.members != nil {
      name += "_\(alert["title"]?.string.flatMap { titles[screen]?[$0] } ?? "notice")Alert"
    }
    return name
  }
}
