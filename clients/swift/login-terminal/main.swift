import Glibc

do throws(Failure) {
  let options = try Options(System.arguments)
  if options.wantsHelp {
    print(Options.help, terminator: "")
    exit(0)
  }
  exit(options.isRelaying ? try Relay(options).run() : try App(options).run())
} catch {
  complain(error)
  exit(error.status)
}
