import Glibc

/// One of the ways to use the program: full screen, lines, or none at all.
protocol UserInterface: AnyObject {
  /// Where the person's input comes from; -1 for nowhere.
  var input: Int32 { get }
  var output: Outlet { get set }
  var signals: [Int32] { get }

  func enter()
  func leave()
  /// Called when something in the session differs from what was last shown.
  func hasChanged()
  /// Called when the terminal may not show any more what was shown.
  func showAgain()
  /// Writes what is to be shown. Called before each wait and after each line from the engine.
  func show(_ session: Session)
  /// The longest time to wait for something to happen, in milliseconds; -1 is for ever.
  func waitLimit(_ session: Session) -> Int32
  func read()
  /// The next intent of the person in what was read; `nil` if there is none. The time is one at which all input that had come was read.
  func nextIntent(_ session: inout Session, at time: Int) -> Intent?
}

extension UserInterface {
  /// The exit status, if the signal ends the program.
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

/// The full-screen mode's input and output.
final class FullScreenInterface: UserInterface {
  private let terminal: Terminal
  var output: Outlet
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
  private let hasLinks = System.variable("TERM") != "linux"
  /// The session, and how many of its interruptions were heard.
  private var heard = (session: "", count: 0)

  init() throws(Failure) {
    // The alternate screen, no automatic line wrap, pasted text marked as such.
    terminal = try Terminal(
      beginning: "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J",
      end: "\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"
    ) { cfmakeraw(&$0) }
    output = Outlet(descriptor: terminal.descriptor)
  }

  var input: Int32 { terminal.descriptor }
  var signals: [Int32] { [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT] }

  func enter() {
    // What was on its way before a stop is no beginning.
    output = Outlet(descriptor: terminal.descriptor)
    output.write(terminal.enter())
  }

  func leave() {
    // What is still on its way is dropped: a terminal that takes nothing must not hold up the end.
    output = Outlet(descriptor: terminal.descriptor)
    terminal.leave()
  }

  func hasChanged() {}
  func showAgain() { shown = nil }

  /// Draws only once the last frame is out, so that a slow terminal skips frames and never falls behind.
  func show(_ session: Session) {
    guard !output.isWaiting || shown == nil else { return }
    view.follow(session)
    let size = terminal.size
    let tick = session.model.isActive ? System.steadyTime / 100 : 0
    let screen = Screen(
      session: session, focus: view.focus, list: view.list, scroll: view.scroll, columns: size.columns,
      rows: size.rows, tick: tick,
      look: Look(isColored: isColored, hasLinks: hasLinks, isMirrored: session.model.isRightToLeft))
    if view.scroll != 0 { view.scrollBack(into: screen.scrollLimits) }
    let frame = screen.frame()
    output.write(frame.bytes(after: shown))
    shown = frame
    interrupt(session)
  }

  /// Rings the terminal's bell for what should interrupt the person: a terminal has no other way to say so.
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
    // The focus was moved meanwhile, for example to an alert that has just come, so Enter was not meant for it.
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

/// What needs no person, and shows nothing: for `--no-input`.
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
