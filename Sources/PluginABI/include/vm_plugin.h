/*
 * vm_plugin.h: the interface between a host and a plugin, version 1.0.
 *
 * This header is the specification. A plugin author in any language needs nothing else; what is
 * not in here is not part of the interface.
 *
 * THE IDEA
 *   A plugin is a state machine: bytes in, bytes out. It holds view models. The host creates
 *   instances of them, sends events to an instance, and polls events from it until it is idle.
 *   A plugin never calls the host, owns no thread, opens no file, reads no clock. What it wants
 *   from the world it asks for with a VM_REQUEST event; the answer comes back as VM_REPLY or
 *   VM_ERROR.
 *
 * COMPATIBILITY
 *   - The major version is in the name of the entry function. A host refuses another major and
 *     accepts every minor of its own, larger or smaller.
 *   - Structs grow only at their end. `size` says how much of a struct its maker knows: read no
 *     field that lies past `size`.
 *   - The first 16 bytes of vm_plugin keep their meaning for ever, in every major.
 *   - Kinds, statuses and flags are never reused for something else.
 *
 * BYTES
 *   - All text is UTF-8 and is not NUL-terminated. All JSON is RFC 8259; the host sends it in
 *     canonical form (RFC 8785; integers keep all their digits) and accepts any form.
 *   - An empty vm_bytes has size 0; its `data` may then be NULL. As a JSON value it means "none".
 *   - Each pointer's owner and validity is said beside it. Nobody frees what the other side owns.
 *
 * THREADS
 *   The host never overlaps two calls into one library, on whatever threads it makes them; each
 *   call happens after the one before it. A plugin needs no locks.
 *
 * FAILURE
 *   An unknown view model, input, kind or id and a malformed value are answered with a status and
 *   a message, and the instance's state is as before the call. A plugin never aborts over input.
 */
#ifndef VM_PLUGIN_H
#define VM_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VM_PLUGIN_MAGIC 0x31504D56u /* "VMP1" in memory, little-endian */
#define VM_ABI_MAJOR 1
#define VM_ABI_MINOR 0

/* A run of bytes that somebody else owns. */
typedef struct vm_bytes {
  const uint8_t *data;
  size_t size;
} vm_bytes;

/* What a call came to. Negative values are refusals: nothing has changed. */
typedef int32_t vm_status;
enum {
  VM_OK = 0,
  VM_IDLE = 1,        /* poll: this instance has no event, and no other instance was woken */
  VM_IDLE_OTHERS = 2, /* poll: this instance has no event, but other instances of the library may
                         have: the host polls them all before it sends the next event */
  VM_E_VIEW_MODEL = -1, /* create: the plugin has no such view model */
  VM_E_CONFIG = -2,     /* create: the view model can't use this config */
  VM_E_KIND = -3,       /* send: the plugin doesn't know this kind of event */
  VM_E_NAME = -4,       /* send: the view model has no such input */
  VM_E_VALUE = -5,      /* send: the value isn't JSON, or not what the input or reply takes */
  VM_E_ID = -6,         /* send: no open request has this id */
  VM_E_FAILED = -7      /* any: the plugin can't go on (out of memory); the host destroys it */
};

/* Kinds of events. Host to plugin: below 16. Plugin to host: from 16 on. */
typedef uint32_t vm_event_kind;
enum {
  VM_INPUT = 1,    /* name: the input; json: its value, or none */
  VM_REPLY = 2,    /* id: the request; name: its effect; json: the reply's value, or none */
  VM_ERROR = 3,    /* id, name as VM_REPLY; json: {"code":"…","message":"…"} */
  VM_OUTPUT = 16,  /* name: the state or signal; json: its value, or none */
  VM_REQUEST = 17, /* id: chosen by the plugin, not 0, not one still open in this instance;
                      name: the effect; json: what is asked */
  VM_CANCEL = 18,  /* id: of an open request, whose answer will not be used; name: its effect */
  VM_LOG = 19,     /* name: "debug", "info", "warning" or "error"; json: a string */
  VM_FAULT = 20    /* the plugin's own code failed while it handled an event, and goes on.
                      name: the input or effect that it was handling; json: a string */
};

/* One event, in either direction. The value travels beside kind and name, never in an envelope. */
typedef struct vm_event {
  uint32_t size;      /* sizeof(vm_event) of whoever filled it in */
  vm_event_kind kind;
  uint64_t id;        /* of the request for VM_REPLY, VM_ERROR, VM_REQUEST, VM_CANCEL; else 0 */
  int64_t time_ns;    /* host to plugin: nanoseconds since the session began, never less than in
                         the event before. Plugin to host: ignored */
  vm_bytes name;
  vm_bytes json;
} vm_event;

