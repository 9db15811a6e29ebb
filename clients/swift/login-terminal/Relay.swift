import Glibc

/// The relay mode: draws the sessions of a program that speaks the protocol itself.
///
/// Standard input does not contain keys but lines of the protocol. They are passed on to the engine
/// unchanged, and after each answer the session of that answer is drawn. With `--strict`, the mode
/// also checks that the engine's commands lead to its snapshots, so it can check the recorded lines
/// of any view.
final class Relay {
  /// One session of the program, with its state in the full-screen mode and in the line mode.
  private struct Followed {
    var session: Session
    var plain = Plain()
    var full = FullScreen()
    /// The revision of the session's first update. For a saved session, that is one more than the
    /// revision when it was saved.
    var firstRevision = 1
  }

  private let options: Options
  private let engine: Engine
  private var output = Outlet(descriptor: 1)
  private var partialLine: [UInt8] = []
  private var sessions: [String: Followed] = [:]
  /// The sessions that the program has named in a call and for which no update has arrived yet, by
  /// name.
  private var opening: [String: Followed] = [:]
  /// The name of the session in each unanswered request, by the request's id.
  private var asked: [[UInt8]: String] = [:]

  init(_ options: Options) throws(Failure) {
    self.options = options
    signal(SIGPIPE, SIG_IGN)
    engine = try Engine(path: options.enginePath, arguments: options.engineArguments, capturesErrors: false)
  }

  /// Runs until the input has ended and the engine has exited.
  ///
  /// - Returns: the exit status.
  func run() throws(Failure) -> Int32 {
    defer { while output.isWaiting { output.flush() } }
    var isOpen = true
    while true {
      var requests = [
        pollfd(fd: isOpen ? 0 : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: engine.output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: engine.input.isWaiting ? engine.input.descriptor : -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: output.isWaiting ? output.descriptor : -1, events: Int16(POLLOUT), revents: 0),
      ]
      let count = poll(&requests, nfds_t(requests.count), -1)
      if count < 0 && errno != EINTR { throw Failure(text: "poll: \(System.errorText())") }
      let isReady = requests.map { count > 0 && $0.revents != 0 }
      if isReady[3] { output.flush() }
      if isReady[2] { engine.input.flush() }
      // Handle the engine's output first, because answers that have arrived precede the input that
      // is read now.
      if isReady[1] {
        guard let lines = engine.readLines() else {
          if let failure = engine.obituary() { throw failure }
          return 0
        }
        for line in lines { try receive(line) }
      }
      if isReady[0] {
        if let bytes = readAvailable(0) { forward(bytes) } else { isOpen = false }
      }
      if !isOpen && !engine.input.isWaiting { engine.closeInput() }
    }
  }

  // MARK: Input of the program

  private func forward(_ bytes: [UInt8]) {
    engine.input.write(bytes)
    partialLine += bytes
    while let end = partialLine.firstIndex(of: UInt8(ascii: "\n")) {
      if let line = JSON(line: Array(partialLine[..<end])) {
        if case .array(let calls) = line { for call in calls { note(call) } } else { note(line) }
      }
      partialLine.removeFirst(end + 1)
    }
  }

  /// Records what a line from the program does. An edit or a press gets a number only if it names
  /// an open session, because the engine numbers only these.
  private func note(_ call: JSON) {
    let parameters = call["params"]
    guard call["jsonrpc"].string == "2.0", let name = parameters["session"].string else { return }
    let id = call["id"]
    if !id.isNull { asked[id.bytes] = name }
    switch call["method"].string {
    case "session/open": opening[name] = begin(name, parameters["saved"])
    case "session/edit":
      count(parameters["item"].string.map { Edit(item: $0, value: .json(parameters["value"])) }, name)
    case "session/press", "session/submit": count(nil, name)
    default: break
    }
  }

  private func begin(_ name: String, _ saved: JSON = .null) -> Followed {
    let session = Session(
      name: name, isStrict: options.isStrict, isAcknowledging: false, events: saved["events"].integer ?? 0)
    return Followed(session: session, firstRevision: 1 + min(saved["revision"].integer ?? 0, 1 << 40))
  }

  private func count(_ edit: Edit?, _ name: String) {
    if opening[name] == nil, sessions[name]?.session.count(edit) != nil { return }
    // The engine may be about to give a new session this name.
    opening[name, default: begin(name)].session.count(edit)
  }

  // MARK: Output of the engine

  private func receive(_ line: [UInt8]) throws(Failure) {
    let message = try Engine.message(line)
    // An array contains the responses to a batch of requests.
    if case .array(let messages) = message {
      for message in messages { try receive(message) }
    } else {
      try receive(message)
    }
  }

  private func receive(_ message: JSON) throws(Failure) {
    if message["method"].isNull { return receiveResponse(message) }
    let parameters = message["params"]
    guard let name = parameters["session"].string else { return }
    let revision = parameters["revision"].integer
    if revision == opening[name]?.firstRevision ?? 1, opening[name] != nil || sessions[name] == nil {
      sessions[name] = opening.removeValue(forKey: name) ?? begin(name)
    }
    guard var followed = sessions[name], try followed.session.receive(message) else {
      opening[name] = nil
      return
    }
    draw(&followed)
    sessions[name] = followed
  }

  private func receiveResponse(_ response: JSON) {
    guard let name = asked.removeValue(forKey: response["id"].bytes), !response["error"].isNull else { return }
    opening[name] = nil
    let isEvent = response["error"]["data"]["events"].integer != nil
    guard isEvent, var followed = sessions[name] else { return }
    followed.session.refuse(response["error"])
    draw(&followed)
    sessions[name] = followed
  }

  private func draw(_ followed: inout Followed) {
    let session = followed.session
    var text = "\(printable(session.name)):\n"
    if options.isPlain {
      text += followed.plain.text(of: session)
    } else {
      followed.full.follow(session)
      let look = Appearance(isColored: false, hasLinks: false, isMirrored: session.model.isRightToLeft)
      let screen = Screen(
        session: session, focus: followed.full.focus, list: nil, scroll: 0, columns: 80, rows: 1_000, tick: 0,
        look: look)
      text += screen.frame().rows.map { $0.text + "\n" }.joined()
    }
    output.write(Array(text.utf8))
  }
}
