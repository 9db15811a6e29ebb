#include "CCrypto.h"

#include <pthread.h>
#include <string.h>

#include "../CLibcrypto/shim.h"

// Wherever libcrypto is linked it asks the processor before `main` what that can do, a dozen times, and on a virtual machine each time takes as long as reading
// a long line. Most engines never need the answers. So the linker has the first of these called then (Package.swift); the second is libcrypto's own.
void __wrap_OPENSSL_cpuid_setup(void);
void __real_OPENSSL_cpuid_setup(void);

void __wrap_OPENSSL_cpuid_setup(void) {}

/// Comes before all that has a faster form for some processors.
static void know_processor(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, __real_OPENSSL_cpuid_setup);
}

typedef union {
  SHA_CTX sha1;
  SHA256_CTX sha256;
  SHA512_CTX sha512;
} state;

typedef struct {
  ccrypto_hash hash;
  state state;
} hasher;

static size_t block_count(ccrypto_hash hash) { return hash == CCRYPTO_SHA512 ? SHA512_CBLOCK : SHA_CBLOCK; }

static void begin(hasher *it) {
  know_processor();
  switch (it->hash) {
    case CCRYPTO_SHA1: SHA1_Init(&it->state.sha1); return;
    case CCRYPTO_SHA256: SHA256_Init(&it->state.sha256); return;
    case CCRYPTO_SHA512: SHA512_Init(&it->state.sha512); return;
  }
}

static void add(hasher *it, const void *bytes, size_t count) {
  if (count == 0) return;
  switch (it->hash) {
    case CCRYPTO_SHA1: SHA1_Update(&it->state.sha1, bytes, count); return;
    case CCRYPTO_SHA256: SHA256_Update(&it->state.sha256, bytes, count); return;
    case CCRYPTO_SHA512: SHA512_Update(&it->state.sha512, bytes, count); return;
  }
}

static size_t end(hasher *it, uint8_t *digest) {
  switch (it->hash) {
    case CCRYPTO_SHA1: SHA1_Final(digest, &it->state.sha1); return SHA_DIGEST_LENGTH;
    case CCRYPTO_SHA256: SHA256_Final(digest, &it->state.sha256); return SHA256_DIGEST_LENGTH;
    case CCRYPTO_SHA512: SHA512_Final(digest, &it->state.sha512); return SHA512_DIGEST_LENGTH;
  }
  return 0;
}

// The two hashes of RFC 2104, after their first blocks, which have the key.
typedef struct {
  hasher inner, outer;
} keyed;

static void key_hashers(keyed *it, ccrypto_hash hash, const void *key, size_t key_count) {
  size_t block = block_count(hash);
  uint8_t padded[SHA512_CBLOCK] = {0};
  it->inner.hash = it->outer.hash = hash;
  if (key_count > block) {
    begin(&it->inner);
    add(&it->inner, key, key_count);
    end(&it->inner, padded);
  } else if (key_count > 0) {
    memcpy(padded, key, key_count);
  }
  for (size_t i = 0; i < block; i++) padded[i] ^= 0x36;
  begin(&it->inner);
  add(&it->inner, padded, block);
  for (size_t i = 0; i < block; i++) padded[i] ^= 0x36 ^ 0x5c;
  begin(&it->outer);
  add(&it->outer, padded, block);
  OPENSSL_cleanse(padded, sizeof padded);
}

// `it` can be used no more.
static size_t finish(keyed *it, uint8_t *code) {
  add(&it->outer, code, end(&it->inner, code));
  return end(&it->outer, code);
}

size_t ccrypto_hmac(ccrypto_hash hash, const void *key, size_t key_count, const void *message, size_t message_count,
                    uint8_t code[CCRYPTO_HMAC_MAXIMUM]) {
  keyed it;
  key_hashers(&it, hash, key, key_count);
  add(&it.inner, message, message_count);
  size_t count = finish(&it, code);
  OPENSSL_cleanse(&it, sizeof it);
  return count;
}

