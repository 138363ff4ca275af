import HostCore
import Testing

struct LocaleNameTests {
  @Test(arguments: [
    "en", "en_US", "en-US", "de-AT", "fil", "zh-Hant_TW", "zh_Hant", "es_419", "es-419", "EN_us",
    "en_US_POSIX", "de-1996", "de-DE-1996", "sl-rozaj-biske", "en_US.UTF-8", "de_AT@euro",
    "sr_RS.UTF-8@latin", "en_US@calendar=buddhist;currency=EUR", "de@timezone=Europe/Vienna",
    "de-DE-u-co-phonebk", "en-x-mine", "en-US-u-hc-h12-x-mine", "C", "POSIX", "C.UTF-8",
  ])
  func `has the form of a locale`(_ name: String) {
    #expect(LocaleName.hasForm(name))
    #expect(LocaleName.problem(with: name) == nil)
  }

  @Test(arguments: [
    "", " ", "_", "e", "english", "German", "en_", "_US", "en__US", "en_USA", "en US", "en_US ",
    "en/US", "../en", "en_1", "12_AT", "d\u{e9}_FR", "en_US.", "en_US@", "en_US@a b", "en@x@y",
    "en-u", "en-x-", "de_DE_abc", "en\n", "e\0n", "Klingon", "c", "C_US",
    "en-" + String(repeating: "abcde-", count: 50) + "abcde",
  ])
  func `has not the form of a locale`(_ name: String) {
    #expect(!LocaleName.hasForm(name))
  }

  @Test func `a locale that is none is shown on one line`() {
    #expect(
      LocaleName.problem(with: "a\u{1b}\nb")
        == "\"a\u{fffd} b\" is not a locale such as en_US or zh-Hant-TW.")
  }
}
