import Glibc

/// The layers of confinement that this machine offers, for `vmhost doctor`.
package struct ConfinementDoctor: Sendable {
  /// Whether one layer is available. If it isn't, also the reason and what to do about it.
  package struct Finding: Equatable, Sendable {
    package let layer: ConfinementLayer
    package let isOn: Bool
    package let text: String
    package let advice: String?
  }

  package let findings: [Finding]

  /// Tries every layer in a child process.
  ///
  /// - Throws: `SystemError` if there can't be a child process.
  package static func examine() throws(SystemError) -> ConfinementDoctor {
    ConfinementDoctor(try Confinement.probe())
  }

  package init(_ report: ConfinementReport) {
    findings = ConfinementLayer.allCases.map { layer in
      var advice: String?
      if case .unavailable(let number) = report[layer] {
        advice = Self.advice(for: layer, number)
      }
      return Finding(
        layer: layer, isOn: report[layer] == .on, text: report.text(for: layer), advice: advice)
    }
  }

  /// The layers that this machine doesn't offer.
  package var missing: [ConfinementLayer] { findings.filter { !$0.isOn }.map(\.layer) }

  /// The layers that a mode demands and this machine doesn't offer.
  package func refusals(of mode: SandboxMode) -> [ConfinementLayer] {
    missing.filter(mode.demanded.contains)
  }

  private static func advice(for layer: ConfinementLayer, _ number: Int32) -> String {
    switch layer {
    case .namespaces where number == ENOSPC:
      "Raise user.max_user_namespaces with sysctl; it is used up, or 0."
    case .namespaces:
      "Allow unprivileged user namespaces: kernel.apparmor_restrict_unprivileged_userns=0 on "
        + "Ubuntu, kernel.unprivileged_userns_clone=1 on older Debian; in a container, a seccomp "
        + "profile that lets clone make them."
    case .landlock where number == EOPNOTSUPP:
      "Add \"landlock\" to the kernel's lsm= parameter."
    case .landlock: "Use Linux 5.13 or newer, built with Landlock."
    case .descriptors: "Mount /proc, or use Linux 5.9 or newer, which has close_range."
    case .fixedAddresses:
      "In a container, use a seccomp profile that allows personality(ADDR_NO_RANDOMIZE)."
    case .seccompLoad, .seccompRun: "Use a kernel built with CONFIG_SECCOMP_FILTER."
    case .parentDeath, .privileges, .limits:
      "The system refuses a call that every Linux allows. Look for a seccomp profile around vmhost."
    }
  }
}
