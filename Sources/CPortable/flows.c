#include "EmbeddedFiles.h"

// #embed is C23, which clang knows in every mode. SwiftPM's resources are not used, because SwiftPM
// reads them again only when the package's list of files changes.
#pragma clang diagnostic ignored "-Wc23-extensions"

// A new definition is added here and to the list below; a test finds files of protocol/flows that
// are missing.
static const unsigned char standard[] = {
#embed "../../protocol/flows/standard.json"
};
static const unsigned char immediate[] = {
#embed "../../protocol/flows/immediate.json"
};
static const unsigned char acknowledged[] = {
#embed "../../protocol/flows/acknowledged.json"
};
static const unsigned char coordinators[] = {
#embed "../../protocol/flows/coordinators.json"
};
static const unsigned char staged[] = {
#embed "../../protocol/flows/staged.json"
};
static const unsigned char loader[] = {
#embed "../../protocol/flows/loader.json"
};
static const unsigned char dynamic[] = {
#embed "../../protocol/flows/dynamic.json"
};
static const unsigned char account[] = {
#embed "../../protocol/flows/account.json"
};

#define FILE(array) {array, sizeof array}
static const cembedded_file flows[] = {
    FILE(standard), FILE(immediate), FILE(acknowledged), FILE(coordinators), FILE(staged), FILE(loader),
    FILE(dynamic),  FILE(account),
};

size_t cembedded_flow_count(void) { return sizeof flows / sizeof flows[0]; }

cembedded_file cembedded_flow(size_t index) {
  cembedded_file none = {NULL, 0};
  return index < cembedded_flow_count() ? flows[index] : none;
}
