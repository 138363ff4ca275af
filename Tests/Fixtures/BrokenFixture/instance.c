// The view model `broken`: it has the fault that its config names, as in {"fault":"flood"}, and
// shows it at the input `go`, unless the fault is one of its making. Without a fault it is sound.
//
// The input `emit` makes it emit what a test likes: its value is a string with one event a line,
// "KIND ID NAME JSON" (of which the last two may be left out). Answers come out as `heard`.
#include "broken.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *fault;
  vm_status status;
  const char *message;
} create_refusals[] = {
    {"create-view-model", VM_E_VIEW_MODEL, NULL},
    {"create-view-model-words", VM_E_VIEW_MODEL, "no such thing here"},
    {"create-config", VM_E_CONFIG, NULL},
    {"create-config-words", VM_E_CONFIG, "config.fault: expected another"},
    {"create-failed", VM_E_FAILED, NULL},
    {"create-failed-words", VM_E_FAILED, "out of memory"},
    {"create-unknown", -99, NULL},
    {"create-positive", 7, NULL},
    {"create-nothing", VM_OK, NULL},
}, send_refusals[] = {
    {"send-kind", VM_E_KIND, NULL},
    {"send-name", VM_E_NAME, NULL},
    {"send-value", VM_E_VALUE, NULL},
    {"send-value-words", VM_E_VALUE, "expected a number, found null"},
    {"send-id", VM_E_ID, NULL},
    {"send-failed", VM_E_FAILED, NULL},
    {"send-unknown", -99, NULL},
    {"send-idle", VM_IDLE, NULL},
};

static const struct {
  const char *fault;
  uint32_t kind;
  uint64_t id;
  const char *name, *json;
  size_t size; // 0: the JSON's own
} emissions[] = {
    {"unknown-kind", 99, 0, "said", "1", 0},
    {"host-kind", VM_INPUT, 0, "go", NULL, 0},
    {"private-kind", 65, 0, "said", "1", 0},
    {"unknown-output", VM_OUTPUT, 0, "sang", "1", 0},
    {"input-as-output", VM_OUTPUT, 0, "go", NULL, 0},
    {"value-missing", VM_OUTPUT, 0, "said", NULL, 0},
    {"value-unexpected", VM_OUTPUT, 0, "rang", "1", 0},
    {"bad-json", VM_OUTPUT, 0, "said", "{\"a\":}", 0},
    {"two-values", VM_OUTPUT, 0, "said", "1 2", 0},
    {"bad-utf8", VM_OUTPUT, 0, "said", "\"\xc3\"", 0},
    {"bad-name", VM_OUTPUT, 0, "s\xff", "1", 0},
    {"null-data", VM_OUTPUT, 0, "said", NULL, 5},
    {"impossible-size", VM_OUTPUT, 0, "said", "1", SIZE_MAX},
    {"unsorted", VM_OUTPUT, 0, "said", " {\"b\" : 1.0, \"a\":\"\\u0041\\/\"} ", 0},
    {"request-0", VM_REQUEST, 0, "http", "{}", 0},
    {"request-unannounced", VM_REQUEST, 1, "teleport", "{}", 0},
    {"request-bad-json", VM_REQUEST, 1, "http", "{", 0},
    {"timer-empty", VM_REQUEST, 1, "timer", NULL, 0},
    {"timer-number", VM_REQUEST, 1, "timer", "{\"after\":300}", 0},
    {"timer-bad-json", VM_REQUEST, 1, "timer", "{", 0},
    {"storage-no-key", VM_REQUEST, 1, "storage.get", "{}", 0},
    {"storage-no-value", VM_REQUEST, 1, "storage.set", "{\"key\":\"a\"}", 0},
    {"storage-no-prefix", VM_REQUEST, 1, "storage.list", "{\"key\":\"a\"}", 0},
    {"cancel-unknown", VM_CANCEL, 7, "http", NULL, 0},
    {"log-level", VM_LOG, 0, "shout", "\"hey\"", 0},
    {"log-number", VM_LOG, 0, "info", "1", 0},
    {"log-nothing", VM_LOG, 0, "info", NULL, 0},
    {"fault-number", VM_FAULT, 0, "go", "1", 0},
};

typedef struct emission {
  vm_event event;
  char *text; // owned; NULL where the event's bytes are constants
} emission;

