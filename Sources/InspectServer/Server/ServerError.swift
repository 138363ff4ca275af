package import HostCore

/// Why there is no server.
package enum ServerError: Error, Equatable, CustomStringConvertible {
  case argument(String)
  case pageLine
  case pageTooLarge(Int)
  case noPage(missing: Int)
  case system(SystemError)

  package var description: String {
    switch self {
    case .argument(let text):
      "\"\(text.terminalSafeLine)\" is no limit; \"vmhost inspect\" starts this program."
    case .pageLine:
      "the first line of standard input must be {\"kind\":\"page\",\"bytes\":N}; "
        + "\"vmhost inspect\" starts this program."
    case .pageTooLarge(let count): "the page has \(count) bytes; a page has at most 16 MB."
    case .noPage(let missing): "standard input ended \(missing) bytes before the end of the page."
    case .system(let error): "\(error)."
    }
  }
}
