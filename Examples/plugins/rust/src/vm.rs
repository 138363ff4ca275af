//! What a plugin in Rust needs of vm_plugin.h, and around it: values, requests, events that wait.
//!
//! It uses no crates, and belongs to your project: change it as you like.
//!
//! A view model implements [`ViewModel`], and [`plugin!`] exports the library's one function.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::ffi::c_void;
use std::fmt::{self, Write};

/// What happens to a view model. An unknown input or a value of another kind is refused, and
/// changes nothing.
pub trait ViewModel {
  fn input(&mut self, name: &str, value: &Value, out: &mut Outbox) -> Result<(), Refusal>;

  /// The answer to an open request: its value, which is null if there is none, or an error.
  fn answer(&mut self, _id: u64, _answer: Result<&Value, Failure>, _out: &mut Outbox) {}
}

/// What an instance is made from.
pub struct Info<'a> {
  pub view_model: &'a str,
  /// An object, or null.
  pub config: Value,
  pub locale: &'a str,
  pub time_zone: &'a str,
  /// Of all the instance's randomness.
  pub seed: u64,
  /// The session's beginning, in nanoseconds since 1970-01-01T00:00:00Z.
  pub epoch: i64,
}

/// Why an effect gave no reply, such as "storage-failed".
pub struct Failure<'a> {
  pub code: &'a str,
  pub message: &'a str,
}

/// A status of vm_plugin.h, and a sentence for people.
pub struct Refusal(pub i32, pub String);

impl Refusal {
  pub fn view_model(message: impl Into<String>) -> Self {
    Refusal(E_VIEW_MODEL, message.into())
  }
  pub fn config(message: impl Into<String>) -> Self {
    Refusal(E_CONFIG, message.into())
  }
  pub fn name(message: impl Into<String>) -> Self {
    Refusal(E_NAME, message.into())
  }
  pub fn value(message: impl Into<String>) -> Self {
    Refusal(E_VALUE, message.into())
  }
}

/// Takes what a view model emits.
#[derive(Default)]
pub struct Outbox {
  now: i64,
  last_id: u64,
  open: Vec<(u64, String)>,
  waiting: VecDeque<Emission>,
  /// The bytes of the event that the host was given last.
  lent: Option<Emission>,
}

struct Emission {
  kind: u32,
  id: u64,
  name: String,
  json: String,
}

impl Outbox {
  /// Nanoseconds since the session began, at the latest event.
  pub fn now(&self) -> i64 {
    self.now
  }

  /// A state or signal with its value.
  pub fn emit(&mut self, name: &str, value: impl Into<Value>) {
    self.push(OUTPUT, 0, name, value.into().to_string());
  }

  /// A signal without a value.
  pub fn signal(&mut self, name: &str) {
    self.push(OUTPUT, 0, name, String::new());
  }

  /// `level` is debug, info, warning or error.
  pub fn log(&mut self, level: &str, text: &str) {
    self.push(LOG, 0, level, Value::from(text).to_string());
  }

  /// Asks for an effect; gives the request's id.
  pub fn ask(&mut self, effect: &str, request: impl Into<Value>) -> u64 {
    self.last_id += 1;
    self.open.push((self.last_id, effect.to_string()));
    self.push(REQUEST, self.last_id, effect, request.into().to_string());
    self.last_id
  }

  pub fn ask_timer(&mut self, milliseconds: u64) -> u64 {
    self.ask("timer", Value::object([("after", format!("{milliseconds}ms").into())]))
  }

  pub fn ask_storage_get(&mut self, key: &str) -> u64 {
    self.ask("storage.get", Value::object([("key", key.into())]))
  }

  pub fn ask_storage_set(&mut self, key: &str, value: impl Into<Value>) -> u64 {
    self.ask("storage.set", Value::object([("key", key.into()), ("value", value.into())]))
  }

  pub fn ask_storage_delete(&mut self, key: &str) -> u64 {
    self.ask("storage.delete", Value::object([("key", key.into())]))
  }

  /// Drops an open request. There is no answer then.
  pub fn cancel(&mut self, id: u64) {
    if let Some(effect) = self.close(id) {
      self.push(CANCEL, id, &effect, String::new());
    }
  }

  fn close(&mut self, id: u64) -> Option<String> {
    let index = self.open.iter().position(|open| open.0 == id)?;
    Some(self.open.remove(index).1)
  }

  fn push(&mut self, kind: u32, id: u64, name: &str, json: String) {
    self.waiting.push_back(Emission { kind, id, name: name.to_string(), json });
  }
}

// Values

