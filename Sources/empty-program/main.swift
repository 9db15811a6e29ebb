// Does nothing: how long a Swift program takes to start and end, for the benchmark.
