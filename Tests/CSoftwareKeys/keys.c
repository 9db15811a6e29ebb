#include "CSoftwareKeys.h"

// `swift build` compiles this file too, so it must compile without libssl-dev. Tests then fail to
// link, because libcrypto is missing.
#if __has_include(<openssl/evp.h>)
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

void *csoftwarekeys_make(csoftwarekeys_kind kind) {
  switch (kind) {
    case CSOFTWAREKEYS_ES256: return EVP_EC_gen("P-256");
    case CSOFTWAREKEYS_ED25519: return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    case CSOFTWAREKEYS_RS256: return EVP_RSA_gen(2048);
  }
  return NULL;
}

static size_t number(EVP_PKEY *key, const char *name, uint8_t *output, int least) {
  BIGNUM *value = NULL;
  if (!EVP_PKEY_get_bn_param(key, name, &value)) return 0;
  int count = BN_num_bytes(value);
  if (count < least) count = least;
  BN_bn2binpad(value, output, count);
  BN_free(value);
  return (size_t)count;
}

int csoftwarekeys_public(void *key, csoftwarekeys_kind kind, uint8_t first[512], uint8_t second[512], size_t counts[2]) {
  counts[0] = counts[1] = 0;
  switch (kind) {
    case CSOFTWAREKEYS_ES256:
      counts[0] = number(key, OSSL_PKEY_PARAM_EC_PUB_X, first, 32);
      counts[1] = number(key, OSSL_PKEY_PARAM_EC_PUB_Y, second, 32);
      return counts[0] == 32 && counts[1] == 32;
    case CSOFTWAREKEYS_ED25519: counts[0] = 32; return EVP_PKEY_get_raw_public_key(key, first, &counts[0]);
    case CSOFTWAREKEYS_RS256:
      counts[0] = number(key, OSSL_PKEY_PARAM_RSA_N, first, 0);
      counts[1] = number(key, OSSL_PKEY_PARAM_RSA_E, second, 0);
      return counts[0] == 256 && counts[1] > 0;
  }
  return 0;
}

size_t csoftwarekeys_sign(void *key, csoftwarekeys_kind kind, const void *message, size_t count, uint8_t signature[512]) {
  size_t length = 512;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  const EVP_MD *digest = kind == CSOFTWAREKEYS_ED25519 ? NULL : EVP_sha256();
  int is_done = EVP_DigestSignInit(context, NULL, digest, NULL, key) && EVP_DigestSign(context, signature, &length, message, count);
  EVP_MD_CTX_free(context);
  return is_done ? length : 0;
}
#endif
