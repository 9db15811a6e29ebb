import JSONCodec
import LoginMachine
import LoginProtocol

/// An update, read from the written line.
struct Update {
  let commands: JSONValue
  let snapshot: JSONValue

  init(_ line: [UInt8]) throws {
    let params = try JSONValue(parsing: Array(line.dropLast()))["params"]
    commands = params?["commands"] ?? .null
    snapshot = params?["snapshot"] ?? .null
  }
}

/// The engine's writer of updates, reused as in the engine, for a session whose name needs an
/// escape.
final class TestWriter {
  private var updates = UpdateWriter(capacity: 64)
  private let session = SessionName("s\"1")

  /// Sets an empty view.
  func recordEmptyView() { updates.recordEmptyView() }

  /// Sets the view's state.
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
