import Glibc

/// What both modes share: the engine, the session, and the one loop in which the program waits.
final class App {
  private let options: Options
  private let engine: Engine
  private let signals: Int32
  private let interface: any UserInterface
  private var session: Session
  private var sessionsOpened = 1

  init(_ options: Options) throws(Failure) {
    self.options = options
    interface = options.hasLines ? PlainInterface() : try FullScreenInterface()
    signals = try Signals.listen(to: interface.signals)
    engine = try Engine(
      path: options.enginePath, arguments: options.engineArguments,
      capturesErrors: !options.hasLines)
    session = Session(
      name: "terminal-1", isStrict: options.isStrict, isAcknowledging: options.isAcknowledging)
  }

  /// Runs until the person quits.
  ///
  /// - Returns: the exit status.
  func run() -> Int32 {
    interface.enter()
    engine.input.write(session.openingLine(options.opening))
    do throws(Failure) {
      let status = try loop()
      interface.leave()
      if session.ending == nil { engine.input.write(session.closingLine()) }
      engine.stop()
      return status
    } catch {
      interface.leave()
      engine.stop()
      complain(error)
      return error.status
    }
  }

  private func loop() throws(Failure) -> Int32 {
    while true {
      interface.show(session)
      if !interface.output.isWaiting, let line = session.presentedLine() { engine.input.write(line) }
      var requests = [
        pollfd(fd: interface.input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interface.output.isWaiting ? interface.output.descriptor : -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: engine.output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: engine.input.isWaiting ? engine.input.descriptor : -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: engine.errors ?? -1, events: Int16(POLLIN), revents: 0),
        // Only to be woken.
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&requests, nfds_t(requests.count), interface.waitLimit(session))
      let time = System.steadyTime
      if count < 0 && errno != EINTR { throw Failure(text: "poll: \(System.errorText())") }
      let isReady = requests.map { count > 0 && $0.revents != 0 }

      // A signal may have come after `poll` had looked there and before a key that is ready; it comes first.
      if let numbers = readAvailable(signals) {
        for number in numbers {
          if let status = interface.handle(signal: Int32(number)) { return status }
          if number == UInt8(SIGCONT) { engine.resume() }
        }
      }
      if isReady[1] { interface.output.flush() }
      if isReady[3] { engine.input.flush() }
      if isReady[4] && !engine.readLog() { engine.closeLog() }
      if isReady[2] { try takeLines() }
      if isReady[0] { interface.read() }
      if interface.output.isBroken { throw Failure(text: "nobody reads what is shown") }
      while let intent = interface.nextIntent(&session, at: time) {
        switch intent {
        case .nothing: break
        case .send(let line): engine.input.write(line)
        case .startOver: startOver()
        case .quit, .interrupt, .endOfInput: return 0
        }
      }
    }
  }

  private func takeLines() throws(Failure) {
    guard let lines = engine.readLines() else { throw engine.obituary() ?? Failure(text: "the engine has stopped") }
    for line in lines {
      if try session.receive(Engine.message(line)) {
        interface.hasChanged()
        if session.isAcknowledging { interface.show(session) }
      }
      while let line = session.optionsLine() { engine.input.write(line) }
    }
    interface.show(session)
  }

  /// A new session in place of the old one. What was typed, secrets aside, goes with it if the engine ended that one.
  private func startOver() {
    var parameters = options.opening
    if session.ending == nil {
      engine.input.write(session.closingLine())
    } else {
      parameters["screen"] = .string(session.model.screen)
      parameters["values"] = session.values
    }
    sessionsOpened += 1
    session = Session(
      name: "terminal-\(sessionsOpened)", isStrict: options.isStrict, isAcknowledging: options.isAcknowledging)
    engine.input.write(session.openingLine(parameters))
  }
}

/// Says on standard error why the program ends.
func complain(_ failure: Failure) {
  // It may quote what the engine has said.
  let text = failure.text.split(separator: "\n").map { printable(String($0)) + "\n" }.joined()
  let bytes = Array("login-terminal: \(text)".utf8)
  _ = write(2, bytes, bytes.count)
}
