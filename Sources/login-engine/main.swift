import AccountService
import Glibc
import LoginEngine

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "accounts": exit(AccountService.run(arguments: Array(arguments.dropFirst())))
default: exit(EngineProgram.run(arguments: arguments))
}
