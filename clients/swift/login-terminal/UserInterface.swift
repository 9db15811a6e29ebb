import Glibc

/// One of the two ways to use the program: full screen or lines.
protocol UserInterface: AnyObject {
  var input: Int32 { get }
  var output: Outlet { get set }
  var signals: [Int32] { get }

  func enter()
  func leave()
  /// Called when something in the session differs from what was last shown.
  func hasChanged()
  /// Writes what is to be shown. Called before each wait and after each line from the engine.
  func show(_ session: Session)
  /// The longest time to wait for something to happen, in milliseconds; -1 is for ever.
  func waitLimit(_ session: Session) -> Int32
  func read()
  /// The next intent of the person in what was read; `nil` if there is none. `isLate`: nothing has happened for a
  /// while.
  func nextIntent(_ session: inout Session, isLate: Bool) -> Intent?
  /// The exit status, if the signal ends the program.
  func handle(signal: Int32) -> Int32?
}

/// The full-screen mode's input and output.
final class FullScreenInterface: UserInterface {
  private let terminal: Terminal
  private var view = FullScreen()
  private var keys = KeyReader()
  private var shown: Frame?
  private var isGone = false
  /// Enter was pressed, but what was typed before it may still change what the button does: it and the keys after it wait
  /// until the engine has taken the typing.
  private var isHoldingEnter = false
  private var focusOfHeldEnter = Focus.primary
  private let isColored = System.variable("NO_COLOR") == nil
  /// The console of Linux would draw what it does not know.
  private let hasLinks = System.variable("TERM").map { !["dumb", "linux"].contains($0) } ?? false
  /// The session, and how many of its interruptions were heard.
  private var heard = (session: "", count: 0)

  init() throws(Failure) { terminal = try Terminal() }

  var input: Int32 { terminal.input }
  var output: Outlet {
    get { terminal.output }
    set { terminal.output = newValue }
  }
  var signals: [Int32] { [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT] }

  func enter() { terminal.enter() }
  func leave() { terminal.leave() }
  func hasChanged() {}

  /// Draws only once the last frame is out, so that a slow terminal skips frames and never falls behind.
  func show(_ session: Session) {
    guard !terminal.output.isWaiting || shown == nil else { return }
    view.follow(session)
    let size = terminal.size
    let tick = session.model.isActive ? System.steadyTime / 100 : 0
    let screen = Screen(
      session: session, focus: view.focus, list: view.list, scroll: view.scroll, columns: size.columns,
      rows: size.rows, tick: tick,
      look: Look(isColored: isColored, hasLinks: hasLinks, isMirrored: session.model.isRightToLeft))
    if view.scroll != 0 { view.scrollBack(into: screen.scrollLimits) }
    let frame = screen.frame()
    terminal.output.write(frame.bytes(after: shown))
    shown = frame
    interrupt(session)
  }

  /// Rings the terminal's bell for what should interrupt the person: a terminal has no other way to say so.
  private func interrupt(_ session: Session) {
    if heard.session != session.name { heard = (session.name, 0) }
    if session.interruptions > heard.count { terminal.output.write([0x07]) }
    heard.count = session.interruptions
  }

  func waitLimit(_ session: Session) -> Int32 {
    if keys.isUndecided { return 50 }
    if terminal.output.isWaiting { return -1 }
    let counts = session.model.waits.contains { session.countdown.secondsLeft(of: $0) != nil }
    return session.model.isActive ? 100 : counts ? 200 : -1
  }

  func read() {
    if let bytes = readAvailable(input) { keys.feed(bytes) } else { isGone = true }
  }

  func nextIntent(_ session: inout Session, isLate: Bool) -> Intent? {
    if isGone { return .quit }
    if isHoldingEnter && session.isTypingAhead { return keys.holdsQuit ? .quit : nil }
    let held: Key? = isHoldingEnter ? .enter : nil
    isHoldingEnter = false
    view.follow(session)
    guard let key = held ?? keys.next(isLate: isLate) else { return nil }
    if key == .enter && held == nil && session.isTypingAhead && view.list == nil {
      isHoldingEnter = true
      focusOfHeldEnter = view.focus
      return .nothing
    }
    // The focus was moved meanwhile, for example to an alert that has just come, so Enter was not meant for it.
    if held != nil && view.focus != focusOfHeldEnter { return .nothing }
    if key == .redraw { shown = nil }
    return view.handle(key, &session)
  }

  func handle(signal: Int32) -> Int32? {
    switch signal {
    case SIGWINCH: shown = nil
    case SIGTSTP:
      terminal.leave()
      kill(getpid(), SIGSTOP)
    case SIGCONT:
      terminal.enter()
      shown = nil
    default: return 128 + signal
    }
    return nil
  }
}

/// The line mode's input and output.
final class PlainInterface: UserInterface {
  var output = Outlet(descriptor: 1)
  private var view = Plain()
  private var buffer: [UInt8] = []
  private var isAtEnd = false
  private var isStale = true
  private var echo: Echo?

  /// No input is read after its end, nor while whole lines wait: the rest can stay in the pipe.
  var input: Int32 { isAtEnd || buffer.count > 65_536 && buffer.contains(UInt8(ascii: "\n")) ? -1 : 0 }
  var signals: [Int32] { [SIGINT, SIGTERM, SIGHUP, SIGQUIT] }

  func enter() { if isatty(0) == 1 { echo = Echo(descriptor: 0) } }

  func leave() {
    echo?.isOn = true
    let deadline = System.steadyTime + 1_000
    var request = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
    while output.isWaiting, System.steadyTime < deadline { if poll(&request, 1, 100) > 0 { output.flush() } }
  }

  func hasChanged() { isStale = true }

  func show(_ session: Session) {
    guard isStale, session.isLevel || session.isAcknowledging && session.hasBegun else { return }
    isStale = false
    output.write(Array(view.text(of: session).utf8))
  }

  func waitLimit(_ session: Session) -> Int32 { -1 }

  func read() {
    if let bytes = readAvailable(input) { buffer += bytes } else { isAtEnd = true }
  }

  func nextIntent(_ session: inout Session, isLate: Bool) -> Intent? {
    guard view.isReady(session), !isStale else { return nil }
    guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else {
      return isAtEnd && !session.model.isActive ? .quit : nil
    }
    var line = Array(buffer[..<end])
    buffer.removeFirst(end + 1)
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    echo?.isOn = true
    let intent = view.handle(line, &session)
    if let complaint = view.complaint { output.write(Array("not understood: \(complaint)\n".utf8)) }
    if let asked = view.asked {
      echo?.isOn = !asked.isMasked
      output.write(Array(view.question(session).utf8))
      if echo != nil { output.write(Array("value: ".utf8)) }
    }
    return intent
  }

  func handle(signal: Int32) -> Int32? { 128 + signal }
}

/// Whether a terminal shows what is typed.
struct Echo {
  private let descriptor: Int32
  private let original: termios

  /// `nil` where the descriptor is not a terminal.
  init?(descriptor: Int32) {
    var attributes = termios()
    guard tcgetattr(descriptor, &attributes) == 0 else { return nil }
    self.descriptor = descriptor
    original = attributes
  }

  var isOn: Bool = true {
    didSet {
      var attributes = original
      if !isOn { attributes.c_lflag &= ~tcflag_t(ECHO) }
      tcsetattr(descriptor, TCSANOW, &attributes)
    }
  }
}
