import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import WrittenLines

/// One update, read from the line that was written.
struct Update {
  /// The line.
  var bytes: [UInt8]
  var revision: Int?
  var events: Int?
  /// The snapshot's text.
  var snapshot: [UInt8] = []
  var commands = JSONValue.null
  /// What is wrong with the line itself.
  var fault: String?

  init(_ line: [UInt8]) {
    bytes = line
    let isUpdate = withDocument(line) { document, failure in
      guard failure == nil, let root = document.root, let method = document.member("method", of: root),
        document.equals(method, "session/update"), let params = document.member("params", of: root),
        let session = document.member("session", of: params), document.string(session) == "s\"1",
        let snapshot = document.member("snapshot", of: params), let commands = document.member("commands", of: params)
      else { return false }
      revision = document.member("revision", of: params).flatMap { document.wholeNumber($0) }.map { Int($0) }
      events = document.member("events", of: params).flatMap { document.wholeNumber($0) }.map { Int($0) }
      self.snapshot = Array(document.fullText(snapshot))
      self.commands = JSONValue(document, commands)
      return true
    }
    if !isUpdate || line.last != 0x0A { fault = "it is not an update: \(String(decoding: line, as: UTF8.self))" }
  }
}

/// The engine's writer of updates, used again and again as the engine does, for a session whose name needs an escape.
final class TestWriter {
  private var updates = UpdateWriter(capacity: 64)
  private let written = WrittenLines.of(.engineToFrontend)
  private var count = 0
  private let session = Array("s\"1".utf8)

  /// The view shows nothing.
  func noteEmptyView() { updates.noteEmptyView() }

  /// The view shows this. `edited` is the item that the event enters a value into.
  func noteView(of machine: inout SessionMachine, edited: Int? = nil) {
    updates.noteView(of: &machine, edited: edited)
  }

  func writeUpdate(of machine: inout SessionMachine, edited: Int?, _ template: FlowTemplate) -> Update {
    updates.output.removeAll()
    session.withUnsafeBytes { updates.writeUpdate(of: &machine, session: $0, edited: edited, template) }
    return update()
  }

  func writeUpdate(
    typedInto item: Int, _ step: TypedStep, in machine: inout SessionMachine, _ template: FlowTemplate
  ) -> Update {
    updates.output.removeAll()
    let name = SessionName("s\"1")
    let form = template.form(ofScreen: machine.originIndex)
    updates.writeUpdate(typedInto: item, step, in: &machine, session: name, omitsSnapshot: false, form)
    return update()
  }

  /// What the machine shows now, to be written later.
  func frame(of machine: inout SessionMachine) -> TransitionQueue.Frame { updates.frame(of: &machine) }

  /// The next update that had to wait.
  func writeNext(
    of queue: inout TransitionQueue, _ template: (UInt16) -> FlowTemplate
  ) -> (from: ViewState, frame: TransitionQueue.Frame, update: Update)? {
    updates.output.removeAll()
    let next = session.withUnsafeBytes { updates.writeNext(of: &queue, session: $0, template) }
    return next.map { ($0.from, $0.frame, update()) }
  }

  private func update() -> Update {
    let line = updates.output.array()
    count += 1
    // One of many is enough, of so many.
    if count % 500 == 1 { line.dropLast().withUnsafeBytes { written?.append($0) } }
    return Update(line)
  }

  func undo(of item: Int, in machine: inout SessionMachine, isEmpty: Bool, _ template: FlowTemplate) -> [UInt8] {
    var buffer = ByteBuffer()
    updates.appendUndo(of: item, in: &machine, isEmpty: isEmpty, template, to: &buffer)
    return buffer.array()
  }

  func undo(of item: Int, in view: ViewState, isEmpty: Bool, _ template: FlowTemplate) -> [UInt8] {
    var buffer = ByteBuffer()
    updates.appendUndo(of: item, in: view, isEmpty: isEmpty, template, to: &buffer)
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
func breachesOfLawOne(_ view: inout ViewDocument, commands: JSONValue, snapshot: [UInt8]) -> [String] {
  let isQuiet = commands.array?.isEmpty == true
  let before = isQuiet ? [] : view.text
  view.complaints = []
  view.apply(commands)
  var complaints = view.complaints
  if !isSameJSON(view.text, snapshot) { complaints.append("the commands do not lead to the snapshot") }
  if !isQuiet, before == snapshot { complaints.append("nothing changed, but not []") }
  return complaints
}

/// For a view that takes its time: what covers has left before anything is entered, and a half that leaves does nothing else.
///
/// `view` is what the view showed before. Returns what is wrong.
func breachesOfLeaving(_ view: ViewDocument, _ commands: JSONValue, isLeaving: Bool) -> [String] {
  let names = (commands.array ?? []).compactMap { $0["command"]?.string }
  let hides = names.contains { $0.hasPrefix("hide") }
  let shows = names.contains { $0.hasPrefix("show") }
  var complaints: [String] = []
  if hides, shows { complaints.append("something leaves while something is entered: \(names)") }
  if names.contains("showAlert"), view["alert"]?.isNull == false { complaints.append("an alert replaces another") }
  if names.contains("showScreen") {
    let covers = ["error", "notice", "alert"].filter { view[$0].map { !$0.isNull } == true }
    if !covers.isEmpty || view["activity"]?.bool == true { complaints.append("another screen comes over \(covers)") }
  }
  if isLeaving, !onlyLeaves(commands.array ?? []) {
    complaints.append("a half that leaves does something else: \(names)")
  }
  return complaints
}

/// Whether commands hide something and do nothing else, but for the option of a long list that the view has picked.
func onlyLeaves(_ commands: [JSONValue]) -> Bool {
  func hides(_ command: JSONValue) -> Bool { command["command"]?.string?.hasPrefix("hide") == true }
  func tellsPick(_ command: JSONValue) -> Bool {
    command["command"]?.string == "setItem" && command["options"] != nil && command.members?.count == 3
  }
  return commands.contains(where: hides) && commands.allSatisfy { hides($0) || tellsPick($0) }
}

/// Whether two texts mean the same. They are taken apart only if they differ.
private func isSameJSON(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  if left == right { return true }
  guard let left = try? JSONValue(parsing: left), let right = try? JSONValue(parsing: right) else { return false }
  return same(left, right)
}
