import AuthenticatorKit
import JSONCodec
public import LoginProtocol

/// Observes a run and writes a recording of it, a trace, or both.
public final class RunObserver: EngineObserver {
  private let recorder: Recorder?
  private let tracer: Tracer?
  private let options: RecordingOptions
  private var concealer: MessageConcealer
  private var latest: Moment

  /// Opens and empties the recording and the trace; `nil` if neither is requested. If either file
  /// is refused, neither is emptied and no new file remains.
  ///
  /// - Parameters:
  ///   - recording: the path of the recording.
  ///   - trace: the path of the trace.
  ///   - overwrites: whether existing content is replaced. Otherwise a file that is not empty is
  ///     refused.
  ///   - spared: files that must not be overwritten.
  ///   - log: gets one message when a file cannot be written any more.
  /// - Throws: `ObservationProblem` if a file cannot or must not be written.
  public init?(
    recording: String?, trace: String?, overwriting overwrites: Bool = false, sparing spared: [ProtectedFile],
    _ options: RecordingOptions, log: @escaping RecordingLog
  ) throws(ObservationProblem) {
    guard recording != nil || trace != nil else { return nil }
    self.options = options
    latest = options.start
    // Both files are checked before either is emptied.
    let existing = overwrites ? ObservationFile.Existing.replaced : .refused
    let recordingFile: ObservationFile?
    if let recording {
      recordingFile = try ObservationFile(
        recording, option: "--record", existing: existing, sparing: spared, log: log)
    } else {
      recordingFile = nil
    }
    let ownFile = recording.map { [ProtectedFile($0, use: "the recording (--record)")] } ?? []
    if let trace {
      do throws(ObservationProblem) {
        tracer = Tracer(
          try ObservationFile(trace, option: "--trace", existing: existing, sparing: spared + ownFile, log: log),
          options)
      } catch {
        if let file = recordingFile { file.discard() }
        throw error
      }
    } else {
      tracer = nil
    }
    if let file = recordingFile { recorder = Recorder(file, options) } else { recorder = nil }
    // The concealer is made last, because loading all known words takes time. If the engine is
    // killed meanwhile, the recording already has its header.
    concealer = MessageConcealer(options)
  }

  /// Whether a write to the recording or the trace failed, so that the file is incomplete. Check it
  /// again after `finish`.
  public var hasFailed: Bool { recorder?.hasFailed ?? false || tracer?.hasFailed ?? false }

  /// Writes everything that is still buffered and closes the files. Call once the engine is
  /// finished.
  public func finish() {
    recorder?.finish()
    tracer?.finish(latest)
  }

  public func observe(_ event: EngineEvent, at time: Moment) {
    latest = time
    switch event {
    case .message(let message): observe(message, time)
    case .unreadable(let line):
      // The error reply repeats the id, so the id's replacement is decided first and also used in
      // the recorded line.
      recorder?.unreadableLine(line, id: concealer.recordedID(line.id), time)
      tracer?.unreadableLine(line, time)
    case .refusedBatch(let entries):
      recorder?.refusedBatch(entries: entries, time)
      tracer?.refusedBatch(entries: entries, time)
    case .batchBegan: recorder?.batchBegan(time)
    case .batchEnded(let unhandled):
      // The kind of value in unhandled messages is unknown.
      if let recorder { recorder.batchEnded(unhandled: unhandled.map { concealer.view($0, .none) }) }
    case .inputEnded:
      recorder?.inputEnded(time)
      tracer?.note("end", [], time)
    case .deadlineReached: recorder?.deadlineReached(time)
    case .timer(let timer):
      recorder?.timerFires(time)
      tracer?.timer(timer, time) { concealer.recorded($0) }
    case .clockMoves: recorder?.clockMoves(time)
    case .output(let line): observe(line, time)
    case .outputReady(let isInterrupted): recorder?.outputIsReady(isInterrupted: isInterrupted)
    case .session(let state): tracer?.session(state, time) { concealer.recorded($0) }
    case .question(let line, let name): observe(line, name, time)
    case .reply(let line, let name, let isClosing): observe(line, name, isClosing: isClosing, time)
    case .authenticator(let event, let name):
      recorder?.authenticator(event, name, time)
      tracer?.authenticator(event, name, time)
    case .lateReply(let question): tracer?.lateReply(to: question, time)
    case .lateNotice(let conversation): tracer?.lateNotice(about: conversation, time)
    case .drainTimeout(let isDraining):
      recorder?.drainTimeout(isDraining: isDraining, time)
      tracer?.note("drainTimeout", [], time)
    case .frontendLost: recorder?.holdInputs(time)
    case .stopped(let stop):
      recorder?.stopped(stop, time)
      tracer?.note("stop", [], time)
    }
  }

