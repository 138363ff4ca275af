import HostCore
import TestSupport
import Testing

struct TimeZoneNameTests {
  @Test(arguments: [
    "UTC", "GMT", "Europe/Vienna", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "Etc/GMT-1",
    "America/Port-au-Prince", "EST5EDT", "W-SU", "Mars/Base",
  ])
  func `has the form of a name`(_ name: String) {
    #expect(TimeZoneName.hasForm(name))
  }

  @Test(arguments: [
    "", "/", "/etc/passwd", "..", "../UTC", "Europe/../UTC", "Europe//Vienna", "Europe/", "a/b/c/d",
    "Europe Vienna", "+01:00", "12", "zone.tab", "Wien/Österreich", "UTC\n", "U\0TC", "Europe/.",
    String(repeating: "a", count: 256),
  ])
  func `has not the form of a name`(_ name: String) {
    #expect(!TimeZoneName.hasForm(name))
  }

  @Test(arguments: [
    ("Europe/Vienna", nil), ("CET", nil), ("Etc/GMT+1", nil), ("UTC", nil), ("GMT", nil),
    ("America/Argentina/Salta", nil),
    (
      "Europe/Vienn",
      "there is no time zone \"Europe/Vienn\" on this machine. Did you mean \"Europe/Vienna\"?"
    ),
    (
      "europe/vienna",
      "there is no time zone \"europe/vienna\" on this machine. Did you mean \"Europe/Vienna\"?"
    ),
    (
      "America/Argentina/Slta",
      "there is no time zone \"America/Argentina/Slta\" on this machine. Did you mean"
        + " \"America/Argentina/Salta\"?"
    ),
    ("Utc", "there is no time zone \"Utc\" on this machine. Did you mean \"UTC\"?"),
    ("Mars/Base", "there is no time zone \"Mars/Base\" on this machine."),
    // Neither a zone nor a folder of zones.
    ("leapseconds", "there is no time zone \"leapseconds\" on this machine."),
    (
      "Europe",
      "there is no time zone \"Europe\" on this machine. Did you mean \"Europe/Vienna\"?"
    ),
    // The same zones once more, and the choice of the machine.
    ("posix/CET", "there is no time zone \"posix/CET\" on this machine."),
    ("localtime", "there is no time zone \"localtime\" on this machine."),
    (
      "Europe Vienna",
      "\"Europe Vienna\" is not a time zone such as UTC or Europe/Vienna. Did you mean"
        + " \"Europe/Vienna\"?"
    ),
    ("../zones/CET", "\"../zones/CET\" is not a time zone such as UTC or Europe/Vienna."),
    ("", "\"\" is not a time zone such as UTC or Europe/Vienna."),
    ("a\u{1b}[m\nb", "\"a\u{fffd}[m b\" is not a time zone such as UTC or Europe/Vienna."),
  ])
  func `is checked against the machine`(_ name: String, _ problem: String?) async throws {
    try await TemporaryDirectory.with { folder in
      for zone in [
        "Europe/Vienna", "CET", "Etc/GMT+1", "America/Argentina/Salta", "posix/CET", "localtime",
      ] {
        try folder.write("TZif2", to: "zones/\(zone)")
      }
      try folder.write("#\tAllow", to: "zones/leapseconds")
      #expect(TimeZoneName.problem(with: name, folder: folder.file("zones")) == problem)
    }
  }

  @Test func `is taken as it is by a machine without time zones`() async throws {
    try await TemporaryDirectory.with { folder in
      try folder.write("TZif2", to: "zones/UTC")
      try folder.write("TZif2", to: "zones/Etc/UTC")
      for zones in [folder.file("none"), folder.file("zones")] {
        #expect(TimeZoneName.problem(with: "Mars/Base", folder: zones) == nil)
        #expect(
          TimeZoneName.problem(with: "../Mars", folder: zones)
            == "\"../Mars\" is not a time zone such as UTC or Europe/Vienna.")
      }
    }
  }
}