struct vm_instance {
  char fault[32];
  emission *queue;
  size_t count, next, capacity;
  int has_gone; // `go` came: from now on its fault shows in poll

};

// For faults between instances. Calls into a library never overlap.
static vm_instance *latest, *before_latest;
static int others_may_have_news;

static int is(const vm_instance *self, const char *fault) { return !strcmp(self->fault, fault); }

static int equals(vm_bytes bytes, const char *text) {
  return bytes.size == strlen(text) && !memcmp(bytes.data, text, bytes.size);
}

static emission *add(vm_instance *self, uint32_t kind, uint64_t id) {
  if (self->next == self->count) {
    for (size_t i = 0; i < self->count; i++) free(self->queue[i].text);
    self->next = self->count = 0;
  }
  if (self->count == self->capacity) {
    self->capacity = self->capacity ? 2 * self->capacity : 16;
    self->queue = realloc(self->queue, self->capacity * sizeof *self->queue);
    if (!self->queue) abort();
  }
  emission *added = &self->queue[self->count++];
  *added = (emission){{.size = sizeof(vm_event), .kind = kind, .id = id}, NULL};
  return added;
}

static void emit(vm_instance *self, uint32_t kind, const char *name, const char *json) {
  emission *added = add(self, kind, 0);
  added->event.name = broken_text(name);
  added->event.json = broken_text(json);
}

// MARK: The making

static char *info_text(const vm_create_info *info) {
  size_t size = info->config.size + info->locale.size + info->time_zone.size + 200;
  char *text = malloc(size);
  if (!text) abort();
  snprintf(text, size,
           "{\"config\":%.*s,\"epoch\":%" PRId64 ",\"locale\":\"%.*s\",\"seed\":%" PRIu64
           ",\"time\":%" PRId64 ",\"timeZone\":\"%.*s\"}",
           info->config.size ? (int)info->config.size : 4,
           info->config.size ? (const char *)info->config.data : "null", info->epoch_ns,
           (int)info->locale.size, (const char *)info->locale.data, info->seed, info->time_ns,
           (int)info->time_zone.size, (const char *)info->time_zone.data);
  return text;
}

static void emit_info(vm_instance *self, const vm_create_info *info) {
  emission *added = add(self, VM_OUTPUT, 0);
  added->text = info_text(info);
  added->event.name = BYTES("info");
  added->event.json = broken_text(added->text);
}

static void emit_first_frame(vm_instance *self, const vm_create_info *info) {
  if (is(self, "frame-none")) return;
  if (is(self, "frame-reversed")) emit(self, VM_OUTPUT, "second", "2");
  if (is(self, "frame-late")) emit(self, VM_LOG, "info", "\"hello\"");
  emit_info(self, info);
  if (is(self, "frame-twice")) emit_info(self, info);
  if (is(self, "frame-missing") || is(self, "frame-reversed")) return;
  emit(self, VM_OUTPUT, "second", "2");
  if (is(self, "frame-rings")) add(self, VM_OUTPUT, 0)->event.name = BYTES("rang");
}

static void read_fault(vm_bytes config, char *fault, size_t size) {
  static const char marker[] = "\"fault\":\"";
  fault[0] = 0;
  for (size_t at = 0; at + sizeof marker - 1 <= config.size; at++) {
    if (memcmp(config.data + at, marker, sizeof marker - 1)) continue;
    size_t to = 0;
    for (at += sizeof marker - 1; at < config.size && config.data[at] != '"'; at++)
      if (to + 1 < size) fault[to++] = (char)config.data[at];
    fault[to] = 0;
    return;
  }
}

// A plugin that hangs can wait or spin. Most tests want it to wait, so that they don't keep a
// processor from the others.
_Noreturn void broken_hang(void) {
  for (;;) poll(NULL, 0, -1);
}