  // MARK: Messages

  private func observe(_ message: ViewMessage, _ time: Moment) {
    let text = concealer.view(message.bytes, message.known)
    recorder?.message(text, isInBatch: message.isInBatch, waitsForClock: message.waitsForClock, time)
    guard let tracer else { return }
    if options.frontendDecides {
      var document = JSONDocument()
      if (try? document.parse(message.bytes)) != nil, let root = document.root,
        AuthenticatorReply.isMeant(by: document, root)
      {
        return tracer.reply(document, root, from: "frontend", time) { concealer.isWord($0) }
      }
    }
    tracer.message(text, message.known, time)
  }

  private func observe(_ line: OutputLine, _ time: Moment) {
    let text = concealer.output(line)
    let pointers = DescribedPointers.json(for: line.bytes)
    recorder?.output(text, isClockMoving: line.isClockMoving, ignoring: pointers, time)
    tracer?.output(text, asking: line.asking.map { concealer.recorded($0.session) }, time)
  }

  private func observe(_ line: QuestionLine, _ name: AuthenticatorName, _ time: Moment) {
    var document = JSONDocument()
    guard (try? document.parse(line.bytes)) != nil, let root = document.root, let text = concealer.question(line)
    else { return }
    // A replay's authenticator does not ask for settings, and so is not told when the clock moves.
    let method = document.member("method", of: root).flatMap { AuthenticatorMethod(document, $0) }
    if method != .advance, method != .configure { recorder?.question(text, to: name) }
    tracer?.question(text, to: name, asking: line.asking.map { concealer.recorded($0.session) }, time)
  }

  private func observe(_ line: UnsafeRawBufferPointer, _ name: AuthenticatorName, isClosing: Bool, _ time: Moment) {
    var document = JSONDocument()
    guard (try? document.parse(line)) != nil, let root = document.root else { return }
    if case .described(let description?) = AuthenticatorReply(document, root, .numbers) {
      spare(description, of: name)
    }
    if let recorder, !isClosing, let step = answer(document, root, line, name) { recorder.answer(step, time) }
    tracer?.reply(document, root, from: name.text, time) { concealer.isWord($0) }
  }

  /// Stops writing the recording or the trace if an authenticator's description lists that file as
  /// its own.
  private func spare(_ description: AuthenticatorDescription, of name: AuthenticatorName) {
    let files = description.files.map {
      ProtectedFile(
        $0.path, use: "a file of the authenticator \(name.text)" + ($0.use.isEmpty ? "" : ", its \($0.use)"))
    }
    recorder?.spare(files)
    tracer?.spare(files)
  }

  /// The transcript step of an authenticator's message.
  private func answer(
    _ document: borrowing JSONDocument, _ root: JSONDocument.Node, _ line: UnsafeRawBufferPointer,
    _ name: AuthenticatorName
  ) -> TranscriptStep? {
    let reply = AuthenticatorReply(document, root, .numbers)
    switch reply {
    case .call, .undescribed, .invalid: return .answer(concealer.invalidReply(document, root), from: name)
    case .result, .error, .notify, .described, .clockMoved: break
    }
    if case .described = reply { return described(document, root, name) }
    let concealed = concealer.reply(line)
    guard let text = (try? JSONValue(parsing: concealed)).map({ Array($0.text.utf8) }) else { return nil }
    // The data of an answer is passed on byte for byte, spaces included.
    let hasData = document.member("result", of: root).flatMap { document.member("data", of: $0) } != nil
    return hasData && !text.elementsEqual(concealed) ? .rawAnswer(concealed, from: name) : .answer(text, from: name)
  }

  /// The transcript step that records an authenticator's description. It leaves out the settings
  /// that the authenticator asks for (`wants`) and the list of its files (`files`), because they do
  /// not apply to a replay.
  private func described(
    _ document: borrowing JSONDocument, _ root: JSONDocument.Node, _ name: AuthenticatorName
  ) -> TranscriptStep? {
    guard case .object(var message) = JSONValue(document, root) else { return nil }
    for index in message.indices where message[index].key == "result" {
      guard case .object(let members) = message[index].value else { continue }
      message[index].value = .object(members.filter { $0.key != "wants" && $0.key != "files" })
    }
    let line = Array(JSONValue.object(message).text.utf8)
    let concealed = line.withUnsafeBytes { concealer.reply($0) }
    return (try? JSONValue(parsing: concealed)).map { .answer(Array($0.text.utf8), from: name) }
  }
}
