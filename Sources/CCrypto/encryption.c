#include <string.h>

#include "CCrypto.h"
#include "nettle.h"

static void start(struct gcm_aes256_ctx *it, const uint8_t *key, const uint8_t *nonce, const void *associated, size_t count) {
  gcm_aes256_set_key(it, key);
  gcm_aes256_set_iv(it, CCRYPTO_NONCE, nonce);
  gcm_aes256_update(it, count, associated);
}

void ccrypto_seal(const uint8_t key[CCRYPTO_KEY], const uint8_t nonce[CCRYPTO_NONCE], const void *associated,
                  size_t associated_count, const void *input, size_t count, uint8_t *output, uint8_t tag[CCRYPTO_TAG]) {
  struct gcm_aes256_ctx it;
  start(&it, key, nonce, associated, associated_count);
  gcm_aes256_encrypt(&it, count, output, input);
  gcm_aes256_digest(&it, CCRYPTO_TAG, tag);
  explicit_bzero(&it, sizeof it);
  ccrypto_wipe_stack();
}

int ccrypto_open(const uint8_t key[CCRYPTO_KEY], const uint8_t nonce[CCRYPTO_NONCE], const void *associated,
                 size_t associated_count, const void *input, size_t count, uint8_t *output,
                 const uint8_t tag[CCRYPTO_TAG]) {
  struct gcm_aes256_ctx it;
  uint8_t right[CCRYPTO_TAG];
  start(&it, key, nonce, associated, associated_count);
  gcm_aes256_decrypt(&it, count, output, input);
  gcm_aes256_digest(&it, CCRYPTO_TAG, right);
  int is_right = memeql_sec(right, tag, CCRYPTO_TAG);
  if (!is_right && count > 0) explicit_bzero(output, count);
  explicit_bzero(&it, sizeof it);
  explicit_bzero(right, sizeof right);
  ccrypto_wipe_stack();
  return is_right ? 0 : -1;
}
