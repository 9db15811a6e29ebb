// Signatures of passkeys, verified with Nettle. Whatever libcrypto has for them, low-level functions included, brings all of its algorithms and
// providers into the program through its error reports: 3.4 MB, and 0.3 ms at each start. Nettle's functions are 0.3 MB.
#ifndef CSIGNATURES_H
#define CSIGNATURES_H

#include <stddef.h>
#include <stdint.h>

/// Whether a point is one of NIST's curve P-256, as big-endian coordinates.
int csignatures_is_p256_point(const uint8_t x[_Nonnull 32], const uint8_t y[_Nonnull 32]);

/// Whether `r` and `s` are an ECDSA signature (FIPS 186-4) of a SHA-256 digest by the key of a point of P-256. All numbers are big-endian.
int csignatures_verify_es256(const uint8_t x[_Nonnull 32], const uint8_t y[_Nonnull 32], const uint8_t digest[_Nonnull 32],
                             const uint8_t r[_Nonnull 32], const uint8_t s[_Nonnull 32]);

/// Whether this is the Ed25519 signature (RFC 8032) of a message.
int csignatures_verify_ed25519(const uint8_t key[_Nonnull 32], const void *_Nonnull message, size_t count,
                               const uint8_t signature[_Nonnull 64]);

/// Whether this is the RSASSA-PKCS1-v1_5 signature (RFC 8017, section 8.2) of a SHA-256 digest. All numbers are big-endian. The modulus is odd.
int csignatures_verify_rs256(const uint8_t *_Nonnull modulus, size_t modulus_count, const uint8_t *_Nonnull exponent,
                             size_t exponent_count, const uint8_t digest[_Nonnull 32], const uint8_t *_Nonnull signature,
                             size_t signature_count);

#endif
