// Holds a later vm_plugin.h to this release: it compiles only if nothing that a plugin of 1.0 uses
// has moved, changed or gone. The header to check is the one in the include path.
#include <cstddef>
#include <cstdint>
#include <stddef.h>
#include <stdint.h>
#include <string_view>
#include <type_traits>

namespace released {
#include "include/vm_plugin.h"
constexpr auto magic = VM_PLUGIN_MAGIC;
constexpr auto major = VM_ABI_MAJOR, minor = VM_ABI_MINOR;
constexpr std::string_view process = VM_PROCESS_EXTENSION;
} // namespace released

#undef VM_PLUGIN_H
#undef VM_PLUGIN_MAGIC
#undef VM_ABI_MAJOR
#undef VM_ABI_MINOR
#undef VM_PROCESS_EXTENSION
// Its type isn't that of the first declaration, and a function in C has one.
#define vm_plugin_entry_v1 later_vm_plugin_entry_v1

namespace later {
#include <vm_plugin.h>
} // namespace later

static_assert(VM_PLUGIN_MAGIC == released::magic);
static_assert(VM_ABI_MAJOR == released::major && VM_ABI_MINOR >= released::minor);
static_assert(VM_PROCESS_EXTENSION == released::process);

// Structs grow only at their end; vm_bytes never does.
#define STRUCT(type) static_assert(sizeof(later::type) >= sizeof(released::type))
#define FIELD(type, field)                                                                         \
  static_assert(offsetof(later::type, field) == offsetof(released::type, field));                  \
  static_assert(sizeof(later::type::field) == sizeof(released::type::field))
// A number keeps its type, and text is a vm_bytes.
#define NUMBER(type, field)                                                                        \
  FIELD(type, field);                                                                              \
  static_assert(std::is_same_v<decltype(later::type::field), decltype(released::type::field)>)
#define BYTES(type, field)                                                                         \
  FIELD(type, field);                                                                              \
  static_assert(std::is_same_v<decltype(later::type::field), later::vm_bytes>)

static_assert(sizeof(later::vm_bytes) == sizeof(released::vm_bytes));
NUMBER(vm_bytes, data);
NUMBER(vm_bytes, size);

STRUCT(vm_event);
NUMBER(vm_event, size);
NUMBER(vm_event, kind);
NUMBER(vm_event, id);
NUMBER(vm_event, time_ns);
BYTES(vm_event, name);
BYTES(vm_event, json);

STRUCT(vm_create_info);
NUMBER(vm_create_info, size);
NUMBER(vm_create_info, reserved);
BYTES(vm_create_info, view_model);
BYTES(vm_create_info, config);
BYTES(vm_create_info, locale);
BYTES(vm_create_info, time_zone);
NUMBER(vm_create_info, seed);
NUMBER(vm_create_info, epoch_ns);
NUMBER(vm_create_info, time_ns);

STRUCT(vm_plugin);
NUMBER(vm_plugin, magic);
NUMBER(vm_plugin, size);
NUMBER(vm_plugin, abi_major);
NUMBER(vm_plugin, abi_minor);
NUMBER(vm_plugin, flags);
FIELD(vm_plugin, manifest);
FIELD(vm_plugin, create);
FIELD(vm_plugin, send);
FIELD(vm_plugin, poll);
FIELD(vm_plugin, destroy);
FIELD(vm_plugin, extension);

STRUCT(vm_process);
NUMBER(vm_process, size);
NUMBER(vm_process, reserved);
FIELD(vm_process, take);

namespace later {
template <typename Field, typename Released> constexpr bool is = std::is_same_v<Field, Released>;
static_assert(is<vm_status, std::int32_t> && is<vm_event_kind, std::uint32_t>);
static_assert(is<decltype(vm_plugin::manifest), vm_bytes (*)()>);
static_assert(is<decltype(vm_plugin::create),
                 vm_status (*)(const vm_create_info *, vm_instance **, vm_bytes *)>);
static_assert(is<decltype(vm_plugin::send),
                 vm_status (*)(vm_instance *, const vm_event *, vm_bytes *)>);
static_assert(is<decltype(vm_plugin::poll), vm_status (*)(vm_instance *, vm_event *)>);
static_assert(is<decltype(vm_plugin::destroy), void (*)(vm_instance *)>);
static_assert(is<decltype(vm_plugin::extension), const void *(*)(vm_bytes)>);
static_assert(is<decltype(vm_process::take), void (*)()>);
static_assert(is<decltype(&vm_plugin_entry_v1), const vm_plugin *(*)()>);
} // namespace later

#define CONSTANT(name) static_assert(int{later::name} == int{released::name})
CONSTANT(VM_OK);
CONSTANT(VM_IDLE);
CONSTANT(VM_IDLE_OTHERS);
CONSTANT(VM_E_VIEW_MODEL);
CONSTANT(VM_E_CONFIG);
CONSTANT(VM_E_KIND);
CONSTANT(VM_E_NAME);
CONSTANT(VM_E_VALUE);
CONSTANT(VM_E_ID);
CONSTANT(VM_E_FAILED);
CONSTANT(VM_INPUT);
CONSTANT(VM_REPLY);
CONSTANT(VM_ERROR);
CONSTANT(VM_OUTPUT);
CONSTANT(VM_REQUEST);
CONSTANT(VM_CANCEL);
CONSTANT(VM_LOG);
CONSTANT(VM_FAULT);
