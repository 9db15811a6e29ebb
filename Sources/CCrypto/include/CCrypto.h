// HMAC and authenticated encryption with libcrypto. Its EVP interface would bring all algorithms and providers into the program, 3.6 MB
// of them; these functions use the algorithms themselves.
#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

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

/// The first block of PBKDF2 (RFC 8018, section 5.2) with HMAC. Fills as many bytes of `output` as the hash has.
void ccrypto_pbkdf2(ccrypto_hash hash, const void *_Nullable password, size_t password_count, const void *_Nullable salt,
                    size_t salt_count, uint32_t rounds, uint8_t output[_Nonnull CCRYPTO_HMAC_MAXIMUM]);

enum { CCRYPTO_KEY = 32, CCRYPTO_NONCE = 12, CCRYPTO_TAG = 16 };

/// Encrypts with AES-256-GCM (NIST SP 800-38D). `output` takes `count` bytes. A key must never meet a nonce twice. Returns 0, or -1 if that
/// is not possible.
int ccrypto_seal(const uint8_t key[_Nonnull CCRYPTO_KEY], const uint8_t nonce[_Nonnull CCRYPTO_NONCE],
                 const void *_Nullable associated, size_t associated_count, const void *_Nullable input, size_t count,
                 uint8_t *_Nullable output, uint8_t tag[_Nonnull CCRYPTO_TAG]);

/// Decrypts. Returns 0, or -1 if key, nonce, associated data, text or tag are not those of the encryption; `output` is then zero.
int ccrypto_open(const uint8_t key[_Nonnull CCRYPTO_KEY], const uint8_t nonce[_Nonnull CCRYPTO_NONCE],
                 const void *_Nullable associated, size_t associated_count, const void *_Nullable input, size_t count,
                 uint8_t *_Nullable output, const uint8_t tag[_Nonnull CCRYPTO_TAG]);

/// Whether bytes are the same, in a time that only depends on their number.
int ccrypto_is_same(const void *_Nullable one, const void *_Nullable other, size_t count);

#endif
