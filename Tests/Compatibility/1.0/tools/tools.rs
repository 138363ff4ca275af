// A plugin in Rust, whole: `tools.stopwatch`, and `tools.converter` for amounts of money. What
// vm_plugin.h says is written here by hand; nothing else of vmhost is used.
use std::collections::VecDeque;
use std::ffi::c_void;
use std::mem::size_of;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
  data: *const u8,
  size: usize,
}

#[repr(C)]
pub struct Event {
  size: u32,
  kind: u32,
  id: u64,
  time_ns: i64,
  name: Bytes,
  json: Bytes,
}

#[repr(C)]
pub struct CreateInfo {
  size: u32,
  reserved: u32,
  view_model: Bytes,
  config: Bytes,
  locale: Bytes,
  time_zone: Bytes,
  seed: u64,
  epoch_ns: i64,
  time_ns: i64,
}

#[repr(C)]
pub struct Plugin {
  magic: u32,
  size: u32,
  abi_major: u16,
  abi_minor: u16,
  flags: u32,
  manifest: extern "C" fn() -> Bytes,
  create: unsafe extern "C" fn(*const CreateInfo, *mut *mut Instance, *mut Bytes) -> i32,
  send: unsafe extern "C" fn(*mut Instance, *const Event, *mut Bytes) -> i32,
  poll: unsafe extern "C" fn(*mut Instance, *mut Event) -> i32,
  destroy: unsafe extern "C" fn(*mut Instance),
  extension: unsafe extern "C" fn(Bytes) -> *const c_void,
}

#[repr(C)]
pub struct Process {
  size: u32,
  reserved: u32,
  take: extern "C" fn(),
}

const OK: i32 = 0;
const IDLE: i32 = 1;
const E_VIEW_MODEL: i32 = -1;
const E_CONFIG: i32 = -2;
const E_KIND: i32 = -3;
const E_NAME: i32 = -4;
const E_VALUE: i32 = -5;
const E_ID: i32 = -6;
const INPUT: u32 = 1;
const REPLY: u32 = 2;
const ERROR: u32 = 3;
const OUTPUT: u32 = 16;
const REQUEST: u32 = 17;
const CANCEL: u32 = 18;
const LOG: u32 = 19;

type Refusal = (i32, &'static str);

fn bytes(text: &str) -> Bytes {
  Bytes { data: text.as_ptr(), size: text.len() }
}

unsafe fn text<'a>(bytes: Bytes) -> &'a str {
  if bytes.size == 0 {
    return "";
  }
  std::str::from_utf8(std::slice::from_raw_parts(bytes.data, bytes.size)).unwrap_or("")
}

/// The value of a member of an object, in canonical JSON as the host sends it.
fn member<'a>(json: &'a str, name: &str) -> Option<&'a str> {
  let (mut depth, mut quoted, mut escaped, mut start) = (0, false, false, 1);
  for (index, character) in json.char_indices() {
    match character {
      _ if escaped => escaped = false,
      '\\' => escaped = true,
      '"' => quoted = !quoted,
      _ if quoted => {}
      '{' | '[' => depth += 1,
      ',' | '}' if depth == 1 => {
        let value = json[start..index].strip_prefix(&format!("\"{name}\":"));
        if value.is_some() {
          return value;
        }
        start = index + 1;
      }
      '}' | ']' => depth -= 1,
      _ => {}
    }
  }
  None
}

fn unquoted(json: &str) -> Option<&str> {
  json.strip_prefix('"')?.strip_suffix('"')
}

/// What both view models are made of: events that wait, and those lent to the host.
#[derive(Default)]
struct Outbox {
  waiting: VecDeque<(u32, u64, &'static str, String)>,
  lent: String,
  requests: u64,
}

impl Outbox {
  fn output(&mut self, name: &'static str, json: impl ToString) {
    self.waiting.push_back((OUTPUT, 0, name, json.to_string()));
  }
  fn log(&mut self, level: &'static str, text: String) {
    self.waiting.push_back((LOG, 0, level, format!("\"{text}\"")));
  }
  fn request(&mut self, effect: &'static str, json: String) -> u64 {
    self.requests += 1;
    self.waiting.push_back((REQUEST, self.requests, effect, json));
    self.requests
  }
  fn cancel(&mut self, id: u64, effect: &'static str) {
    self.waiting.push_back((CANCEL, id, effect, String::new()));
  }
}

struct Stopwatch {
  tick: String,
  epoch: i64,
  since: Option<i64>,
  timer: u64,
  elapsed: i64,
  laps: Vec<String>,
}

impl Stopwatch {
  fn input(&mut self, name: &str, now: i64, out: &mut Outbox) -> Result<(), Refusal> {
    match (name, self.since) {
      ("start", None) => {
        self.since = Some(now - self.elapsed);
        out.output("running", true);
        out.output("startedAt", (self.epoch + now) / 1_000_000);
        self.timer = out.request("timer", format!("{{\"after\": \"{}\"}}", self.tick));
      }
      ("stop", Some(_)) => {
        out.cancel(self.timer, "timer");
        self.show(now, out);
        self.since = None;
        out.output("running", false);
      }
      ("lap", Some(_)) => {
        self.show(now, out);
        self.laps.push((self.elapsed / 1_000_000).to_string());
        out.output("laps", format!("[{}]", self.laps.join(" , ")));
        out.output("lapped", "");
      }
      ("start" | "stop" | "lap", _) => {}
      _ => return Err((E_NAME, "the stopwatch has start, stop and lap")),
    }
    Ok(())
  }

