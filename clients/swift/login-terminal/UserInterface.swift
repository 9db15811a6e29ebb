import Glibc

/// A user interface of the program: full screen, lines, or none.
protocol UserInterface: AnyObject {
  /// The descriptor of the user's input; -1 for none.
  var input: Int32 { get }
  var output: Outlet { get set }
  var signals: [Int32] { get }

  func enter()
  func leave()
  /// Called when the session differs from what was last shown.
  func hasChanged()
  /// Called when the terminal may have lost what was shown.
  func showAgain()
  /// Draws the session. Called before each wait and after each line from the engine.
  func show(_ session: Session)
  /// The longest time to wait for an event, in milliseconds; -1 for no limit.
  func waitLimit(_ session: Session) -> Int32
  func read()
  /// The next intent in the input that was read; `nil` if there is none. `time` is when all
  /// available input had been read.
  func nextIntent(_ session: inout Session, at time: Int) -> Intent?
}

extension UserInterface {
  /// Handles a signal. Returns the exit status if it ends the program.
  func handle(signal: Int32) -> Int32? {
    switch signal {
    case SIGWINCH: showAgain()
    case SIGCONT:
      enter()
      showAgain()
    default: return 128 + signal
    }
    return nil
  }
}

/// The input and output of the full-screen mode.
final class FullScreenInterface: UserInterface {
  private let terminal: Terminal
  var output: Outlet
  private var view = FullScreen()
  private var keys = KeyReader()
  private var shown: Frame?
  private var isGone = false
  /// Whether Enter waits, with all keys after it, until the engine has counted the edits before it:
  /// they may change what the button does.
  private var isHoldingEnter = false
  private var focusOfHeldEnter = Focus.primary
  private let isColored = System.variable("NO_COLOR") == nil
  /// The Linux console would draw unknown escape sequences.
  private let hasLinks = System.variable("TERM") != "linux"
  /// The session, and how many of its interruptions were signalled.
  private var heard = (session: "", count: 0)

  init() throws(Failure) {
    // The alternate screen, no automatic line wrap, and bracketed paste.
    terminal = try Terminal(
      beginning: "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J",
      end: "\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"
    ) { cfmakeraw(&$0) }
    output = Outlet(descriptor: terminal.descriptor)
  }

  var input: Int32 { terminal.descriptor }
  var signals: [Int32] { [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT] }

  func enter() {
    // Output that was pending before a stop is dropped.
    output = Outlet(descriptor: terminal.descriptor)
    output.write(terminal.enter())
  }

  func leave() {
    // Pending output is dropped: a terminal that accepts nothing must not delay the exit.
    output = Outlet(descriptor: terminal.descriptor)
    terminal.leave()
  }

  func hasChanged() {}
  func showAgain() { shown = nil }

  /// Draws only once the last frame is written, so that a slow terminal skips frames.
  func show(_ session: Session) {
    guard !output.isWaiting || shown == nil else { return }
    view.follow(session)
    let size = terminal.size
    let tick = session.model.isActive ? System.steadyTime / 100 : 0
    let screen = Screen(
      session: session, focus: view.focus, list: view.list, scroll: view.scroll, columns: size.columns,
      rows: size.rows, tick: tick,
      look: Appearance(isColored: isColored, hasLinks: hasLinks, isMirrored: session.model.isRightToLeft))
    if view.scroll != 0 { view.scrollBack(into: screen.scrollLimits) }
    let frame = screen.frame()
    output.write(frame.bytes(after: shown))
    shown = frame
    interrupt(session)
  }

  /// Rings the bell for messages that should interrupt the user, because a terminal has no other
  /// way.
  private func interrupt(_ session: Session) {
    if heard.session != session.name { heard = (session.name, 0) }
    if session.interruptions > heard.count { output.write([0x07]) }
    heard.count = session.interruptions
  }

  func waitLimit(_ session: Session) -> Int32 {
    var limits = [keys.wait(at: System.steadyTime)].compactMap { $0.map(Int32.init) }
    if !output.isWaiting {
      if session.model.isActive {
        limits.append(100)
      } else if session.model.waits.contains(where: { session.countdown.secondsLeft(of: $0) != nil }) {
        limits.append(200)
      }
    }
    return limits.min() ?? -1
  }

  func read() {
    if let bytes = readAvailable(input) { keys.feed(bytes, at: System.steadyTime) } else { isGone = true }
  }

  func nextIntent(_ session: inout Session, at time: Int) -> Intent? {
    if isGone { return .endOfInput }
    if isHoldingEnter && session.isTypingAhead { return keys.nextForProgram().map { handle($0, &session) } }
    let held: Key? = isHoldingEnter ? .enter : nil
    isHoldingEnter = false
    view.follow(session)
    guard let key = held ?? keys.next(at: time) else { return nil }
    if key == .enter && held == nil && session.isTypingAhead && view.list == nil {
      isHoldingEnter = true
      focusOfHeldEnter = view.focus
      return .nothing
    }
    // If the focus has moved meanwhile, for example to a new alert, Enter was not meant for it.
    if held != nil && view.focus != focusOfHeldEnter { return .nothing }
    return handle(key, &session)
  }

  private func handle(_ key: Key, _ session: inout Session) -> Intent {
    if key == .suspend, Signals.canStop {
      leave()
      Signals.stopJob()
    }
    if key == .redraw { showAgain() }
    return view.handle(key, &session)
  }
}

/// The interface for `--no-input`, which needs no user and shows nothing.
final class SilentInterface: UserInterface {
  var input: Int32 { -1 }
  var output = Outlet(descriptor: -1)
  var signals: [Int32] { [SIGINT, SIGTERM, SIGHUP, SIGQUIT] }

  func enter() {}
  func leave() {}
  func hasChanged() {}
  func showAgain() {}
  func show(_ session: Session) {}
  func waitLimit(_ session: Session) -> Int32 { -1 }
  func read() {}

  func nextIntent(_ session: inout Session, at time: Int) -> Intent? { session.needsPerson ? .askPerson : nil }
}
