import JSONCodec
import LoginMachine
import LoginProtocol

/// The content of an update, as read from its line.
struct Update {
  let commands: JSONValue
  let snapshot: JSONValue

  init(_ line: [UInt8]) throws {
    let params = try JSONValue(parsing: Array(line.dropLast()))["params"]
    commands = params?["commands"] ?? .null
    snapshot = params?["snapshot"] ?? .null
  }
}

/// Writes updates with one `UpdateWriter`, as the engine does. The name of the session needs an
/// escape.
final class TestWriter {
  private var updates = UpdateWriter(capacity: 64)
  private let session = SessionName("s\"1")

  /// Records that the view is empty.
  func recordEmptyView() { updates.recordEmptyView() }

  /// Records that the view shows the machine's current state.
  func recordView(of machine: inout SessionMachine) { updates.recordView(of: &machine) }

  func writeUpdate(of machine: inout SessionMachine, edited: Int?, _ template: FlowTemplate) throws -> Update {
    updates.output.removeAll()
    updates.writeUpdate(of: &machine, session: session, edited: edited, detail: .full, template)
    return try Update(updates.output.array())
  }

  func snapshot(of machine: inout SessionMachine, _ template: FlowTemplate) -> [UInt8] {
    var buffer = ByteBuffer()
    updates.appendSnapshot(of: &machine, template, to: &buffer)
    return buffer.array()
  }
}
