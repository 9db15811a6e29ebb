#include "CSystem.h"

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Linux 6.12 and later: a thread that wakes up with a shorter slice than the running one goes first (sched(7), sched_setattr(2)). Before, the
// member is ignored.
struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

void csystem_set_short_slice(int is_short) {
  struct attributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  // Normal and batch: of others this is another member, or of no use.
  if (attributes.policy != 0 && attributes.policy != 3) return;
  attributes.size = sizeof attributes;
  attributes.runtime = is_short ? 100000 : 0;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}
