import CommandLineKit
import EventLoop
import FlowFiles
import Glibc
import LoginForms
import SecretMemory

/// The versions of the program and of what it speaks.
public enum Version {
  public static let program = "0.1.0"
  public static let wire = "1.0"
}

/// The numbers of the signals that an engine listens to.
enum Signal {
  static let terminate = SIGTERM
  static let interrupt = SIGINT
  static let hangup = SIGHUP
  static let child = SIGCHLD
}

/// The engine as a program.
public enum EngineProgram {
  /// Serves standard input and output by what the command line says. Returns the exit status: 0 at the end of input or after a signal, 1 when something
  /// is missing, 2 when the command line cannot be used.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    do throws(UsageError) {
      switch try EngineOptions.parse(arguments) {
      case .help: return print(Help.text)
      case .version: return print("login-engine \(Version.program), protocol \(Version.wire)\n")
      case .run(let options): return serve(options)
      }
    } catch {
      BlockingOutput.printError(EngineCommandLine.syntax.message(error))
      return 2
    }
  }

  private static func serve(_ options: EngineOptions) -> Int32 {
    Hardening.applySignals()
    if options.forbidsDumps { Hardening.forbidDumps() }
    do {
      let flows = try FlowCatalog(
        loaded: options.flowFiles.map { ($0, try FlowFile.read(try WholeFile.read($0), name: $0)) })
      for fd: Int32 in [0, 1] { try Descriptor.makePrivateNonblocking(fd) }
      // The log may fail, and that is all.
      try? Descriptor.makePrivateNonblocking(2)
      let engine = Engine(
        options, catalog: flows, loop: try EventLoop(), input: 0, output: 1)
      engine.observer = try Observer(options, engine)
      // The process ends with it. Taking a million sessions apart first would only cost time: the system zeroes memory.
      _ = Unmanaged.passRetained(engine)
      try engine.run()
      return engine.hasLostOutput ? 1 : 0
    } catch {
      BlockingOutput.printError("login-engine: \(error)\n")
      return 1
    }
  }

  /// Returns the exit status: 1 if nobody takes the text.
  private static func print(_ text: String) -> Int32 { BlockingOutput.write(text, to: 1) ? 0 : 1 }
}
