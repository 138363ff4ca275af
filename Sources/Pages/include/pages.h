/// The files of the pages that show sessions, as bytes of the program.
#ifndef VMHOST_PAGES_H
#define VMHOST_PAGES_H

#include <stddef.h>

enum page_file {
  PAGE_HTML,
  PAGE_CSS,
  PAGE_JSON,
  PAGE_TRACE,
  PAGE_TRANSCRIPT,
  PAGE_DOM,
  PAGE_LIST,
  PAGE_TREE,
  PAGE_TIMELINE,
  PAGE_DETAIL,
  PAGE_VIEWER,
  PAGE_REPORT,
  PAGE_FIELDS,
  PAGE_FORMS,
  PAGE_SESSION,
  PAGE_REQUESTS,
  PAGE_INSTANCES,
  PAGE_LIVE,
  PAGE_START,
};

/// A byte of a file; -1 behind its end.
int page_byte(enum page_file file, size_t index);

#endif
