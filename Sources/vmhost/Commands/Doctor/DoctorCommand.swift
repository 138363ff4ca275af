import HostCore

/// `vmhost doctor`: shows which layers of confinement this machine offers.
enum DoctorCommand {
  static func run() throws(Failure) -> Outcome {
    do {
      // A value that is no mode is an error here, too.
      _ = try SandboxPolicy()
      let doctor = try ConfinementDoctor.examine()
      let style = Style(
        isTerminal: Descriptor.isTerminal(Descriptor.standardOutput), variable: Environment.value)
      let output = Output()
      output.write { $0 += Array(text(doctor, style).utf8) }
      try output.flush()
      return SandboxMode.allCases.allSatisfy { doctor.refusals(of: $0).isEmpty }
        ? .success : .failed
    } catch { throw Failure(error) }
  }

  static func text(_ doctor: ConfinementDoctor, _ style: Style) -> String {
    var lines = ["Layers of confinement (--sandbox)"]
    let width = doctor.findings.map(\.layer.rawValue.count).max() ?? 0
    for finding in doctor.findings {
      let name = finding.layer.rawValue.padded(to: width)
      let state = finding.isOn ? finding.text : style.error(finding.text)
      lines.append("  \(style.port(name))  \(state): \(finding.layer.purpose)")
      if let advice = finding.advice {
        lines.append("  \("".padded(to: width))  \(advice)")
      }
    }
    lines += ["", "Modes (--sandbox)"]
    let modes = SandboxMode.allCases.reversed().filter { $0 != .off }
    let modeWidth = modes.map(\.rawValue.count).max() ?? 0
    for mode in modes {
      let refusals = doctor.refusals(of: mode)
      let verdict =
        refusals.isEmpty ? "works" : style.error("refuses: it demands \(list(refusals))")
      let missing = doctor.missing
      let rest = refusals.isEmpty && !missing.isEmpty ? ", without \(list(missing))" : ""
      lines.append("  \(mode.rawValue.padded(to: modeWidth))  \(verdict)\(rest)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ layers: [ConfinementLayer]) -> String {
    layers.map(\.rawValue).joined(separator: ", ")
  }
}
