import ViewModelKit

/// Asks for a page with a name and a password, in each of the forms that a key is sent in.
final class KitLogin: ViewModel {
  struct Config: ViewModelConfig {
    var user = "me"
    var password = "$secret:password"
  }

  static let id = "kit.login"

  let login = Input<String>()
  let result = Signal<String>()

  let http = HTTP()
  let work = Work(.queued)

  func start(_ context: Context<Config>) {
    login.start(work) { url in
      let config = context.config
      let basic = Self.base64("\(config.user):\(config.password)")
      let headers = [
        "authorization": "Basic \(basic)", "x-key": Self.base64(config.password),
        "x-open": Self.base64("\(config.password):"),
      ]
      let request = HTTPRequest(method: "GET", url: url, headers: headers)
      self.result.emit("\(try await self.http.send(request).status) \(basic)")
    }
  }

  private static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var encoded = ""
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        encoded.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : "=")
      }
    }
    return encoded
  }
}
