// A system call without the C library, whose functions the executable may have replaced.
#ifndef HOST_SYSTEM_CALL_H
#define HOST_SYSTEM_CALL_H

// Returns the kernel's result. An error is a negative errno, and errno itself doesn't change.
static inline long host_system_call(
  long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return number;
#elif defined(__aarch64__)
  register long call __asm__("x8") = number;
  register long first __asm__("x0") = a;
  register long second __asm__("x1") = b;
  register long third __asm__("x2") = c;
  register long fourth __asm__("x3") = d;
  register long fifth __asm__("x4") = e;
  register long sixth __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(first)
                   : "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "memory");
  return first;
#else
#error "vmhost runs on x86_64 and aarch64"
#endif
}

#endif
