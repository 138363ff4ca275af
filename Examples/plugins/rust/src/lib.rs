//! A stopwatch whose laps are stored: a view model in Rust.
mod vm;

use vm::{Failure, Info, Outbox, Refusal, Value, ViewModel};

const MANIFEST: &str = r#"{"id":"stopwatch","version":"1.0.0","viewModels":[{"id":"stopwatch",
  "inputs":[{"name":"start"},{"name":"stop"},{"name":"lap"},{"name":"reset"}],
  "states":[
    {"name":"display","schema":{"type":"string"},"first":"00:00.0"},
    {"name":"running","schema":{"type":"boolean"},"first":false},
    {"name":"laps","schema":{"type":"array","items":{"type":"string"}},"first":[]}],
  "signals":[
    {"name":"lapped","schema":{"type":"string"}},{"name":"failed","schema":{"type":"string"}}],
  "requests":["storage.get","storage.set","storage.delete"]}]}"#;

const TENTH: i64 = 100_000_000; // nanoseconds

struct Stopwatch {
  /// When it would have started if it had run without a break.
  since: i64,
  /// What it came to at the last stop.
  elapsed: i64,
  /// In tenths of a second.
  shown: i64,
  /// The open timer, while it runs.
  tick: Option<u64>,
  /// The open request of the storage, which is asked one thing at a time.
  stored: Option<u64>,
  is_restoring: bool,
  is_changed: bool,
  laps: Vec<String>,
}

impl Stopwatch {
  fn new(out: &mut Outbox) -> Self {
    out.emit("display", text(0));
    out.emit("running", false);
    out.emit("laps", Vec::<String>::new());
    let stored = Some(out.ask_storage_get("laps"));
    Stopwatch {
      since: 0,
      elapsed: 0,
      shown: 0,
      tick: None,
      stored,
      is_restoring: true,
      is_changed: false,
      laps: Vec::new(),
    }
  }

  fn start(&mut self, out: &mut Outbox) {
    if self.tick.is_some() {
      return;
    }
    self.since = out.now() - self.elapsed;
    out.emit("running", true);
    self.tick = Some(out.ask_timer(100));
  }

  fn stop(&mut self, out: &mut Outbox) {
    let Some(tick) = self.tick.take() else { return };
    out.cancel(tick);
    self.elapsed = out.now() - self.since;
    self.show(self.elapsed, out);
    out.emit("running", false);
  }

  fn lap(&mut self, out: &mut Outbox) {
    if self.tick.is_none() {
      return;
    }
    self.show(out.now() - self.since, out);
    self.laps.push(text(self.shown));
    out.emit("laps", self.laps.clone());
    out.emit("lapped", text(self.shown));
    self.is_changed = true;
    self.save(out);
  }

  fn reset(&mut self, out: &mut Outbox) {
    let tick = self.tick.take();
    if let Some(tick) = tick {
      out.cancel(tick);
    }
    self.elapsed = 0;
    self.show(0, out);
    if tick.is_some() {
      out.emit("running", false);
    }
    if !self.laps.is_empty() {
      self.laps.clear();
      out.emit("laps", self.laps.clone());
      self.is_changed = true;
      self.save(out);
    }
  }

  fn show(&mut self, elapsed: i64, out: &mut Outbox) {
    if elapsed / TENTH != self.shown {
      self.shown = elapsed / TENTH;
      out.emit("display", text(self.shown));
    }
  }

  /// Puts the stored laps before those that there are by now.
  fn restore(&mut self, stored: &Value, out: &mut Outbox) {
    if *stored == Value::Null {
      return;
    }
    let items = stored.as_array().map(|items| items.iter().map(Value::as_str));
    let Some(laps) = items.and_then(|items| items.collect::<Option<Vec<_>>>()) else {
      return out.emit("failed", "invalid-reply");
    };
    if !laps.is_empty() {
      self.laps.splice(0..0, laps.into_iter().map(String::from));
      out.emit("laps", self.laps.clone());
    }
  }

  fn save(&mut self, out: &mut Outbox) {
    if self.stored.is_some() || !self.is_changed {
      return;
    }
    self.is_changed = false;
    self.stored = Some(if self.laps.is_empty() {
      out.ask_storage_delete("laps")
    } else {
      out.ask_storage_set("laps", self.laps.clone())
    });
  }
}

impl ViewModel for Stopwatch {
  fn input(&mut self, name: &str, _: &Value, out: &mut Outbox) -> Result<(), Refusal> {
    match name {
      "start" => self.start(out),
      "stop" => self.stop(out),
      "lap" => self.lap(out),
      "reset" => self.reset(out),
      _ => return Err(Refusal::name("a stopwatch has the inputs start, stop, lap and reset")),
    }
    Ok(())
  }

  fn answer(&mut self, id: u64, answer: Result<&Value, Failure>, out: &mut Outbox) {
    if self.tick == Some(id) {
      self.show(out.now() - self.since, out);
      self.tick = Some(out.ask_timer(100));
      return;
    }
    self.stored = None;
    let is_restoring = std::mem::take(&mut self.is_restoring);
    match answer {
      Err(failure) => out.emit("failed", failure.code),
      Ok(stored) if is_restoring => self.restore(stored, out),
      Ok(_) => {}
    }
    self.save(out);
  }
}

fn text(tenths: i64) -> String {
  format!("{:02}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

fn make(info: &Info, out: &mut Outbox) -> Result<Box<dyn ViewModel>, Refusal> {
  match info.view_model {
    "stopwatch" => Ok(Box::new(Stopwatch::new(out))),
    _ => Err(Refusal::view_model("the only view model here is stopwatch")),
  }
}

plugin!(MANIFEST, make);
