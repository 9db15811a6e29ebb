import System
import Glibc

exit(Benchmark.run(arguments: Array(ProcessArguments.all.dropFirst())))
