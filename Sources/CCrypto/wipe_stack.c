#include <string.h>

#include "CCrypto.h"

__attribute__((noinline)) void ccrypto_wipe_stack(void) {
  char frames[65536];
  explicit_bzero(frames, sizeof frames);
}