/* What an instance is made from. Valid during the call to create: copy what you keep. */
typedef struct vm_create_info {
  uint32_t size;       /* sizeof(vm_create_info) of the host */
  uint32_t reserved;   /* 0 */
  vm_bytes view_model; /* the view model's id, as in the manifest */
  vm_bytes config;     /* a JSON object, or none */
  vm_bytes locale;     /* a BCP 47 or POSIX name: "en_US" */
  vm_bytes time_zone;  /* an IANA name: "UTC" */
  uint64_t seed;       /* of all the instance's randomness: same seed, same choices */
  int64_t epoch_ns;    /* the session's beginning, nanoseconds since 1970-01-01T00:00:00Z */
  int64_t time_ns;     /* now, nanoseconds since the session began */
} vm_create_info;

/* One living view model. Opaque to the host. */
typedef struct vm_instance vm_instance;

typedef struct vm_plugin {
  uint32_t magic;     /* VM_PLUGIN_MAGIC */
  uint32_t size;      /* sizeof(vm_plugin) of the plugin */
  uint16_t abi_major; /* VM_ABI_MAJOR that the plugin was built with */
  uint16_t abi_minor; /* VM_ABI_MINOR that the plugin was built with */
  uint32_t flags;     /* 0 */

  /*
   * Describes the plugin as a JSON object (Documentation/ABI.md has its members). The host checks
   * inputs, configs and outputs by the JSON Schemas in it, ignores their words that it doesn't
   * know, and refuses a manifest with a schema that isn't one.
   * The bytes belong to the plugin and stay valid and unchanged for ever. Called in any state.
   */
  vm_bytes (*manifest)(void);

  /*
   * Makes an instance. `info` and all it points to belong to the host and are valid during the
   * call. On VM_OK `*instance` is set, and the events that it starts with wait to be polled: first
   * each of its states once, in manifest order. Otherwise nothing was made, and `*error` may be
   * set to a message in English: it belongs to the plugin and is valid until the next call into
   * the library. `instance` and `error` are never NULL.
   * Returns VM_OK, VM_E_VIEW_MODEL, VM_E_CONFIG or VM_E_FAILED.
   */
  vm_status (*create)(const vm_create_info *info, vm_instance **instance, vm_bytes *error);

  /*
   * Delivers an event to a live instance that was polled until idle. `event` and all it points to
   * belong to the host and are valid during the call. `error` as for create.
   * Returns VM_OK, VM_E_KIND, VM_E_NAME, VM_E_VALUE, VM_E_ID or VM_E_FAILED.
   */
  vm_status (*send)(vm_instance *instance, const vm_event *event, vm_bytes *error);

  /*
   * Takes the next event from a live instance, doing a part of its work if there is work to do.
   * On VM_OK `*out` is filled in; its bytes belong to the plugin and are valid until the next call
   * into this instance. On any other status `*out` is unspecified. A host polls until VM_IDLE or
   * VM_IDLE_OTHERS; a plugin gets there after finitely many events. `out->size` is set by the
   * host: write no field that lies past it.
   * Returns VM_OK, VM_IDLE, VM_IDLE_OTHERS or VM_E_FAILED.
   */
  vm_status (*poll)(vm_instance *instance, vm_event *out);

  /*
   * Ends an instance and frees all it owns; its open requests are dropped without VM_CANCEL.
   * Legal in every state of a live instance; afterwards the pointer means nothing.
   */
  void (*destroy)(vm_instance *instance);

  /*
   * Finds an optional part of the interface by its id, or NULL if the plugin lacks it. The
   * function itself may be NULL. What it returns is valid for ever.
   */
  const void *(*extension)(vm_bytes id);
} vm_plugin;

/*
 * The extension VM_PROCESS_EXTENSION: a vm_process. A plugin has it if it can make more of a
 * process that belongs to it alone, such as do in `poll` what its runtime does elsewhere otherwise.
 */
#define VM_PROCESS_EXTENSION "process"

typedef struct vm_process {
  uint32_t size;     /* sizeof(vm_process) of the plugin */
  uint32_t reserved; /* 0 */

  /*
   * The process is the plugin's: whatever all of its code shares, the plugin may set up as it
   * likes. A host that says so says it once, before it calls any function of vm_plugin but
   * `extension`. It never does in a process that has other code to run.
   */
  void (*take)(void);
} vm_process;

/*
 * The extension VM_LEAKS_EXTENSION: a vm_leaks. A plugin has it if it knows which instances it
 * could not free when they ended.
 */
#define VM_LEAKS_EXTENSION "leaks"

typedef struct vm_leaks {
  uint32_t size;     /* sizeof(vm_leaks) of the plugin */
  uint32_t reserved; /* 0 */

  /*
   * Says how many of the instances that ended since the last call live on, by the id of their view
   * model: {"movies.list":3}, or none. The bytes belong to the plugin and are valid until the next
   * call into the library. Called while there are no instances.
   */
  vm_bytes (*take)(void);
} vm_leaks;

/*
 * The one function that a plugin exports. Returns the plugin's table, valid and unchanged for
 * ever; never NULL. May be called more than once, and must return the same table.
 */
const vm_plugin *vm_plugin_entry_v1(void);

#ifdef __cplusplus
}
#endif

#endif /* VM_PLUGIN_H */
