import CommandLineKit
import EventLoop
import FlowExplorer
import FlowFiles
import LoginForms
import SecretMemory

/// `login-engine flow`: shows the built-in flows, checks flow definitions and draws what flows do.
public enum FlowCommand {
  /// The commands, as they are written.
  private enum Command: String, CaseIterable {
    case list, print, check, diagram

    /// How it is written, with what it takes and does.
    var usage: String {
      switch self {
      case .list: "list            the built-in flows: name, screens, languages; the first is the default"
      case .print: "print NAME      the definition of a built-in flow, to copy and change"
      case .check: "check FILE ...  says what is wrong with definitions, and where"
      case .diagram:
        """
        diagram NAME|FILE
                                                 the states of a flow as a Mermaid diagram, found by walking through all of them
        """
      }
    }
  }

  /// What the command line asks for.
  private enum Task {
    case list
    case print(name: String)
    case check(files: [String])
    case diagram(of: String)
    case help
  }

  /// Something is missing or wrong, but not the command line.
  private struct Problem: Error {
    var text: String
  }

  private static let syntax = CommandLineSyntax<Bool>(
    program: "login-engine flow", options: [.request(["--help", "-h"], "") { $0 = true }])

  static let help = """
    login-engine flow: shows the flows that are part of the program, and checks flow definitions.

    Usage: \(Command.allCases.map { "login-engine flow \($0.usage)" }.joined(separator: "\n       "))

    \(syntax.optionHelp(column: 0))

    Exit status: 0 when all is well, 1 when a definition is wrong or missing, 2 for a wrong command line.

    """

  /// Runs the subcommand with the arguments that come after `flow`. Returns the exit status: 0 when all is well, 1 when
  /// a definition is wrong or cannot be read or the output cannot be written, 2 for a wrong command line.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    Hardening.applySignals()
    let task: Task
    do throws(UsageError) {
      task = try self.task(arguments)
    } catch {
      BlockingOutput.printError(syntax.message(error))
      return 2
    }
    do throws(Problem) {
      switch task {
      case .list: return Output.write(FlowListing.text)
      case .print(let name): return try Output.write(definition(named: name))
      case .check(let files): return DefinitionCheck.run(files)
      case .diagram(let name): return try Output.write(Exploration(of: flow(name)).mermaid)
      case .help: return Output.write(help)
      }
    } catch {
      Output.reportError(error.text)
      return 1
    }
  }

  private static func task(_ arguments: [String]) throws(UsageError) -> Task {
    var wantsHelp = false
    let operands = try syntax.read(arguments, into: &wantsHelp)
    guard !wantsHelp, operands.first != "help" else { return .help }
    guard let word = operands.first else { throw UsageError("a command is missing") }
    guard let command = Command(rawValue: word) else { throw UsageError("unknown command \(word)") }
    let names = Array(operands.dropFirst())
    switch command {
    case .list:
      guard names.isEmpty else { throw UsageError("list takes nothing more") }
      return .list
    case .print:
      guard let name = names.first, names.count == 1 else { throw UsageError("print takes the name of one flow") }
      return .print(name: name)
    case .check:
      guard !names.isEmpty else { throw UsageError("check needs a file") }
      return .check(files: names)
    case .diagram:
      guard let name = names.first, names.count == 1 else {
        throw UsageError("diagram takes the name of one flow, or one file")
      }
      return .diagram(of: name)
    }
  }

  private static func definition(named name: String) throws(Problem) -> [UInt8] {
    guard let text = BuiltInFlows.text(named: name) else {
      throw Problem(text: "there is no built-in flow \(name); there are \(builtInNames)")
    }
    return text
  }

  private static var builtInNames: String { BuiltInFlows.names.joined(separator: ", ") }

  /// The built-in flow of that name, or else the flow that is defined in the file of that name.
  private static func flow(_ name: String) throws(Problem) -> Flow {
    if let flow = BuiltInFlows.flow(named: name) { return flow }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.read(name)
    } catch {
      throw Problem(text: "\(error), and no built-in flow has that name; there are \(builtInNames)")
    }
    do {
      return try FlowFile.read(bytes, name: name)
    } catch {
      throw Problem(text: "\(error)")
    }
  }
}