  fn answer(&mut self, id: u64, now: i64, out: &mut Outbox) -> Result<(), Refusal> {
    if self.since.is_none() || id != self.timer {
      return Err((E_ID, "the stopwatch waits for no such timer"));
    }
    self.show(now, out);
    self.timer = out.request("timer", format!("{{\"after\": \"{}\"}}", self.tick));
    Ok(())
  }

  fn show(&mut self, now: i64, out: &mut Outbox) {
    self.elapsed = now - self.since.unwrap_or(now);
    out.output("elapsed", self.elapsed / 1_000_000);
  }
}

struct Converter {
  url: String,
  key: String,
  amount: f64,
  to: String,
  asking: Option<u64>,
}

impl Converter {
  fn input(&mut self, name: &str, json: &str, out: &mut Outbox) -> Result<(), Refusal> {
    match name {
      "amount" => self.amount = json.parse().map_err(|_| (E_VALUE, "an amount is a number"))?,
      "to" => match unquoted(json) {
        Some(code) if code.len() == 3 => self.to = code.to_string(),
        _ => return Err((E_VALUE, "a currency has three letters, such as \"EUR\" (€)")),
      },
      "refresh" => {}
      _ => return Err((E_NAME, "the converter has amount, to and refresh")),
    }
    if let Some(id) = self.asking {
      out.cancel(id, "http");
    }
    out.output("loading", true);
    let query = format!("{}/{}?key={}", self.url, self.to, self.key);
    self.asking = Some(out.request("http", format!("{{\"url\":\"{query}\",\"method\":\"GET\"}}")));
    Ok(())
  }

  fn answer(&mut self, event: &Event, json: &str, out: &mut Outbox) -> Result<(), Refusal> {
    if self.asking != Some(event.id) {
      return Err((E_ID, "the converter waits for no such answer"));
    }
    self.asking = None;
    out.output("loading", false);
    let rate = member(json, "body").and_then(|body| member(body, "rate")).map(str::parse::<f64>);
    if event.kind == ERROR {
      out.output("failed", member(json, "code").unwrap_or("null"));
    } else if let Some(Ok(rate)) = rate {
      let sign = if self.to == "EUR" { "\\u20ac" } else { "¤" };
      out.output("result", format!("\"{:.2} {sign}\"", self.amount * rate));
    } else {
      out.log("warning", format!("no rate for {}", self.to));
      out.output("failed", "\"no-rate\"");
    }
    Ok(())
  }
}

enum ViewModel {
  Stopwatch(Stopwatch),
  Converter(Converter),
}

pub struct Instance {
  model: ViewModel,
  out: Outbox,
}

static MANIFEST: &str = r#"{"id":"tools","version":"1.0.0","viewModels":[
  {"id":"tools.stopwatch",
    "config":{"schema":{"type":"object","properties":{"tick":{"type":"string"}}},
      "default":{"tick":"1s"}},
    "inputs":[{"name":"start"},{"name":"stop"},{"name":"lap"}],
    "states":[{"name":"elapsed","schema":{"type":"integer"}},
      {"name":"running","schema":{"type":"boolean"},"first":false,"distinct":true},
      {"name":"startedAt","schema":{}},
      {"name":"laps","schema":{"type":"array","items":{"type":"integer"}}}],
    "signals":[{"name":"lapped"}]},
  {"id":"tools.converter",
    "config":{"schema":{"type":"object","properties":{"key":{"type":"string"},
      "url":{"type":"string"}}},"default":{"key":"$secret:rates","url":"https://rates.example"}},
    "inputs":[{"name":"amount","schema":{"type":"number"}},
      {"name":"to","schema":{"type":"string"}},{"name":"refresh"}],
    "states":[{"name":"title","schema":{"type":"string"}},
      {"name":"loading","schema":{"type":"boolean"}},{"name":"result","schema":{}}],
    "signals":[{"name":"failed","schema":{"type":"string"}}],"requests":["http"]}]}"#;

