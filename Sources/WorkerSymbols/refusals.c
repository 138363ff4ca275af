#define _GNU_SOURCE
#include "refusals.h"
#include "original.h"

#include <HostShims.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#ifndef SANITIZER_HAS_ITS_OWN

// An interface that authors know, by the beginning of its functions' symbols.
struct interface {
  const char *prefix, *name;
  enum lack lack;
};

// An earlier entry wins over a later one.
static const struct interface interfaces[] = {
  {"$s10Foundation6ThreadC", "Thread", LACK_THREADS},
  {"$s8Dispatch0A5QueueC10asyncAfter", "DispatchQueue.asyncAfter", LACK_RUN_LOOP},
  {"$s8Dispatch0A5QueueC5async", "DispatchQueue.async", LACK_THREADS},
  {"$s8Dispatch0A5QueueC17concurrent", "DispatchQueue.concurrentPerform", LACK_THREADS},
  {"$s8Dispatch", "Dispatch", LACK_THREADS},
  {"$sSo17OS_dispatch", "Dispatch", LACK_THREADS},
  {"dispatch_after", "DispatchQueue.asyncAfter", LACK_RUN_LOOP},
  {"dispatch_async", "DispatchQueue.async", LACK_THREADS},
  {"dispatch_", "Dispatch", LACK_THREADS},
  {"swift_task_", "Task without the kit", LACK_THREADS},
  {"$s10Foundation5TimerC", "Foundation's Timer", LACK_RUN_LOOP},
  {"$s10Foundation7RunLoopC", "RunLoop", LACK_RUN_LOOP},
  {"CFRunLoop", "CFRunLoop", LACK_RUN_LOOP},
  {"$s20FoundationNetworking", "URLSession", LACK_NETWORK},
  {"$s10Foundation7ProcessC", "Process", LACK_PROCESSES},
  {"$s10Foundation12UserDefaultsC", "UserDefaults", LACK_DEFAULTS},
  {"$s10Foundation10FileHandleC", "FileHandle", LACK_FILES},
  {"$s20FoundationEssentials11FileManagerC", "FileManager", LACK_FILES},
  {"$s20FoundationEssentials4DataV10contentsOf", "Data(contentsOf:)", LACK_FILES},
  {"$s20FoundationEssentials4DataV5write", "Data.write(to:)", LACK_FILES},
  {"$sSS20FoundationEssentialsE10contentsOf", "String(contentsOf:)", LACK_FILES},
  {"$sSS20FoundationEssentialsE14contentsOf", "String(contentsOfFile:)", LACK_FILES},
  {"$sSS10FoundationE10contentsOf", "String(contentsOf:)", LACK_FILES},
  {"$sSS10FoundationE14contentsOf", "String(contentsOfFile:)", LACK_FILES},
  {"$sSy20FoundationEssentialsE5write", "String.write(to:)", LACK_FILES},
  {"_ZNSt6thread", "std::thread", LACK_THREADS},
  {"_ZNSt13basic_filebuf", "std::fstream", LACK_FILES},
};

enum { COUNT = sizeof interfaces / sizeof *interfaces, NONE = -1 };

static int interface_of(const char *symbol) {
  for (int i = 0; symbol && i < COUNT; i++)
    if (strncmp(symbol, interfaces[i].prefix, strlen(interfaces[i].prefix)) == 0) return i;
  return NONE;
}

static const void *own_image(void) {
  Dl_info own;
  return dladdr((void *)worker_explain, &own) ? own.dli_fbase : NULL;
}

// Whether a library is the system's, or Swift's: not the author's.
static int is_runtime(const Dl_info *info) {
  static const char *const names[] = {
    "libFoundation", "lib_Foundation", "libswift", "libdispatch", "libBlocksRuntime", "libc.so",
    "libstdc++", "libc++", "libgcc_s", "ld-linux", "libm.so", "libcurl"};
  const char *slash = info->dli_fname ? strrchr(info->dli_fname, '/') : NULL;
  const char *file = slash ? slash + 1 : info->dli_fname;
  for (size_t i = 0; file && i < sizeof names / sizeof *names; i++)
    if (strncmp(file, names[i], strlen(names[i])) == 0) return 1;
  return 0;
}

// What the stack says of a call, from the inside out.
struct search {
  int interface;       // the outermost one between the call and the author's code
  int is_direct;       // the author's code made the call itself
  int has_seen_other;  // frames other than vmhost's own have been seen
  int is_over;
  uintptr_t frame;     // the frame pointer of the function that was looked at last
  // Frames as they lie on a stack, of the interface and of the author's code.
  struct frame {
    uintptr_t next, address;
  } interface_frame, author_frame;
};

// Looks at a function that has made the call, or has called such a one.
static void look_at(struct search *search, uintptr_t address, uintptr_t frame) {
  Dl_info info;
  // The return address may be behind the end of a function that never returns.
  if (!dladdr((void *)(address - 1), &info)) return;
  const int is_own = info.dli_fbase == own_image();
  // The first frames are vmhost's own, and so are those that have called the author's code.
  if (is_own && !search->has_seen_other) return;
  const int found = is_own ? NONE : interface_of(info.dli_sname);
  if (found != NONE) {
    search->interface = found;
    search->interface_frame = (struct frame){frame, address};
  } else if (is_own || !is_runtime(&info)) {
    if (!is_own && !search->has_seen_other) search->is_direct = 1;
    if (!is_own) search->author_frame = (struct frame){frame, address};
    search->is_over = 1;
  }
  search->has_seen_other = 1;
}

