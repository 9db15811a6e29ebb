import FlowFiles
import LoginMachine
import SecretMemory
import System

/// `login-engine flow`: lists built-in flows, checks flow definitions and draws state diagrams of
/// flows.
public enum FlowCommand {
  /// What the command line asks for: the command with its operands and options.
  private enum Task {
    case list
    case print(name: String)
    case new(name: String)
    case check(files: [String])
    case diagram(of: String)
    case paths(of: String, to: String)
    case tryOut(file: String, locale: String?)
    case help(Command?)
  }

  /// An error other than a wrong command line.
  private struct Problem: Error {
    var text: String
    /// Whether the error is that a file cannot be read.
    var isMissing = false
  }

  static let help = """
    login-engine flow: shows the flows that are part of the program; checks, draws and tries flow definitions.

    Usage: \(Command.allCases.map { "login-engine flow \($0.usage)" }.joined(separator: "\n       "))

    Options:
    \(Command.syntax.optionHelp(column: 17))

    Exit status: 0 when all is well, 1 when a definition is wrong or missing, 2 for a wrong command line.

    """

  /// Runs the subcommand with the arguments after `flow`. Returns the exit status: 0 for success, 1
  /// if a definition is wrong or cannot be read or the output cannot be written, 2 for a wrong
  /// command line.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    Hardening.applySignals()
    let task: Task
    do throws(UsageError) {
      task = try self.task(arguments)
    } catch {
      BlockingOutput.printError(Command.syntax.message(error))
      return 2
    }
    do throws(Problem) {
      switch task {
      case .list: return Output.write(FlowListing.text)
      case .print(let name): return try Output.write(definition(named: name))
      case .new(let name): return Output.write(NewDefinition.text(named: name))
      case .check(let files): return DefinitionCheck.run(files)
      case .diagram(let name): return try Output.write(exploration(of: flow(name)).mermaid)
      case .paths(let name, let folder):
        let file = BuiltInFlows.text(named: name) == nil ? name : nil
        if let fault = PathCommand.run(try flow(name), explore: exploration, file: file, to: folder) {
          throw Problem(text: fault)
        }
        return 0
      case .tryOut(let file, let locale):
        _ = try definition(inFile: file)
        throw Problem(text: FlowTrial.run(file, locale: locale))
      case .help(let command): return Output.write(command?.help ?? help)
      }
    } catch {
      Output.reportError(error.text)
      return 1
    }
  }

  private static func exploration(of flow: Flow) -> Exploration {
    let progress = ProgressLine("states found")
    defer { progress.clear() }
    return Exploration(of: flow) { progress.show($0) }
  }

  private static func task(_ arguments: [String]) throws(UsageError) -> Task {
    var options = Command.Options()
    guard let word = arguments.first, let command = Command(rawValue: word) else {
      let operands = try Command.syntax.read(arguments, into: &options)
      guard !options.wantsHelp, operands.first != "help" else { return .help(nil) }
      guard let word = operands.first else { throw UsageError("a command is missing") }
      guard Command(rawValue: word) == nil else { throw UsageError("give the command \(word) first") }
      throw UsageError("unknown command \(word)")
    }
    let names = try command.syntax.read(Array(arguments.dropFirst()), into: &options)
    if options.wantsHelp { return .help(command) }
    switch command {
    case .list:
      guard names.isEmpty else { throw UsageError("list takes nothing more") }
      return .list
    case .print:
      guard let name = names.first, names.count == 1 else { throw UsageError("print takes the name of one flow") }
      return .print(name: name)
    case .new:
      let name = names.first ?? NewDefinition.defaultName
      guard names.count <= 1, FlowFile.isName(name) else {
        throw UsageError("new takes one name of 1 to 64 letters, digits, _, - or .")
      }
      return .new(name: name)
    case .check:
      guard !names.isEmpty else { throw UsageError("check needs a file") }
      return .check(files: names)
    case .diagram:
      guard let name = names.first, names.count == 1 else {
        throw UsageError("diagram takes the name of one flow, or one file")
      }
      return .diagram(of: name)
    case .paths:
      guard let name = names.first, names.count == 1 else {
        throw UsageError("paths takes the name of one flow, or one file")
      }
      guard let folder = options.folder else { throw UsageError("paths needs --to") }
      return .paths(of: name, to: folder)
    case .tryOut:
      guard let name = names.first, names.count == 1 else { throw UsageError("try takes one file") }
      return .tryOut(file: name, locale: options.locale)
    }
  }

  private static func definition(named name: String) throws(Problem) -> [UInt8] {
    guard let text = BuiltInFlows.text(named: name) else {
      throw Problem(text: "there is no built-in flow \(name); there are \(builtInNames)")
    }
    return text
  }

  private static var builtInNames: String { BuiltInFlows.names.joined(separator: ", ") }

  /// Finds the built-in flow named `name`. If there is none, reads the flow from the file `name`.
  private static func flow(_ name: String) throws(Problem) -> Flow {
    if let flow = BuiltInFlows.flow(named: name) { return flow }
    do throws(Problem) {
      return try definition(inFile: name)
    } catch {
      guard error.isMissing else { throw error }
      throw Problem(text: "\(error.text), and no built-in flow has that name; there are \(builtInNames)")
    }
  }

  /// Reads the flow definition in a file.
  private static func definition(inFile name: String) throws(Problem) -> Flow {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.read(name)
    } catch {
      throw Problem(text: "\(error)", isMissing: true)
    }
    do throws(FlowFileError) {
      return try FlowFile.read(bytes, name: name)
    } catch {
      throw Problem(text: "\(error)")
    }
  }
}
