import JSONCodec
import LoginMachine
import LoginProtocol

/// One update, read from the line that was written.
struct Update {
  let commands: JSONValue
  let snapshot: JSONValue

  init(_ line: [UInt8]) throws {
    let params = try JSONValue(parsing: Array(line.dropLast()))["params"]
    commands = params?["commands"] ?? .null
    snapshot = params?["snapshot"] ?? .null
  }
}

/// The engine's writer of updates, used again and again as the engine does, for a session whose name needs an escape.
final class TestWriter {
  private var updates = UpdateWriter(capacity: 64)
  private let session = SessionName("s\"1")

  /// The view shows nothing.
  func noteEmptyView() { updates.noteEmptyView() }

  /// The view shows this.
  func noteView(of machine: inout SessionMachine) { updates.noteView(of: &machine) }

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
