import Foundation
import FoundationNetworking

extension OutgoingRequest {
  /// The request that a redirect asks for; nil when the answer is no redirect that is followed.
  /// Throws when the place that it names can't be asked.
  func redirected(by response: HTTPURLResponse) throws(ProviderError) -> OutgoingRequest? {
    guard [301, 302, 303, 307, 308].contains(response.statusCode),
      let location = response.value(forHTTPHeaderField: "location"), !location.isEmpty
    else { return nil }
    guard let target = URL(string: location, relativeTo: url)?.absoluteURL else {
      throw ProviderError(.failed, "\(url.forMessages) redirects to what can't be parsed as a URL.")
    }
    var next = self
    do {
      next.url = try Self.checkedURL(target.absoluteString)
    } catch {
      throw ProviderError(
        .failed, "\(url.forMessages) redirects to an invalid URL: \(error.message)")
    }
    let becomesGET =
      response.statusCode == 303 ? method != "HEAD" : response.statusCode < 303 && method == "POST"
    if becomesGET {
      next.method = "GET"
      next.body = nil
      for name in headers.keys where name.hasPrefix("content-") { next.headers[name] = nil }
    }
    if next.url.origin != url.origin {
      for name in ["authorization", "cookie", "proxy-authorization", "host"] {
        next.headers[name] = nil
      }
    }
    return next
  }
}

extension URL {
  /// Scheme, host and port: what credentials are meant for.
  var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    return "\(scheme)://\(host()?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
  }

  /// Without user, query and fragment, which may hold secrets.
  var forMessages: String {
    let path = path().prefix(200)
    return "\(scheme ?? "")://\(host() ?? "")\(port.map { ":\($0)" } ?? "")\(path)"
  }
}
