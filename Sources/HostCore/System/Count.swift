/// Numbers with their nouns, such as "1 event" and "2 events".
package enum Count {
  package static func of(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
