import Glibc
import LoginEngine
import System

let arguments = Array(ProcessArguments.all.dropFirst())
switch arguments.first {
case "demo": exit(DemoAuthenticator.run(arguments: Array(arguments.dropFirst())))
case "flow": exit(FlowCommand.run(arguments: Array(arguments.dropFirst())))
case "mock": exit(MockProgram.run(arguments: Array(arguments.dropFirst())))
case "replay": exit(ReplayProgram.run(arguments: Array(arguments.dropFirst())))
case AuthenticatorRelay.command: exit(AuthenticatorRelay.run(arguments: Array(arguments.dropFirst())))
default: exit(EngineProgram.run(arguments: arguments))
}
