import Testing
import ViewModelKit

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("", ""),
    ("AZaz09-._~", "AZaz09-._~"),
    ("a b&c=d+e/f?g#h%", "a%20b%26c%3Dd%2Be%2Ff%3Fg%23h%25"),
    ("é", "%C3%A9"),
    ("e\u{301}", "e%CC%81"),
    ("日", "%E6%97%A5"),
    ("\u{0}\n\u{7F}", "%00%0A%7F"),
  ])
  func `every byte but the unreserved ones is encoded`(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text) == encoded)
  }
}
