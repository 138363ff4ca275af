import HostCore

/// `vmhost inspect`: a session whose lines come from a page in a browser.
struct InspectCommand {
  static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    // Its other options are all options of `run`, which it is but for where its lines come from.
    var options = try RunOptions(arguments.for(.run))
    options.inspection = RunOptions.Inspection(holdsRequests: !arguments.flag("live"))
    return try RunCommand.run(options)
  }
}
