// A plugin in C++17, whole: `todo.list`, things to do that the host's storage keeps, and
// `todo.badge`, which counts what is left in all lists. Built against vm_plugin.h and nothing else.
#include "vm_plugin.h"

#include <charconv>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

vm_bytes bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

std::string_view view(vm_bytes bytes) {
  return {reinterpret_cast<const char *>(bytes.data), bytes.size};
}

// The message of the last refusal, which stays valid until the next call.
std::string message;

vm_status refuse(vm_status status, std::string text) {
  message = std::move(text);
  return status;
}

struct Event {
  vm_event_kind kind;
  std::uint64_t id;
  std::string name, json;
};

} // namespace

struct vm_instance {
  virtual ~vm_instance() = default;
  virtual vm_status input(std::string_view name, std::string_view json) = 0;
  virtual vm_status answer(const vm_event &event) = 0;
  // What `poll` says when no event waits; it may add some.
  virtual vm_status idle() = 0;

  void emit(vm_event_kind kind, std::string name, std::string json, std::uint64_t id = 0) {
    waiting.push_back({kind, id, std::move(name), std::move(json)});
  }

  std::deque<Event> waiting;
  Event current; // its bytes are lent to the host until the next call
};

namespace {

// The host sends canonical JSON: no blanks, and characters as they are. Strings are kept as JSON.
std::optional<std::string> takeString(std::string_view &json) {
  if (json.empty() || json[0] != '"') return std::nullopt;
  for (std::size_t index = 1; index < json.size(); index++) {
    if (json[index] == '\\') {
      index++;
    } else if (json[index] == '"') {
      std::string text(json.substr(0, index + 1));
      json.remove_prefix(index + 1);
      return text;
    }
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> strings(std::string_view json) {
  std::vector<std::string> found;
  if (json == "[]") return found;
  while (!json.empty() && json[0] == (found.empty() ? '[' : ',')) {
    json.remove_prefix(1);
    auto text = takeString(json);
    if (!text) return std::nullopt;
    found.push_back(std::move(*text));
  }
  if (json != "]") return std::nullopt;
  return found;
}

// Characters, not bytes, between the quotes.
std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t index = 1; index + 1 < text.size(); index++) {
    if (text[index] == '\\') index += text[index + 1] == 'u' ? 5 : 1;
    if ((text[index] & 0xC0) != 0x80) count++;
  }
  return count;
}

// Things that are left in all lists, and as many of them as the badges were told of.
std::size_t left = 0, told = 0;

struct List final : vm_instance {
  explicit List(std::uint64_t seed) : random(seed) {
    emit(VM_OUTPUT, "items", "[]");
    emit(VM_OUTPUT, "suggesting", "false");
    emit(VM_OUTPUT, "error", "null");
    request("storage.get", "{\"key\":\"todo\"}");
  }

  ~List() override { left -= items.size(); }

  vm_status input(std::string_view name, std::string_view json) override {
    if (name == "add") return add(json);
    if (name == "finish") return finish(json);
    if (name == "pick") return pick();
    if (name == "suggest") return suggest();
    if (name == "dismiss") return dismiss();
    return refuse(VM_E_NAME, "todo.list has no input " + std::string(name));
  }

  vm_status answer(const vm_event &event) override {
    auto found = open.find(event.id);
    if (found == open.end()) return refuse(VM_E_ID, "no open request has this id");
    const std::string effect = found->second;
    const std::string_view json = view(event.json);
    if (effect == "ask" && event.kind == VM_REPLY) {
      const vm_status status = add(json);
      if (status != VM_OK) return status; // and the request stays open
    }
    open.erase(found);
    if (effect == "ask") {
      asking = 0;
      emit(VM_OUTPUT, "suggesting", "false");
      emit(VM_OUTPUT, "error", event.kind == VM_ERROR ? std::string(json) : "null");
    } else if (event.kind == VM_ERROR) {
      emit(VM_LOG, "error", "\"the storage failed\"");
    } else if (effect == "storage.get" && json != "null") {
      load(json);
    }
    return VM_OK;
  }

  vm_status idle() override {
    if (told == left) return VM_IDLE;
    told = left;
    return VM_IDLE_OTHERS;
  }

private:
  void load(std::string_view json) {
    auto stored = strings(json);
    if (!stored) return emit(VM_FAULT, "storage.get", "\"what is stored is no list\"");
    items = *stored;
    left += items.size();
    emit(VM_OUTPUT, "items", titles());
  }

  vm_status add(std::string_view json) {
    auto title = takeString(json);
    if (!title || !json.empty()) return refuse(VM_E_VALUE, "a title is a string");
    const std::size_t characters = length(*title);
    if (characters == 0 || characters > 20)
      return refuse(VM_E_VALUE, "a title has 1 to 20 characters");
    items.push_back(*title);
    left++;
    changed();
    return VM_OK;
  }