#ifdef __x86_64__
enum { FRAME_REGISTER = 6 };
#else
enum { FRAME_REGISTER = 29 };
#endif

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *data) {
  struct search *search = data;
  search->frame = _Unwind_GetGR(context, FRAME_REGISTER);
  look_at(search, _Unwind_GetIP(context), search->frame);
  return search->is_over ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// Goes on by frame pointers, which Swift's code has, where a library has no tables for unwinding.
static void look_behind(struct search *search) {
  enum { MAX_FRAMES = 200, MAX_SIZE = 1 << 20 };
  for (int i = 0; i < MAX_FRAMES && !search->is_over; i++) {
    const uintptr_t frame = search->frame;
    if (!frame || frame % sizeof frame != 0) return;
    const uintptr_t next = ((const uintptr_t *)frame)[0];
    look_at(search, ((const uintptr_t *)frame)[1], next);
    if (next <= frame || next - frame > MAX_SIZE) return;
    search->frame = next;
  }
}

static const char *advice(enum lack lack) {
  switch (lack) {
  case LACK_THREADS: return "a confined plugin has one thread; use Work or Task";
  case LACK_RUN_LOOP: return "a confined plugin has no run loop; use the kit's Timer";
  case LACK_NETWORK: return "a confined plugin has no network; use HTTP or another effect";
  case LACK_FILES: return "a confined plugin has no files; use Storage or another effect";
  case LACK_DEFAULTS: return "its contents are lost when a confined plugin ends; use Storage";
  case LACK_PROCESSES: return "a confined plugin starts no process; use an effect";
  case LACK_END: return "a plugin doesn't end its process; throw an error";
  }
  return "";
}

// Whether this is the first report of the session on an interface, or on a lack.
static int is_first(int interface, enum lack lack) {
  static _Atomic uint64_t said;
  static _Atomic uint64_t session;
  const uint64_t now = __atomic_load_n(&host_session_control.number, __ATOMIC_RELAXED);
  if (atomic_exchange(&session, now) != now) atomic_store(&said, 0);
  const uint64_t bit = UINT64_C(1) << (interface == NONE ? 63 - (int)lack : interface);
  return (atomic_fetch_or(&said, bit) & bit) == 0;
}

// A path as it may be in a line: short, and without what would end the line or the quotation.
static void append_path(char *text, size_t size, const char *path) {
  size_t end = strlen(text);
  end += (size_t)snprintf(text + end, size - end, " on \"");
  for (int i = 0; path[i] && i < 200 && end + 2 < size; i++) {
    const unsigned char byte = (unsigned char)path[i];
    text[end++] = (char)(byte < 0x20 || byte == '"' || byte == 0x7f ? '?' : byte);
  }
  text[end++] = '"';
  text[end] = 0;
}

static void report(
  enum lack lack, const char *function, const char *target, const struct search *found) {
  const int interface = found->interface;
  if (interface != NONE) lack = interfaces[interface].lack;
  if (!is_first(interface, lack)) return;
  char text[512];
  snprintf(
    text, sizeof text, "vmhost: it %s %s", interface == NONE ? "called" : "used",
    interface == NONE ? function : interfaces[interface].name);
  if (target && lack == LACK_FILES) append_path(text, 300, target);
  const size_t end = strlen(text);
  const int rest = snprintf(text + end, sizeof text - end, ", and %s\n", advice(lack));
  const ssize_t written = write(STDERR_FILENO, text, end + (size_t)rest);
  (void)written;  // If standard error is closed, there is no way to report it.
}

static struct search search_stack(void) {
  struct search search = {.interface = NONE};
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  _Unwind_Backtrace(look, &search);
  // A frame pointer outside of the stack is no frame pointer.
  if (search.frame > here) look_behind(&search);
  return search;
}

void worker_explain(enum lack lack, const char *function, const char *target) {
  if (!host_threads_are_denied()) return;
  const int saved = errno;
  const struct search found = search_stack();
  // A library may look for a file, such as that of a time zone, and do without it.
  if (found.interface != NONE || found.is_direct) report(lack, function, target, &found);
  errno = saved;
}

// Ends the process with a trap that looks as if it were in the interface that the author used.
// Swift's backtracer needs frame pointers, which libdispatch doesn't have.
static _Noreturn void worker_trap(struct search *found) {
  struct frame *last = &found->interface_frame;
  if (found->author_frame.address) last->next = (uintptr_t)&found->author_frame;
#if defined(__x86_64__)
  __asm__ volatile("mov %0, %%rbp\n\tud2" : : "r"(last) : "memory");
#elif defined(__aarch64__)
  __asm__ volatile("mov x29, %0\n\tbrk #1" : : "r"(last) : "memory");
#endif
  __builtin_trap();
}

void worker_explain_end(enum lack lack, const char *function) {
  if (!host_threads_are_denied()) return;
  struct search found = search_stack();
  report(lack, function, NULL, &found);
  if (found.interface == NONE) return;
  // C++ throws an exception.
  if (strncmp(interfaces[found.interface].prefix, "_Z", 2) != 0) worker_trap(&found);
}

#endif
