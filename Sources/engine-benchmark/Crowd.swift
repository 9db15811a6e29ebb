import JSONCodec
import ViewModel

/// Many open sessions whose users type at the same time. Knows which output line the engine must
/// write for each input line.
struct Crowd: ~Copyable {
  /// One line that was sent to the engine.
  struct Sent {
    let session: UInt32
    /// The index of the typed key in the script; negative if the line opens the session.
    let step: Int32
  }

  let script: Script
  let count: Int
  /// Whether the engine's updates contain snapshots. If not, they contain only commands.
  let hasSnapshots: Bool
  /// The screens of the first sessions, as the commands have changed them. Empty if updates contain
  /// snapshots.
  private var forms: [ShownScreen]
  private var random: Random
  private var next: [UInt32]
  private var revisions: [UInt32]
  /// The lines that were last written. The engine must answer them with updates, in the order of
  /// this list.
  private(set) var sent: [Sent] = []
  private var checker = OutputChecker()

  /// The number of sessions whose screens are kept. Screens are large, and these sessions suffice
  /// to check that commands lead to the snapshots.
  private static let mostForms = 1_000

  init(count: Int, script: Script, seed: UInt64, hasSnapshots: Bool) {
    self.count = count
    self.hasSnapshots = hasSnapshots
    forms = Array(repeating: ShownScreen(), count: hasSnapshots ? 0 : min(count, Self.mostForms))
    self.script = script
    random = Random(seed: seed)
    revisions = Array(repeating: 0, count: count)
    next = []
    for _ in 0..<count { next.append(UInt32(random.below(script.steps.count))) }
  }

  /// Writes lines that open the given sessions and type an email address and a password in each.
  mutating func open(_ sessions: Range<Int>, into lines: inout ByteBuffer) {
    startLines(&lines)
    for session in sessions {
      Line.appendOpen(session, hasSnapshots: hasSnapshots, to: &lines)
      sent.append(Sent(session: UInt32(session), step: -1))
      for steps in [script.completeEmails, script.completePasswords] {
        type(session, steps[random.below(steps.count)], into: &lines)
      }
    }
    lines.append(Line.barrier)
  }

  /// Writes lines in which randomly chosen users each press one more key.
  mutating func type(_ events: Int, into lines: inout ByteBuffer) {
    startLines(&lines)
    for _ in 0..<events {
      let session = random.below(count)
      let step = Int(next[session])
      next[session] = UInt32((step + 1) % script.steps.count)
      type(session, step, into: &lines)
    }
    lines.append(Line.barrier)
  }

  private mutating func startLines(_ lines: inout ByteBuffer) {
    lines.removeAll()
    sent.removeAll(keepingCapacity: true)
  }

  private mutating func type(_ session: Int, _ step: Int, into lines: inout ByteBuffer) {
    Line.appendChange(session, script.steps[step].item, value: script.steps[step].json, to: &lines)
    sent.append(Sent(session: UInt32(session), step: Int32(step)))
  }

  /// Parses every line that the engine has written and compares it with the line that was sent.
  mutating func check(_ output: OutputBuffer) throws(Failure) {
    var index = 0
    try output.forEachLine { line throws(Failure) in
      defer { index += 1 }
      if index == sent.count { return }
      guard index < sent.count else { throw Failure("there are more lines than expected") }
      let session = Int(sent[index].session)
      revisions[session] += 1
      let step = sent[index].step < 0 ? nil : script.steps[Int(sent[index].step)]
      let revision = Int(revisions[session])
      if hasSnapshots { return try checker.checkUpdate(line, session: session, revision: revision, step: step) }
      guard session < forms.count else {
        return try checker.checkCommands(line, session: session, revision: revision)
      }
      if let step { forms[session].enter(step.written, into: Array("\(step.item.name)".utf8)) }
      try checker.apply(line, to: &forms[session], session: session, revision: revision)
    }
    guard index == sent.count + 1 else { throw Failure("\(sent.count) events had \(index - 1) updates") }
  }

  /// Writes lines that request the snapshots of the sessions whose screens are kept.
  mutating func askForSnapshots(into lines: inout ByteBuffer) {
    startLines(&lines)
    for session in forms.indices { Line.appendSnapshot(session, to: &lines) }
    lines.append(Line.barrier)
  }

  /// Compares the screens, as the commands have changed them, with the snapshots that the engine
  /// has sent.
  mutating func compare(_ output: OutputBuffer) throws(Failure) {
    var session = 0
    try output.forEachLine { line throws(Failure) in
      defer { session += 1 }
      if session == forms.count { return }
      guard session < forms.count else { throw Failure("there are more snapshots than were asked for") }
      try checker.compare(line, with: forms[session], session: session)
    }
    guard session == forms.count + 1 else { throw Failure("\(forms.count) sessions had \(session - 1) snapshots") }
  }
}
