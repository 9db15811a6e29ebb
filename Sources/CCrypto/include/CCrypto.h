// Cryptography with Nettle and Hogweed, whose archives are in the program, and what libcrypt's hashes need around them. Whatever keys and secrets are in
// memory of these functions is wiped before they return.
#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

// -- Hashes (hashes.c)

typedef enum { CCRYPTO_SHA1, CCRYPTO_SHA256, CCRYPTO_SHA512 } ccrypto_hash;

/// The longest code that `ccrypto_hmac` gives, in bytes.
#define CCRYPTO_HMAC_MAXIMUM 64

/// The message's authentication code by RFC 2104. Returns its length in bytes.
size_t ccrypto_hmac(ccrypto_hash hash, const void *_Nullable key, size_t key_count, const void *_Nullable message,
                    size_t message_count, uint8_t code[_Nonnull CCRYPTO_HMAC_MAXIMUM]);

enum { CCRYPTO_SHA1_LENGTH = 20, CCRYPTO_SHA256_LENGTH = 32 };

/// The message's digest by FIPS 180-4, as long as that of the hash. SHA-1 protects nothing; lists of known passwords have it.
void ccrypto_digest(ccrypto_hash hash, const void *_Nullable message, size_t count,
                    uint8_t *_Nonnull digest);

/// The first block of PBKDF2 (RFC 8018, section 5.2) with HMAC, after at least one round. Fills as many bytes of `output` as the hash has.
void ccrypto_pbkdf2(ccrypto_hash hash, const void *_Nullable password, size_t password_count, const void *_Nullable salt,
                    size_t salt_count, uint32_t rounds, uint8_t output[_Nonnull CCRYPTO_HMAC_MAXIMUM]);

/// Whether bytes are the same, in a time that only depends on their number.
int ccrypto_is_same(const void *_Nullable one, const void *_Nullable other, size_t count);

// -- Authenticated encryption (encryption.c)

enum { CCRYPTO_KEY = 32, CCRYPTO_NONCE = 12, CCRYPTO_TAG = 16 };

/// Encrypts with AES-256-GCM (NIST SP 800-38D). `output` takes `count` bytes. A key must never meet a nonce twice.
void ccrypto_seal(const uint8_t key[_Nonnull CCRYPTO_KEY], const uint8_t nonce[_Nonnull CCRYPTO_NONCE],
                  const void *_Nullable associated, size_t associated_count, const void *_Nullable input, size_t count,
                  uint8_t *_Nullable output, uint8_t tag[_Nonnull CCRYPTO_TAG]);

/// Decrypts. Returns 0, or -1 if key, nonce, associated data, text or tag are not those of the encryption; `output` is then zero.
int ccrypto_open(const uint8_t key[_Nonnull CCRYPTO_KEY], const uint8_t nonce[_Nonnull CCRYPTO_NONCE],
                 const void *_Nullable associated, size_t associated_count, const void *_Nullable input, size_t count,
                 uint8_t *_Nullable output, const uint8_t tag[_Nonnull CCRYPTO_TAG]);

// -- Signatures of passkeys (signatures.c)

/// Whether a point is one of NIST's curve P-256, as big-endian coordinates.
int ccrypto_is_p256_point(const uint8_t x[_Nonnull 32], const uint8_t y[_Nonnull 32]);

/// Whether `r` and `s` are an ECDSA signature (FIPS 186-4) of a SHA-256 digest by the key of a point of P-256. All numbers are big-endian.
int ccrypto_verify_es256(const uint8_t x[_Nonnull 32], const uint8_t y[_Nonnull 32], const uint8_t digest[_Nonnull 32],
                             const uint8_t r[_Nonnull 32], const uint8_t s[_Nonnull 32]);

/// Whether this is the Ed25519 signature (RFC 8032) of a message.
int ccrypto_verify_ed25519(const uint8_t key[_Nonnull 32], const void *_Nonnull message, size_t count,
                               const uint8_t signature[_Nonnull 64]);

/// Whether this is the RSASSA-PKCS1-v1_5 signature (RFC 8017, section 8.2) of a SHA-256 digest. All numbers are big-endian. The modulus is odd.
int ccrypto_verify_rs256(const uint8_t *_Nonnull modulus, size_t modulus_count, const uint8_t *_Nonnull exponent,
                             size_t exponent_count, const uint8_t digest[_Nonnull 32], const uint8_t *_Nonnull signature,
                             size_t signature_count);

// -- Around hashes of libcrypt's

/// Overwrites the dead stack frames of what the caller has called before: libraries leave parts of secrets there.
void ccrypto_wipe_stack(void);

/// From now on the calling thread hashes, until `ccrypto_end_hash`: what it maps may come in huge pages. yescrypt maps 16 MiB for each hash at the default cost,
/// and in pages of 4 KiB the kernel's work for them takes a quarter of the time. Only systems where everybody has huge pages give them unasked.
void ccrypto_begin_hash(void);
void ccrypto_end_hash(void);

#endif
