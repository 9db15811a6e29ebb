import EngineCore
import EngineEvents
import EventLoop

/// Reads `--name value` and `--name=value`.
struct ArgumentReader {
  private var rest: ArraySlice<String>
  private var attached: String?

  init(_ arguments: [String]) { rest = arguments[...] }

  /// Something on the command line that cannot be used.
  struct Problem: Error {
    var text: String
  }

  /// The next option's name or other word.
  mutating func next() throws(Problem) -> String? {
    if attached != nil { throw Problem(text: "an option that takes no value was given one") }
    guard let word = rest.popFirst() else { return nil }
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return word }
    attached = String(word[word.index(after: equals)...])
    return String(word[..<equals])
  }

  /// The value of the option that was just read.
  mutating func value(_ option: String) throws(Problem) -> String {
    if let value = attached {
      attached = nil
      return value
    }
    guard let value = rest.popFirst() else { throw Problem(text: "\(option) needs a value") }
    return value
  }

  /// The value of the option that was just read, as a number.
  mutating func number(_ option: String, _ range: ClosedRange<Int>) throws(Problem) -> Int {
    let text = try value(option)
    guard let number = Int(text), range.contains(number) else {
      throw Problem(text: "\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The value of the option that was just read, as seconds with up to three decimals, in milliseconds.
  mutating func seconds(_ option: String) throws(Problem) -> UInt64 {
    let text = try value(option)
    guard let seconds = Double(text), seconds >= 0, seconds <= 31_536_000 else {
      throw Problem(text: "\(option) takes a number of seconds")
    }
    return UInt64((seconds * 1000).rounded())
  }
}

extension EngineOptions {
  /// What a command line asks for.
  enum Request {
    case run(EngineOptions)
    case help, version
  }

  /// Reads the engine's options.
  static func parse(_ arguments: [String]) throws(ArgumentReader.Problem) -> Request {
    var options = EngineOptions()
    var reader = ArgumentReader(arguments)
    while let option = try reader.next() {
      switch option {
      case "--help", "-h", "help": return .help
      case "--version": return .version
      case "--flow": options.flowFiles.append(try reader.value(option))
      case "--authenticator":
        let choice = try AuthenticatorChoice.parse(try reader.value(option), option)
        guard !options.configuration.authenticators.contains(where: { $0.requests == choice.requests }) else {
          throw .init(text: "\(option) was given twice for \(choice.requests.text)")
        }
        options.configuration.authenticators.append(choice)
      case "--accounts": options.accountsFile = try reader.value(option)
      case "--hash-cost": options.hashCost = try reader.number(option, 1...11)
      case "--mail-command": options.mailCommand = try splitCommand(try reader.value(option), option)
      case "--outbox":
        options.outbox = try reader.value(option)
        guard options.outbox?.isEmpty == false else { throw .init(text: "--outbox needs a folder") }
      case "--lockstep": options.configuration.isLockstep = true
      case "--clock": options.configuration.manualClock = try manualClock(try reader.value(option), option)
      case "--max-sessions": options.configuration.maximumSessions = try reader.number(option, 1...100_000_000)
      case "--max-line-bytes": options.configuration.maximumLineBytes = try reader.number(option, 256...256 << 20)
      case "--max-value-bytes": options.configuration.maximumValueBytes = try reader.number(option, 1...1 << 20)
      case "--idle-timeout": options.configuration.idleTimeout = try reader.seconds(option)
      case "--drain-timeout": options.configuration.drainTimeout = try reader.seconds(option)
      case "--record": options.recording = try reader.value(option)
      case "--trace": options.trace = try reader.value(option)
      case "--log-level":
        let name = try reader.value(option)
        options.logLevel = LogLevel.allCases[try choice(name, option, LogLevel.allCases.map { "\($0)" })]
      case "--hardening": options.forbidsDumps = try choice(try reader.value(option), option, ["off", "on"]) == 1
      default: throw .init(text: "unknown option or command \(option)")
      }
    }
    return .run(options)
  }

  /// Reads `system`, `manual` or `manual=UTCMS`.
  private static func manualClock(_ text: String, _ option: String) throws(ArgumentReader.Problem) -> UInt64? {
    let prefix = "manual="
    guard text.hasPrefix(prefix) else { return try choice(text, option, ["system", "manual"]) == 1 ? 0 : nil }
    guard let start = UInt64(text.dropFirst(prefix.count)), start <= 1 << 52 else {
      throw .init(text: "\(option) manual=UTCMS takes the milliseconds since 1970-01-01 at which the clock begins")
    }
    return start
  }

  private static func choice(
    _ text: String, _ option: String, _ choices: [String]
  ) throws(ArgumentReader.Problem) -> Int {
    guard let index = choices.firstIndex(of: text) else {
      throw .init(text: "\(option) takes \(choices.joined(separator: " or "))")
    }
    return index
  }

  /// Splits a command into the words that start it.
  static func splitCommand(_ text: String, _ option: String) throws(ArgumentReader.Problem) -> [String] {
    guard let words = CommandWords.split(text) else {
      throw .init(text: "\(option): a quote or backslash is left open")
    }
    guard let program = words.first, !program.isEmpty else { throw .init(text: "\(option) needs a command") }
    return words
  }
}
