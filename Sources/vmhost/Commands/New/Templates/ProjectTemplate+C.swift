extension ProjectTemplate {
  static func c(_ name: ProjectName) -> ProjectTemplate {
    make(
      name, source: file("src/counter.c", counter(name)), standard: "c11",
      compiler: "CC", flags: "CFLAGS",
      tools: "`make` and a C compiler. `make run` and `make test` build first.")
  }

  static func cpp(_ name: ProjectName) -> ProjectTemplate {
    make(
      name, source: file("src/counter.cpp", cppCounter(name)), standard: "c++17",
      compiler: "CXX", flags: "CXXFLAGS",
      tools: "`make` and a C++ compiler. `make run` and `make test` build first.")
  }

  /// A project that `make` builds, with its own copies of both headers.
  private static func make(
    _ name: ProjectName, source: (path: String, bytes: [UInt8]), standard: String,
    compiler: String, flags: String, tools: String
  ) -> ProjectTemplate {
    let kind = source.path.split(separator: ".").last ?? ""
    let makefile = """
      \(flags) ?= -g -O2
      VMHOST ?= vmhost

      build/\(name.text).so: $(wildcard src/*.\(kind)) $(wildcard include/*.h)
      \tmkdir -p build
      \t$(\(compiler)) -std=\(standard) -Wall -Wextra -Wpedantic $(\(flags)) -Iinclude \\
      \t  -shared -fPIC -o $@ $(filter %.\(kind),$^)

      .PHONY: run test clean
      run: build/\(name.text).so
      \t$(VMHOST) run $<
      test: build/\(name.text).so
      \t$(VMHOST) test Transcripts --plugin-path build
      clean:
      \trm -rf build

      """
    return ProjectTemplate(
      name: name, plugin: "\(name.text).so", products: "build", build: "make",
      files: [
        source, file("Makefile", makefile),
        file("compile_flags.txt", "-std=\(standard)\n-Iinclude\n-Wall\n-Wextra\n-Wpedantic\n"),
        ("include/vm_plugin.h", PackageResources.vm_plugin_h),
        ("include/vm_helper.h", PackageResources.vm_helper_h),
      ],
      ignored: ["build/", "tests.xml", "vmhost/"],
      tools: tools,
      notes: """
        `include/vm_plugin.h` is the interface that a plugin has;
        `include/vm_helper.h` is yours to change.
        """)
  }

  private static func counter(_ name: ProjectName) -> String {
    """
    #include "vm_helper.h"

    struct vm_instance {
      vm_queue queue;
      int64_t count;
    };

    static vm_bytes counter_manifest(void) {
      static vm_manifest manifest;
      if (manifest.hasViewModel) return vm_contents(&manifest.json);
      vm_manifest_begin(&manifest, "\(name.text)", "1.0.0");
      vm_manifest_view_model(&manifest, "\(name.text).counter");
      vm_manifest_input(&manifest, "add", VM_SCHEMA_INTEGER);
      vm_manifest_input(&manifest, "reset", NULL);
      vm_manifest_state(&manifest, "count", VM_SCHEMA_INTEGER, "0");
      vm_manifest_signal(&manifest, "wasReset", NULL);
      return vm_manifest_end(&manifest);
    }

    static void set_count(vm_instance *self, int64_t count) {
      if (count == self->count) return;
      self->count = count;
      vm_emit_int(&self->queue, "count", count);
    }

    static vm_status counter_create(
        const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
      if (!vm_equal(info->view_model, "\(name.text).counter")) {
        *error = vm_text("the only view model here is \(name.text).counter");
        return VM_E_VIEW_MODEL;
      }
      vm_instance *self = calloc(1, sizeof(vm_instance));
      if (!self) return VM_E_FAILED;
      vm_emit_int(&self->queue, "count", 0);
      *instance = self;
      return VM_OK;
    }

    static vm_status counter_send(vm_instance *self, const vm_event *event, vm_bytes *error) {
      int64_t number = 0;
      if (event->kind != VM_INPUT) {
        *error = vm_text("a counter makes no requests, so it takes no answers");
        return event->kind == VM_REPLY || event->kind == VM_ERROR ? VM_E_ID : VM_E_KIND;
      }
      if (vm_equal(event->name, "add")) {
        if (!vm_read_int(event->json, &number) || number > INT32_MAX || number < INT32_MIN ||
            self->count + number > INT32_MAX || self->count + number < INT32_MIN) {
          *error = vm_text("a counter adds whole numbers, and has 32 bits");
          return VM_E_VALUE;
        }
        set_count(self, self->count + number);
      } else if (vm_equal(event->name, "reset")) {
        if (self->count == 0) return VM_OK;
        set_count(self, 0);
        vm_emit(&self->queue, "wasReset", vm_text(NULL));
      } else {
        *error = vm_text("a counter has the inputs add and reset");
        return VM_E_NAME;
      }
      return VM_OK;
    }

    static vm_status counter_poll(vm_instance *self, vm_event *out) {
      return vm_poll(&self->queue, out);
    }

    static void counter_destroy(vm_instance *self) {
      vm_free_queue(&self->queue);
      free(self);
    }

    VM_PLUGIN(counter_manifest, counter_create, counter_send, counter_poll, counter_destroy)

    """
  }

  private static func cppCounter(_ name: ProjectName) -> String {
    """
    #include "vm_helper.h"

    #include <cstdint>
    #include <new>

    struct vm_instance {
      vm_instance() { vm_emit_int(&queue, "count", count); }
      ~vm_instance() { vm_free_queue(&queue); }
      vm_instance(const vm_instance &) = delete;
      vm_instance &operator=(const vm_instance &) = delete;

      bool add(std::int64_t number) {
        const bool fits = number >= INT32_MIN && number <= INT32_MAX;
        if (!fits || count + number < INT32_MIN || count + number > INT32_MAX) return false;
        set(count + number);
        return true;
      }

      void reset() {
        if (count == 0) return;
        set(0);
        vm_emit(&queue, "wasReset", vm_text(nullptr));
      }

      vm_queue queue{};

    private:
      void set(std::int64_t value) {
        if (value == count) return;
        count = value;
        vm_emit_int(&queue, "count", count);
      }

      std::int64_t count = 0;
    };

    namespace {

    vm_bytes manifest() {
      static vm_manifest manifest{};
      if (manifest.hasViewModel) return vm_contents(&manifest.json);
      vm_manifest_begin(&manifest, "\(name.text)", "1.0.0");
      vm_manifest_view_model(&manifest, "\(name.text).counter");
      vm_manifest_input(&manifest, "add", VM_SCHEMA_INTEGER);
      vm_manifest_input(&manifest, "reset", nullptr);
      vm_manifest_state(&manifest, "count", VM_SCHEMA_INTEGER, "0");
      vm_manifest_signal(&manifest, "wasReset", nullptr);
      return vm_manifest_end(&manifest);
    }

    vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
      if (!vm_equal(info->view_model, "\(name.text).counter")) {
        *error = vm_text("the only view model here is \(name.text).counter");
        return VM_E_VIEW_MODEL;
      }
      *instance = new (std::nothrow) vm_instance;
      return *instance ? VM_OK : VM_E_FAILED;
    }

    vm_status send(vm_instance *instance, const vm_event *event, vm_bytes *error) {
      if (event->kind != VM_INPUT) {
        *error = vm_text("a counter makes no requests, so it takes no answers");
        return event->kind == VM_REPLY || event->kind == VM_ERROR ? VM_E_ID : VM_E_KIND;
      }
      if (vm_equal(event->name, "add")) {
        std::int64_t number = 0;
        if (vm_read_int(event->json, &number) && instance->add(number)) return VM_OK;
        *error = vm_text("a counter adds whole numbers, and has 32 bits");
        return VM_E_VALUE;
      }
      if (vm_equal(event->name, "reset")) {
        instance->reset();
        return VM_OK;
      }
      *error = vm_text("a counter has the inputs add and reset");
      return VM_E_NAME;
    }

    vm_status poll(vm_instance *instance, vm_event *out) { return vm_poll(&instance->queue, out); }

    void destroy(vm_instance *instance) { delete instance; }

    } // namespace

    VM_PLUGIN(manifest, create, send, poll, destroy)

    """
  }
}
