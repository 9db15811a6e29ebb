import Glibc
import Simulation
import System

exit(SimulationProgram.run(arguments: Array(ProcessArguments.all.dropFirst())))
