#include <crypt.h>
#include <string.h>

// libcrypt leaves parts of the passphrase in dead stack frames. Called right after it, from the same frame, this
// overwrites them.
__attribute__((noinline, unused)) static void crypt_wipe_stack(void) {
  char frames[65536];
  explicit_bzero(frames, sizeof frames);
}
