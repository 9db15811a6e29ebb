import Glibc
import LoginEngine

exit(EngineProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
