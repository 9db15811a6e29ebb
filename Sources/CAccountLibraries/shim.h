// Names the missing package at compile time, where pkg-config is missing or does not know a
// library.
#if !__has_include(<crypt.h>)
#error "libcrypt-dev is missing: apt-get install libcrypt-dev"
#elif !__has_include(<sqlite3.h>)
#error "libsqlite3-dev is missing: apt-get install libsqlite3-dev"
#elif !__has_include(<utf8proc.h>)
#error "libutf8proc-dev is missing: apt-get install libutf8proc-dev"
#endif

#include <crypt.h>
#include <sqlite3.h>
#include <utf8proc.h>
