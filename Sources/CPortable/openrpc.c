#include "EmbeddedFiles.h"

// #embed is C23, which clang knows in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openrpc[] = {
#embed "../../protocol/openrpc.json"
};

cembedded_file cembedded_openrpc(void) {
  cembedded_file file = {openrpc, sizeof openrpc};
  return file;
}
