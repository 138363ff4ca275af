// What the two files of this fixture share.
#ifndef BROKEN_H
#define BROKEN_H

#include "vm_plugin.h"

#define BYTES(text) ((vm_bytes){(const uint8_t *)(text), sizeof(text) - 1})

// The bytes of a C string, or none for NULL.
vm_bytes broken_text(const char *text);

// Never returns.
_Noreturn void broken_hang(void);

// The functions of the view model `broken` (instance.c).
vm_status broken_create(const vm_create_info *info, vm_instance **instance, vm_bytes *error);
vm_status broken_send(vm_instance *self, const vm_event *event, vm_bytes *error);
vm_status broken_poll(vm_instance *self, vm_event *out);
void broken_destroy(vm_instance *self);

#endif
