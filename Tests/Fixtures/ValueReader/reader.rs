// Does what reader.c does, with the bindings for Rust, whose path is in the variable VM_RS.
use std::io::{self, Read, Write};

mod vm {
  include!(env!("VM_RS"));
}

fn main() -> io::Result<()> {
  let mut input = Vec::new();
  io::stdin().read_to_end(&mut input)?;
  let mut out = io::stdout().lock();
  let mut rest = &input[..];
  while rest.len() >= 4 {
    let size = u32::from_le_bytes(rest[..4].try_into().unwrap()) as usize;
    let json = std::str::from_utf8(&rest[4..4 + size]).ok();
    rest = &rest[4 + size..];
    match json.and_then(vm::Value::parse) {
      Some(value) => writeln!(out, "{value}")?,
      None => writeln!(out, "-")?,
    }
  }
  Ok(())
}
