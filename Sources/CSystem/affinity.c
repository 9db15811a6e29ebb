#include "CSystem.h"

#include <sched.h>

int csystem_allowed_processors(int *numbers, int capacity) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) < 0) return -1;
  int count = 0;
  for (int number = 0; number < CPU_SETSIZE && count < capacity; number++)
    if (CPU_ISSET(number, &set)) numbers[count++] = number;
  return count;
}

int csystem_run_on_processor(int pid, int number) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(number, &set);
  return sched_setaffinity(pid, sizeof set, &set);
}