vm_status broken_create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  char fault[sizeof((vm_instance *)0)->fault];
  read_fault(info->config, fault, sizeof fault);
  for (size_t i = 0; i < sizeof create_refusals / sizeof *create_refusals; i++)
    if (!strcmp(fault, create_refusals[i].fault)) {
      *error = broken_text(create_refusals[i].message);
      return create_refusals[i].status;
    }
  if (!strcmp(fault, "create-tells-config")) {
    static char words[200];
    snprintf(words, sizeof words, "bad config: %.*s", (int)info->config.size,
             (const char *)info->config.data);
    *error = broken_text(words);
    return VM_E_CONFIG;
  }
  if (!strcmp(fault, "crash-in-create")) *(volatile int *)8 = 1;
  if (!strcmp(fault, "hang-in-create")) broken_hang();
  if (!strcmp(fault, "spin-in-create"))
    for (volatile int spin = 1; spin;) {}
  vm_instance *made = calloc(1, sizeof *made);
  if (!made) return VM_E_FAILED;
  memcpy(made->fault, fault, sizeof fault);
  emit_first_frame(made, info);
  before_latest = latest;
  latest = made;
  *instance = made;
  return VM_OK;
}

void broken_destroy(vm_instance *self) {
  if (is(self, "crash-in-destroy")) *(volatile int *)8 = 1;
  if (is(self, "hang-in-destroy")) broken_hang();
  if (is(self, "spin-in-destroy"))
    for (volatile int spin = 1; spin;) {}
  if (latest == self) latest = before_latest;
  if (before_latest == self) before_latest = NULL;
  if (latest == before_latest) before_latest = NULL;
  for (size_t i = 0; i < self->count; i++) free(self->queue[i].text);
  free(self->queue);
  free(self);
}

// MARK: What it is told

static void go(vm_instance *self) {
  for (size_t i = 0; i < sizeof emissions / sizeof *emissions; i++)
    if (is(self, emissions[i].fault)) {
      emission *added = add(self, emissions[i].kind, emissions[i].id);
      added->event.name = broken_text(emissions[i].name);
      added->event.json = broken_text(emissions[i].json);
      if (emissions[i].size) added->event.json.size = emissions[i].size;
      return;
    }
  if (is(self, "request-twice")) {
    for (int i = 0; i < 2; i++) {
      emission *added = add(self, VM_REQUEST, 5);
      added->event.name = BYTES("http");
      added->event.json = BYTES("{}");
    }
  } else if (is(self, "output-of-another")) {
    vm_instance *other = latest == self ? before_latest : latest;
    if (other) emit(other, VM_OUTPUT, "said", "\"from another\"");
    others_may_have_news = 1;
  } else if (is(self, "huge-value")) {
    const size_t size = 10 << 20;
    emission *added = add(self, VM_OUTPUT, 0);
    added->text = malloc(size);
    if (!added->text) abort();
    memset(added->text, 'x', size);
    added->text[0] = added->text[size - 1] = '"';
    added->event.name = BYTES("said");
    added->event.json = (vm_bytes){(const uint8_t *)added->text, size};
  } else if (is(self, "") || is(self, "others-for-ever") || is(self, "small-steps")) {
    emit(self, VM_OUTPUT, "rang", NULL);
  }
}

// "KIND ID NAME JSON" lines out of a JSON string, whose only escapes are \n, \" and \\.
static vm_status emit_lines(vm_instance *self, vm_bytes json) {
  if (json.size < 2 || json.data[0] != '"') return VM_E_VALUE;
  char *text = malloc(json.size);
  if (!text) return VM_E_FAILED;
  size_t size = 0;
  for (size_t at = 1; at + 1 < json.size; at++) {
    char byte = (char)json.data[at];
    if (byte == '\\') {
      byte = (char)json.data[++at];
      if (byte == 'n') byte = '\n';
    }
    text[size++] = byte;
  }
  text[size] = 0;
  for (char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    emission *added = add(self, 0, 0);
    added->text = malloc((size_t)(end - line) + 1);
    if (!added->text) abort();
    memcpy(added->text, line, (size_t)(end - line));
    added->text[end - line] = 0;
    char *rest = added->text;
    added->event.kind = (uint32_t)strtoul(rest, &rest, 10);
    added->event.id = strtoull(rest, &rest, 10);
    while (*rest == ' ') rest++;
    added->event.name = (vm_bytes){(const uint8_t *)rest, strcspn(rest, " ")};
    rest += added->event.name.size;
    while (*rest == ' ') rest++;
    added->event.json = broken_text(rest);
  }
  free(text);
  return VM_OK;
}

