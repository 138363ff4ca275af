// A plugin that knows the protocol of workers and lies to the host in it, byte by byte; see
// acting.h for how it is told. Documentation/WorkerProtocol.md has what is forged here.
#define _GNU_SOURCE
#include <acting.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SOCKET = 3, FIRST_WINDOW = 5, END = 16, LAYERS = 9 };
enum { LOADED = 65, DONE = 68 };

static int result(long value) { return value < 0 ? errno : 0; }

static void wait_for_ever(void) {
  for (;;) poll(NULL, 0, -1);
}

static int put(const void *bytes, size_t size) {
  for (size_t at = 0; at < size;) {
    const ssize_t count = write(SOCKET, (const char *)bytes + at, size - at);
    if (count < 0) return errno;
    at += (size_t)count;
  }
  return 0;
}

static uint32_t chance(void) {
  static uint32_t state = 42;
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

// MARK: Frames

struct frame {
  uint32_t announced;
  uint8_t bytes[256];
  size_t size;
};

// KIND,LENGTH,HEX: the length that the header announces, and the payload that follows it.
static int read_frame(const char *text, struct frame *frame) {
  unsigned kind, announced;
  int start = 0;
  if (sscanf(text, "%u,%u,%n", &kind, &announced, &start) < 2 || !start) return 0;
  memcpy(frame->bytes, &announced, 4);
  frame->bytes[4] = (uint8_t)kind;
  frame->size = 5;
  unsigned byte;
  for (const char *rest = text + start; sscanf(rest, "%2x", &byte) == 1; rest += 2) {
    if (frame->size == sizeof frame->bytes) return 0;
    frame->bytes[frame->size++] = (uint8_t)byte;
  }
  return 1;
}

static int send_frame(const char *text) {
  struct frame frame;
  return read_frame(text, &frame) ? put(frame.bytes, frame.size) : EINVAL;
}

static int send_frames(const char *text) {
  struct frame frame;
  if (!read_frame(text, &frame)) return EINVAL;
  int failure = 0;
  for (int i = 0; i < 10000 && !failure; i++) failure = put(frame.bytes, frame.size);
  return failure;
}

static int send_frame_and_sleep(const char *text) {
  const int failure = send_frame(text);
  if (!failure) wait_for_ever();
  return failure;
}

static int send_frame_and_crash(const char *text) {
  const int failure = send_frame(text);
  raise(SIGSEGV);
  return failure;
}

static int send_garbage(const char *unused) {
  (void)unused;
  uint8_t garbage[4096];
  for (size_t i = 0; i < sizeof garbage; i++) garbage[i] = (uint8_t)chance();
  return put(garbage, sizeof garbage);
}

static int send_garbage_for_ever(const char *unused) {
  for (;;) {
    const int failure = send_garbage(unused);
    if (failure) return failure;
  }
}

// Says that the library is loaded, and confined as its argument says: a digit a layer, which is
// the state of its report. What follows is another plugin's manifest.
static int claim_loaded(const char *states) {
  static const char manifest[] =
    "{\"id\":\"forged\",\"version\":\"1.0.0\",\"viewModels\":[{\"id\":\"acting\","
    "\"inputs\":[{\"name\":\"go\"}]}]}";
  uint8_t bytes[5 + 8 * LAYERS] = {0};
  const uint32_t size = 8 * LAYERS + sizeof manifest - 1;
  memcpy(bytes, &size, 4);
  bytes[4] = LOADED;
  for (int i = 0; i < LAYERS && states[i]; i++) bytes[5 + 8 * i] = (uint8_t)(states[i] - '0');
  const int failure = put(bytes, sizeof bytes);
  return failure ? failure : put(manifest, sizeof manifest - 1);
}

// From now on it is the worker, as far as the host can see: each frame is answered with `done`.
static int impersonate(const char *states) {
  // What the host sees from outside is made to look as if the worker had done its part.
  const struct rlimit six = {6, 6};
  if (setrlimit(RLIMIT_NOFILE, &six) != 0) return errno;
  int failure = claim_loaded(states);
  const uint8_t done[] = {4, 0, 0, 0, DONE, 1, 0, 0, 0};
  uint8_t scrap[1 << 12];
  while (!failure && read(SOCKET, scrap, sizeof scrap) > 0) failure = put(done, sizeof done);
  return failure;
}

// Adds a filter of its own, which allows everything, so that as many are counted as if the worker
// had applied the second stage.
static int impersonate_with_filter(const char *states) {
  struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  const struct sock_fprog filter = {1, &allow};
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
  return impersonate(states);
}

// MARK: The socket

static int swallow(const char *unused) {
  (void)unused;
  char scrap[1 << 12];
  while (recv(SOCKET, scrap, sizeof scrap, MSG_DONTWAIT) > 0) {}
  return errno == EAGAIN ? 0 : errno;
}

static int hang_up(const char *unused) {
  (void)unused;
  return result(close(SOCKET));
}

static int hang_up_and_sleep(const char *unused) {
  hang_up(unused);
  wait_for_ever();
  return 0;
}

static int shut_down(const char *unused) {
  (void)unused;
  return result(shutdown(SOCKET, SHUT_RDWR));
}

static int stop_sending(const char *unused) {
  (void)unused;
  return result(shutdown(SOCKET, SHUT_WR));
}

static int replace_socket(const char *unused) {
  (void)unused;
  int ends[2];
  if (pipe(ends) != 0) return errno;
  return result(dup2(ends[1], SOCKET));
}

static int send_descriptor(const char *unused) {
  (void)unused;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  control.header.cmsg_len = CMSG_LEN(sizeof(int));
  const int number = 0;
  memcpy(CMSG_DATA(&control.header), &number, sizeof number);
  struct iovec data = {"x", 1};
  const struct msghdr message = {
    .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  return result(sendmsg(SOCKET, &message, 0));
}

// MARK: The windows

struct window {
  uint8_t *bytes;
  size_t size;
};

// Maps whatever the host shares; how many there are is the protocol's affair.
static int map_windows(struct window windows[END]) {
  int count = 0;
  for (int number = FIRST_WINDOW; number < END; number++) {
    // stat() may be denied; the end of a file in memory is as telling.
    const off_t size = lseek(number, 0, SEEK_END);
    if (size <= 0) continue;
    void *bytes = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
    if (bytes == MAP_FAILED) continue;
    windows[count++] = (struct window){bytes, (size_t)size};
  }
  return count;
}

// Overwrites all that is shared: with "ff", with "zero", or with "chance".
static int scribble(const char *with) {
  struct window windows[END];
  const int count = map_windows(windows);
  for (int i = 0; i < count; i++)
    for (size_t at = 0; at < windows[i].size; at++)
      windows[i].bytes[at] =
        *with == 'f' ? 0xff : *with == 'z' ? 0 : (uint8_t)chance();
  return count ? 0 : ENOENT;
}

static int scribble_and_crash(const char *with) {
  const int failure = scribble(with);
  raise(SIGSEGV);
  return failure;
}

static int scribble_and_sleep(const char *with) {
  const int failure = scribble(with);
  if (!failure) wait_for_ever();
  return failure;
}

// Pretends progress: every count that the host may look at goes on and on.
static int count_for_ever(const char *unused) {
  (void)unused;
  struct window windows[END];
  const int count = map_windows(windows);
  if (!count) return ENOENT;
  for (uint64_t step = 1;; step++)
    for (int i = 0; i < count; i++)
      for (size_t at = 0; at < 64; at += 8)
        *(volatile uint64_t *)(windows[i].bytes + at) = step;
}

// Says that all of the windows is used, by events that are none, and sends a frame.
static int claim_full(const char *text) {
  struct window windows[END];
  const int count = map_windows(windows);
  const int failure = scribble("ff");
  if (failure) return failure;
  for (int i = 0; i < count; i++) {
    const uint64_t counts[2] = {UINT64_MAX, UINT64_MAX};
    memcpy(windows[i].bytes, counts, sizeof counts);
  }
  return send_frame_and_sleep(text);
}

static int resize_windows(const char *size) {
  int failure = ENOENT;
  for (int number = FIRST_WINDOW; number < END; number++) {
    if (lseek(number, 0, SEEK_END) <= 0) continue;
    failure = result(ftruncate(number, atol(size)));
    if (!failure) return 0;
  }
  return failure;
}

int acting_attempt(const char *act, const char *target) {
  static const struct {
    const char *name;
    int (*body)(const char *target);
  } all[] = {
    {"send-frame", send_frame}, {"send-frames", send_frames},
    {"send-frame-and-sleep", send_frame_and_sleep},
    {"send-frame-and-crash", send_frame_and_crash}, {"send-garbage", send_garbage},
    {"send-garbage-for-ever", send_garbage_for_ever}, {"claim-loaded", claim_loaded},
    {"impersonate", impersonate}, {"impersonate-with-filter", impersonate_with_filter},
    {"swallow", swallow}, {"hang-up", hang_up},
    {"hang-up-and-sleep", hang_up_and_sleep}, {"shut-down", shut_down},
    {"stop-sending", stop_sending}, {"replace-socket", replace_socket},
    {"send-descriptor", send_descriptor}, {"scribble", scribble},
    {"scribble-and-crash", scribble_and_crash}, {"scribble-and-sleep", scribble_and_sleep},
    {"count-for-ever", count_for_ever}, {"claim-full", claim_full},
    {"resize-windows", resize_windows}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].name, act) == 0) return all[i].body(target);
  return ENOTSUP;
}
