import EventLoop
import JSONCodec
import LoginMachine
import LoginProtocol

/// Writes a transcript of a run: what came in, in the order in which the engine took it, each with what followed from it right behind.
///
/// What was typed into secret items is replaced by placeholders, so that the transcript holds no secret and still replays.
final class Recorder {
  private var file: ObservationFile
  unowned let engine: Engine
  var placeholders = Placeholders()
  /// The time that the steps so far have come to.
  private var time: UInt64
  /// The steps of the latest event, or of a batch that is under way, not written yet.
  private var steps: [[UInt8]] = []
  /// Where in `steps` the latest event begins.
  private var latest = 0
  /// The entries of the batch that is under way, as they are recorded; its line comes before all of `steps`.
  private var batch: [[UInt8]]?
  /// After lines were taken that waited for what was given up at the end of input: where in `steps` the next of them belongs.
  private var heldInputs: Int?
  private var inputHasEnded = false
  /// The authenticators that could not be started when it was tried last, by what a transcript calls them.
  private var missing: Set<String?> = []
  /// A `clock/advance` that waits for the authenticator to have moved its own clock.
  private var waitingAdvance: [UInt8]?
  private let header: RecordedOptions

  init(_ path: String, _ options: EngineOptions, _ engine: Engine) throws(SystemError) {
    file = try ObservationFile(path, engine.log)
    self.engine = engine
    time = engine.clock.now
    header = RecordedOptions(options)
    file.append(header.lines)
  }

  // MARK: Events

