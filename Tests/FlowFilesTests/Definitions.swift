import FlowFiles
import Foundation
import JSONCodec
import LoginMachine
import TestSupport
import Testing

/// The definition of the example flow, with edits applied in order.
func definition(_ edits: Edit...) throws -> [UInt8] { try definition(edits) }

func definition(_ edits: [Edit]) throws -> [UInt8] {
  let value = try edits.reduce(try JSONValue(parsing: fixture("flows/example.json"))) { try $0.edited($1) }
  return Array(value.text.utf8)
}

/// The built-in flow that is defined in a file of protocol/flows. Its name may differ from the
/// file's.
func builtInFlow(inFile name: String) throws -> Flow {
  try FlowFile.read(projectFile("protocol/flows/\(name)"), name: name)
}

/// The bytes of a file of the project, given by its path from the root.
func projectFile(_ path: String) throws -> [UInt8] {
  return Array(try Data(contentsOf: Checkout.root.appending(path: path)))
}

/// The bytes of a file in Tests/Fixtures.
func fixture(_ path: String) throws -> [UInt8] {
  return Array(try Data(contentsOf: Checkout.tests.appending(path: "Fixtures/\(path)")))
}

/// The keys for which a built-in definition has its own texts.
func definedKeys(_ name: String) throws -> Set<String> {
  let value = try JSONValue(parsing: #require(BuiltInFlows.text(named: name)))
  return Set(value["strings"]?["en"]?.members?.map(\.key) ?? [])
}

/// The keys of texts to which the parts of a flow refer.
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
