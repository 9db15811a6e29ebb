import Glibc

/// The program in the full-screen mode and in the line mode: the engine, the session, and the only
/// loop in which the program waits.
final class App {
  private let options: Options
  private let engine: Engine
  private let signals: Int32
  private let interface: any UserInterface
  private var session: Session
  private var sessionsOpened = 1

  init(_ options: Options) throws(Failure) {
    self.options = options
    interface =
      if !options.takesInput {
        SilentInterface()
      } else if options.hasLines {
        PlainInterface(output: options.scene == 1 ? 2 : 1, endsWithSession: options.isOnce)
      } else {
        try FullScreenInterface()
      }
    signals = try Signals.listen(to: interface.signals)
    engine = try Engine(
      path: options.enginePath, arguments: options.engineArguments,
      capturesErrors: !options.hasLines && options.takesInput)
    session = App.session(1, options)
  }

  private static func session(_ number: Int, _ options: Options) -> Session {
    Session(
      name: "terminal-\(number)", isStrict: options.isStrict,
      // Without user input the program draws nothing, so it acknowledges no updates.
      isAcknowledging: options.isAcknowledging && options.takesInput, keepsGrants: options.wantsGrants)
  }

  /// Runs until the user quits, or with `--once` until the user is logged in.
  ///
  /// - Returns: the exit status.
  func run() -> Int32 {
    interface.enter()
    engine.input.write(session.openingLine(options.opening))
    do throws(Failure) {
      var status = try loop()
      interface.leave()
      if status == 0, options.isOnce, let descriptor = options.scene { status = try writeScene(to: descriptor) }
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
        // This entry only wakes `poll`. The signals themselves are read below.
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&requests, nfds_t(requests.count), interface.waitLimit(session))
      let time = System.steadyTime
      if count < 0 && errno != EINTR { throw Failure(text: "poll: \(System.errorText())") }
      let isReady = requests.map { count > 0 && $0.revents != 0 }

      // Signals are handled before a key that is ready, even those that arrived after `poll` had
      // looked at the pipe.
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
      if options.isOnce, session.model.hasScene { return 0 }
      if options.isOnce, let ending = session.ending { throw Failure(text: ending) }
      if isReady[0] { interface.read() }
      if interface.output.isBroken { throw Failure(text: "nobody reads what is shown") }
      while let intent = interface.nextIntent(&session, at: time) {
        switch intent {
        case .nothing: break
        case .send(let line): engine.input.write(line)
        case .startOver: startOver()
        case .quit: return options.isOnce ? 1 : 0
        case .interrupt: return options.isOnce ? 128 + SIGINT : 0
        case .endOfInput:
          if options.isOnce { throw Failure(text: "the input has ended before a person was logged in") }
          return 0
        case .askPerson:
          throw Failure(
            text: "a person has to log in (\(session.model.title)): start this without --no-input, in a terminal")
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
      // A line after the scene may already show another screen, so stop here.
      if options.isOnce && session.model.hasScene { break }
      while let line = session.optionsLine() { engine.input.write(line) }
    }
    interface.show(session)
  }

  /// Writes the scene to the descriptor that the calling program has passed. That program may read
  /// slowly.
  ///
  /// - Returns: the exit status: 0, or the status of a signal that interrupted the writing.
  private func writeScene(to descriptor: Int32) throws(Failure) -> Int32 {
    var scene = session.model.sceneDocument
    if options.wantsGrants { scene["grants"] = .array(session.grants) }
    var outlet = Outlet(descriptor: descriptor)
    outlet.write(scene.bytes + [UInt8(ascii: "\n")])
    while outlet.isWaiting {
      var requests = [
        pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      ]
      poll(&requests, nfds_t(requests.count), -1)
      for number in readAvailable(signals) ?? [] where ![SIGWINCH, SIGTSTP, SIGCONT].contains(Int32(number)) {
        return 128 + Int32(number)
      }
      if requests[0].revents != 0 { outlet.flush() }
    }
    if let failure = outlet.failure {
      throw Failure(text: "cannot write the scene: \(System.errorText(failure))")
    }
    return 0
  }

  /// Replaces the session with a new one. If the engine had ended the old session, the values typed
  /// in it are kept, except secrets.
  private func startOver() {
    var parameters = options.opening
    if session.ending == nil {
      engine.input.write(session.closingLine())
    } else {
      parameters["screen"] = .string(session.model.screen)
      parameters["values"] = session.values
    }
    sessionsOpened += 1
    session = App.session(sessionsOpened, options)
    engine.input.write(session.openingLine(parameters))
  }
}

/// Writes to standard error why the program ends.
func complain(_ failure: Failure) {
  // The text may quote the engine, so it may contain control characters.
  let text = failure.text.split(separator: "\n").map { printable(String($0)) + "\n" }.joined()
  let bytes = Array("login-terminal: \(text)".utf8)
  _ = write(2, bytes, bytes.count)
}
