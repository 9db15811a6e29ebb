import EventLoop
import JSONCodec
import LoginMachine
import LoginProtocol

/// Writes a transcript of a run: what came in, in the order in which the engine took it, each with what followed from it right behind.
///
/// What was typed into secret items is replaced by placeholders, so that the transcript holds no secret and still replays.
final class Recorder {
  var file: ObservationFile
  unowned let engine: Engine
  var placeholders = Placeholders()
  var strings: RecordedStrings
  /// The time that the steps so far have come to.
  var time: UInt64
  /// The steps that were not written yet: those of this turn, or of a batch that is under way.
  var steps: [[UInt8]] = []
  /// Where in `steps` the latest event begins.
  var latest = 0
  /// The authenticators that were asked something in the latest event, by what a transcript calls them.
  var latestAsked: Set<String?> = []
  /// Whether the latest event came about only because time has passed.
  private var latestIsTime = false
  /// The entries of the batch that is under way, as they are recorded.
  var batch: [[UInt8]]?
  /// Where in `steps` its line belongs.
  private var batchPlace = 0
  /// After lines were taken that waited for what was given up at the end of input: where in `steps` the next of them belongs.
  var heldInputs: Int?
  var inputHasEnded = false
  /// Whether the entries of a batch that were not taken when the engine was told to end waited for more than room.
  var keepsUntaken = false
  /// The authenticators that could not be started when it was tried last, by what a transcript calls them.
  var missing: Set<String?> = []
  /// A `clock/advance` that waits for the authenticator to have moved its own clock.
  var waitingAdvance: [UInt8]?
  let header: RecordedOptions
  /// Whether the steps go to the engine's end if the engine does.
  var canBeComplete = true

  init(_ path: String, _ options: EngineOptions, _ engine: Engine) throws(SystemError) {
    file = try ObservationFile(path, engine.log)
    self.engine = engine
    time = engine.clock.now
    strings = RecordedStrings(flowFiles: options.flowFiles)
    header = RecordedOptions(options, canOverwrite: file.canOverwrite)
    file.append(header.lines)
  }

  // MARK: Events

  /// How many steps may wait for the end of a turn.
  private static let mostSteps = 256

  /// Begins an event: what the one before has led to is complete.
  func begin(_ step: [UInt8]? = nil, isInput: Bool = false) {
    if steps.count > Recorder.mostSteps { settle() }
    latest = steps.count
    latestIsTime = false
    latestAsked = []
    if !engine.clock.isManual, engine.clock.now > time, !inputHasEnded, heldInputs == nil {
      steps.append(Recorder.advance(engine.clock.now - time))
      time = engine.clock.now
    }
    guard let step else { return }
    if isInput, let place = heldInputs {
      steps.insert(step, at: place)
      heldInputs = place + 1
    } else {
      steps.append(step)
    }
  }

  /// Puts a step before the latest event: the state of things in which it came about.
  func precede(_ step: [UInt8]) {
    steps.insert(step, at: latest)
    if let place = heldInputs, place >= latest { heldInputs = place + 1 }
    if batch != nil, batchPlace >= latest { batchPlace += 1 }
    latest += 1
  }

  /// Writes what has happened. At the end of each turn, before what the engine says is written: whoever has seen that finds it in the recording, even if
  /// the engine is killed. What is not over yet waits: a step may still have to go before others.
  func settle() {
    if batch == nil, heldInputs == nil, !engine.isInterrupted { writeOut() }
  }

  func writeOut() {
    guard !steps.isEmpty else { return }
    file.append(steps.reduce(into: []) { $0 += $1 + [0x0A] })
    steps.removeAll()
    latest = 0
  }