/// A value of JSON. Members of objects keep their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
  Null,
  Bool(bool),
  Int(i64),
  /// A number with a fraction or an exponent, or one that has no room in an `Int`; as it is
  /// written, so that no digit is lost.
  Number(String),
  String(String),
  Array(Vec<Value>),
  Object(Vec<(String, Value)>),
}

impl Value {
  pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
  }

  /// The member of an object.
  pub fn get(&self, key: &str) -> Option<&Value> {
    let Value::Object(members) = self else { return None };
    members.iter().find(|member| member.0 == key).map(|member| &member.1)
  }

  pub fn as_bool(&self) -> Option<bool> {
    if let Value::Bool(value) = self { Some(*value) } else { None }
  }

  pub fn as_int(&self) -> Option<i64> {
    if let Value::Int(value) = self { Some(*value) } else { None }
  }

  pub fn as_f64(&self) -> Option<f64> {
    match self {
      Value::Int(value) => Some(*value as f64),
      Value::Number(text) => text.parse().ok().filter(|value: &f64| value.is_finite()),
      _ => None,
    }
  }

  pub fn as_str(&self) -> Option<&str> {
    if let Value::String(text) = self { Some(text) } else { None }
  }

  pub fn as_array(&self) -> Option<&[Value]> {
    if let Value::Array(items) = self { Some(items) } else { None }
  }

  /// Reads one value, with nothing but blanks around it; None if it isn't JSON.
  pub fn parse(json: &str) -> Option<Value> {
    let mut reader = Reader { json, at: 0 };
    let value = reader.value(0)?;
    reader.blanks();
    (reader.at == json.len()).then_some(value)
  }
}

macro_rules! values {
  ($($kind:ty, $value:ident => $made:expr;)*) => {
    $(impl From<$kind> for Value { fn from($value: $kind) -> Value { $made } })*
  };
}

values! {
  bool, value => Value::Bool(value);
  i64, value => Value::Int(value);
  i32, value => Value::Int(value.into());
  u32, value => Value::Int(value.into());
  f64, value => {
    // JSON has no infinite numbers.
    if value.is_finite() { Value::Number(format!("{value:?}")) } else { Value::Null }
  };
  &str, value => Value::String(value.to_string());
  String, value => Value::String(value);
  &String, value => Value::String(value.clone());
}

impl<T: Into<Value>> From<Vec<T>> for Value {
  fn from(items: Vec<T>) -> Value {
    Value::Array(items.into_iter().map(Into::into).collect())
  }
}

impl<T: Into<Value>> From<Option<T>> for Value {
  fn from(value: Option<T>) -> Value {
    value.map_or(Value::Null, Into::into)
  }
}

/// Writes JSON.
impl fmt::Display for Value {
  fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
    match self {
      Value::Bool(value) => write!(out, "{value}"),
      Value::Int(value) => write!(out, "{value}"),
      Value::Number(text) => out.write_str(text),
      Value::Null => out.write_str("null"),
      Value::String(text) => quote(text, out),
      Value::Array(items) => {
        out.write_char('[')?;
        for (index, item) in items.iter().enumerate() {
          write!(out, "{}{item}", if index == 0 { "" } else { "," })?;
        }
        out.write_char(']')
      }
      Value::Object(members) => {
        out.write_char('{')?;
        for (index, (key, value)) in members.iter().enumerate() {
          out.write_str(if index == 0 { "" } else { "," })?;
          quote(key, out)?;
          write!(out, ":{value}")?;
        }
        out.write_char('}')
      }
    }
  }
}

fn quote(text: &str, out: &mut fmt::Formatter) -> fmt::Result {
  out.write_char('"')?;
  for character in text.chars() {
    match character {
      '"' | '\\' => write!(out, "\\{character}")?,
      '\0'..='\u{1f}' => write!(out, "\\u{:04x}", character as u32)?,
      _ => out.write_char(character)?,
    }
  }
  out.write_char('"')
}

struct Reader<'a> {
  json: &'a str,
  at: usize,
}

/// Arrays and objects inside each other; the host has 256 at most.
const MAX_DEPTH: usize = 256;

