// Does nothing. The benchmark measures how long the smallest program takes to start and exit.
int main(void) { return 0; }
