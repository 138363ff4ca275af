/* Reads values with vm_helper.h and writes them again. Its input is frames: four bytes of size, the
 * smallest first, and as many of JSON. For each it prints a line: the value, or "-". It ends with
 * status 2 if a queue can't be used again. */
#include "vm_helper.h"

/* Whether all numbers with an exponent so far had room in a double. */
static bool readable;

static bool isWhole(vm_bytes number) {
  for (size_t index = 0; index < number.size; index++) {
    if (strchr(".eE", number.data[index])) return false;
  }
  return true;
}

static void copy(vm_bytes value, vm_buffer *json) {
  vm_bytes item = {NULL, 0}, key = {NULL, 0};
  vm_buffer text = vm_new_buffer();
  int64_t whole;
  double number;
  bool flag;
  switch (vm_type_of(value)) {
  case VM_TYPE_NONE: abort();
  case VM_TYPE_NULL: vm_write_null(json); break;
  case VM_TYPE_BOOL:
    if (!vm_read_bool(value, &flag)) abort();
    vm_write_bool(json, flag);
    break;
  case VM_TYPE_NUMBER:
    if (vm_read_int(value, &whole)) vm_write_int(json, whole);
    else if (isWhole(value)) vm_write_json(json, value);
    else if (vm_read_double(value, &number)) vm_write_double(json, number);
    else readable = false;
    break;
  case VM_TYPE_STRING:
    if (!vm_read_string(value, &text)) abort();
    vm_write_string(json, vm_contents(&text));
    break;
  case VM_TYPE_ARRAY:
    vm_begin_array(json);
    while (vm_next_item(value, &item)) copy(item, json);
    vm_end_array(json);
    break;
  case VM_TYPE_OBJECT:
    vm_begin_object(json);
    while (vm_next_member(value, &key, &item)) {
      copy(key, json);
      vm_append(json, ":", 1);
      copy(item, json);
    }
    vm_end_object(json);
    break;
  }
  vm_free_buffer(&text);
}

/* Asks for everything, whatever the bytes are. */
static void probe(vm_bytes json) {
  vm_bytes item = {NULL, 0}, key = {NULL, 0};
  vm_buffer text = vm_new_buffer();
  int64_t whole;
  double number;
  bool flag;
  (void)vm_type_of(json);
  (void)vm_read_int(json, &whole);
  (void)vm_read_double(json, &number);
  (void)vm_read_bool(json, &flag);
  (void)vm_read_string(json, &text);
  (void)vm_member(json, "a", &item);
  item.data = NULL;
  while (vm_next_item(json, &item)) vm_read_string(item, &text);
  item.data = NULL;
  while (vm_next_member(json, &key, &item)) vm_read_string(key, &text);
  vm_free_buffer(&text);
}

/* Whether a queue that was freed after a part of it was polled is like a new one. */
static bool freesQueue(void) {
  vm_queue queue;
  vm_event event;
  memset(&queue, 0, sizeof queue);
  for (int round = 0; round < 2; round++) {
    if (vm_poll(&queue, &event) != VM_IDLE || vm_ask_timer(&queue, 1) != 1) return false;
    vm_emit_bool(&queue, "second", true);
    if (vm_poll(&queue, &event) != VM_OK || event.kind != VM_REQUEST) return false;
    vm_free_queue(&queue);
  }
  return true;
}

int main(void) {
  uint8_t head[4];
  if (!freesQueue()) return 2;
  while (fread(head, 1, 4, stdin) == 4) {
    const size_t size = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16;
    /* No byte more than it needs, so that a read behind it shows. */
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes || fread(bytes, 1, size, stdin) != size) return 1;
    vm_bytes json = {bytes, size};
    vm_buffer copied = vm_new_buffer();
    probe(json);
    if (vm_is_json(json)) {
      const uint8_t *end = bytes + size, *start = vm_scan_blanks(bytes, end);
      vm_bytes value = {start, (size_t)(vm_scan_value(start, end, 0) - start)};
      readable = true;
      copy(value, &copied);
      if (copied.failed) return 1;
    }
    if (copied.size == 0 || !readable) {
      copied.size = 0;
      vm_append(&copied, "-", 1);
    }
    vm_append(&copied, "\n", 1);
    fwrite(copied.data, 1, copied.size, stdout);
    vm_free_buffer(&copied);
    free(bytes);
  }
  return 0;
}