impl Reader<'_> {
  fn peek(&self) -> Option<u8> {
    self.json.as_bytes().get(self.at).copied()
  }

  fn blanks(&mut self) {
    while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
      self.at += 1;
    }
  }

  /// Takes this text, if it comes next.
  fn take(&mut self, text: &str) -> Option<()> {
    self.json[self.at..].starts_with(text).then(|| self.at += text.len())
  }

  fn value(&mut self, depth: usize) -> Option<Value> {
    self.blanks();
    match self.peek()? {
      b'n' => self.take("null").map(|_| Value::Null),
      b't' => self.take("true").map(|_| Value::Bool(true)),
      b'f' => self.take("false").map(|_| Value::Bool(false)),
      b'"' => self.string().map(Value::String),
      b'[' if depth < MAX_DEPTH => {
        self.list("]", |reader| reader.value(depth + 1)).map(Value::Array)
      }
      b'{' if depth < MAX_DEPTH => {
        let member = |reader: &mut Self| {
          let key = reader.string()?;
          reader.blanks();
          reader.take(":")?;
          Some((key, reader.value(depth + 1)?))
        };
        self.list("}", member).map(Value::Object)
      }
      _ => self.number(),
    }
  }

  fn list<T>(
    &mut self, end: &str, item: impl Fn(&mut Self) -> Option<T>,
  ) -> Option<Vec<T>> {
    let mut items = Vec::new();
    self.at += 1;
    self.blanks();
    if self.take(end).is_some() {
      return Some(items);
    }
    loop {
      self.blanks();
      items.push(item(self)?);
      self.blanks();
      if self.take(end).is_some() {
        return Some(items);
      }
      self.take(",")?;
    }
  }

  fn string(&mut self) -> Option<String> {
    let mut text = String::new();
    self.take("\"")?;
    loop {
      let character = self.json[self.at..].chars().next()?;
      self.at += character.len_utf8();
      match character {
        '"' => return Some(text),
        '\\' => text.push(self.escape()?),
        '\0'..='\u{1f}' => return None,
        _ => text.push(character),
      }
    }
  }

  fn escape(&mut self) -> Option<char> {
    let name = self.peek()?;
    self.at += usize::from(name.is_ascii());
    Some(match name {
      b'"' | b'\\' | b'/' => name as char,
      b'b' => '\u{8}',
      b'f' => '\u{c}',
      b'n' => '\n',
      b'r' => '\r',
      b't' => '\t',
      b'u' => {
        let unit = self.hex()?;
        if !(0xD800..0xDC00).contains(&unit) {
          return char::from_u32(unit);
        }
        self.take("\\u")?;
        let low = self.hex()?;
        if !(0xDC00..0xE000).contains(&low) {
          return None;
        }
        char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))?
      }
      _ => return None,
    })
  }

  fn hex(&mut self) -> Option<u32> {
    let digits = self.json.get(self.at..self.at + 4)?;
    self.at += 4;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
      return None;
    }
    u32::from_str_radix(digits, 16).ok()
  }

  fn digits(&mut self) -> Option<()> {
    let start = self.at;
    while matches!(self.peek(), Some(b'0'..=b'9')) {
      self.at += 1;
    }
    (self.at > start).then_some(())
  }

  fn number(&mut self) -> Option<Value> {
    let start = self.at;
    let _ = self.take("-");
    if self.take("0").is_none() {
      self.digits()?;
    }
    let mut is_whole = true;
    if self.take(".").is_some() {
      is_whole = false;
      self.digits()?;
    }
    if matches!(self.peek(), Some(b'e' | b'E')) {
      is_whole = false;
      self.at += 1;
      if self.take("+").is_none() {
        let _ = self.take("-");
      }
      self.digits()?;
    }
    let text = &self.json[start..self.at];
    if let (true, Ok(value)) = (is_whole, text.parse()) {
      return Some(Value::Int(value));
    }
    let is_finite = text.parse().is_ok_and(f64::is_finite);
    (is_whole || is_finite).then(|| Value::Number(text.to_string()))
  }
}

// The interface, as vm_plugin.h has it

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
pub struct Table {
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

/// A living view model.
pub struct Instance {
  model: Box<dyn ViewModel>,
  out: Outbox,
  refusal: String,
}

const OK: i32 = 0;
const IDLE: i32 = 1;
pub const E_VIEW_MODEL: i32 = -1;
pub const E_CONFIG: i32 = -2;
pub const E_KIND: i32 = -3;
pub const E_NAME: i32 = -4;
pub const E_VALUE: i32 = -5;
pub const E_ID: i32 = -6;
const INPUT: u32 = 1;
const REPLY: u32 = 2;
const ERROR: u32 = 3;
const OUTPUT: u32 = 16;
const REQUEST: u32 = 17;
const CANCEL: u32 = 18;
const LOG: u32 = 19;

impl Bytes {
  pub fn of(text: &str) -> Bytes {
    Bytes { data: text.as_ptr(), size: text.len() }
  }