  /// Begins an event: what the one before has led to is complete.
  private func begin(_ step: [UInt8]? = nil, isInput: Bool = false) {
    if batch == nil, heldInputs == nil { writeOut() }
    latest = steps.count
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
  private func precede(_ step: [UInt8]) {
    steps.insert(step, at: latest)
    latest += 1
  }

  private func writeOut() {
    guard !steps.isEmpty else { return }
    file.append(steps.reduce(into: []) { $0 += $1 + [0x0A] })
    steps.removeAll()
    latest = 0
  }

  private static func advance(_ milliseconds: UInt64) -> [UInt8] { Array(#"{"advance":\#(milliseconds)}"#.utf8) }

  private static func fault(_ name: String, _ command: AuthenticatorProcess.Command) -> [UInt8] {
    Array(#"{"fault":"\#(name)"\#(which(command))}"#.utf8)
  }

  /// The member of a step that says which authenticator it is about, behind the step's others.
  private static func which(_ command: AuthenticatorProcess.Command) -> String {
    // The name has no character that JSON would have to escape.
    command.nameInTranscripts.map { #","authenticator":"\#($0)""# } ?? ""
  }

  // MARK: Input

  func takesMessage(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    var text = ByteBuffer()
    appendConcealed(document, node, to: &text)
    if batch != nil, engine.batch != nil {
      batch?.append(text.array())
    } else if engine.isMovingAuthenticatorsClock(document, node) {
      waitingAdvance = text.array()
    } else {
      begin(Recorder.input(text.array()), isInput: true)
    }
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
    batch = []
  }

  func endsBatch(_ ended: Engine.Batch) {
    guard var entries = batch else { return }
    batch = nil
    while let node = ended.next {
      // Never taken, so nobody can tell what was secret in it.
      var text = ByteBuffer()
      appendConcealed(ended.document, node, isTaken: false, to: &text)
      entries.append(text.array())
      ended.next = ended.document.sibling(after: node, in: ended.root)
    }
    let text = [0x5B] + entries.joined(separator: [0x2C]) + [0x5D]
    steps.insert(Recorder.input(Array(text)), at: heldInputs ?? 0)
    latest += 1
    if let place = heldInputs { heldInputs = place + 1 }
  }

  func inputEnds() {
    guard !inputHasEnded else { return release() }
    if let place = heldInputs {
      inputHasEnded = true
      steps.insert(Array(#"{"end":true}"#.utf8), at: place)
      release()
    } else {
      begin(Array(#"{"end":true}"#.utf8))
      inputHasEnded = true
    }
  }

  private func release() { heldInputs = nil }

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
    time = engine.clock.now
    begin(Recorder.advance(passed))
  }

  func writes(_ line: UnsafeRawBufferPointer) {
    // It was refused.
    if engine.advance == nil { movesClock() }
    var step = Array(#"{"out":"#.utf8) + concealedOutput(line)
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

  // MARK: The authenticator

  func asks(_ line: UnsafeRawBufferPointer, _ command: AuthenticatorProcess.Command) {
    var document = JSONDocument()
    guard (try? document.parse(line)) != nil, let root = document.root,
      document.member("method", of: root).map({ document.equals($0, Method.advance.name) }) != true
    else { return }
    var text = ByteBuffer()
    appendConcealedQuestion(document, root, to: &text)
    steps.append(Array(#"{"ask":"#.utf8) + text.array() + Array("\(Recorder.which(command))}".utf8))
  }

  func hears(
    _ reply: AuthenticatorReply, _ document: borrowing JSONDocument, _ line: UnsafeRawBufferPointer,
    _ command: AuthenticatorProcess.Command
  ) {
    guard let root = document.root else { return }
    let which = Recorder.which(command)
    func answer(_ text: [UInt8]) -> [UInt8] { Array(#"{"answer":"#.utf8) + text + Array("\(which)}".utf8) }
    switch reply {
    case .call, .invalid:
      // Nothing in it counts but that it is no answer, and it may repeat what was asked.
      var shape = ByteBuffer()
      appendInvalid(document, root, to: &shape)
      begin(answer(shape.array()))
      return
    case .result, .error, .notify, .described: break
    }
    let text = Array(JSONValue(document, root).text.utf8)
    // What an authenticator says of itself is passed on as it stands, blanks included.
    let hasData = document.member("result", of: root).flatMap { document.member("data", of: $0) } != nil
    let isSame = !hasData || text.elementsEqual(line)
    begin(isSame ? answer(text) : Recorder.raw("rawAnswer", Array(line), which))
  }

  func hearsNonsense(_ command: AuthenticatorProcess.Command) {
    begin(Recorder.raw("rawAnswer", Array("not JSON".utf8), Recorder.which(command)))
  }

  func hearsTooLong(_ maximum: Int, _ command: AuthenticatorProcess.Command) {
    begin(Recorder.raw("rawAnswer", [], #","length":\#(maximum + 1)"# + Recorder.which(command)))
  }

  func authenticatorStarts(_ command: AuthenticatorProcess.Command) {
    if !engine.clock.isManual, engine.clock.now > time { passTime() }
    if missing.remove(command.nameInTranscripts) != nil { precede(Recorder.fault("available", command)) }
  }

  func authenticatorIsMissing(_ command: AuthenticatorProcess.Command) {
    if !engine.clock.isManual, engine.clock.now > time { passTime() }
    if missing.insert(command.nameInTranscripts).inserted { precede(Recorder.fault("unavailable", command)) }
  }

  func authenticatorIsDeaf(_ command: AuthenticatorProcess.Command) { precede(Recorder.fault("closeInput", command)) }
  func authenticatorExits(_ command: AuthenticatorProcess.Command) { begin(Recorder.fault("exit", command)) }

  // MARK: The end

  /// Replays wait for less long: nobody answers anyway.
  func givesUp(isDraining: Bool) {
    if let place = header.drainTimeoutOffset { file.overwrite(RecordedOptions.shortDrainTimeout, at: place) }
    if !isDraining, heldInputs == nil, !inputHasEnded {
      begin()
      heldInputs = steps.count
    }
  }

  func stops() {
    begin(Array(#"{"signal":"terminate"}"#.utf8))
  }

  func finishes() { writeOut() }
}
