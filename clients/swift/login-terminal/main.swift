import Glibc

do throws(Failure) {
  var options = try Options(System.arguments)
  if options.wantsHelp {
    print(Options.help, terminator: "")
    exit(0)
  }
  options.scene = System.dropDescriptors(except: options.scene)
  exit(options.isRelaying ? try Relay(options).run() : try App(options).run())
} catch {
  complain(error)
  exit(error.status)
}
