// Cryptography with Nettle and Hogweed, which are linked statically, and support for hashing with
// libcrypt. Before a function returns, it wipes the keys and secrets in its own memory.
#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

// -- Hashes (hashes.c)

typedef enum { CCRYPTO_SHA1, CCRYPTO_SHA256, CCRYPTO_SHA512 } ccrypto_hash;

/// The maximum length of a code from `ccrypto_hmac`, in bytes.
#define CCRYPTO_HMAC_MAXIMUM 64

/// Computes the message authentication code of RFC 2104. Returns its length in bytes.
size_t ccrypto_hmac(ccrypto_hash hash, const void *_Nullable key, size_t key_count, const void *_Nullable message,
                    size_t message_count, uint8_t code[_Nonnull CCRYPTO_HMAC_MAXIMUM]);

enum { CCRYPTO_SHA1_LENGTH = 20, CCRYPTO_SHA256_LENGTH = 32 };

/// Computes the digest of a message (FIPS 180-4). Writes as many bytes to `digest` as the hash has.
/// SHA-1 is used only because lists of known passwords use it.
void ccrypto_digest(ccrypto_hash hash, const void *_Nullable message, size_t count,
                    uint8_t *_Nonnull digest);

/// Computes the first block of PBKDF2 (RFC 8018, section 5.2) with HMAC and at least one round.
/// Writes as many bytes to `output` as the hash has.
void ccrypto_pbkdf2(ccrypto_hash hash, const void *_Nullable password, size_t password_count, const void *_Nullable salt,
                    size_t salt_count, uint32_t rounds, uint8_t output[_Nonnull CCRYPTO_HMAC_MAXIMUM]);

/// Compares bytes in a time that depends only on their number. Returns nonzero if they are equal.
int ccrypto_is_same(const void *_Nullable one, const void *_Nullable other, size_t count);

// -- Authenticated encryption (encryption.c)

enum { CCRYPTO_KEY = 32, CCRYPTO_NONCE = 12, CCRYPTO_TAG = 16 };

/// Encrypts with AES-256-GCM (NIST SP 800-38D). Writes `count` bytes to `output`. A nonce must
/// never be reused with the same key.
void ccrypto_seal(const uint8_t key[_Nonnull CCRYPTO_KEY], const uint8_t nonce[_Nonnull CCRYPTO_NONCE],
                  const void *_Nullable associated, size_t associated_count, const void *_Nullable input, size_t count,
                  uint8_t *_Nullable output, uint8_t tag[_Nonnull CCRYPTO_TAG]);

/// Decrypts what `ccrypto_seal` has encrypted, and returns 0. If key, nonce, associated data, text
/// or tag differ from those of the encryption, zeroes `output` and returns -1.
int ccrypto_open(const uint8_t key[_Nonnull CCRYPTO_KEY], const uint8_t nonce[_Nonnull CCRYPTO_NONCE],
                 const void *_Nullable associated, size_t associated_count, const void *_Nullable input, size_t count,
                 uint8_t *_Nullable output, const uint8_t tag[_Nonnull CCRYPTO_TAG]);

// -- Signatures of passkeys (signatures.c)

/// Whether a point, given by big-endian coordinates, is on NIST's curve P-256.
int ccrypto_is_p256_point(const uint8_t x[_Nonnull 32], const uint8_t y[_Nonnull 32]);

/// Whether `r` and `s` are a valid ECDSA signature (FIPS 186-4) of a SHA-256 digest for a public
/// key on P-256. All numbers are big-endian.
int ccrypto_verify_es256(const uint8_t x[_Nonnull 32], const uint8_t y[_Nonnull 32], const uint8_t digest[_Nonnull 32],
                             const uint8_t r[_Nonnull 32], const uint8_t s[_Nonnull 32]);

/// Whether an Ed25519 signature (RFC 8032) of a message is valid.
int ccrypto_verify_ed25519(const uint8_t key[_Nonnull 32], const void *_Nonnull message, size_t count,
                               const uint8_t signature[_Nonnull 64]);

/// Whether an RSASSA-PKCS1-v1_5 signature (RFC 8017, section 8.2) of a SHA-256 digest is valid. All
/// numbers are big-endian. The modulus must be odd.
int ccrypto_verify_rs256(const uint8_t *_Nonnull modulus, size_t modulus_count, const uint8_t *_Nonnull exponent,
                             size_t exponent_count, const uint8_t digest[_Nonnull 32], const uint8_t *_Nonnull signature,
                             size_t signature_count);

// -- Support for hashing with libcrypt (wipe_stack.c, hash_pages.c)

/// Overwrites the stack below the caller's frame, where earlier calls of libraries may have left
/// parts of secrets.
void ccrypto_wipe_stack(void);

/// From this call until `ccrypto_end_hash`, memory that the calling thread maps may use huge pages.
/// Call it before a hash is computed with libcrypt: yescrypt maps 16 MiB per hash at the default
/// cost, and with pages of 4 KiB the kernel's work for them takes a quarter of the time. Most
/// systems use huge pages only on request.
void ccrypto_begin_hash(void);
void ccrypto_end_hash(void);

#endif