  static let end = Array(#"{"end":true}"#.utf8)
  private static func advance(_ milliseconds: UInt64) -> [UInt8] { Array(#"{"advance":\#(milliseconds)}"#.utf8) }

  static func fault(_ name: String, _ command: AuthenticatorProcess.Command) -> [UInt8] {
    Array(#"{"fault":"\#(name)"\#(which(command))}"#.utf8)
  }

  /// The member of a step that says which authenticator it is about, behind the step's others.
  static func which(_ command: AuthenticatorProcess.Command) -> String {
    // The name has no character that JSON would have to escape.
    command.nameInTranscripts.map { #","authenticator":"\#($0)""# } ?? ""
  }

  // MARK: Input

  func takesMessage(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    let text = concealed(document, node)
    if batch != nil, engine.batch != nil {
      batch?.append(text)
    } else if engine.isMovingAuthenticatorsClock(document, node) {
      waitingAdvance = text
    } else {
      begin(Recorder.input(text), isInput: true)
    }
  }

  /// A message of the view's without secrets.
  private func concealed(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, isTaken: Bool = true
  ) -> [UInt8] {
    var text = ByteBuffer()
    appendConcealed(document, node, isTaken: isTaken, to: &text)
    return strings.conceal(
      text.array(), from: AuthenticatorReply.isMeant(by: document, node) ? .authenticator : .view, placeholders.finder)
  }

  /// The clock is moved now, and not when it was asked for: what the authenticator said before came at the time before.
  func movesClock() {
    guard let text = waitingAdvance else { return }
    waitingAdvance = nil
    begin(Recorder.input(text), isInput: true)
  }

  func takesUnreadable(
    _ line: UnsafeRawBufferPointer, _ reason: Engine.Unreadable, _ error: RPCError, id: UnsafeRawBufferPointer
  ) {
    begin(
      Substitute.step(for: line, reason, error, id: id, maximumLineBytes: engine.options.maximumLineBytes),
      isInput: true)
    if case .unterminated = reason { inputHasEnded = true }
  }

  func takesBadBatch(entries: Int) {
    // As many, up to one too many.
    let count = min(entries, Engine.maximumBatchEntries + 1)
    begin(Array(#"{"in":[\#(Array(repeating: "0", count: count).joined(separator: ","))]}"#.utf8), isInput: true)
  }

  func beginsBatch() {
    begin()
    if heldInputs == nil { writeOut() }
    batchPlace = heldInputs ?? 0
    batch = []
  }

  func endsBatch(_ ended: Engine.Batch) {
    guard var entries = batch else { return }
    batch = nil
    // What was not taken because something else was waited for is not taken in a replay either; that there is something counts.
    while keepsUntaken, let node = ended.next {
      // Nobody can tell what was secret in it.
      entries.append(concealed(ended.document, node, isTaken: false))
      ended.next = ended.document.sibling(after: node, in: ended.root)
    }
    let text = [0x5B] + entries.joined(separator: [0x2C]) + [0x5D]
    steps.insert(Recorder.input(Array(text)), at: batchPlace)
    latest += 1
    if let place = heldInputs { heldInputs = place + 1 }
  }

  func inputEnds() {
    guard !inputHasEnded else { return release() }
    if let place = heldInputs {
      inputHasEnded = true
      steps.insert(Recorder.end, at: place)
      release()
    } else {
      begin(Recorder.end)
      inputHasEnded = true
    }
  }

  func release() { heldInputs = nil }

  /// The step in which a view writes a line: as it is read again, or raw where it would not come out the same.
  private static func input(_ text: [UInt8]) -> [UInt8] {
    let isSame = (try? JSONValue(parsing: text))?.text.utf8.elementsEqual(text) ?? false
    if isSame { return Array(#"{"in":"#.utf8) + text + [0x7D] }
    return raw("raw", text)
  }

  static func raw(_ name: String, _ text: [UInt8], _ more: String = "") -> [UInt8] {
    var step = ByteBuffer()
    step.append(0x7B)
    step.appendJSONString(name)
    step.append(0x3A)
    text.withUnsafeBytes { step.appendJSONString($0) }
    step.append(more)
    step.append(0x7D)
    return step.array()
  }

  // MARK: Time and output

  /// Something happens only because time has passed.
  func passTime() {
    guard !engine.clock.isManual, !inputHasEnded, heldInputs == nil else { return begin() }
    let passed = engine.clock.now - time
    // A clock that is moved fires all timers of one deadline.
    if passed == 0, latestIsTime, latest < steps.count { return }
    time = engine.clock.now
    begin(Recorder.advance(passed))
    latestIsTime = true
  }

  func writes(_ line: UnsafeRawBufferPointer) {
    // It was refused.
    if engine.advance == nil { movesClock() }
    let text = strings.conceal(concealedOutput(line), from: .engine, placeholders.finder)
    var step = Array(#"{"out":"#.utf8) + text
    // A replay's clock is always one that is moved by hand, and its authenticator is another.
    if let pointers = RecordedOptions.describedPointers(line) {
      step += Array(#","ignore":\#(pointers)"#.utf8)
    }
    steps.append(step + [0x7D])
  }

  /// A line of output; a question among it, for a frontend that decides logins itself, without secrets.
  private func concealedOutput(_ line: UnsafeRawBufferPointer) -> [UInt8] {
    var document = JSONDocument()
    guard engine.routes.frontend != nil, (try? document.parse(line)) != nil, let root = document.root,
      document.kind(root) == .object, let params = document.member("params", of: root),
      document.member("values", of: params) != nil
    else { return Array(line) }
    var text = ByteBuffer()
    appendConcealedQuestion(document, root, to: &text)
    return text.array()
  }
}
