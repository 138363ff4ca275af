#define _GNU_SOURCE  // memmem, wait4
// The programs that vmhost is compared with, in one: without an argument it does nothing at all;
// with `echo` it answers JSON Lines as vmhost and the echo plugin do, validating nothing, and with
// `echo seq` or `echo instance` those that all have such a member; with `peak FILE PROGRAM …` it
// runs a program, and writes into the file how much memory that had.
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char input[1 << 18], output[1 << 19];

// The member that all lines have besides their value.
static enum { NOTHING, SEQ, INSTANCE } member;
static unsigned long steps = 1;

#define FIND(from, end, text) memmem(from, (size_t)((end) - (from)), text, sizeof text - 1)
#define APPEND(to, text) append(to, text, sizeof text - 1)

static char *append(char *to, const char *from, size_t size) {
  memcpy(to, from, size);
  return to + size;
}

static char *append_number(char *to, unsigned long number) {
  char digits[20], *first = digits + sizeof digits;
  do *--first = (char)('0' + number % 10);
  while (number /= 10);
  return append(to, first, (size_t)(digits + sizeof digits - first));
}

// Writes the answer to one line, without its line feed, and returns where it ends.
static char *answer(char *const start, const char *line, size_t size) {
  const char *end = line + size, *seq = NULL;
  char *to = APPEND(start, "{\"kind\":\"output\",\"t\":0.000000001,\"instance\":\"");
  if (member == INSTANCE) {
    const char *instance = FIND(line, end, "\"instance\":\"");
    if (!instance) return start;
    instance += sizeof "\"instance\":\"" - 1;
    const char *quote = memchr(instance, '"', (size_t)(end - instance));
    if (!quote) return start;
    to = append(to, instance, (size_t)(quote - instance));
    line = quote;
  } else {
    to = APPEND(to, "echo");
  }
  const char *value = FIND(line, end, "\"value\":");
  if (!value) return start;
  value += sizeof "\"value\":" - 1;
  if (member == SEQ) {
    seq = FIND(value, end, ",\"seq\":");
    if (!seq) return start;
  }
  to = APPEND(to, "\",\"name\":\"said\",\"value\":");
  to = append(to, value, (size_t)((seq ? seq : end) - value));
  if (seq) {
    to = APPEND(to, "}\n{\"kind\":\"done\",\"t\":0.000000001");
    to = append(to, seq, (size_t)(end - 1 - seq));
    to = APPEND(to, ",\"step\":");
    to = append_number(to, ++steps);
    *to++ = '}';
  }
  *to++ = '\n';
  return to;
}

static int echo(void) {
  size_t kept = 0, count;
  while ((count = fread(input + kept, 1, sizeof input - kept, stdin)) > 0) {
    const char *line = input, *end = input + kept + count, *feed;
    char *to = output;
    while ((feed = memchr(line, '\n', (size_t)(end - line)))) {
      // Its answers are less than 192 bytes longer than a line, and the other buffer holds them.
      if ((size_t)(output + sizeof output - to) < (size_t)(feed - line) + 192) {
        if (fwrite(output, 1, (size_t)(to - output), stdout) == 0) return 1;
        to = output;
      }
      to = answer(to, line, (size_t)(feed - line));
      line = feed + 1;
    }
    if (fwrite(output, 1, (size_t)(to - output), stdout) != (size_t)(to - output)) return 1;
    kept = (size_t)(end - line);
    if (kept == sizeof input) return 1;
    memmove(input, line, kept);
  }
  return ferror(stdin) ? 1 : 0;
}

// The kernel counts the memory of the program that starts another one, so a small one does it.
static int peak(const char *path, char **argv) {
  pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    execv(argv[0], argv);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status)) return 2;
  FILE *file = fopen(path, "w");
  if (!file || fprintf(file, "%ld", usage.ru_maxrss) < 0 || fclose(file) != 0) return 2;
  return WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  if (argc < 2) return 0;
  if (argc > 3 && strcmp(argv[1], "peak") == 0) return peak(argv[2], argv + 3);
  if (strcmp(argv[1], "echo") != 0) return 2;
  if (argc > 2) member = strcmp(argv[2], "seq") == 0 ? SEQ : INSTANCE;
  return echo();
}
