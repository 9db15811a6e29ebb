import CommandLineKit
import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// Those who decide logins.
extension Engine: AuthenticatorOwner {
  var canTakeAnswers: Bool { hasRoom && !isInterrupted }
  var engineTime: UInt64 { clock.now }
  var waitsBetweenStarts: Bool { timeGoesOn }

  func authenticator(_ process: AuthenticatorProcess, said line: UnsafeRawBufferPointer) {
    clock.tick(before: nextDeadline)
    guard !line.isEmpty else { return }
    do throws(JSONError) {
      try answers.parse(line)
    } catch {
      observer?.hearsNonsense(process)
      process.reject("it wrote a line that is not JSON")
      return
    }
    guard let root = answers.root else { return }
    let reply = AuthenticatorReply(answers, root, ids: process.ids)
    observer?.hears(reply, answers, line, process)
    switch reply {
    case .described(let description?): process.describe(description)
    case .described(nil):
      log.write(.warning, "what authenticator \(process.command.name) says of itself cannot be used")
    case .call: log.write(.debug, "a message of the authenticator's own was ignored")
    case .invalid(let reason): process.reject("it wrote an answer of which \(reason)")
    case .error(let attempt, _) where advance?.question == attempt: advance?.question = nil
    case .result(let attempt, _) where advance?.question == attempt: advance?.question = nil
    case .error, .result, .notify: take(reply, answers, from: process)
    }
    if inputState == .draining { callOffWhatWaits() }
  }

  func authenticator(
    _ authenticator: any Authenticator, lost questions: [Question], between: [AttemptID], code: EngineMessage
  ) {
    if authenticator === clockFollower { advance?.question = nil }
    for conversationID in between { conversations[conversationID]?.isLost = true }
    abandon(questions.map(\.id) + between, code: code)
  }

  func authenticatorStarted(_ process: AuthenticatorProcess) {
    if !process.command.isThisProgram {
      process.sendFirst(
        WipedLine.written { AuthenticatorWire.appendDescribe(engine: Version.program, protocol: Version.wire, to: &$0) }
      )
    }
    guard process.command.followsClock, advanced > 0 else { return }
    process.sendFirst(advanceLine(advanced, id: nextClockQuestion()))
  }

  /// The authenticators that the options name.
  func makeRoutes() -> AuthenticatorRoutes {
    let environment = ["LOGIN_ENGINE_RUN": Engine.randomName()]
    let names = AuthenticatorNames(options.authenticators)
    let routes = AuthenticatorRoutes(
      options.authenticators,
      process: { decider in
        var command: AuthenticatorProcess.Command
        switch decider {
        case .command(let words): command = AuthenticatorProcess.Command(words, name: names[decider])
        case .accounts, .frontend: command = accountsCommand()
        }
        command.nameInTranscripts = names.inTranscripts(decider)
        command.environment = environment
        let process = AuthenticatorProcess(
          command, loop: loop, log: log, maximumLineBytes: max(options.maximumLineBytes, 1 << 20), owner: self)
        process.observer = observer
        return process
      },
      frontend: { FrontendAuthenticator(self) })
    processes = routes.processes
    return routes
  }

  /// A name that is not written right would otherwise only be noticed by who is asked instead.
  func warnOfUnusedChoices() {
    for choice in options.authenticators where choice.requests != .all {
      let isUsed = catalog.flows.contains { flow in
        flow.screens.contains { choice.requests.includes($0.request, of: flow.id) }
      }
      if !isUsed { log.write(.warning, "--authenticator \(choice.requests.text)=…: no flow asks for that") }
    }
  }

  /// The built-in accounts are this very program.
  private func accountsCommand() -> AuthenticatorProcess.Command {
    var arguments = ["login-engine", "accounts", "serve"]
    if let file = options.accountsFile { arguments += ["--file", file] }
    if let cost = options.hashCost { arguments += ["--hash-cost", "\(cost)"] }
    if let mail = options.mailCommand { arguments += ["--mail-command", CommandWords.join(mail)] }
    if let outbox = options.outbox { arguments += ["--outbox", outbox] }
    if clock.isManual { arguments += ["--clock", "manual"] }
    if !options.forbidsDumps { arguments += ["--hardening", "off"] }
    var command = AuthenticatorProcess.Command(arguments, name: "accounts")
    command.isThisProgram = true
    command.followsClock = clock.isManual
    return command
  }

  /// A name that no other engine has, by which the accounts tell one engine's attempts from another's.
  private static func randomName() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next(), radix: 16) + String(generator.next(), radix: 16)
  }
}
