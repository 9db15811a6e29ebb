#include <string.h>

#include "CCrypto.h"
#include "nettle.h"

typedef union {
  struct sha1_ctx sha1;
  struct sha256_ctx sha256;
  struct sha512_ctx sha512;
} state;

static const struct nettle_hash *algorithm(ccrypto_hash hash) {
  switch (hash) {
    case CCRYPTO_SHA1: return &nettle_sha1;
    case CCRYPTO_SHA256: return &nettle_sha256;
    case CCRYPTO_SHA512: return &nettle_sha512;
  }
  return &nettle_sha512;
}

void ccrypto_digest(ccrypto_hash hash, const void *message, size_t count, uint8_t *digest) {
  const struct nettle_hash *it = algorithm(hash);
  state state;
  it->init(&state);
  it->update(&state, count, message);
  it->digest(&state, it->digest_size, digest);
  explicit_bzero(&state, sizeof state);
  ccrypto_wipe_stack();
}

size_t ccrypto_hmac(ccrypto_hash hash, const void *key, size_t key_count, const void *message, size_t message_count,
                    uint8_t code[CCRYPTO_HMAC_MAXIMUM]) {
  const struct nettle_hash *it = algorithm(hash);
  struct {
    state outer, inner, message;
  } states;
  hmac_set_key(&states.outer, &states.inner, &states.message, it, key_count, key);
  hmac_update(&states.message, it, message_count, message);
  hmac_digest(&states.outer, &states.inner, &states.message, it, it->digest_size, code);
  explicit_bzero(&states, sizeof states);
  ccrypto_wipe_stack();
  return it->digest_size;
}

void ccrypto_pbkdf2(ccrypto_hash hash, const void *password, size_t password_count, const void *salt, size_t salt_count,
                    uint32_t rounds, uint8_t output[CCRYPTO_HMAC_MAXIMUM]) {
  switch (hash) {
    case CCRYPTO_SHA1: pbkdf2_hmac_sha1(password_count, password, rounds, salt_count, salt, SHA1_DIGEST_SIZE, output); break;
    case CCRYPTO_SHA256: pbkdf2_hmac_sha256(password_count, password, rounds, salt_count, salt, SHA256_DIGEST_SIZE, output); break;
    case CCRYPTO_SHA512: pbkdf2_hmac_sha512(password_count, password, rounds, salt_count, salt, SHA512_DIGEST_SIZE, output); break;
  }
  // Nettle's state, which contains the key, was on the stack.
  ccrypto_wipe_stack();
}

int ccrypto_is_same(const void *one, const void *other, size_t count) { return count == 0 || memeql_sec(one, other, count); }
