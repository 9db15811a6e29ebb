import CSystem
import JSONCodec
import System

/// The program `engine-benchmark`: runs the chosen measurements and prints their figures.
enum Benchmark {
  /// Runs the program with these command-line arguments. Returns the exit status.
  static func run(arguments: [String]) -> Int32 {
    if arguments.first == InstantAuthenticator.argument { return InstantAuthenticator.run() }
    if arguments.first == DelayedAuthenticator.argument, let number = arguments.last.flatMap({ Int($0) }) {
      return DelayedAuthenticator.run(together: number)
    }
    // If the measured program has ended, writing to it must fail with an error instead of ending
    // this program by a signal.
    csystem_ignore_sigpipe()
    let options: Options
    do throws(UsageError) { options = try Options(arguments) } catch {
      BlockingOutput.printError(Options.message(error))
      return 2
    }
    guard !options.wantsHelp else { return print(Options.help) }
    guard options.output != .rows else { return print(Table.markdown([])) }
    do throws(Failure) {
      let report = try measure(options)
      switch options.output {
      case .text: return print(report.text())
      case .json: return print(report.json() + "\n")
      case .table, .rows: return print(Table.markdown(report.figures))
      }
    } catch {
      BlockingOutput.printError("engine-benchmark: \(error.text)\n")
      return 1
    }
  }

  private static func measure(_ options: Options) throws(Failure) -> Report {
    let programs = try Programs()
    programs.processors.drive(on: programs.processors.driving)
    let loadBefore = ProcessFiles.load()
    let begin = Clock.now()
    var report = Report()
    let line = ProgressLine("")
    defer { line.clear() }
    let progress = { (text: String) in line.show(text) }
    for part in options.parts {
      progress(part.rawValue)
      switch part {
      case .typing: report.figures += try TypingBenchmark(programs, options).run(progress)
      case .opening: report.figures += try OpeningBenchmark(programs, options).run(progress)
      case .roundtrip: report.figures += try RoundTripBenchmark(programs, options).run()
      case .start: report.figures += try StartBenchmark(programs: programs, count: options.starts).run()
      case .idle: report.figures += try IdleBenchmark(programs: programs).run()
      case .login:
        report.figures += try LoginBenchmark(programs, options).run()
        report.figures += try LoginBenchmark(programs, options, waiting: true).runWaiting()
      case .pattern: report.figures += try PatternBenchmark().run()
      }
    }
    let seconds = Double(Clock.now() - begin) / 1e9
    report.notes = [
      ("processors", programs.processors.areTwo ? "one for the engine, one for the driver" : "one for both"),
      ("load", "\(loadBefore) before, \(ProcessFiles.load()) after"),
      ("checked", "every line of output was compared with the typed values"),
      ("memory per session", "the growth of the engine's memory; less than a page counts as none"),
      ("took", "\(seconds.readable) s"),
    ]
    return report
  }

  /// Writes the text to standard output. Returns the exit status: 1 if the text could not be
  /// written.
  private static func print(_ text: String) -> Int32 { BlockingOutput.write(text, to: 1) ? 0 : 1 }
}
