// Key pairs of libcrypto that sign for tests.
#ifndef CSOFTWAREKEYS_H
#define CSOFTWAREKEYS_H

#include <stddef.h>
#include <stdint.h>

typedef enum { CSOFTWAREKEYS_ES256, CSOFTWAREKEYS_ED25519, CSOFTWAREKEYS_RS256 } csoftwarekeys_kind;

/// Creates a random key, which is never freed.
void *_Nullable csoftwarekeys_make(csoftwarekeys_kind kind);

/// Writes the big-endian numbers of the public key: x and y, the key alone, or modulus and
/// exponent. `counts` are their lengths. Returns 0 on failure.
int csoftwarekeys_public(void *_Nonnull key, csoftwarekeys_kind kind, uint8_t first[_Nonnull 512], uint8_t second[_Nonnull 512],
                         size_t counts[_Nonnull 2]);

/// Signs a message in the format of WebAuthn. Returns the length of the signature, or 0.
size_t csoftwarekeys_sign(void *_Nonnull key, csoftwarekeys_kind kind, const void *_Nonnull message, size_t count,
                          uint8_t signature[_Nonnull 512]);

#endif
