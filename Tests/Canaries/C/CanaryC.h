#ifndef CANARY_C_H
#define CANARY_C_H

#include "vm_plugin.h"

// The table of a plugin written in C11. The entry has another name than a plugin's, because all
// tests are one program.
const vm_plugin *canary_c_entry(void);

#endif
