import Foundation
import HostCore
import Testing

struct TimestampTests {
  private static let second: Nanoseconds = 1_000_000_000

  @Test(arguments: [
    ("1970-01-01", 0), ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0),
    ("1970-01-01 00:00:01Z", second), ("1970-01-01T00:00:00.5Z", second / 2),
    ("1970-01-01T00:00:00.000000001Z", 1), ("1969-12-31T23:59:59.999999999Z", -1),
    ("2026-01-31T12:00:00Z", 1_769_860_800 * second),
    ("2026-01-31T13:30:00+01:30", 1_769_860_800 * second),
    ("2026-01-31T04:00:00-08:00", 1_769_860_800 * second),
    ("2000-02-29T00:00:00Z", 951_782_400 * second), ("2024-02-29", 1_709_164_800 * second),
    ("1900-03-01", -2_203_891_200 * second),
    ("2262-04-11T23:47:16.854775807Z", .max),
  ])
  func `reads a moment`(_ text: String, _ moment: Nanoseconds) {
    #expect(Timestamp.parse(text) == moment)
  }

  @Test(arguments: [
    "", "now", "2026", "2026-01", "2026-1-31", "26-01-31", "2026-13-01", "2026-00-01",
    "2026-01-32", "2026-01-00", "2026-02-29", "1900-02-29", "2100-02-29", "2026-04-31",
    "2026-01-31T", "2026-01-31T12", "2026-01-31T12:00", "2026-01-31T12:00Z",
    "2026-01-31T12:00:00", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z",
    "2026-01-31T12:00:60Z", "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00.1234567890Z",
    "2026-01-31T12:00:00+1", "2026-01-31T12:00:00+0100", "2026-01-31T12:00:00+24:00",
    "2026-01-31T12:00:00+01:60", "2026-01-31T12:00:00ZZ", "2026-01-31T12:00:00Z ",
    " 2026-01-31", "-2026-01-31", "+2026-01-31", "2026/01/31", "٢٠٢٦-01-31", "2026\u{301}-01-31",
    "2026-01-31T12:00:00\u{301}Z", "1677-09-20", "2262-04-12", "0000-01-01", "9999-12-31",
    "2262-04-11T23:47:16.854775808Z",
  ])
  func `refuses what is no moment`(_ text: String) {
    #expect(Timestamp.parse(text) == nil)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000000001Z"),
    (-1, "1969-12-31T23:59:59.999999999Z"), (-second, "1969-12-31T23:59:59Z"),
    (1_500_000_000, "1970-01-01T00:00:01.5Z"), (.max, "2262-04-11T23:47:16.854775807Z"),
    (.min, "1677-09-21T00:12:43.145224192Z"),
  ])
  func `writes a moment`(_ moment: Nanoseconds, _ text: String) {
    #expect(Timestamp.text(moment) == text)
  }

  @Test func `reads back what it wrote, through five centuries`() {
    let day = 86_400 * Self.second
    var moment = -106_750 * day + 1_001
    var isRight = true
    while moment < 106_750 * day {
      isRight = isRight && Timestamp.parse(Timestamp.text(moment)) == moment
      moment += 9 * day + 12_345_678_900
    }
    #expect(isRight)
  }

  @Test func `agrees with the system's calendar`() throws {
    let calendar = Date.ISO8601FormatStyle()
    var seconds = -9_000_000_000
    while seconds < 9_000_000_000 {
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(Timestamp.text(Int64(seconds) * Self.second) == date.formatted(calendar))
      seconds += 98_765_432
    }
  }
}
