import Basics
import Testing

struct TimeSpanTests {
  @Test(arguments: [
    ("0s", 0), ("0ns", 0), ("1ns", 1), ("10ns", 10), ("250us", 250_000), ("300ms", 300_000_000),
    ("5s", 5_000_000_000), ("2m", 120_000_000_000), ("1h", 3_600_000_000_000),
    ("1.5s", 1_500_000_000), ("0.25ms", 250_000), ("1.000000001s", 1_000_000_001),
    ("0.5h", 1_800_000_000_000), ("1.50s", 1_500_000_000), ("1.5000000000000s", 1_500_000_000),
    ("007s", 7_000_000_000), ("2.0ns", 2), ("9223372036854775807ns", Int64.max),
    ("9223372036.854775807s", Int64.max),
  ])
  func `reads a span`(_ text: String, _ span: Int64) {
    #expect(TimeSpan.parse(text) == span)
    #expect(TimeSpan.parse("> \(text)".dropFirst(2)) == span)
  }

  @Test(arguments: [
    "", "s", "5", "5 s", " 5s", "5s ", "-5s", "+5s", ".5s", "5.s", "1.2.3s", "1,5s", "5S", "5sec",
    "5min", "5d", "1e3s", "0x5s", "5µs", "٥s", "1.5ns", "0.0001us", "1.0000000001s",
    "9223372036854775808ns", "9223372036.854775808s", "9223372037s", "99999999999999999999s",
    "2562048h", "5s\u{301}", "5\u{301}s", "5\0s",
  ])
  func `refuses what is no span`(_ text: String) {
    #expect(TimeSpan.parse(text) == nil)
  }

  @Test(arguments: [
    ("soon", "is not a time such as 300ms, 5s or 2m"),
    ("5", "is not a time such as 300ms, 5s or 2m"),
    ("9999999h", "is too long: the longest time is 2562047h (292 years)"),
    ("99999999999999999999s", "is too long: the longest time is 2562047h (292 years)"),
    ("9223372036.854775808s", "is too long: the longest time is 2562047h (292 years)"),
    ("1.5ns", "is too fine: a time consists of whole nanoseconds"),
    ("0.0001us", "is too fine: a time consists of whole nanoseconds"),
  ])
  func `says what is wrong with a span`(_ text: String, _ problem: String) {
    #expect(TimeSpan.problem(with: text) == problem)
  }

  @Test(arguments: [
    ("25h", "is too long: the longest time is 24h"),
    ("9999999h", "is too long: the longest time is 24h"), ("0s", "is not a number"),
  ])
  func `says what is wrong with a span that is not allowed`(_ text: String, _ problem: String) {
    #expect(TimeSpan.problem(with: text, form: "a number", max: 24 * TimeSpan.hour) == problem)
  }

  @Test(
    arguments: [
      (0, "0s"), (1, "1ns"), (999, "999ns"), (1000, "1us"), (1001, "1001ns"),
      (300_000_000, "300ms"),
      (5_000_000_000, "5s"), (60_000_000_000, "1m"), (90_000_000_000, "90s"),
      (3_600_000_000_000, "1h"), (86_400_000_000_000, "24h"), (-5_000_000_000, "-5s"),
    ] as [(Int64, String)])
  func `writes a span in the largest unit that fits`(_ span: Int64, _ text: String) {
    #expect(TimeSpan.text(span) == text)
  }

  @Test func `reads back what it wrote`() {
    var span: Int64 = 1
    while span < .max / 7 {
      for span in [span, span * 3, span * 5 - 1] {
        #expect(TimeSpan.parse(TimeSpan.text(span)) == span)
      }
      span *= 7
    }
    #expect(TimeSpan.parse(TimeSpan.text(.max)) == .max)
  }

  @Test(
    arguments: [
      (0, "0"), (200_000_000, "0.2"), (3_000_000_001, "3.000000001"), (1_000_000_000, "1"),
      (10_000_000_000, "10"), (123_450_000_000, "123.45"), (-1_500_000_000, "-1.5"),
      (.max, "9223372036.854775807"), (.min, "-9223372036.854775808"),
    ] as [(Int64, String)])
  func `writes seconds as a JSON number`(_ span: Int64, _ text: String) {
    var bytes = Array("t:".utf8)
    TimeSpan.appendSeconds(span, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "t:" + text)
  }
}
