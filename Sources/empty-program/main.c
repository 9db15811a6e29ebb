// Does nothing: how long the smallest program takes to start and end, for the benchmark.
int main(void) { return 0; }