  /// The text is valid as long as the host says that the bytes are; the host sends UTF-8 only.
  unsafe fn text<'a>(self) -> &'a str {
    if self.size == 0 {
      return "";
    }
    std::str::from_utf8(std::slice::from_raw_parts(self.data, self.size)).unwrap_or("")
  }
}

impl Table {
  pub const fn new(
    manifest: extern "C" fn() -> Bytes,
    create: unsafe extern "C" fn(*const CreateInfo, *mut *mut Instance, *mut Bytes) -> i32,
  ) -> Table {
    Table {
      magic: 0x31504D56,
      size: std::mem::size_of::<Table>() as u32,
      abi_major: 1,
      abi_minor: 0,
      flags: 0,
      manifest,
      create,
      send,
      poll,
      destroy,
      extension,
    }
  }
}

pub type Make = fn(&Info, &mut Outbox) -> Result<Box<dyn ViewModel>, Refusal>;

/// # Safety
/// The arguments are those of vm_plugin's `create`.
pub unsafe fn create(
  make: Make, info: *const CreateInfo, instance: *mut *mut Instance, error: *mut Bytes,
) -> i32 {
  let given = &*info;
  let info = Info {
    view_model: given.view_model.text(),
    config: Value::parse(given.config.text()).unwrap_or(Value::Null),
    locale: given.locale.text(),
    time_zone: given.time_zone.text(),
    seed: given.seed,
    epoch: given.epoch_ns,
  };
  let mut out = Outbox { now: given.time_ns, ..Outbox::default() };
  match make(&info, &mut out) {
    Ok(model) => {
      *instance = Box::into_raw(Box::new(Instance { model, out, refusal: String::new() }));
      OK
    }
    Err(Refusal(status, message)) => {
      // Nothing else could keep the message until the next call; it is short.
      *error = Bytes::of(message.leak());
      status
    }
  }
}

unsafe extern "C" fn send(this: *mut Instance, event: *const Event, error: *mut Bytes) -> i32 {
  let (this, event) = (&mut *this, &*event);
  let json = event.json.text();
  let value = if json.is_empty() { Some(Value::Null) } else { Value::parse(json) };
  this.out.now = event.time_ns;
  let result = match (event.kind, value) {
    (_, None) => Err(Refusal::value("the value isn't JSON")),
    (INPUT, Some(value)) => this.model.input(event.name.text(), &value, &mut this.out),
    (REPLY | ERROR, Some(value)) => match this.out.close(event.id) {
      None => Err(Refusal(E_ID, "no open request has this id".to_string())),
      Some(_) => {
        let text = |key| value.get(key).and_then(Value::as_str).unwrap_or("");
        let failure = Failure { code: text("code"), message: text("message") };
        let answer = if event.kind == REPLY { Ok(&value) } else { Err(failure) };
        this.model.answer(event.id, answer, &mut this.out);
        Ok(())
      }
    },
    _ => Err(Refusal(E_KIND, "this plugin knows inputs and answers only".to_string())),
  };
  let Err(Refusal(status, message)) = result else { return OK };
  this.refusal = message;
  *error = Bytes::of(&this.refusal);
  status
}

unsafe extern "C" fn poll(this: *mut Instance, event: *mut Event) -> i32 {
  let out = &mut (*this).out;
  out.lent = out.waiting.pop_front();
  let Some(lent) = &out.lent else { return IDLE };
  (*event).kind = lent.kind;
  (*event).id = lent.id;
  (*event).name = Bytes::of(&lent.name);
  (*event).json = Bytes::of(&lent.json);
  OK
}

unsafe extern "C" fn destroy(this: *mut Instance) {
  drop(Box::from_raw(this));
}

unsafe extern "C" fn extension(_: Bytes) -> *const c_void {
  std::ptr::null()
}

/// Exports the plugin: its manifest (`&'static str`), and the function that makes a view model.
#[macro_export]
macro_rules! plugin {
  ($manifest:expr, $make:expr) => {
    extern "C" fn vm_manifest() -> $crate::vm::Bytes {
      $crate::vm::Bytes::of($manifest)
    }

    unsafe extern "C" fn vm_create(
      info: *const $crate::vm::CreateInfo, instance: *mut *mut $crate::vm::Instance,
      error: *mut $crate::vm::Bytes,
    ) -> i32 {
      $crate::vm::create($make, info, instance, error)
    }

    #[no_mangle]
    pub extern "C" fn vm_plugin_entry_v1() -> *const $crate::vm::Table {
      static TABLE: $crate::vm::Table = $crate::vm::Table::new(vm_manifest, vm_create);
      &TABLE
    }
  };
}
