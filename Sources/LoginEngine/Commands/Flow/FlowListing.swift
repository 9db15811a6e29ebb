import FlowFiles
import LoginMachine

/// The built-in flows, one a line: the name, the screens, the languages.
enum FlowListing {
  static var text: String {
    let rows = BuiltInFlows.names.compactMap { BuiltInFlows.flow(named: $0) }.map { flow in
      [flow.id, flow.screens.map(\.id).joined(separator: ","), flow.strings.locales.joined(separator: ",")]
    }
    let widths = (0..<2).map { column in rows.map { $0[column].utf8.count }.max() ?? 0 }
    return rows.map { row in padded(row[0], widths[0]) + padded(row[1], widths[1]) + row[2] + "\n" }.joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.utf8.count, 0) + 2)
  }
}
