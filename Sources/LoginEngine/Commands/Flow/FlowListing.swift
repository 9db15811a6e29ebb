import FlowFiles
import LoginMachine

/// The list of built-in flows, one per line: name, languages and purpose.
enum FlowListing {
  static var text: String {
    let rows = BuiltInFlows.names.compactMap { name in
      BuiltInFlows.flow(named: name).map { flow in
        (name, flow.strings.locales.joined(separator: ","), BuiltInFlows.description(named: name) ?? "")
      }
    }
    let nameWidth = rows.map(\.0.utf8.count).max() ?? 0
    let localesWidth = rows.map(\.1.utf8.count).max() ?? 0
    return rows.map { padded($0.0, nameWidth) + padded($0.1, localesWidth) + $0.2 + "\n" }.joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.utf8.count, 0) + 2)
  }
}
