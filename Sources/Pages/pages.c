#include "pages.h"

// SwiftPM can embed a file, too, but only as Swift.
static const unsigned char html[] = {
#embed "page.html"
};
static const unsigned char css[] = {
#embed "page.css"
};
static const unsigned char json[] = {
#embed "json.js"
};
static const unsigned char trace[] = {
#embed "trace.js"
};
static const unsigned char transcript[] = {
#embed "transcript.js"
};
static const unsigned char dom[] = {
#embed "dom.js"
};
static const unsigned char list[] = {
#embed "list.js"
};
static const unsigned char tree[] = {
#embed "tree.js"
};
static const unsigned char timeline[] = {
#embed "timeline.js"
};
static const unsigned char detail[] = {
#embed "detail.js"
};
static const unsigned char viewer[] = {
#embed "viewer.js"
};
static const unsigned char report[] = {
#embed "report.js"
};
static const unsigned char fields[] = {
#embed "fields.js"
};
static const unsigned char forms[] = {
#embed "forms.js"
};
static const unsigned char session[] = {
#embed "session.js"
};
static const unsigned char requests[] = {
#embed "requests.js"
};
static const unsigned char instances[] = {
#embed "instances.js"
};
static const unsigned char live[] = {
#embed "live.js"
};
static const unsigned char start[] = {
#embed "start.js"
};

#define FILE_OF(name) {name, sizeof name}

static const struct {
  const unsigned char *bytes;
  size_t size;
} files[] = {
    [PAGE_HTML] = FILE_OF(html),                 [PAGE_CSS] = FILE_OF(css),
    [PAGE_JSON] = FILE_OF(json),                 [PAGE_TRACE] = FILE_OF(trace),
    [PAGE_TRANSCRIPT] = FILE_OF(transcript),     [PAGE_DOM] = FILE_OF(dom),
    [PAGE_LIST] = FILE_OF(list),                 [PAGE_TREE] = FILE_OF(tree),
    [PAGE_TIMELINE] = FILE_OF(timeline),         [PAGE_DETAIL] = FILE_OF(detail),
    [PAGE_VIEWER] = FILE_OF(viewer),             [PAGE_REPORT] = FILE_OF(report),
    [PAGE_FIELDS] = FILE_OF(fields),             [PAGE_REQUESTS] = FILE_OF(requests),
    [PAGE_INSTANCES] = FILE_OF(instances),
    [PAGE_FORMS] = FILE_OF(forms),               [PAGE_SESSION] = FILE_OF(session),
    [PAGE_LIVE] = FILE_OF(live),                 [PAGE_START] = FILE_OF(start),
};

int page_byte(enum page_file file, size_t index) {
  return index < files[file].size ? files[file].bytes[index] : -1;
}
