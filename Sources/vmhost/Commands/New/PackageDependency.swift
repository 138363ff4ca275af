import HostCore

/// Where a project in Swift takes ViewModelKit from.
enum PackageDependency {
  /// A folder, as the project's manifest has it.
  case folder(String)
  case repository(url: String, version: String)

  /// - Parameter project: the path of the project's folder, which needn't be there yet.
  init(_ arguments: ParsedArguments, project: String) throws(Failure) {
    let (path, url) = (arguments.value(of: "path"), arguments.value(of: "url"))
    let version = arguments.value(of: "version")
    switch (path, url, version) {
    case (let path?, nil, nil): self = .folder(try Self.checked(path, project: project))
    case (nil, let url?, let version?):
      self = .repository(url: try Self.checked(url: url), version: try Self.checked(version))
    case (.some, .some, _), (.some, nil, .some):
      throw Failure(
        .usage,
        "--path names a folder, so it can't be combined with --url or"
          + " --version.")
    case (nil, .some, nil):
      throw Failure(.usage, "--url needs the version to take, as in --version 1.0.0.")
    case (nil, nil, .some):
      throw Failure(.usage, "--version needs the repository that has it: --url URL.")
    case (nil, nil, nil): self = .folder(try Self.own(project: project))
    }
  }

  /// The name by which the manifest refers to it.
  var name: String {
    switch self {
    // A path can be given a name, whatever its folder is called.
    case .folder: return "vmhost"
    case .repository(let url, _):
      let last = String(url.split(separator: "/").last ?? "")
      return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }
  }

  // MARK: Folders

  private static func isPackage(_ folder: String) -> Bool {
    (try? Files.kind(of: "\(folder)/Package.swift")) == .regular
      && (try? Files.kind(of: "\(folder)/Sources/ViewModelKit")) == .directory
  }

  private static func checked(_ path: String, project: String) throws(Failure) -> String {
    guard isPackage(path) else {
      throw Failure(
        .usage,
        "--path: \"\(path)\" isn't the package of vmhost: it has no Package.swift with "
          + "Sources/ViewModelKit beside it.")
    }
    guard let folder = try? Files.absolute(path) else {
      throw Failure(.usage, "--path: \"\(path)\" can't be resolved.")
    }
    try refuseSameName(folder, project)
    // A path that was given relative stays so, and both can move together.
    guard !Files.isAbsolute(path) else { return try text(folder) }
    let relative = Files.path(of: folder, fromFolderOf: project)
    return try text(Files.isAbsolute(relative) ? relative : "../\(relative)")
  }

  /// The package that is installed with this program, or that it was built in.
  private static func own(project: String) throws(Failure) -> String {
    if let folder = Installation.own.package { return try text(folder) }
    let parts = (try? Files.executableFolder()).map(Files.components) ?? []
    if let build = parts.lastIndex(of: ".build") {
      let folder = "/" + parts[..<build].joined(separator: "/")
      if isPackage(folder) {
        try refuseSameName(folder, project)
        return try text(folder)
      }
    }
    throw Failure(
      .usage,
      "This vmhost isn't in the folder that it was built in, so say where its package is: "
        + "--path DIR, a clone, or --url URL --version V.")
  }

  /// SwiftPM takes packages in folders of one name for the same.
  private static func refuseSameName(_ folder: String, _ project: String) throws(Failure) {
    let name = Files.components(of: folder).last ?? ""
    guard name.lowercased() == Files.components(of: project).last?.lowercased() else { return }
    throw Failure(
      .usage,
      "The clone of vmhost is in a folder \"\(name)\", too, and SwiftPM can't tell the two apart. "
        + "Give the project another name.")
  }

  /// A path for the text of a manifest.
  private static func text(_ path: String) throws(Failure) -> String {
    let isText = path.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0.properties.generalCategory != .privateUse
    }
    guard isText else {
      throw Failure(
        .usage,
        "The path \"\(path)\" can't be in a Package.swift: it has control characters or"
          + " isn't UTF-8.")
    }
    return path
  }

  // MARK: Repositories

  private static func checked(url: String) throws(Failure) -> String {
    let isURL = url.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "-._~:/@+%".unicodeScalars.contains(scalar))
    }
    let isWhole = url.contains("://") || (url.contains("@") && url.contains(":"))
    guard isURL, isWhole, let last = url.split(separator: "/").last, last != ".git" else {
      throw Failure(
        .usage,
        "--url: \"\(url)\" isn't the URL of a repository, such as https://example.com/vmhost.git.")
    }
    return url
  }

  private static func checked(_ version: String) throws(Failure) -> String {
    // What comes behind the three numbers names a prerelease or a build.
    let end = version.firstIndex { $0 == "-" || $0 == "+" } ?? version.endIndex
    let numbers = version[..<end].split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = version.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return byte < 0x80 && (character.isLetter || character.isNumber || ".-+".contains(character))
    }
    guard numbers.count == 3, isPlain, numbers.allSatisfy({ UInt($0) != nil }),
      version[end...].count != 1
    else {
      throw Failure(.usage, "--version: \"\(version)\" isn't a version such as 1.0.0.")
    }
    return version
  }
}
