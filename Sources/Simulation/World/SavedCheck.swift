import EngineCore
import JSONCodec
import LoginMachine
import LoginProtocol
import ViewModel

/// Checks that a session can be moved to another engine. A second core opens the saved session. It
/// must show the same screen, except for the parts that a saved session does not keep, and the line
/// that it saves must be the same.
struct SavedCheck {
  private let plan: WorldPlan
  private var other: OtherCore?
  /// The saved lines that were already checked, so that none is checked twice.
  private var known: Set<[UInt8]> = []
  private let flowsByDay: Set<String>

  init(_ plan: WorldPlan) {
    self.plan = plan
    flowsByDay = Set(
      plan.flows.filter { $0.screens.contains { $0.traits.contains { $0.contains(.dependsOnDay) } } }.map(\.id))
  }

  mutating func check(_ session: ViewSession, of core: EngineCore) throws(LawViolation) {
    let isInstant = !session.isAcknowledged && session.events == session.writtenEvents
    guard let line = core.savedLine(of: session.name) else {
      // There are three reasons why a session may be impossible to save: its line would be too
      // long, its view has not yet been shown the scene because it acknowledges transitions, or an
      // alert covers the scene.
      guard
        plan.configuration.maximumLineBytes < 1 << 20 || !isInstant || session.screen.scene != ShownScreen.null
          || session.screen.state == Array(#""requestSucceeded""#.utf8)
      else {
        throw LawViolation(
          .noLostWork, "the session \(string(session.name)) cannot be saved: \(string(session.snapshot))")
      }
      return
    }
    if line.withUnsafeBytes({ firstOffset(of: Secrets.mark, in: $0) }) != nil {
      throw LawViolation(.noSecretLeaves, "a secret is saved: \(string(line))")
    }
    guard known.insert(SavedCheck.withoutRevision(line)).inserted else { return }
    let other: OtherCore
    if let known = self.other { other = known } else { other = try OtherCore(plan, at: core.moment) }
    self.other = other
    let (shown, again) = try other.move(line, session.name, at: core.moment)
    if has(line, #""resume":"#), let saved = SavedCheck.saved(line), saved["request"]?["resume"] != nil {
      // The resume token of a challenge can be used once, so the second line does not contain it.
      // The second line has no focus either, because the focus was on the challenge's screen.
      guard saved["state"]?.string == "requestPending", has(again, "challengeInterrupted"),
        saved["focus"]?["kind"]?.string == (saved["alerts"] == nil ? nil : "alert")
      else { throw LawViolation(.noLostWork, "a challenge is saved as \(string(line)), and then as \(string(again))") }
      return try checkAgain(again, session, other, core)
    }
    // A value that was valid on one day may be invalid on another. A throttle may be over although
    // a manual clock has not reported its end.
    let isByDay = session.flow.map { flowsByDay.contains($0) } ?? true
    if isByDay || SavedCheck.hasThrottle(line, until: core.moment.utc) {
      return try checkAgain(again, session, other, core)
    }
    if SavedCheck.withoutRevision(again) != SavedCheck.withoutRevision(line) {
      throw LawViolation(
        .noLostWork, "a restored session is saved differently: \(string(line)), then \(string(again))")
    }
    guard isInstant, !session.awaitsTranslation, keepsAll(session.screen, line) else { return }
    if let different = SavedCheck.comparable(shown).difference(from: SavedCheck.comparable(session.screen)) {
      throw LawViolation(.noLostWork, "a restored session shows another screen: \(different), of \(string(line))")
    }
  }

  /// Checks that opening a saved line and saving the session again gives the same line.
  private func checkAgain(
    _ line: [UInt8], _ session: ViewSession, _ other: OtherCore, _ core: EngineCore
  ) throws(LawViolation) {
    let (_, again) = try other.move(line, session.name, at: core.moment)
    if SavedCheck.withoutRevision(again) != SavedCheck.withoutRevision(line) {
      throw LawViolation(
        .noLostWork, "a restored session is saved differently: \(string(line)), then \(string(again))")
    }
  }

  private func has(_ line: [UInt8], _ text: StaticString) -> Bool {
    line.withUnsafeBytes { firstOffset(of: text, in: $0) } != nil
  }

  /// Whether saving loses nothing of this session. A saved session never contains challenges,
  /// secrets or values of external items, so this is false if the session has any of them, even in
  /// a hidden item. It is also false while a request is pending on a screen with secret or external
  /// items, because the request may contain their values.
  private func keepsAll(_ screen: ShownScreen, _ line: [UInt8]) -> Bool {
    guard !screen.isChallenge, !has(line, "secretsNotKept"), !has(line, "challengeInterrupted") else { return false }
    let parts = screen.sections.flatMap(\.items)
    let mayLose = parts.contains { $0.kind == .secret || $0.kind == .external }
    return !(mayLose && screen.isIn("requestPending"))
      && parts.allSatisfy { part in
        (part.kind != .secret || !part.contains(#""filled":true"#))
          && (part.kind != .external || part.contains(#""value":null"#))
      }
  }

  // MARK: Comparison

  /// Whether the saved line contains a throttle that ends at or before the given time.
  private static func hasThrottle(_ line: [UInt8], until utc: UInt64) -> Bool {
    line.withUnsafeBytes { bytes in
      var start = 0
      while let place = firstOffset(of: #""until":"#, in: bytes, from: start) {
        start = place + 8
        let digits = bytes[start...].prefix { (0x30...0x39).contains($0) }
        if UInt64(String(decoding: digits, as: UTF8.self)).map({ $0 <= utc }) ?? true { return true }
      }
      return false
    }
  }

  private static func saved(_ line: [UInt8]) -> JSONValue? {
    try? JSONValue(parsing: Array(line.dropLast()))["params"]?["saved"]
  }

  /// The saved line without the digits of the revision in its saved state, so that lines of
  /// different revisions can be compared.
  private static func withoutRevision(_ line: [UInt8]) -> [UInt8] {
    line.withUnsafeBytes {
      withoutDigits($0, behind: #""revision":"#, from: firstOffset(of: #","saved":"#, in: $0) ?? 0)
    }
  }

  /// A copy of the screen that can be compared with that of another session: the revision of the
  /// focus and the id of the alert are removed, because they may differ.
  private static func comparable(_ screen: ShownScreen) -> ShownScreen {
    var screen = screen
    screen.focus = screen.focus.withUnsafeBytes { withoutDigits($0, behind: #""since":"#, from: 0) }
    screen.alert = screen.alert.withUnsafeBytes { withoutDigits($0, behind: #""id":"#, from: 0) }
    return screen
  }

  private static func withoutDigits(
    _ bytes: UnsafeRawBufferPointer, behind name: StaticString, from start: Int
  ) -> [UInt8] {
    guard let place = firstOffset(of: name, in: bytes, from: start) else { return Array(bytes) }
    let end = place + name.utf8CodeUnitCount
    let rest = bytes[end...].drop { (0x30...0x39).contains($0) }
    return Array(bytes[..<end]) + Array(rest)
  }
}

/// The second core, which opens the saved sessions. Its authenticators read everything and never
/// answer.
private final class OtherCore {
  private let core: EngineCore
  private let scratch = Scratch()
  private var output: [UInt8] = []

  init(_ plan: WorldPlan, at moment: Moment) throws(LawViolation) {
    var configuration = plan.configuration
    configuration.run = "moved"
    configuration.isLockstep = false
    configuration.manualClock = nil
    configuration.idleTimeout = 0
    configuration.maximumSessions = 10
    // The line limit of the first core could be too small here, because a session may have more to
    // save after it was opened again.
    configuration.maximumLineBytes = 1 << 20
    core = EngineCore(configuration, catalog: try plan.catalog(), at: moment)
  }

  /// Opens a session from a saved line, saves it, presses each of its actions and closes it.
  /// Returns the first screen that the session showed, and the line that was saved.
  func move(_ line: [UInt8], _ name: [UInt8], at moment: Moment) throws(LawViolation) -> (ShownScreen, [UInt8]) {
    try write(line, at: moment)
    let shown = try firstUpdate(line)
    guard let again = core.savedLine(of: name) else {
      throw LawViolation(.noLostWork, "a restored session cannot be saved: \(string(line))")
    }
    for action in shown.actions {
      let press =
        #"{"jsonrpc":"2.0","method":"session/press","params":{"session":\#(JSONValue.string(string(name)).text),"action":"\#(string(action.id))"}}"#
      try write(Array(press.utf8) + [0x0A], at: moment)
    }
    _ = core.savedLine(of: name)
    try write(Array(#"{"jsonrpc":"2.0","method":"session/close"}"#.utf8) + [0x0A], at: moment)
    output = []
    if core.tableCounts.sessions > 0 {
      throw LawViolation(.noLostWork, "a restored session cannot be closed: \(string(line))")
    }
    return (shown, again)
  }

  private func firstUpdate(_ line: [UInt8]) throws(LawViolation) -> ShownScreen {
    for written in output.split(separator: 0x0A) {
      var screen = ShownScreen()
      let fault: String? = written.withUnsafeBytes { bytes in
        guard starts(bytes, with: #"{"jsonrpc":"2.0","method":"session/"#),
          !starts(bytes, with: #"{"jsonrpc":"2.0","method":"session/granted"#)
        else { return "" }
        guard starts(bytes, with: #"{"jsonrpc":"2.0","method":"session/update""#),
          (try? scratch.line.parse(bytes)) != nil,
          let root = scratch.line.root, let params = scratch.line.member("params", of: root)
        else { return string(bytes) }
        if let commands = scratch.line.member("commands", of: params) { return screen.apply(scratch.line, commands) }
        guard let snapshot = scratch.line.member("snapshot", of: params) else { return string(bytes) }
        screen = ShownScreen(scratch.line.fullText(snapshot), in: &scratch.part)
        return nil
      }
      // The line does not concern the session's screen, for example a question to the frontend.
      if fault == "" { continue }
      if let fault {
        throw LawViolation(.noLostWork, "a saved session cannot be restored: \(fault), of \(string(line))")
      }
      return screen
    }
    throw LawViolation(.noLostWork, "a saved session cannot be restored: \(string(line))")
  }

  private func write(_ bytes: [UInt8], at moment: Moment) throws(LawViolation) {
    var rest = bytes[...]
    var rounds = 0
    repeat {
      rounds += 1
      if rounds > 1000 { throw LawViolation(.total, "the second core never becomes idle") }
      rest = rest.dropFirst(rest.withUnsafeBytes { core.receive($0, at: moment) })
      core.turn(at: moment, runEffects: runEffects, pollAuthenticators: {}, write: writeOutput)
    } while !rest.isEmpty || core.hasOutput
  }

  private func runEffects() -> Bool {
    var hasRun = false
    while let effect = core.nextEffect() {
      hasRun = true
      switch effect {
      case .start(let id): core.authenticatorStarted(id, at: core.moment)
      case .send(let id): core.send(to: id, at: core.moment) { .wrote($0.count) }
      case .endInput(let id): core.authenticatorEnded(id, at: core.moment)
      case .stop: break
      }
    }
    return hasRun
  }

  private func writeOutput() {
    core.writeOutput(at: core.moment) { bytes in
      output.append(contentsOf: bytes)
      return .wrote(bytes.count)
    }
  }
}
