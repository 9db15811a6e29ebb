import Foundation
import FlowFiles
import JSONCodec
import LoginForms
import Testing

/// The standard definition with changes made to it, in order.
func definition(_ edits: Edit...) throws -> [UInt8] { try definition(edits) }

func definition(_ edits: [Edit]) throws -> [UInt8] {
  let text = try #require(BuiltInFlows.text(named: "standard"))
  let value = try edits.reduce(try JSONValue(parsing: text)) { try $0.edited($1) }
  return Array(value.text.utf8)
}

/// The bytes of a file in Tests/Fixtures.
func fixture(_ path: String) throws -> [UInt8] {
  let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  return Array(try Data(contentsOf: tests.appending(path: "Fixtures/\(path)")))
}

/// The keys that a built-in definition itself has texts for.
func definedKeys(_ name: String) throws -> Set<String> {
  let value = try JSONValue(parsing: #require(BuiltInFlows.text(named: name)))
  return Set(value["strings"]?["en"]?.members?.map(\.key) ?? [])
}

/// The keys of texts that the parts of a flow name.
func usedKeys(_ flow: Flow) -> Set<String> {
  var keys: [String?] = []
  for screen in flow.screens {
    keys += [screen.title] + screen.sections.map(\.title)
    for item in screen.items {
      keys += [item.title, item.placeholder] + item.rules.map(\.message)
      if case .selection(let options, _) = item.kind { keys += options.map(\.title) }
    }
    let primary = screen.primary
    keys += [primary.submit.title, primary.cancel.title, primary.retry.title] + screen.links.map(\.action.title)
    if let alert = screen.alert { keys += [alert.dismiss.title] + alert.titles.values.map { $0 } }
  }
  return Set(keys.compactMap { $0 })
}
