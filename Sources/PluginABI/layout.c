#include "vm_plugin.h"

// A change to the layout of a released struct must fail here before it fails in somebody's plugin.
#define VM_AT(type, field, offset) \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field " moved")

_Static_assert(sizeof(void *) == 8, "the layout below is that of a 64-bit machine");

_Static_assert(sizeof(vm_bytes) == 16, "vm_bytes");
VM_AT(vm_bytes, data, 0);
VM_AT(vm_bytes, size, 8);

_Static_assert(sizeof(vm_event) == 56, "vm_event");
VM_AT(vm_event, size, 0);
VM_AT(vm_event, kind, 4);
VM_AT(vm_event, id, 8);
VM_AT(vm_event, time_ns, 16);
VM_AT(vm_event, name, 24);
VM_AT(vm_event, json, 40);

_Static_assert(sizeof(vm_create_info) == 96, "vm_create_info");
VM_AT(vm_create_info, size, 0);
VM_AT(vm_create_info, reserved, 4);
VM_AT(vm_create_info, view_model, 8);
VM_AT(vm_create_info, config, 24);
VM_AT(vm_create_info, locale, 40);
VM_AT(vm_create_info, time_zone, 56);
VM_AT(vm_create_info, seed, 72);
VM_AT(vm_create_info, epoch_ns, 80);
VM_AT(vm_create_info, time_ns, 88);

_Static_assert(sizeof(vm_plugin) == 64, "vm_plugin");
VM_AT(vm_plugin, magic, 0);
VM_AT(vm_plugin, size, 4);
VM_AT(vm_plugin, abi_major, 8);
VM_AT(vm_plugin, abi_minor, 10);
VM_AT(vm_plugin, flags, 12);
VM_AT(vm_plugin, manifest, 16);
VM_AT(vm_plugin, create, 24);
VM_AT(vm_plugin, send, 32);
VM_AT(vm_plugin, poll, 40);
VM_AT(vm_plugin, destroy, 48);
VM_AT(vm_plugin, extension, 56);

_Static_assert(sizeof(vm_process) == 16, "vm_process");
VM_AT(vm_process, size, 0);
VM_AT(vm_process, reserved, 4);
VM_AT(vm_process, take, 8);
