extension ProjectTemplate {
  static func rust(_ name: ProjectName) -> ProjectTemplate {
    let cargo = """
      [package]
      name = "\(name.text)"
      version = "1.0.0"
      edition = "2021"

      [lib]
      name = "\(name.identifier)"
      crate-type = ["cdylib"]

      """
    return ProjectTemplate(
      name: name, plugin: "\(name.identifier).so", products: "target/debug", build: "cargo build",
      files: [
        file("Cargo.toml", cargo), file("src/lib.rs", library(name)),
        ("src/vm.rs", PackageResources.vm_rs),
      ],
      ignored: ["/target/", "tests.xml", "vmhost/"],
      tools: "Rust, without crates.",
      notes: """
        `src/vm.rs` binds the interface that a plugin has; it is yours to change.
        Without cargo: `rustc --edition 2021 --crate-type cdylib --crate-name \(name.identifier) \
        --out-dir target/debug src/lib.rs`.
        """)
  }

  private static func library(_ name: ProjectName) -> String {
    """
    mod vm;

    use vm::{Info, Outbox, Refusal, Value, ViewModel};

    const MANIFEST: &str = r#"{"id":"\(name.text)","version":"1.0.0","viewModels":[
      {"id":"\(name.text).counter",
        "inputs":[{"name":"add","schema":{"type":"integer"}},{"name":"reset"}],
        "states":[{"name":"count","schema":{"type":"integer"},"first":0}],
        "signals":[{"name":"wasReset"}]}]}"#;

    struct Counter {
      count: i64,
    }

    impl Counter {
      fn new(out: &mut Outbox) -> Self {
        out.emit("count", 0);
        Counter { count: 0 }
      }

      fn set(&mut self, count: i64, out: &mut Outbox) {
        if count != self.count {
          self.count = count;
          out.emit("count", count);
        }
      }
    }

    impl ViewModel for Counter {
      fn input(&mut self, name: &str, value: &Value, out: &mut Outbox) -> Result<(), Refusal> {
        match name {
          "add" => match value.as_int().and_then(|number| self.count.checked_add(number)) {
            Some(sum) => self.set(sum, out),
            None => return Err(Refusal::value("a counter adds whole numbers, and has 64 bits")),
          },
          "reset" if self.count == 0 => {}
          "reset" => {
            self.set(0, out);
            out.signal("wasReset");
          }
          _ => return Err(Refusal::name("a counter has the inputs add and reset")),
        }
        Ok(())
      }
    }

    fn make(info: &Info, out: &mut Outbox) -> Result<Box<dyn ViewModel>, Refusal> {
      match info.view_model {
        "\(name.text).counter" => Ok(Box::new(Counter::new(out))),
        _ => Err(Refusal::view_model("the only view model here is \(name.text).counter")),
      }
    }

    plugin!(MANIFEST, make);

    """
  }
}
