import System
import Glibc
import Simulation

exit(SimulationProgram.run(arguments: Array(ProcessArguments.all.dropFirst())))
