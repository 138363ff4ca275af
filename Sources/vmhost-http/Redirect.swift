import Foundation
import FoundationNetworking

extension OutgoingRequest {
  /// The request that a redirect leads to; nil if the answer isn't a redirect to follow.
  ///
  /// - Throws: `failed` if the location isn't a URL that can be requested.
  func redirected(by response: HTTPURLResponse) throws(ProviderError) -> OutgoingRequest? {
    guard [301, 302, 303, 307, 308].contains(response.statusCode),
      let location = response.value(forHTTPHeaderField: "location"), !location.isEmpty
    else { return nil }
    guard let target = URL(string: location, relativeTo: url)?.absoluteURL else {
      throw ProviderError(.failed, "\(url.forMessages) redirects to an invalid URL.")
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
  /// The scheme, host and port. Credentials are for one origin only.
  var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    return "\(scheme)://\(host()?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
  }

  /// The URL without the user, query and fragment, which may contain secrets.
  var forMessages: String {
    let path = path().prefix(200)
    return "\(scheme ?? "")://\(host() ?? "")\(port.map { ":\($0)" } ?? "")\(path)"
  }
}
