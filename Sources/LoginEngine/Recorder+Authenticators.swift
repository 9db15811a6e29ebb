import JSONCodec
import LoginProtocol

/// What is said between the engine and those who decide, and what befalls them.
extension Recorder {
  func asks(_ line: UnsafeRawBufferPointer, _ command: AuthenticatorProcess.Command) {
    var document = JSONDocument()
    guard (try? document.parse(line)) != nil, let root = document.root,
      document.member("method", of: root).map({ document.equals($0, Method.advance.name) }) != true
    else { return }
    var text = ByteBuffer()
    appendConcealedQuestion(document, root, to: &text)
    let question = strings.conceal(text.array(), from: .view, placeholders.finder)
    latestAsked.insert(command.nameInTranscripts)
    steps.append(Array(#"{"ask":"#.utf8) + question + Array("\(Recorder.which(command))}".utf8))
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
      begin(answer(strings.conceal(shape.array(), from: .authenticator, placeholders.finder)))
      return
    case .result, .error, .notify, .described, .clockMoved: break
    }
    let line = strings.conceal(line, from: .authenticator, placeholders.finder)
    guard let value = try? JSONValue(parsing: line) else { return }
    let text = Array(value.text.utf8)
    // What an authenticator says of itself is passed on as it stands, blanks included.
    let hasData = document.member("result", of: root).flatMap { document.member("data", of: $0) } != nil
    let isSame = !hasData || text.elementsEqual(line)
    begin(isSame ? answer(text) : Recorder.raw("rawAnswer", line, which))
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

  /// What the event has asked it already was written before.
  func authenticatorIsFull(_ command: AuthenticatorProcess.Command) {
    let fault = Recorder.fault("stopReading", command)
    if latestAsked.contains(command.nameInTranscripts) { steps.append(fault) } else { precede(fault) }
  }

  func authenticatorReadsOn(_ command: AuthenticatorProcess.Command) {
    begin(Recorder.fault("resumeReading", command))
  }

  func authenticatorIsDeaf(_ command: AuthenticatorProcess.Command) { precede(Recorder.fault("closeInput", command)) }
  func authenticatorExits(_ command: AuthenticatorProcess.Command) { begin(Recorder.fault("exit", command)) }
}
