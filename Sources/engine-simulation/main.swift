import Glibc
import Simulation

exit(SimulationProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
