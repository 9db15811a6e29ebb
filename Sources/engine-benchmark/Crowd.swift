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
  private var random: Random
  private var next: [UInt32]
  private var revisions: [UInt32]
  /// The expected outputs for the last lines, in their order.
  private(set) var sent: [Sent] = []
  private var checker = OutputChecker()

  init(count: Int, script: Script, seed: UInt64) {
    self.count = count
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
      Line.appendOpen(session, to: &lines)
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
      try checker.checkUpdate(line, session: session, revision: Int(revisions[session]), step: step)
    }
    guard index == sent.count + 1 else { throw Failure("\(sent.count) events had \(index - 1) updates") }
  }
}
