import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// One update, parsed from the line that was written.
struct Update {
  /// The line.
  var bytes: [UInt8]
  var revision: Int?
  var events: Int?
  var snapshot = JSONValue.null
  var commands = JSONValue.null
  /// What is wrong with the line itself.
  var fault: String?

  init(_ line: [UInt8]) {
    bytes = line
    do throws(JSONError) {
      let value = try JSONValue(parsing: line)
      guard value["jsonrpc"]?.string == "2.0", value["method"]?.string == "session/update",
        let params = value["params"],
        let snapshot = params["snapshot"], let commands = params["commands"], params["session"]?.string == "s\"1",
        params.members?.count == 5, line.last == 0x0A, line.count(where: { $0 == 0x0A }) == 1
      else {
        fault = "it is not an update"
        return
      }
      revision = params["revision"]?.integer
      events = params["events"]?.integer
      self.snapshot = snapshot
      self.commands = commands
    } catch {
      fault = "it is not JSON: \(error)"
    }
  }
}

/// The engine's writer of updates, used again and again as the engine does, for a session whose name needs an escape.
final class TestWriter {
  private var updates = UpdateWriter(capacity: 64)
  private let session = Array("s\"1".utf8)

  /// The view shows nothing.
  func begin() { updates.begin() }

  /// The view shows this.
  func begin(from machine: inout SessionMachine) { updates.begin(from: &machine) }

  func end(at machine: inout SessionMachine, edited: Int?, _ template: FlowTemplate) -> Update {
    updates.output.removeAll()
    updates.end(at: &machine, session: session, edited: edited, template)
    return Update(updates.output.array())
  }

  func undo(of item: Int, in machine: inout SessionMachine, _ template: FlowTemplate) -> [UInt8] {
    var buffer = ByteBuffer()
    updates.appendUndo(of: item, in: &machine, template, to: &buffer)
    return buffer.array()
  }

  func snapshot(of machine: inout SessionMachine, _ template: FlowTemplate) -> [UInt8] {
    var buffer = ByteBuffer()
    updates.appendSnapshot(of: &machine, template, to: &buffer)
    return buffer.array()
  }
}

/// Law 1: what a view showed, the edit accepted since and `commands` make `snapshot`, and no command says what was so already.
///
/// Returns what is wrong, and leaves in `view` what the view shows afterwards.
func breachesOfLawOne(_ view: inout ViewDocument, commands: JSONValue, snapshot: JSONValue) -> [String] {
  let before = view.root
  view.complaints = []
  view.apply(commands)
  var complaints = view.complaints
  if !same(view.root, snapshot) { complaints.append("the commands do not lead to the snapshot") }
  if same(before, snapshot), commands.array?.isEmpty != true { complaints.append("nothing changed, but not []") }
  return complaints
}