void ccrypto_digest(ccrypto_hash hash, const void *message, size_t count, uint8_t *digest) {
  hasher it = {.hash = hash};
  begin(&it);
  add(&it, message, count);
  end(&it, digest);
  OPENSSL_cleanse(&it, sizeof it);
}

void ccrypto_pbkdf2(ccrypto_hash hash, const void *password, size_t password_count, const void *salt, size_t salt_count,
                    uint32_t rounds, uint8_t output[CCRYPTO_HMAC_MAXIMUM]) {
  static const uint8_t first_block[4] = {0, 0, 0, 1};
  keyed start, it;
  uint8_t round[CCRYPTO_HMAC_MAXIMUM];
  key_hashers(&start, hash, password, password_count);
  it = start;
  add(&it.inner, salt, salt_count);
  add(&it.inner, first_block, sizeof first_block);
  size_t count = finish(&it, round);
  memcpy(output, round, count);
  for (uint32_t i = 1; i < rounds; i++) {
    it = start;
    add(&it.inner, round, count);
    finish(&it, round);
    for (size_t byte = 0; byte < count; byte++) output[byte] ^= round[byte];
  }
  OPENSSL_cleanse(&start, sizeof start);
  OPENSSL_cleanse(&it, sizeof it);
  OPENSSL_cleanse(round, sizeof round);
}

typedef struct {
  AES_KEY key;
  // For a GCM128_CONTEXT, whose size libcrypto does not tell: 448 bytes in OpenSSL 3.0. CRYPTO_gcm128_new, which knows it, would link the
  // providers as well.
  _Alignas(16) uint8_t mode[4096];
} cipher;

static void encrypt_block(const unsigned char input[16], unsigned char output[16], const void *key) {
  AES_encrypt(input, output, key);
}

static GCM128_CONTEXT *start(cipher *it, const uint8_t *key, const uint8_t *nonce, const void *associated, size_t count) {
  GCM128_CONTEXT *mode = (GCM128_CONTEXT *)it->mode;
  know_processor();
  if (AES_set_encrypt_key(key, 256, &it->key) != 0) return NULL;
  CRYPTO_gcm128_init(mode, &it->key, encrypt_block);
  CRYPTO_gcm128_setiv(mode, nonce, CCRYPTO_NONCE);
  if (count > 0 && CRYPTO_gcm128_aad(mode, associated, count) != 0) return NULL;
  return mode;
}

int ccrypto_seal(const uint8_t key[CCRYPTO_KEY], const uint8_t nonce[CCRYPTO_NONCE], const void *associated,
                 size_t associated_count, const void *input, size_t count, uint8_t *output, uint8_t tag[CCRYPTO_TAG]) {
  cipher it;
  GCM128_CONTEXT *mode = start(&it, key, nonce, associated, associated_count);
  int is_done = mode && (count == 0 || CRYPTO_gcm128_encrypt(mode, input, output, count) == 0);
  if (is_done) CRYPTO_gcm128_tag(mode, tag, CCRYPTO_TAG);
  OPENSSL_cleanse(&it, sizeof it);
  return is_done ? 0 : -1;
}

int ccrypto_open(const uint8_t key[CCRYPTO_KEY], const uint8_t nonce[CCRYPTO_NONCE], const void *associated,
                 size_t associated_count, const void *input, size_t count, uint8_t *output,
                 const uint8_t tag[CCRYPTO_TAG]) {
  cipher it;
  GCM128_CONTEXT *mode = start(&it, key, nonce, associated, associated_count);
  int is_done = mode && (count == 0 || CRYPTO_gcm128_decrypt(mode, input, output, count) == 0) &&
                CRYPTO_gcm128_finish(mode, tag, CCRYPTO_TAG) == 0;
  if (!is_done && count > 0) OPENSSL_cleanse(output, count);
  OPENSSL_cleanse(&it, sizeof it);
  return is_done ? 0 : -1;
}

int ccrypto_is_same(const void *one, const void *other, size_t count) {
  return count == 0 || CRYPTO_memcmp(one, other, count) == 0;
}
