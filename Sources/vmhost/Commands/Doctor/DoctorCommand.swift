import HostCore

/// `vmhost doctor`: shows which layers of confinement this machine offers.
enum DoctorCommand {
  static func run() throws(Failure) -> Outcome {
    do {
      let doctor = try ConfinementDoctor.examine()
      let style = Style(
        isTerminal: Descriptor.isTerminal(Descriptor.standardOutput), variable: Environment.value)
      let output = Output()
      output.write { $0 += Array(text(doctor, style).utf8) }
      try output.flush()
      return .success
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
    let missing = doctor.findings.filter { !$0.isOn }.count
    lines.append("")
    lines.append(
      missing == 0
        ? "All layers are there: --sandbox=strict works."
        : "--sandbox=best-effort works without the missing ones; --sandbox=strict refuses.")
    return lines.joined(separator: "\n") + "\n"
  }
}
