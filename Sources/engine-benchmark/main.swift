import Glibc
import System

exit(Benchmark.run(arguments: Array(ProcessArguments.all.dropFirst())))
