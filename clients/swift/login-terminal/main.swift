import Foundation

do throws(Failure) {
  let options = try Options(
    Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
  if options.wantsHelp {
    print(Options.help, terminator: "")
    exit(0)
  }
  exit(try App(options).run())
} catch {
  complain(error)
  exit(error.status)
}