  vm_status finish(std::string_view json) {
    std::size_t index = 0;
    const char *end = json.data() + json.size();
    if (json.empty() || std::from_chars(json.data(), end, index).ptr != end ||
        index >= items.size())
      return refuse(VM_E_VALUE, "there is no item " + std::string(json));
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
    left--;
    changed();
    if (items.empty()) emit(VM_OUTPUT, "allDone", "");
    return VM_OK;
  }

  vm_status pick() {
    random = random * 6364136223846793005u + 1442695040888963407u;
    if (items.empty()) emit(VM_LOG, "info", "\"nothing is left to pick\"");
    else emit(VM_OUTPUT, "picked", items[(random >> 33) % items.size()]);
    return VM_OK;
  }

  vm_status suggest() {
    dismiss();
    asking = request("ask", "{\"besides\":" + titles() + "}");
    emit(VM_OUTPUT, "suggesting", "true");
    return VM_OK;
  }

  vm_status dismiss() {
    if (asking == 0) return VM_OK;
    emit(VM_CANCEL, "ask", "", asking);
    open.erase(asking);
    asking = 0;
    emit(VM_OUTPUT, "suggesting", "false");
    return VM_OK;
  }

  std::uint64_t request(const std::string &effect, std::string json) {
    open[nextRequest] = effect;
    emit(VM_REQUEST, effect, std::move(json), nextRequest);
    return nextRequest++;
  }

  void changed() {
    emit(VM_OUTPUT, "items", titles());
    request("storage.set", "{\"key\":\"todo\",\"value\":" + titles() + "}");
  }

  std::string titles() const {
    std::string text;
    for (auto &item : items) text += (text.empty() ? "" : ", ") + item;
    return "[" + text + "]";
  }

  std::vector<std::string> items;            // titles, as JSON
  std::map<std::uint64_t, std::string> open; // requests, with their effects
  std::uint64_t nextRequest = 1, asking = 0, random;
};

struct Badge final : vm_instance {
  Badge() { show(); }
  vm_status input(std::string_view, std::string_view) override {
    return refuse(VM_E_NAME, "todo.badge has no inputs");
  }
  vm_status answer(const vm_event &) override { return refuse(VM_E_ID, "nothing was asked"); }
  vm_status idle() override {
    if (shown == left) return VM_IDLE;
    show();
    return VM_OK;
  }
  void show() {
    shown = left;
    emit(VM_OUTPUT, "text", shown == 0 ? "\"✓\"" : "\"" + std::to_string(shown) + " …\"");
  }
  std::size_t shown = 0;
};

vm_bytes manifest() {
  return bytes(R"({"id":"todo","version":"1.0.0","viewModels":[{"id":"todo.list",
    "inputs":[{"name":"add","schema":{"type":"string"}},
      {"name":"finish","schema":{"type":"integer"}},
      {"name":"pick"},{"name":"suggest"},{"name":"dismiss"}],
    "states":[{"name":"items","schema":{"type":"array","items":{"type":"string"}}},
      {"name":"suggesting","schema":{"type":"boolean"},"first":false},
      {"name":"error","schema":{}}],
    "signals":[{"name":"picked","schema":{"type":"string"}},{"name":"allDone"}],
    "requests":["storage.get","storage.set","ask"]},
    {"id":"todo.badge","states":[{"name":"text","schema":{"type":"string"},"distinct":true}]}]})");
}

vm_status create(const vm_create_info *info, vm_instance **instance, vm_bytes *error) {
  if (view(info->view_model) == "todo.list") {
    *instance = new List(info->seed);
  } else if (view(info->view_model) == "todo.badge") {
    *instance = new Badge();
  } else {
    *error = bytes("todo has a list and a badge");
    return VM_E_VIEW_MODEL;
  }
  return VM_OK;
}

vm_status send(vm_instance *self, const vm_event *event, vm_bytes *error) {
  vm_status status;
  switch (event->kind) {
    case VM_INPUT: status = self->input(view(event->name), view(event->json)); break;
    case VM_REPLY:
    case VM_ERROR: status = self->answer(*event); break;
    default: status = refuse(VM_E_KIND, "todo doesn't know this kind of event");
  }
  if (status != VM_OK) *error = bytes(message);
  return status;
}

vm_status poll(vm_instance *self, vm_event *out) {
  if (self->waiting.empty()) {
    const vm_status status = self->idle();
    if (status != VM_OK) return status;
  }
  self->current = std::move(self->waiting.front());
  self->waiting.pop_front();
  out->kind = self->current.kind;
  out->id = self->current.id;
  out->name = bytes(self->current.name);
  out->json = bytes(self->current.json);
  return VM_OK;
}

void destroy(vm_instance *self) { delete self; }

const void *extension(vm_bytes) { return nullptr; }

const vm_plugin table = {
    VM_PLUGIN_MAGIC, sizeof(vm_plugin), VM_ABI_MAJOR, VM_ABI_MINOR, 0,
    manifest,        create,            send,         poll,         destroy,
    extension,
};

} // namespace

const vm_plugin *vm_plugin_entry_v1(void) { return &table; }