extern "C" fn manifest() -> Bytes {
  bytes(MANIFEST)
}

unsafe extern "C" fn create(
  info: *const CreateInfo, instance: *mut *mut Instance, error: *mut Bytes,
) -> i32 {
  let info = &*info;
  let (config, mut out) = (text(info.config), Outbox::default());
  let given = |name| member(config, name).map(unquoted);
  let model = match text(info.view_model) {
    "tools.stopwatch" => {
      let Some(tick) = given("tick").unwrap_or(Some("1s")) else {
        *error = bytes("the tick of a stopwatch is text, such as \"100ms\"");
        return E_CONFIG;
      };
      let owner = if OWNED.load(Relaxed) { "the plugin's" } else { "shared" };
      out.output("elapsed", 0);
      out.output("running", false);
      out.output("startedAt", "null");
      out.output("laps", "[ ]");
      out.log("debug", format!("in {}, in a process that is {owner}", text(info.time_zone)));
      let (tick, epoch) = (tick.to_string(), info.epoch_ns);
      let laps = Vec::new();
      ViewModel::Stopwatch(Stopwatch { tick, epoch, since: None, timer: 0, elapsed: 0, laps })
    }
    "tools.converter" => {
      let german = text(info.locale).starts_with("de");
      out.output("title", if german { "\"Währungen\"" } else { "\"Currencies\"" });
      out.output("loading", false);
      out.output("result", "null");
      let url = given("url").flatten().unwrap_or("https://rates.example").to_string();
      let key = given("key").flatten().unwrap_or("none").to_string();
      let to = "EUR".to_string();
      ViewModel::Converter(Converter { url, key, amount: 1.0, to, asking: None })
    }
    _ => {
      *error = bytes("tools has a stopwatch and a converter");
      return E_VIEW_MODEL;
    }
  };
  *instance = Box::into_raw(Box::new(Instance { model, out }));
  OK
}

unsafe extern "C" fn send(this: *mut Instance, event: *const Event, error: *mut Bytes) -> i32 {
  let (Instance { model, out }, event) = (&mut *this, &*event);
  let (name, json, now) = (text(event.name), text(event.json), event.time_ns);
  let result = match (event.kind, model) {
    (INPUT, ViewModel::Stopwatch(stopwatch)) => stopwatch.input(name, now, out),
    (INPUT, ViewModel::Converter(converter)) => converter.input(name, json, out),
    (REPLY | ERROR, ViewModel::Stopwatch(stopwatch)) => stopwatch.answer(event.id, now, out),
    (REPLY | ERROR, ViewModel::Converter(converter)) => converter.answer(event, json, out),
    _ => Err((E_KIND, "tools doesn't know this kind of event")),
  };
  match result {
    Ok(()) => OK,
    Err((status, message)) => {
      *error = bytes(message);
      status
    }
  }
}

unsafe extern "C" fn poll(this: *mut Instance, event: *mut Event) -> i32 {
  let out = &mut (*this).out;
  let Some((kind, id, name, json)) = out.waiting.pop_front() else { return IDLE };
  out.lent = json;
  (*event).kind = kind;
  (*event).id = id;
  (*event).name = bytes(name);
  (*event).json = bytes(&out.lent);
  OK
}

unsafe extern "C" fn destroy(this: *mut Instance) {
  drop(Box::from_raw(this));
}

static OWNED: AtomicBool = AtomicBool::new(false);

extern "C" fn take() {
  OWNED.store(true, Relaxed);
}

static PROCESS: Process = Process { size: size_of::<Process>() as u32, reserved: 0, take };

unsafe extern "C" fn extension(id: Bytes) -> *const c_void {
  match text(id) {
    "process" => &PROCESS as *const Process as *const c_void,
    _ => std::ptr::null(),
  }
}

static PLUGIN: Plugin = Plugin {
  magic: 0x31504D56,
  size: size_of::<Plugin>() as u32,
  abi_major: 1,
  abi_minor: 0,
  flags: 0,
  manifest,
  create,
  send,
  poll,
  destroy,
  extension,
};

#[no_mangle]
pub extern "C" fn vm_plugin_entry_v1() -> *const Plugin {
  &PLUGIN
}
