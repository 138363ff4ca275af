#ifndef CANARY_CXX_H
#define CANARY_CXX_H

#include "vm_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

// The table of a plugin written in C++17. The entry has another name than a plugin's, because all
// tests are one program.
const vm_plugin *canary_cxx_entry(void);

#ifdef __cplusplus
}
#endif

#endif
