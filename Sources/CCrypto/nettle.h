// The headers of Nettle and Hogweed that this module uses. The error below names the missing package,
// because SwiftPM names packages only for libraries found with pkg-config, and would then link
// whatever file pkg-config names. The archives are linked (0.4 MB), because shared libraries would be
// loaded at each start. Tests sign with libcrypto, so that two implementations have to agree.
#ifndef CCRYPTO_NETTLE_H
#define CCRYPTO_NETTLE_H

#if !__has_include(<nettle/hmac.h>)
#error "nettle-dev is missing: apt-get install nettle-dev"
#endif

#include <nettle/bignum.h>
#include <nettle/dsa.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <nettle/ecdsa.h>
#include <nettle/eddsa.h>
#include <nettle/gcm.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/nettle-meta.h>
#include <nettle/pbkdf2.h>
#include <nettle/rsa.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

#endif