static void hear(vm_instance *self, const vm_event *event) {
  const size_t size = event->name.size + event->json.size + 200;
  emission *added = add(self, VM_OUTPUT, 0);
  added->text = malloc(size);
  if (!added->text) abort();
  snprintf(added->text, size,
           "{\"effect\":\"%.*s\",\"id\":%" PRIu64 ",\"kind\":%" PRIu32 ",\"time\":%" PRId64
           ",\"value\":%.*s}",
           (int)event->name.size, (const char *)event->name.data, event->id, event->kind,
           event->time_ns, event->json.size ? (int)event->json.size : 6,
           event->json.size ? (const char *)event->json.data : "\"none\"");
  added->event.name = BYTES("heard");
  added->event.json = broken_text(added->text);
}

vm_status broken_send(vm_instance *self, const vm_event *event, vm_bytes *error) {
  if (is(self, "print-unfinished")) printf("no end");
  if (is(self, "print")) {
    printf("a line that a plugin printed\n");
    return VM_OK;
  }
  if (is(self, "hang-in-send")) broken_hang();
  if (is(self, "spin-in-send"))
    for (volatile int spin = 1; spin;) {}
  if (is(self, "crash-in-send")) *(volatile int *)8 = 1;
  // A replay for a backtrace is the one run in which the backtracer is on.
  const char *backtracer = getenv("SWIFT_BACKTRACE");
  if (backtracer && strstr(backtracer, "enable=no")) {
    if (is(self, "crash-unless-traced")) *(volatile int *)8 = 1;
    if (is(self, "hang-unless-traced"))
      for (volatile int spin = 1; spin;) {}
  }
  if (is(self, "kill-in-send")) raise(SIGKILL);
  if (is(self, "crash-after-lines")) {
    puts("*** Signal 7: Backtracing from 0x1... done ***");
    for (int i = 0; i < 12000; i++) puts("a line that a plugin printed");
    *(volatile int *)8 = 1;
  }
  if (is(self, "crash-at-reply") && event->kind == VM_REPLY) *(volatile int *)8 = 1;
  if (event->kind != VM_INPUT) {
    if (is(self, "refuse-replies")) {
      *error = BYTES("no answer was wanted");
      return VM_E_VALUE;
    }
    hear(self, event);
    return VM_OK;
  }
  if (equals(event->name, "emit")) return emit_lines(self, event->json);
  if (equals(event->name, "order")) {
    emit(self, VM_OUTPUT, "rang", NULL);
    return VM_OK;
  }
  if (!equals(event->name, "go")) return VM_E_NAME;
  for (size_t i = 0; i < sizeof send_refusals / sizeof *send_refusals; i++)
    if (is(self, send_refusals[i].fault)) {
      *error = broken_text(send_refusals[i].message);
      return send_refusals[i].status;
    }
  go(self);
  self->has_gone = 1;
  return VM_OK;
}

// MARK: What it says

static vm_status flood(vm_event *out) {
  out->kind = VM_OUTPUT;
  out->name = BYTES("rang");
  return VM_OK;
}

static vm_status flood_bytes(vm_event *out) {
  static uint8_t megabyte[1 << 20];
  memset(megabyte, '1', sizeof megabyte);
  out->kind = VM_OUTPUT;
  out->name = BYTES("said");
  out->json = (vm_bytes){megabyte, sizeof megabyte};
  return VM_OK;
}

vm_status broken_poll(vm_instance *self, vm_event *out) {
  if (self->next < self->count) {
    const vm_event *event = &self->queue[self->next++].event;
    // A later host's event may be longer, and this one's must not shrink.
    const uint32_t size = out->size;
    if (size < sizeof *out) return VM_E_FAILED;
    *out = *event;
    out->size = is(self, "small-steps") ? 0 : size;
    return VM_OK;
  }
  if (self->has_gone) {
    if (is(self, "flood")) return flood(out);
    if (is(self, "flood-bytes")) return flood_bytes(out);
    if (is(self, "poll-failed")) return VM_E_FAILED;
    if (is(self, "poll-unknown")) return 42;
    if (is(self, "hang-in-poll")) broken_hang();
    if (is(self, "spin-in-poll"))
      for (volatile int spin = 1; spin;) {}
  }
  if (is(self, "others-for-ever")) return VM_IDLE_OTHERS;
  if (others_may_have_news) {
    others_may_have_news = 0;
    return VM_IDLE_OTHERS;
  }
  return VM_IDLE;
}
