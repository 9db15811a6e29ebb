#include "CCrypto.h"
#include "nettle.h"

static int set_point(struct ecc_point *point, const uint8_t *x, const uint8_t *y) {
  mpz_t first, second;
  nettle_mpz_init_set_str_256_u(first, 32, x);
  nettle_mpz_init_set_str_256_u(second, 32, y);
  int is_point = ecc_point_set(point, first, second);
  mpz_clear(first);
  mpz_clear(second);
  return is_point;
}

int ccrypto_is_p256_point(const uint8_t x[32], const uint8_t y[32]) {
  struct ecc_point point;
  ecc_point_init(&point, nettle_get_secp_256r1());
  int is_point = set_point(&point, x, y);
  ecc_point_clear(&point);
  return is_point;
}

int ccrypto_verify_es256(const uint8_t x[32], const uint8_t y[32], const uint8_t digest[32], const uint8_t r[32],
                             const uint8_t s[32]) {
  struct ecc_point point;
  struct dsa_signature signature;
  ecc_point_init(&point, nettle_get_secp_256r1());
  dsa_signature_init(&signature);
  nettle_mpz_set_str_256_u(signature.r, 32, r);
  nettle_mpz_set_str_256_u(signature.s, 32, s);
  int is_right = set_point(&point, x, y) && ecdsa_verify(&point, 32, digest, &signature);
  dsa_signature_clear(&signature);
  ecc_point_clear(&point);
  return is_right;
}

int ccrypto_verify_ed25519(const uint8_t key[32], const void *message, size_t count, const uint8_t signature[64]) {
  return ed25519_sha512_verify(key, count, message, signature);
}

int ccrypto_verify_rs256(const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent, size_t exponent_count,
                             const uint8_t digest[32], const uint8_t *signature, size_t signature_count) {
  struct rsa_public_key key;
  mpz_t number;
  rsa_public_key_init(&key);
  nettle_mpz_set_str_256_u(key.n, modulus_count, modulus);
  nettle_mpz_set_str_256_u(key.e, exponent_count, exponent);
  nettle_mpz_init_set_str_256_u(number, signature_count, signature);
  // Refuses an even modulus as well.
  int is_right = mpz_odd_p(key.n) && rsa_public_key_prepare(&key) && rsa_sha256_verify_digest(&key, digest, number);
  mpz_clear(number);
  rsa_public_key_clear(&key);
  return is_right;
}
