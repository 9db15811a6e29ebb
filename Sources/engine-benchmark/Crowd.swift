import JSONCodec

/// Many people at their login forms, who all type at once, and the outputs that the engine must write for each of their
/// lines.
struct Crowd: ~Copyable {
  /// One line that was sent.
  struct Sent {
    let session: UInt32
    /// The step of the script; negative when the session was opened.
    let step: Int32
  }

  let script: Script
  let count: Int
  /// What the views of sessions show whose updates have commands only; empty if updates have snapshots.
  private var forms: [ShownForm]
  private var random: Random
  private var next: [UInt32]
  private var revisions: [UInt32]
  /// The expected outputs for the last lines, in their order.
  private(set) var sent: [Sent] = []
  private var checker = OutputChecker()

  /// - Parameter hasSnapshots: whether updates have snapshots, or commands only.
  init(count: Int, script: Script, seed: UInt64, hasSnapshots: Bool = true) {
    self.count = count
    forms = hasSnapshots ? [] : Array(repeating: ShownForm(), count: count)
    self.script = script
    random = Random(seed: seed)
    revisions = Array(repeating: 0, count: count)
    next = []
    for _ in 0..<count { next.append(UInt32(random.below(script.steps.count))) }
  }

  /// Lines that open some sessions and type an email address and a password in each.
  mutating func open(_ sessions: Range<Int>, into lines: inout ByteBuffer) {
    startLines(&lines)
    for session in sessions {
      Line.appendOpen(session, hasSnapshots: forms.isEmpty, to: &lines)
      sent.append(Sent(session: UInt32(session), step: -1))
      for steps in [script.completeEmails, script.completePasswords] {
        type(session, steps[random.below(steps.count)], into: &lines)
      }
    }
    lines.append(Line.barrier)
  }

  /// Lines in which people chosen at random each press one more key.
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

  /// Reads every line of the output and compares it with what was sent.
  mutating func check(_ output: Region) throws(Failure) {
    var index = 0
    try output.forEachLine { line throws(Failure) in
      defer { index += 1 }
      if index == sent.count { return }
      guard index < sent.count else { throw Failure("there are more lines than were caused") }
      let session = Int(sent[index].session)
      revisions[session] += 1
      let step = sent[index].step < 0 ? nil : script.steps[Int(sent[index].step)]
      if forms.isEmpty {
        try checker.checkUpdate(line, session: session, revision: Int(revisions[session]), step: step)
      } else {
        if let step { try forms[session].enter(step) }
        try forms[session].apply(
          try checker.commands(of: line, session: session, revision: Int(revisions[session])))
      }
    }
    guard index == sent.count + 1 else { throw Failure("\(sent.count) events had \(index - 1) updates") }
  }

  /// Lines that ask what each session shows.
  mutating func askForSnapshots(into lines: inout ByteBuffer) {
    startLines(&lines)
    for session in 0..<count { Line.appendSnapshot(session, to: &lines) }
    lines.append(Line.barrier)
  }

  /// Compares what the commands have led to with what each session shows.
  mutating func compare(_ output: Region) throws(Failure) {
    var session = 0
    try output.forEachLine { line throws(Failure) in
      defer { session += 1 }
      if session == count { return }
      guard session < count, forms[session].isSame(as: try checker.snapshot(of: line, session: session)) else {
        throw Failure("the commands of session \(session) have not led to its snapshot")
      }
    }
    guard session == count + 1 else { throw Failure("\(count) sessions had \(session - 1) snapshots") }
  }
}
